from BaseAI import BaseAI
import random


class Cautious(BaseAI):
    def setPosition(self, pos):
        self.pos = pos

    def getMove(self, grid):
        return random.choice(grid.get_neighbors(self.pos, only_available=True))

    def getTrap(self, grid):
        return random.choice(grid.getAvailableCells())


class Bold(BaseAI):
    setPosition = Cautious.setPosition
    getMove = Cautious.getMove

    def getTrap(self, grid):
        return 7, 7
