# Student agent: Add your own agent here
from agents.agent import Agent
from store import register_agent
import sys
import numpy as np
from copy import deepcopy
import time


@register_agent("student_agent")
class StudentAgent(Agent):
    """
    The template: it stays where it is and builds above itself, whatever is there already.
    """

    def __init__(self):
        super(StudentAgent, self).__init__()
        self.name = "StudentAgent"
        self.dir_map = {
            "u": 0,
            "r": 1,
            "d": 2,
            "l": 3,
        }

    def step(self, chess_board, my_pos, adv_pos, max_step):
        start_time = time.time()
        time_taken = time.time() - start_time
        print("My AI's turn took ", time_taken, "seconds.")
        return my_pos, self.dir_map["u"]
