from agents.agent import Agent
from store import register_agent
import sys
import numpy as np
from copy import deepcopy
import random


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super(StudentAgent, self).__init__()
        self.name = "StudentAgent"
        self.autoplay = True

    def step(self, chess_board, my_pos, adv_pos, max_step):
        board = deepcopy(chess_board)
        assert board.dtype == bool and board.shape[2] == 4 and board is not chess_board
        assert isinstance(my_pos, tuple) and isinstance(my_pos[0], np.int64) and type(max_step) is int
        ori_pos = deepcopy(my_pos)
        moves = ((-1, 0), (0, 1), (1, 0), (0, -1))
        steps = np.random.randint(0, max_step + 1)
        for _ in range(steps):
            r, c = my_pos
            dir = random.randint(0, 3)
            m_r, m_c = moves[dir]
            new_pos = (r + m_r, c + m_c)
            if not board[r, c, dir] and new_pos != adv_pos:
                my_pos = new_pos
        r, c = my_pos
        dir = np.random.randint(0, 4)
        while board[r, c, dir]:
            dir = np.random.randint(0, 4)
        return my_pos, dir


if __name__ == "__main__":
    raise RuntimeError("this block is for my own tests")
