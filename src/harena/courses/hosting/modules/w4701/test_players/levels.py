"""What the course's opponents have in common: where they stand, and a search in which one walks and one throws."""

import time

from ComputerAI import ComputerAI
from Utils import manhattan_distance

STUCK = 1000


def free(grid, player):
    """The free neighbours of a player."""
    return grid.get_neighbors(grid.find(player), only_available=True)


class Level(ComputerAI):
    """A player who knows the other's number; walks at random."""

    @property
    def opponent(self):
        return 3 - self.player_num


class Searcher(Level):
    """Looks ahead in two trees: in one I walk and the opponent throws at my neighbours, in the other it is the reverse.

    Whoever throws stands still in his tree. The value of a throw counts by its chance where `misses_count` is set: a
    miss is worth nothing, as in the course. `walk_value(grid)` and `aim_value(grid)`, what a position is worth to me in
    either tree, are each level's own.
    """

    depth = 3
    seconds = 0.48  # for a walk, and again for an aim
    misses_count = False

    def aims(self, grid, walker):
        """The cells that a thrower considers in the first ply."""
        return free(grid, walker)

    def getMove(self, grid):
        return self._best(grid, self.player_num, free(grid, self.player_num), walking=True)

    def getTrap(self, grid):
        return self._best(grid, self.opponent, self.aims(grid, self.opponent), walking=False)

    def _best(self, grid, walker, cells, walking):
        """The first of the best cells."""
        self.deadline = time.perf_counter() + self.seconds
        values = [self._after(grid, walker, cell, walking, self.depth) for cell in cells]
        return cells[values.index(max(values))]

    def _after(self, grid, walker, cell, walking, depth):
        """The value for me of a walk to a cell, or of a throw at it."""
        after = grid.clone()
        if walking:
            return self._value(after.move(cell, walker), walker, False, depth - 1)
        value = self._value(after.trap(cell), walker, True, depth - 1)
        distance = manhattan_distance(grid.find(3 - walker), cell)
        return value * (1 - 0.05 * (distance - 1)) if self.misses_count else value

    def _value(self, grid, walker, walking, depth):
        mine = walker == self.player_num
        cells = free(grid, walker)
        if not cells:
            return -STUCK if mine else STUCK
        if depth == 0 or time.perf_counter() > self.deadline:
            return self.walk_value(grid) if mine else self.aim_value(grid)
        best = max if mine == walking else min
        return best(self._after(grid, walker, cell, walking, depth) for cell in cells)
