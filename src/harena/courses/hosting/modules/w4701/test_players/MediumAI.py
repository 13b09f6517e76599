"""Looks one ply ahead: most free neighbours for me, fewest for the opponent."""

import os
import random
import sys

import numpy as np
from BaseAI import BaseAI
from Grid import Grid

from test_players.levels import free, mobility


def AM(grid, player_num):
    """My free neighbours."""
    return mobility(grid, player_num)[0]


def IS(grid, player_num):
    """My free neighbours less the opponent's."""
    mine, theirs = mobility(grid, player_num)
    return mine - theirs


class MediumAI(BaseAI):
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
        me = self.player_num
        return max(free(grid, me), key=lambda cell: AM(grid.clone().move(cell, me), me))

    def getTrap(self, grid):
        aims = free(grid, 3 - self.player_num) or grid.getAvailableCells()
        return max(aims, key=lambda cell: IS(grid.clone().trap(cell), self.player_num))
