"""What an agent of Trap! is made from."""


class BaseAI:
    """The calls of the game; a player overrides them."""

    def getMove(self, grid):
        """The cell to walk to, as (row, column)."""

    def getTrap(self, grid):
        """The cell to throw a trap at, as (row, column)."""

    def getPosition(self):
        """Where you stand, as (row, column)."""

    def setPosition(self, new_position):
        """Where you stand: told at the start and after each walk."""

    def setPlayerNum(self, num):
        """Who you are, 1 or 2: told at the start."""
