# several classes, none of them called PlayerAI
import random
import BaseAI as base

import Utils


class Thinker(base.BaseAI):
    def __init__(self, depth=3, verbose=False, *rest, **more):
        super().__init__()
        self.depth = depth

    def setPosition(self, p):
        self.pos = p

    def setPlayerNum(self, n):
        self.player_num = n

    def getMove(self, grid):
        return random.choice(grid.get_neighbors(self.pos, only_available=True))

    def getTrap(self, grid):
        raise NotImplementedError


class SquidGamer(Thinker):
    def getTrap(self, grid):
        cells = grid.get_neighbors(grid.find(3 - self.player_num), only_available=True)
        return min(cells, key=lambda cell: Utils.manhattan_distance(self.pos, cell))
