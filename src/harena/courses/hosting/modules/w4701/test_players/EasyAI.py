"""Walks at random, and throws at a random free neighbour of the opponent."""

import random

from test_players.levels import Level, free


class EasyAI(Level):
    def getTrap(self, grid):
        return random.choice(free(grid, self.opponent) or grid.getAvailableCells())
