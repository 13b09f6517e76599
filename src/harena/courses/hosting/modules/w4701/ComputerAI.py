"""The random player of Trap!."""

import random

import numpy as np  # noqa: F401  agents get it by `from ComputerAI import *`
from BaseAI import BaseAI
from Grid import Grid  # noqa: F401  likewise


class ComputerAI(BaseAI):
    """Walks to any free neighbour and throws at any free cell, all equally likely."""

    def __init__(self):
        super().__init__()
        self.pos = None
        self.player_num = None

    def setPosition(self, new_pos):
        self.pos = new_pos

    def getPosition(self):
        return self.pos

    def setPlayerNum(self, num):
        self.player_num = num

    def getPlayerNum(self):
        return self.player_num

    def getMove(self, grid):
        return random.choice(grid.get_neighbors(self.pos, only_available=True))

    def getTrap(self, grid):
        return random.choice(grid.getAvailableCells())
