from agents.agent import Agent
from store import register_agent
from agents.helper import best


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return best(chess_board, my_pos)
