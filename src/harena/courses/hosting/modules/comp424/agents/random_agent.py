"""The agent that walks at random."""

from copy import deepcopy

import numpy as np
from store import register_agent

from agents.agent import Agent


@register_agent("random_agent")
class RandomAgent(Agent):
    """Takes 0 to `max_step` random steps, then builds on a random free side."""

    def __init__(self):
        super().__init__()
        self.name = "RandomAgent"
        self.autoplay = True

    def step(self, chess_board, my_pos, adv_pos, max_step):
        """Each step goes over an open side, all of them equally likely, that does not lead to the adversary."""
        ways = ((-1, 0), (0, 1), (1, 0), (0, -1))
        row, column = my_pos
        for _ in range(np.random.randint(0, max_step + 1)):
            beyond = [
                (row + ways[side][0], column + ways[side][1]) for side in range(4) if not chess_board[row, column, side]
            ]
            allowed = [cell for cell in beyond if cell != tuple(adv_pos)]
            if not allowed:
                break
            row, column = allowed[np.random.randint(0, len(allowed))]
        free = [side for side in range(4) if not chess_board[row, column, side]]
        return (row, column), free[np.random.randint(0, len(free))]
