"""Takes the first cell there is, to walk to and to aim at."""

from BaseAI import BaseAI


class PlayerAI(BaseAI):
    def __init__(self):
        self.pos = self.player_num = None

    def getPosition(self):
        return self.pos

    def setPosition(self, pos):
        self.pos = pos

    def getPlayerNum(self):
        return self.player_num

    def setPlayerNum(self, num):
        self.player_num = num

    def getMove(self, grid):
        return grid.get_neighbors(self.pos, only_available=True)[0]

    def getTrap(self, grid):
        return grid.getAvailableCells()[0]
