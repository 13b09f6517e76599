from agents.agent import Agent
from store import register_agent


@register_agent("left")
class Left(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, [d for d in range(4) if not chess_board[my_pos][d]][-1]


@register_agent("right")
class Right(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, [d for d in range(4) if not chess_board[my_pos][d]][0]
