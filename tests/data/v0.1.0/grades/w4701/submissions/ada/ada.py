"""Walks to where most is free, and aims beside the opponent."""

import random

from BaseAI import BaseAI


class PlayerAI(BaseAI):
    def __init__(self):
        self.pos = self.player_num = None

    def getPosition(self):
        return self.pos

    def setPosition(self, pos):
        self.pos = pos

    def getPlayerNum(self):
        return self.player_num

    def setPlayerNum(self, num):
        self.player_num = num

    def getMove(self, grid):
        def free(cell):
            return len(grid.get_neighbors(cell, only_available=True))

        return max(grid.get_neighbors(self.pos, only_available=True), key=free)

    def getTrap(self, grid):
        beside = grid.get_neighbors(grid.find(3 - self.player_num), only_available=True)
        return random.choice(beside or grid.getAvailableCells())
