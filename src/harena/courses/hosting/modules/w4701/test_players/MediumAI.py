"""The medium level: looks one ply ahead, and takes the first of equals."""

import os
import random
import sys

import numpy as np
from BaseAI import BaseAI
from Grid import Grid

from test_players import harena_levels as _shared


def AM(grid, player_num):
    """The player's free neighbours."""
    return _shared.mobility(grid, player_num)


def IS(grid, player_num):
    """The player's free neighbours minus the opponent's."""
    return _shared.mobility_difference(grid, player_num)


class MediumAI(BaseAI):
    """Walks where most neighbours are free, and throws where a hit leaves the opponent the worst balance."""

    def __init__(self, position=None):
        super().__init__()
        self.pos = position
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
        walks = grid.get_neighbors(self.pos, only_available=True)
        return max(walks, key=lambda walk: AM(grid.clone().move(walk, self.player_num), self.player_num))

    def getTrap(self, grid):
        targets = _shared.targets_around(grid, 3 - self.player_num, free_only=True)
        return max(targets, key=lambda target: IS(grid.clone().trap(target), self.player_num))
