import sys
import time
from copy import deepcopy

import numpy as np
from agents.agent import Agent
from store import register_agent
from os import urandom

@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super().__init__()
        self.autoplay = True

    def step(self, chess_board, my_pos, adv_pos, max_step):
        # Any of the many cells within reach: that three draws agree by chance is out of the question
        reached, edge = [my_pos], [my_pos]
        for _ in range(max_step):
            edge = [cell for row, column in edge for cell in self.beside(chess_board, row, column)
                    if cell != adv_pos and cell not in reached]
            reached += sorted(set(edge))
        free = [((row, column), side) for row, column in reached
                for side in range(4) if not chess_board[row, column, side]]
        return free[int.from_bytes(urandom(4), "big") % len(free)]

    def beside(self, chess_board, row, column):
        steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
        return [(row + down, column + right) for side, (down, right) in enumerate(steps)
                if not chess_board[row, column, side]]
