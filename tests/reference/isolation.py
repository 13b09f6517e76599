"""Knight-move Isolation, restated slowly from its rules text (decisions and section 1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Cell = tuple[int, int]

KNIGHT_STEPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


def cell_to_text(cell: Cell) -> str:
    """Column letter from a at the left, row number from 1 at the top: (0, 0) is ``a1``."""
    row, column = cell
    return "abcdefgh"[column] + str(row + 1)


def cell_from_text(text: str) -> Cell:
    """Inverse of `cell_to_text`."""
    return int(text[1:]) - 1, "abcdefgh".index(text[0])


@dataclass(frozen=True)
class Reference:
    """A position: ``.`` blank, ``x`` visited, ``1`` and ``2`` where the players stand (absent = not placed yet)."""

    rows: tuple[str, ...]
    player: int

    @classmethod
    def from_text(cls, position: str) -> Reference:
        """Read ``<rows joined by "/"> <player to move 1|2>``."""
        board, player = position.split(" ")
        return cls(tuple(board.split("/")), int(player) - 1)

    def to_text(self) -> str:
        """Inverse of `from_text`."""
        return f"{'/'.join(self.rows)} {self.player + 1}"

    @property
    def mover(self) -> int:
        """Strict alternation, no passing, no chance."""
        return self.player

    def cells_holding(self, mark: str) -> list[Cell]:
        """All cells that show `mark`, in row-major order."""
        return [
            (row, column) for row, marks in enumerate(self.rows) for column, found in enumerate(marks) if found == mark
        ]

    def moves(self) -> list[str]:
        """Placement: a player without a location goes to any blank cell. Afterwards: a knight step to a blank cell."""
        blanks = self.cells_holding(".")
        locations = self.cells_holding(str(self.player + 1))
        if not locations:
            return [cell_to_text(cell) for cell in blanks]
        ((own_row, own_column),) = locations
        reached = {(own_row + row_step, own_column + column_step) for row_step, column_step in KNIGHT_STEPS}
        return [cell_to_text(cell) for cell in blanks if cell in reached]

    def chances(self) -> dict[str, Fraction]:
        """Nothing is left to chance in this game."""
        return {}

    def play(self, move: str) -> Reference:
        """Blocking: the cell reached is blocked on arrival, and the cell left behind stays blocked for ever."""
        own_mark = str(self.player + 1)
        row, column = cell_from_text(move)
        board = [list(marks.replace(own_mark, "x")) for marks in self.rows]
        board[row][column] = own_mark
        return Reference(tuple("".join(marks) for marks in board), 1 - self.player)

    def outcome(self) -> tuple[int | None, tuple[int, int] | None] | None:
        """End: the player to move who has no move loses; a stuck player who is not to move does not end the game."""
        if self.moves():
            return None
        return 1 - self.player, None
