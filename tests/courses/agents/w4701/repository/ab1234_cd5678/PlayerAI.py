import heuristics

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

    def getMove(self, grid):
        cells = grid.get_neighbors(self.pos, only_available=True)
        return max(cells, key=lambda c: heuristics.mobility(grid.clone().move(c, self.player_num), self.player_num))

    def getTrap(self, grid):
        opponent = 3 - self.player_num
        cells = grid.get_neighbors(grid.find(opponent), only_available=True)
        return min(cells, key=lambda c: heuristics.mobility(grid.clone().trap(c), opponent))
