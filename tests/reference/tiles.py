"""Tiles (tile removal, also called Crush Ice), restated slowly from its rules text (decisions and sections 2 to 4)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Cell = tuple[int, int]

NEIGHBOUR_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
OTHER_COLOUR = {"R": "B", "B": "R"}


def cell_to_text(cell: Cell) -> str:
    """Column letter from a at the left, row number from 1 at the top: (0, 0) is ``a1``."""
    row, column = cell
    return "abcdefghij"[column] + str(row + 1)


def cell_from_text(text: str) -> Cell:
    """Inverse of `cell_to_text`."""
    return int(text[1:]) - 1, "abcdefghij".index(text[0])


def neighbours(cell: Cell) -> list[Cell]:
    """The four orthogonal neighbours, those beyond the board's edge included."""
    return [(cell[0] + row_step, cell[1] + column_step) for row_step, column_step in NEIGHBOUR_STEPS]


@dataclass(frozen=True)
class Reference:
    """A position: every cell of the board with its tile (``R``, ``B``, or ``X`` for an empty cell), row-major."""

    board: dict[Cell, str]
    colour: str
    player: int

    @classmethod
    def from_text(cls, position: str) -> Reference:
        """Read ``<rows joined by "/"> <colour to move R|B> <player to move 1|2>``."""
        text, colour, player = position.split(" ")
        rows = text.split("/")
        board = {(row, column): tile for row, tiles in enumerate(rows) for column, tile in enumerate(tiles)}
        return cls(board, colour, int(player) - 1)

    def to_text(self) -> str:
        """Inverse of `from_text`."""
        size = max(row for row, _ in self.board) + 1
        rows = ["".join(self.board[row, column] for column in range(size)) for row in range(size)]
        return f"{'/'.join(rows)} {self.colour} {self.player + 1}"

    @property
    def mover(self) -> int:
        """Players alternate, each with his own colour; no passing, no chance."""
        return self.player

    def moves(self) -> list[str]:
        """Legal move: remove exactly one tile of the own colour, anywhere."""
        if self.outcome() is not None:
            return []
        return [cell_to_text(cell) for cell, tile in self.board.items() if tile == self.colour]

    def chances(self) -> dict[str, Fraction]:
        """Nothing is left to chance in this game."""
        return {}

    def play(self, move: str) -> Reference:
        """Side effect: tiles next to the chosen one with at most two connected sides go too; one pass, no cascade.

        A side is connected when it faces an occupied cell or the board's edge, and open when it faces an empty cell.
        All tests use the board after the chosen tile has gone and before any neighbour goes.
        """
        chosen = cell_from_text(move)
        after_choice = {**self.board, chosen: "X"}
        after_effects = dict(after_choice)
        for candidate in neighbours(chosen):
            if candidate in after_choice and after_choice[candidate] != "X":
                sides = neighbours(candidate)
                connected = [side for side in sides if side not in after_choice or after_choice[side] != "X"]
                if len(connected) <= 2:
                    after_effects[candidate] = "X"
        return Reference(after_effects, OTHER_COLOUR[self.colour], 1 - self.player)

    def outcome(self) -> tuple[int | None, tuple[int, int] | None] | None:
        """End: the owner of the colour that vanished wins, whoever made it vanish; an empty board is a draw."""
        colours_left = set(self.board.values()) - {"X"}
        if colours_left == {"R", "B"}:
            return None
        if not colours_left:
            return None, None
        return (1 - self.player if self.colour in colours_left else self.player), None
