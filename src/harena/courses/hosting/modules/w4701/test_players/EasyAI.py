"""The easy level: walks at random and throws at a free cell beside the opponent."""

import os
import random
import sys

import numpy as np
from BaseAI import BaseAI
from Grid import Grid

from test_players import harena_levels as _shared


def OPPONENT(player):
    """The number of the other player."""
    return 3 - player


class EasyAI(BaseAI):
    """All my free neighbours are equally likely walks, and all of the opponent's equally likely aims."""

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

    def getMove(self, grid):
        return random.choice(grid.get_neighbors(self.pos, only_available=True))

    def getTrap(self, grid):
        return random.choice(_shared.targets_around(grid, OPPONENT(self.player_num), free_only=True))
