"""Looks one ply ahead: most free neighbours for me, fewest for the opponent."""

from test_players.levels import Level, free


class MediumAI(Level):
    def getMove(self, grid):
        me = self.player_num
        return max(free(grid, me), key=lambda cell: len(free(grid.clone().move(cell, me), me)))

    def getTrap(self, grid):
        def balance(cell):
            after = grid.clone().trap(cell)
            return len(free(after, self.opponent)) - len(free(after, self.player_num))

        return min(free(grid, self.opponent), key=balance)
