"""The level between medium and hard: alpha-beta of depth 3 in which every throw hits. Its class is called HardAI."""

import os
import random
import sys
import time

import numpy as np
from BaseAI import BaseAI
from Grid import Grid

from test_players import harena_levels as _shared

MAX_DEPTH = 3
MOVE_TIME_LIMIT = 2.0  # seconds of processor time; the two together leave some of the turn's five
TRAP_TIME_LIMIT = 2.0


def IS(grid, player_num):
    """The player's free neighbours minus the opponent's."""
    return _shared.mobility_difference(grid, player_num)


class HardAI(_shared.Searcher):
    """Its utility is IS."""

    def _limits(self, mode):
        return MAX_DEPTH, MOVE_TIME_LIMIT if mode == "move" else TRAP_TIME_LIMIT

    def utility(self, state):
        """IS, or 1000 for a won and -1000 for a lost game."""
        decided = self._decided(state)
        return IS(state, self.player_num) if decided is None else decided


MinimaxAI = HardAI
