"""The board of Trap!: 0 is a free cell, 1 and 2 are the players, -1 is a trap."""

from copy import deepcopy

import numpy as np


class NotOnTheGrid(IndexError, UnboundLocalError):
    """There is no such player: the course's two releases differed in what they raised, and this is both."""


class Grid:
    """A square board; cells are tuples (row, column), row 0 at the top."""

    def __init__(self, N=7):
        self.dim = N
        self.map = np.zeros((N, N))

    def getMap(self):
        """The array itself, not a copy."""
        return self.map

    def clone(self):
        """A deep copy."""
        return deepcopy(self)

    def getCellValue(self, pos):
        return self.map[pos]

    def setCellValue(self, pos, val):
        self.map[pos] = val

    def getAvailableCells(self):
        """The free cells, row by row, as tuples of numpy integers."""
        return list(zip(*np.nonzero(self.map == 0)))

    def find(self, player_num):
        """The cell of player 1 or 2, as a tuple of numpy integers."""
        rows, columns = np.nonzero(self.map == player_num)
        if player_num not in (1, 2) or not rows.size:
            raise NotOnTheGrid(f"player {player_num} is not on the grid")
        return rows[0], columns[0]

    def get_neighbors(self, pos, only_available=False, available_only=False):
        """The cells a king's step away, in the order in which Python walks a set of tuples; or the free ones only."""
        row, column = pos
        rows, columns = self._around(row), self._around(column)
        cells = list({(r, c) for r in rows for c in columns} - {(row, column)})
        if only_available or available_only:
            return [cell for cell in cells if self.map[cell] == 0]
        return cells

    def _around(self, line):
        return range(max(line - 1, 0), min(line + 2, self.dim))

    def move(self, move, player):
        """Put a player on the cell `move` and leave whatever cells he was on. Nothing is checked."""
        self.map[self.map == player] = 0
        self.map[move] = player
        return self

    def trap(self, pos):
        """Put a trap on a cell. Nothing is checked."""
        self.map[pos] = -1
        return self

    def print_grid(self):
        print(self.map)
