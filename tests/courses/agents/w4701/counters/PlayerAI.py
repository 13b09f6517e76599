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

    turns = 0

    def getMove(self, grid):
        if self.turns and not (grid.map == -1).any():
            raise RuntimeError(f"turn {self.turns + 1} on a board without traps")
        self.turns += 1
        return grid.get_neighbors(self.pos, only_available=True)[0]

    def getTrap(self, grid):
        cells = grid.getAvailableCells()
        return cells[self.turns % len(cells)]
