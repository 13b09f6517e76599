from BaseAI import BaseAI


class PlayerAI(BaseAI):
    def setPosition(self, pos):
        self.pos = pos

    def getPosition(self):
        return self.pos

    def setPlayerNum(self, num):
        self.num = num

    def getPlayerNum(self):
        return self.num

    def getMove(self, grid):
        opponent = grid.find(3 - self.num)
        if not grid.get_neighbors(opponent, only_available=True):
            return grid.getAvailableCells()[0]
        return grid.get_neighbors(self.pos, only_available=True)[0]

    def getTrap(self, grid):
        return grid.getAvailableCells()[-1]
