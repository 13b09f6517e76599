"""Looks three plies ahead; the value of a throw counts by the chance that it hits."""

from test_players.levels import Searcher, free


class HardAI(Searcher):
    misses_count = True

    def walk_value(self, grid):
        cells = free(grid, self.player_num)
        return len(cells) + 0.5 * sum(len(grid.get_neighbors(cell, only_available=True)) for cell in cells)

    def aim_value(self, grid):
        return 2 * len(free(grid, self.player_num)) - len(free(grid, self.opponent))

    def aims(self, grid, walker):
        """Cells that have a trap already, too: that is the way to pass."""
        return [cell for cell in grid.get_neighbors(grid.find(walker)) if grid.getCellValue(cell) <= 0]
