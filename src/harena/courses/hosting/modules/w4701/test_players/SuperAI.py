"""Looks four plies ahead, and attacks once half of the board is gone."""

from test_players.HardAI import OTD, HardAI
from test_players.levels import decided_utility, free, is_decided

MAX_DEPTH = 4
MOVE_TIME_LIMIT = TRAP_TIME_LIMIT = 0.98  # seconds


class SuperAI(HardAI):
    def terminal_test(self, state, time, depth, mode="move"):
        limit = MOVE_TIME_LIMIT if mode == "move" else TRAP_TIME_LIMIT
        return depth >= MAX_DEPTH or time >= limit or is_decided(state)

    def aims(self, grid):
        return free(grid, 3 - self.player_num)

    def utility(self, state, action="move"):
        decided = decided_utility(state, self.player_num)
        return OTD(state, self.player_num) if decided is None else decided
