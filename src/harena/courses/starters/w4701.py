"""A starter for Trap!: it walks where it has room, throws where the opponent has, and beats random players.

The course plays exactly this file, PlayerAI.py, with its class PlayerAI. What to try next: think of the throw that will
answer your walk, and of the walk that will answer your throw; count the misses too (expectiminimax).
"""

from BaseAI import BaseAI
from Grid import Grid
from Utils import manhattan_distance


class PlayerAI(BaseAI):
    """Asked for a walk, and then for a throw, within 5 seconds for both."""

    def __init__(self):
        super().__init__()
        self.pos = None
        self.player_num = None

    def getPosition(self):
        """Where I am: the game asks for it."""
        return self.pos

    def setPosition(self, new_position):
        """Called by the game at the start and after each of my walks."""
        self.pos = new_position

    def getPlayerNum(self):
        """Which player I am."""
        return self.player_num

    def setPlayerNum(self, num):
        """Called by the game at the start: 1 or 2. The opponent is 3 - num."""
        self.player_num = num

    def getMove(self, grid: Grid) -> tuple:
        """The cell to walk to, a free one around me: the one with the best walk value.

        The opponent may already be stuck, or I may be lost: a walk to a free cell is asked for all the same.
        """
        exits = grid.get_neighbors(self.pos, only_available=True)
        return max(exits, key=lambda cell: self.walk_value(grid.clone().move(cell, self.player_num), cell))

    def getTrap(self, grid: Grid) -> tuple:
        """The cell to throw at, any that holds no player: the exit of the opponent's with the best aim value."""
        opponent = grid.find(3 - self.player_num)
        exits = grid.get_neighbors(opponent, only_available=True)
        if not exits:  # he is stuck already: throw anywhere, at an old trap where there is one
            around = grid.get_neighbors(opponent)
            return next((cell for cell in around if grid.getCellValue(cell) == -1), self.anywhere(grid))
        return max(exits, key=lambda cell: self.aim_value(grid, cell))

    def anywhere(self, grid):
        """Some cell that holds no player."""
        size = grid.dim
        cells = [(row, column) for row in range(size) for column in range(size)]
        return next(cell for cell in cells if grid.getCellValue(cell) <= 0)

    def walk_value(self, grid, cell):
        """How good it is to stand here: my exits, and a little for those that they have in turn."""
        exits = grid.get_neighbors(cell, only_available=True)
        return len(exits) + 0.1 * sum(len(grid.get_neighbors(one, only_available=True)) for one in exits)

    def aim_value(self, grid, target):
        """How good it is to throw at an exit of the opponent's: how likely it hits, and whose loss it is."""
        chance = 1 - 0.05 * (manhattan_distance(self.pos, target) - 1)
        worth = 1 + 0.1 * len(grid.get_neighbors(target, only_available=True))
        if target in grid.get_neighbors(self.pos, only_available=True):
            worth -= 0.5  # it is an exit of mine too
        return chance * worth
