"""Looks three plies ahead; the value of a throw counts by the chance that it hits, and a miss is worth nothing."""

import os
import random
import sys
import time

import numpy as np
from BaseAI import BaseAI
from Grid import Grid
from Utils import manhattan_distance

from test_players.levels import Searcher, decided_utility, hit_chance, is_decided, mobility

MAX_DEPTH = 3
MOVE_TIME_LIMIT = TRAP_TIME_LIMIT = 0.48  # seconds
N = 7


def AM(grid, player_num):
    """My free neighbours."""
    return mobility(grid, player_num)[0]


def IS(grid, player_num):
    """My free neighbours less the opponent's."""
    mine, theirs = mobility(grid, player_num)
    return mine - theirs


def AIS(grid, player_num):
    """Twice my free neighbours less the opponent's; elsewhere the name stands for the reverse."""
    mine, theirs = mobility(grid, player_num)
    return 2 * mine - theirs


def M2B(state, player_num):
    """My free neighbours less twice the opponent's."""
    mine, theirs = mobility(state, player_num)
    return mine - 2 * theirs


def OTD(state, player_num):
    """Defends while more than half of the board is free, and then attacks."""
    mine, theirs = mobility(state, player_num)
    if 2 * len(state.getAvailableCells()) > state.dim**2:
        return 1.5 * mine - theirs
    return mine - 2 * theirs


def OSL(state, player_num):
    """The free neighbours of all cells around me, of those with a trap, too, as in the course."""
    around = state.get_neighbors(state.find(player_num))
    return sum(len(state.get_neighbors(cell, only_available=True)) for cell in around)


def compute_p(position, target):
    """The chance that a trap thrown from one cell at another lands there."""
    return hit_chance(position, target)


class HardAI(Searcher):
    def terminal_test(self, state, time, depth, mode="move"):
        limit = MOVE_TIME_LIMIT if mode == "move" else TRAP_TIME_LIMIT
        return depth >= MAX_DEPTH or time >= limit or is_decided(state)

    def chance_move(self, state, p, alpha, beta, depth, start_time):
        """What the opponent's throw leads to, times its chance."""
        return None, p * self.maximize_move(state, alpha / p, beta / p, depth, start_time)[1]

    def chance_trap(self, state, p, alpha, beta, depth, start_time):
        """What my throw leads to, times its chance."""
        return None, p * self.minimize_trap(state, alpha / p, beta / p, depth, start_time)[1]

    def aims(self, grid):
        """Cells that have a trap already, too: that is the way to pass."""
        around = grid.get_neighbors(grid.find(3 - self.player_num))
        return [cell for cell in around if grid.getCellValue(cell) <= 0]

    def utility(self, state, action="move"):
        decided = decided_utility(state, self.player_num)
        if decided is not None:
            return decided
        if action == "move":
            return AM(state, self.player_num) + 0.5 * OSL(state, self.player_num)
        return AIS(state, self.player_num)

    def _utility_of_trap(self, grid):
        return self.utility(grid, action="trap")
