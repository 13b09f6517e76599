# the course's Grid with a method of our own
import copy
import numpy as np


class Grid:
    def __init__(self, N=7):
        self.dim = N
        self.map = np.zeros((N, N))

    def setCellValue(self, pos, value):
        self.map[pos] = value

    def getCellValue(self, pos):
        return self.map[pos]

    def clone(self):
        return copy.deepcopy(self)

    def find(self, k):
        return tuple(np.argwhere(self.map == k)[0])

    def free_around(self, pos):
        r, c = pos
        square = [(a, b) for a in range(r - 1, r + 2) for b in range(c - 1, c + 2)]
        return [cell for cell in square if min(cell) >= 0 and max(cell) < self.dim and self.map[cell] == 0]
raise ValueError("not yet")
