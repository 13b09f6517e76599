"""Looks three plies ahead as if throws never missed."""

from test_players.levels import Searcher, free


class HardAI(Searcher):  # the file's class had this name in the course
    def walk_value(self, grid):
        return len(free(grid, self.player_num)) - len(free(grid, self.opponent))

    aim_value = walk_value


MinimaxAI = HardAI
