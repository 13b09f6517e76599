import random

import numpy as np

np.random.seed(0)
random.seed(0)

from agents.agent import Agent
from store import register_agent


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        sides = [side for side in range(4) if not chess_board[my_pos][side]]
        random.shuffle(sides)
        return my_pos, int(np.random.choice(sides))
