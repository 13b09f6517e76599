"""What the levels share: counts of free cells, and the search of two small trees for those that look ahead.

What each level does is taken from the description of the course's players, and names, parameters and defaults from the
list of its interfaces. Where these say nothing, the docstring says what was decided here:

* `depth` counts the plies made so far, from 0; the tree ends at `MAX_DEPTH`;
* `start_time` is a reading of `time.process_time()`, and `time` of `terminal_test` the seconds since;
* every node answers (cell, utility); the cell is None where the tree ends;
* the tree of walks ends the turn with the opponent's throw, from where he stands now, at one of my free neighbours; the
  tree of throws ends it with the opponent's walk.
"""

import time

import numpy as np
from BaseAI import BaseAI
from Utils import manhattan_distance

DECIDED = 1000  # the utility of a won game


def free_neighbors(grid, player_num):
    """The free cells around a player."""
    return grid.get_neighbors(grid.find(player_num), only_available=True)


def mobility(grid, player_num):
    """How many free cells are around a player."""
    return len(free_neighbors(grid, player_num))


def mobility_difference(grid, player_num):
    """The player's free neighbours minus the opponent's."""
    return mobility(grid, player_num) - mobility(grid, 3 - player_num)


def hit_chance(position, target):
    """How likely a trap lands where it is thrown."""
    return 1 - 0.05 * (manhattan_distance(position, target) - 1)


def targets_around(grid, player_num, *, free_only):
    """The cells around a player that are worth a throw; any free cell of the board where none is."""
    cells = grid.get_neighbors(grid.find(player_num))
    open_cells = [cell for cell in cells if grid.getCellValue(cell) == 0]
    targets = open_cells if free_only else [cell for cell in cells if grid.getCellValue(cell) <= 0]
    return targets or grid.getAvailableCells() or [cell for cell in cells if grid.getCellValue(cell) <= 0]


class Searcher(BaseAI):
    """Alpha-beta over walks and throws as if every throw hit; derived classes set limits, utility and chances."""

    def __init__(self, position=None):
        super().__init__()
        self.pos = position
        self.player_num = None

    def getPosition(self):
        return self.pos

    def setPosition(self, new_position):
        self.pos = new_position

    def getPlayerNum(self):
        return self.player_num

    def setPlayerNum(self, num):
        self.player_num = num

    def getMove(self, grid):
        return self._best_move(grid)[0]

    def getTrap(self, grid):
        return self._best_trap(grid)[0]

    def _limits(self, mode):
        """The depth and the seconds of a search."""
        raise NotImplementedError

    def _is_stuck(self, state, player_num):
        return not free_neighbors(state, player_num)

    def terminal_test(self, state, time, depth, mode="move"):
        """Whether the tree ends here: time or depth is used up, or a player is stuck."""
        deepest, seconds = self._limits(mode)
        if time > seconds or depth >= deepest:
            return True
        return self._is_stuck(state, self.player_num) or self._is_stuck(state, 3 - self.player_num)

    def _decided(self, state):
        """The utility of a state in which a player is stuck, else None."""
        if self._is_stuck(state, 3 - self.player_num):
            return DECIDED
        return -DECIDED if self._is_stuck(state, self.player_num) else None

    def _best_move(self, grid):
        """My best walk and its utility; also where the opponent is stuck before I walk, and the tree has no depth."""
        cell, utility = self.maximize_move(grid, -np.inf, np.inf, 0, time.process_time())
        if cell is None:
            walks = free_neighbors(grid, self.player_num)
            afterwards = {walk: grid.clone().move(walk, self.player_num) for walk in walks}
            cell = max(walks, key=lambda walk: mobility_difference(afterwards[walk], self.player_num), default=None)
        return cell, utility

    def maximize_move(self, grid, alpha, beta, depth, start_time):
        """My walk: (cell, utility)."""
        if self.terminal_test(grid, time.process_time() - start_time, depth, "move"):
            return None, self._value(grid, "move")
        walks = free_neighbors(grid, self.player_num)
        after = (grid.clone().move(walk, self.player_num) for walk in walks)
        values = (
            lambda low, high, state=state: self.minimize_move(state, low, high, depth + 1, start_time)[1]
            for state in after
        )
        return self._highest(walks, values, alpha, beta)

    def minimize_move(self, grid, alpha, beta, depth, start_time):
        """The opponent's throw at one of my free neighbours: (cell, utility)."""
        if self.terminal_test(grid, time.process_time() - start_time, depth, "move"):
            return None, self._value(grid, "move")
        targets = free_neighbors(grid, self.player_num)
        values = (self._throw_of_opponent(grid, target, depth, start_time) for target in targets)
        return self._lowest(targets, values, alpha, beta)

    def _throw_of_opponent(self, grid, target, depth, start_time):
        """The utility of a throw, as a function of the window."""
        state = grid.clone().trap(target)
        return lambda low, high: self.maximize_move(state, low, high, depth + 1, start_time)[1]

    def _best_trap(self, grid):
        """My best throw and its utility; also where the tree has no depth."""
        cell, utility = self.maximize_trap(grid, -np.inf, np.inf, 0, time.process_time())
        if cell is None:
            cell = targets_around(grid, 3 - self.player_num, free_only=True)[0]
        return cell, utility

    def maximize_trap(self, grid, alpha, beta, depth, start_time):
        """My throw at a cell around the opponent, one that is trapped already included: (cell, utility)."""
        if self.terminal_test(grid, time.process_time() - start_time, depth, "trap"):
            return None, self._value(grid, "trap")
        targets = targets_around(grid, 3 - self.player_num, free_only=False)
        values = (self._throw_of_mine(grid, target, depth, start_time) for target in targets)
        return self._highest(targets, values, alpha, beta)

    def _throw_of_mine(self, grid, target, depth, start_time):
        """The utility of a throw, as a function of the window."""
        state = grid.clone().trap(target)
        return lambda low, high: self.minimize_trap(state, low, high, depth + 1, start_time)[1]

    def minimize_trap(self, grid, alpha, beta, depth, start_time):
        """The opponent's walk: (cell, utility)."""
        if self.terminal_test(grid, time.process_time() - start_time, depth, "trap"):
            return None, self._value(grid, "trap")
        walks = free_neighbors(grid, 3 - self.player_num)
        after = (grid.clone().move(walk, 3 - self.player_num) for walk in walks)
        values = (
            lambda low, high, state=state: self.maximize_trap(state, low, high, depth + 1, start_time)[1]
            for state in after
        )
        return self._lowest(walks, values, alpha, beta)

    def _value(self, state, mode):
        """The utility of a leaf; derived classes know whether it depends on the tree."""
        return self.utility(state)

    def utility(self, state):
        """How good a state is for me."""
        raise NotImplementedError

    def _highest(self, cells, values, alpha, beta):
        """The first best cell for me; the others are left out once the opponent would not let it come to this."""
        best, utility = None, -np.inf
        for cell, value in zip(cells, values):
            found = value(alpha, beta)
            if best is None or found > utility:
                best, utility = cell, found
            alpha = max(alpha, utility)
            if alpha >= beta:
                break
        return best, utility

    def _lowest(self, cells, values, alpha, beta):
        """The first best cell for the opponent."""
        best, utility = None, np.inf
        for cell, value in zip(cells, values):
            found = value(alpha, beta)
            if best is None or found < utility:
                best, utility = cell, found
            beta = min(beta, utility)
            if alpha >= beta:
                break
        return best, utility
