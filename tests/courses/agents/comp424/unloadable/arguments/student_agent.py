from agents.agent import Agent
from store import register_agent


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self, depth):
        super().__init__()
        self.depth = depth

    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, 0
