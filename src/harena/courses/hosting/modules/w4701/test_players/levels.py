"""What the course's opponents have in common: the free neighbours of a player, and a search of two trees."""

import time

import numpy as np
from BaseAI import BaseAI
from Utils import manhattan_distance

WON = 1000


def free(grid, player_num):
    """The free neighbours of a player."""
    return grid.get_neighbors(grid.find(player_num), only_available=True)


def mobility(grid, player_num):
    """The numbers of free neighbours of a player and of the opponent."""
    return len(free(grid, player_num)), len(free(grid, 3 - player_num))


def is_decided(grid):
    """Whether one of the players has no free neighbour."""
    return not all(mobility(grid, 1))


def hit_chance(position, target):
    """The chance that a trap thrown from one cell at another lands there."""
    return 1 - 0.05 * (manhattan_distance(position, target) - 1)


class Searcher(BaseAI):
    """Looks ahead in two trees, with alpha-beta pruning.

    In the tree of walks I walk and the opponent throws at my neighbours; in the tree of traps I throw at the opponent's
    neighbours and the opponent walks. The thrower stands still. Each node answers (cell, utility), the cell None at a
    leaf. A level has `utility` and `terminal_test`; a `chance_*` of its own may weigh what a throw leads to.
    """

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

    # Walks

    def getMove(self, grid):
        return self._best_move(grid)[0]

    def _best_move(self, grid):
        """The best walk; the best next position decides where the game is decided already."""
        cell, utility = self.maximize_move(grid, -np.inf, np.inf, 0, time.process_time())
        if cell is not None:
            return cell, utility
        return _first_of_best(
            free(grid, self.player_num), lambda one: self.utility(grid.clone().move(one, self.player_num))
        )

    def maximize_move(self, grid, alpha, beta, depth, start_time):
        if self.terminal_test(grid, time.process_time() - start_time, depth, mode="move"):
            return None, self.utility(grid)

        def value(cell, alpha, beta):
            after = grid.clone().move(cell, self.player_num)
            return self.minimize_move(after, alpha, beta, depth + 1, start_time)[1]

        return _best_for_me(free(grid, self.player_num), value, alpha, beta)

    def minimize_move(self, grid, alpha, beta, depth, start_time):
        if self.terminal_test(grid, time.process_time() - start_time, depth, mode="move"):
            return None, self.utility(grid)
        thrower = grid.find(3 - self.player_num)

        def value(cell, alpha, beta):
            chance = hit_chance(thrower, cell)
            return self.chance_move(grid.clone().trap(cell), chance, alpha, beta, depth + 1, start_time)[1]

        return _best_for_opponent(free(grid, self.player_num), value, alpha, beta)

    def chance_move(self, state, p, alpha, beta, depth, start_time):
        """A throw of the opponent that hits with the chance `p`; this level takes it for certain."""
        return self.maximize_move(state, alpha, beta, depth, start_time)

    # Traps

    def getTrap(self, grid):
        return self._best_trap(grid)[0]

    def _best_trap(self, grid):
        """The best aim; any free cell where the game is decided already."""
        cell, utility = self.maximize_trap(grid, -np.inf, np.inf, 0, time.process_time())
        return (grid.getAvailableCells()[0] if cell is None else cell), utility

    def aims(self, grid):
        """The cells that I consider to throw at."""
        return free(grid, 3 - self.player_num)

    def maximize_trap(self, grid, alpha, beta, depth, start_time):
        if self.terminal_test(grid, time.process_time() - start_time, depth, mode="trap"):
            return None, self._utility_of_trap(grid)
        thrower = grid.find(self.player_num)

        def value(cell, alpha, beta):
            chance = hit_chance(thrower, cell)
            return self.chance_trap(grid.clone().trap(cell), chance, alpha, beta, depth + 1, start_time)[1]

        return _best_for_me(self.aims(grid), value, alpha, beta)

    def chance_trap(self, state, p, alpha, beta, depth, start_time):
        """A throw of mine that hits with the chance `p`; this level takes it for certain."""
        return self.minimize_trap(state, alpha, beta, depth, start_time)

    def minimize_trap(self, grid, alpha, beta, depth, start_time):
        if self.terminal_test(grid, time.process_time() - start_time, depth, mode="trap"):
            return None, self._utility_of_trap(grid)
        opponent = 3 - self.player_num

        def value(cell, alpha, beta):
            return self.maximize_trap(grid.clone().move(cell, opponent), alpha, beta, depth + 1, start_time)[1]

        return _best_for_opponent(free(grid, opponent), value, alpha, beta)

    def _utility_of_trap(self, grid):
        return self.utility(grid)


def decided_utility(grid, player_num):
    """A thousand for a player whose opponent is stuck, less a thousand for one who is; None while both can walk."""
    mine, theirs = mobility(grid, player_num)
    if not theirs:
        return WON
    return None if mine else -WON


def _best_for_me(cells, value, alpha, beta):
    """The first of the best cells and its value."""
    best, most = None, -np.inf
    for cell in cells:
        found = value(cell, alpha, beta)
        if best is None or found > most:
            best, most = cell, found
        if most >= beta:
            break
        alpha = max(alpha, most)
    return best, most


def _best_for_opponent(cells, value, alpha, beta):
    """The first of the cells that are worst for me and its value."""
    best, least = None, np.inf
    for cell in cells:
        found = value(cell, alpha, beta)
        if best is None or found < least:
            best, least = cell, found
        if least <= alpha:
            break
        beta = min(beta, least)
    return best, least


def _first_of_best(cells, value):
    values = [value(cell) for cell in cells]
    return cells[values.index(max(values))], max(values)
