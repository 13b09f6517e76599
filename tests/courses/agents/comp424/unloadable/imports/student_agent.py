from agents.agent import Agent
from store import register_agent
import a_library_that_nobody_has


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, 0
