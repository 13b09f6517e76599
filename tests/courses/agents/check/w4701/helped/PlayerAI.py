from BaseAI import BaseAI
from helpers import first


class Squid(BaseAI):
    def setPosition(self, pos):
        self.pos = pos

    def setPlayerNum(self, num):
        self.num = num

    def getPosition(self):
        return self.pos

    def getMove(self, grid):
        return first(grid.get_neighbors(self.pos, only_available=True))

    def getTrap(self, grid):
        return first(grid.getAvailableCells())
