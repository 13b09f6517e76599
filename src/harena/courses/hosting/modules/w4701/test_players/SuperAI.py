"""Looks four plies ahead, and attacks once half of the board is gone."""

from test_players.levels import Searcher, free


class SuperAI(Searcher):
    depth = 4
    seconds = 0.98
    misses_count = True

    def walk_value(self, grid):
        mine, theirs = len(free(grid, self.player_num)), len(free(grid, self.opponent))
        if 2 * len(grid.getAvailableCells()) > grid.dim**2:
            return 1.5 * mine - theirs
        return mine - 2 * theirs

    aim_value = walk_value
