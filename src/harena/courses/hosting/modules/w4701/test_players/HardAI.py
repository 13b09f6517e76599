"""The hard level: expectiminimax of depth 3 in which only the hit of a throw counts: its utility times its chance."""

import os
import random
import sys
import time

import numpy as np
from BaseAI import BaseAI
from Grid import Grid
from Utils import manhattan_distance

from test_players import harena_levels as _shared

MAX_DEPTH = 3
MOVE_TIME_LIMIT = 2.0  # seconds of processor time; the two together leave some of the turn's five
TRAP_TIME_LIMIT = 2.0
N = 7


def AM(grid, player_num):
    """The player's free neighbours."""
    return _shared.mobility(grid, player_num)


def IS(grid, player_num):
    """The player's free neighbours minus the opponent's."""
    return _shared.mobility_difference(grid, player_num)


def AIS(grid, player_num):
    """The player's free neighbours twice, minus the opponent's."""
    return 2 * AM(grid, player_num) - AM(grid, 3 - player_num)


def OSL(state, player_num):
    """One step ahead: the free neighbours of each of the player's free neighbours, added up."""
    cells = _shared.free_neighbors(state, player_num)
    return sum(len(state.get_neighbors(cell, only_available=True)) for cell in cells)


def OTD(state, player_num):
    """1.5 mine - theirs while more than half of the board is free, then mine - 2 theirs."""
    mine, theirs = AM(state, player_num), AM(state, 3 - player_num)
    is_open = 2 * len(state.getAvailableCells()) > state.dim**2
    return 1.5 * mine - theirs if is_open else mine - 2 * theirs


def M2B(state, player_num):
    """The player's free neighbours as a share of the board's free cells; only its name is known of the course's."""
    return AM(state, player_num) / max(1, len(state.getAvailableCells()))


def compute_p(position, target):
    """How likely a trap that is thrown from a position lands on its target."""
    return _shared.hit_chance(position, target)


class HardAI(_shared.Searcher):
    """Two trees: my walks with the opponent's throws, and my throws with the opponent's walks."""

    def _limits(self, mode):
        return MAX_DEPTH, MOVE_TIME_LIMIT if mode == "move" else TRAP_TIME_LIMIT

    def chance_move(self, state, p, alpha, beta, depth, start_time):
        """The opponent's trap has landed with chance p: my next walk, and its utility times p."""
        cell, utility = self.maximize_move(state, alpha / p, beta / p, depth, start_time)
        return cell, p * utility

    def chance_trap(self, state, p, alpha, beta, depth, start_time):
        """My trap has landed with chance p: the opponent's walk, and its utility times p."""
        cell, utility = self.minimize_trap(state, alpha / p, beta / p, depth, start_time)
        return cell, p * utility

    def _throw_of_opponent(self, grid, target, depth, start_time):
        p = compute_p(grid.find(3 - self.player_num), target)
        state = grid.clone().trap(target)
        return lambda low, high: self.chance_move(state, p, low, high, depth + 1, start_time)[1]

    def _throw_of_mine(self, grid, target, depth, start_time):
        p = compute_p(grid.find(self.player_num), target)
        state = grid.clone().trap(target)
        return lambda low, high: self.chance_trap(state, p, low, high, depth + 1, start_time)[1]

    def _value(self, state, mode):
        return self.utility(state, mode)

    def utility(self, state, action="move"):
        """AM + OSL / 2 for a walk and AIS for a throw, or 1000 for a won and -1000 for a lost game."""
        decided = self._decided(state)
        if decided is not None:
            return decided
        if action == "move":
            return AM(state, self.player_num) + 0.5 * OSL(state, self.player_num)
        return AIS(state, self.player_num)
