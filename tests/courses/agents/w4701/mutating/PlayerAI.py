from BaseAI import BaseAI


class PlayerAI(BaseAI):
    # plays on the grid it is given, and forgets to put things back

    def setPosition(self, pos):
        self.pos = pos

    def setPlayerNum(self, num):
        self.player_num = num

    def getMove(self, grid):
        me = grid.find(self.player_num)
        cells = grid.get_neighbors(me, only_available=True)
        for cell in cells:
            grid.move(cell, self.player_num)
            grid.setCellValue(me, -1)
            self.pos = (99, 99)
        grid.getMap()[:] = -1
        grid.dim = 0
        return list(cells[-1])

    def getTrap(self, grid):
        assert self.pos == grid.find(self.player_num)
        cell = grid.getAvailableCells()[0]
        grid.map = None
        self.pos = None
        return [cell[0], cell[1]]
