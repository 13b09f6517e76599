"""Goes one step if it can, and builds a wall behind itself."""

from agents.agent import Agent
from store import register_agent

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        for side, (down, right) in enumerate(STEPS):
            there = my_pos[0] + down, my_pos[1] + right
            if not chess_board[my_pos][side] and there != tuple(adv_pos):
                return there, (side + 2) % 4
        return my_pos, next(side for side in range(4) if not chess_board[my_pos][side])
