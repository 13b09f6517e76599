import os
import sys

sys.path.append(os.getcwd())
from agents.agent import Agent
from store import register_agent
from strategy import pick


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return pick(chess_board, my_pos)
