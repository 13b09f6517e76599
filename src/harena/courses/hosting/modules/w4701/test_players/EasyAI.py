"""Walks at random, and throws at a random free neighbour of the opponent."""

import os
import random
import sys

import numpy as np
from BaseAI import BaseAI
from Grid import Grid

from test_players.levels import free


def OPPONENT(player):
    """The number of the other player."""
    return 3 - player


class EasyAI(BaseAI):
    def __init__(self, initial_position=None):
        super().__init__()
        self.pos = initial_position
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
        return random.choice(free(grid, OPPONENT(self.player_num)) or grid.getAvailableCells())
