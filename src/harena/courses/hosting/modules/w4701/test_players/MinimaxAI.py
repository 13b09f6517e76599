"""Looks three plies ahead as if throws never missed."""

import os
import random
import sys
import time

import numpy as np
from BaseAI import BaseAI
from Grid import Grid

from test_players.levels import Searcher, decided_utility, is_decided, mobility

MAX_DEPTH = 3
MOVE_TIME_LIMIT = TRAP_TIME_LIMIT = 0.48  # seconds


def IS(grid, player_num):
    """My free neighbours less the opponent's."""
    mine, theirs = mobility(grid, player_num)
    return mine - theirs


class HardAI(Searcher):  # the file's class had this name in the course
    def terminal_test(self, state, time, depth, mode="move"):
        limit = MOVE_TIME_LIMIT if mode == "move" else TRAP_TIME_LIMIT
        return depth >= MAX_DEPTH or time >= limit or is_decided(state)

    def utility(self, state):
        decided = decided_utility(state, self.player_num)
        return IS(state, self.player_num) if decided is None else decided


MinimaxAI = HardAI
