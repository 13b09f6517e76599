import math
import time
from Utils import manhattan_distance

from BaseAI import BaseAI
from Grid import Grid


class PlayerAI(BaseAI):

    def __init__(self) -> None:
        super().__init__()
        self.pos = None
        self.player_num = None

    def getPosition(self):
        return self.pos

    def setPosition(self, new_position):
        self.pos = new_position

    def getPlayerNum(self):
        return self.player_num

    def setPlayerNum(self, num):
        self.player_num = num

    LIMIT = 0.1

    def getMove(self, grid):
        self.start = time.time()
        here = self.pos
        best, best_value = None, -math.inf
        for cell in grid.get_neighbors(self.pos, available_only=True):
            self.pos = cell                      # and back below
            value = self.min_trap(grid.clone().move(cell, self.player_num), 2, best_value, math.inf)
            self.pos = here
            if best is None or value > best_value:
                best, best_value = cell, value
        return best

    def getTrap(self, grid):
        self.start = time.time()
        opponent = grid.find(3 - self.player_num)
        best, best_value = None, -math.inf
        for cell in grid.get_neighbors(opponent, available_only=True):
            value = self.chance(grid, cell, lambda g: self.min_move(g, 1, -math.inf, math.inf))
            if best is None or value > best_value:
                best, best_value = cell, value
        return best

    def out_of_time(self):
        return time.time() - self.start > self.LIMIT

    def chance(self, grid, cell, value):
        p = 1 - 0.05 * (manhattan_distance(self.pos, cell) - 1)
        others = [c for c in grid.get_neighbors(cell) if grid.getCellValue(c) <= 0]
        miss = sum(value(grid.clone().trap(c)) for c in others[:2]) / max(1, len(others[:2]))
        return p * value(grid.clone().trap(cell)) + (1 - p) * miss

    def min_trap(self, grid, depth, alpha, beta):
        cells = grid.get_neighbors(grid.find(self.player_num), only_available=True)
        if depth == 0 or not cells or self.out_of_time():
            return self.utility(grid)
        lowest = math.inf
        for cell in cells:
            after = grid.clone()
            after.trap(cell)
            lowest = min(lowest, self.utility(after))
            if lowest <= alpha:
                break
            beta = min(beta, lowest)
        return lowest

    def min_move(self, grid, depth, alpha, beta):
        opponent = 3 - self.player_num
        cells = grid.get_neighbors(grid.find(opponent), only_available=True)
        if not cells:
            return 1000
        return min(self.utility(grid.clone().move(cell, opponent)) for cell in cells)

    def utility(self, grid):
        me = grid.get_neighbors(grid.find(self.player_num), only_available=True)
        opp = grid.get_neighbors(grid.find(3 - self.player_num), only_available=True)
        return len(me) - 2 * len(opp)
