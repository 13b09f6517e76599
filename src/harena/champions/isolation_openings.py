"""Openings of isolation: pairs of placements, which of them are the same up to symmetry, and what is solved of them.

The data are those of `scripts/champions/isolation_solve.py`, 2026-11-16.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from harena.games.isolation import NOWHERE, Isolation
from harena.kernel.values import coerce

DATA = Path(__file__).parent / "data"


def cells(rows: int, columns: int) -> list[int]:
    """All cells of a board."""
    return [8 * row + column for row in range(rows) for column in range(columns)]


def name(cell: int) -> str:
    """A cell as a letter for the column and a number for the row, from the top."""
    return f"{'abcdefgh'[cell % 8]}{cell // 8 + 1}"


def cell_of(text: str) -> int:
    """A cell from its name."""
    return 8 * (int(text[1]) - 1) + "abcdefgh".index(text[0])


@cache
def symmetries(rows: int, columns: int) -> tuple[Mapping[int, int], ...]:
    """Maps from cell to cell under which the board is the same: eight of a square, four of another rectangle."""
    return tuple(_symmetries(rows, columns))


def _symmetries(rows: int, columns: int) -> Iterator[dict[int, int]]:
    for turned in (False, True) if rows == columns else (False,):
        for upside_down in (False, True):
            for mirrored in (False, True):
                image = {}
                for cell in cells(rows, columns):
                    row, column = cell // 8, cell % 8
                    row = rows - 1 - row if upside_down else row
                    column = columns - 1 - column if mirrored else column
                    image[cell] = 8 * column + row if turned else 8 * row + column
                yield image


def reduced(first: int, second: int, rows: int, columns: int) -> tuple[int, int]:
    """The smallest of the pairs that are the same as this one."""
    return min((image[first], image[second]) for image in symmetries(rows, columns))


def opening(rows: int, columns: int, first: int, second: int) -> Isolation:
    """The position after both placements."""
    blank = sum(1 << cell for cell in cells(rows, columns) if cell not in (first, second))
    return coerce(Isolation(np.uint64(2**64 - 1 - blank), first, second, 0, rows, columns))


def hunts(cell: int, other: int) -> bool:
    """Whether a knight that is to jump from a cell hunts the other: it jumps to cells that the other could reach."""
    return (cell // 8 + cell % 8 + other // 8 + other % 8) % 2 == 0


def is_hunter(state: Isolation) -> bool:
    """Whether it is the player to move who hunts."""
    return hunts(state.mine, state.theirs)


@dataclass(frozen=True)
class Opening:
    """What is proven of a pair of placements: who wins (1: the first, who is to move), and how."""

    value: int
    move: int  # a winning move of the first, or -1
    replies: Mapping[int, int]  # a winning reply of the other to each move


def read_opening(value: str, how: str) -> Opening:
    """An opening from the last fields of its line."""
    if value == "1":
        return Opening(1, cell_of(how), {})
    return Opening(-1, -1, {cell_of(pair[:2]): cell_of(pair[3:]) for pair in how.split()})


@dataclass(frozen=True)
class Solved:
    """The openings of a board that are solved, by their cells in the smallest of the symmetric forms."""

    rows: int
    columns: int
    openings: Mapping[tuple[int, int], Opening]

    def find(self, first: int, second: int) -> tuple[Opening | None, Mapping[int, int]]:
        """What is known of a pair of placements, and the map of cells from its stored form to this one."""
        image = min(symmetries(self.rows, self.columns), key=lambda image: (image[first], image[second]))
        return self.openings.get((image[first], image[second])), {there: here for here, there in image.items()}

    def value(self, first: int, second: int) -> int:
        """1 if who placed first wins, -1 if not, 0 if it is not known."""
        found, _ = self.find(first, second)
        return 0 if found is None else found.value

    def move(self, state: Isolation) -> int | None:
        """A move that is proven to win, if the position is an empty board, a solved opening, or one move off these."""
        board = cells(self.rows, self.columns)
        blocked = {cell for cell in board if int(state.blocked) >> cell & 1}
        knights = {state.mine, state.theirs} - {NOWHERE}
        others = blocked - knights
        if not knights <= blocked or len(others) > 1:
            return None
        if state.mine == NOWHERE:
            return None if others else self.placement(board, state.theirs)
        if state.theirs == NOWHERE:
            return None
        if not others:
            found, back = self.find(state.mine, state.theirs)
            return back[found.move] if found is not None and found.value > 0 else None
        (start,) = others  # of the knight that has jumped to `theirs`
        found, back = self.find(start, state.mine)
        if found is None or found.value > 0:
            return None
        return next((back[reply] for move, reply in found.replies.items() if back[move] == state.theirs), None)

    def is_lost(self, state: Isolation) -> bool:
        """Whether the player to move is proven to lose an empty board, or a solved opening."""
        board = cells(self.rows, self.columns)
        others = {cell for cell in board if int(state.blocked) >> cell & 1} - {state.mine, state.theirs}
        if others or (state.mine == NOWHERE) != (state.theirs == NOWHERE):
            return False
        if state.mine != NOWHERE:
            return self.value(state.mine, state.theirs) < 0
        return all(any(self.value(cell, other) < 0 for other in board if other != cell) for cell in board)

    def placement(self, board: list[int], theirs: int) -> int | None:
        """Where to begin on a board with no knight or one: a placement that wins, if one is proven to."""
        if theirs != NOWHERE:
            return next((cell for cell in board if cell != theirs and self.value(theirs, cell) < 0), None)
        return next(
            (cell for cell in board if all(self.value(cell, other) > 0 for other in board if other != cell)), None
        )


@cache
def solved(rows: int, columns: int) -> Solved | None:
    """What is solved of a board, or None."""
    path = DATA / f"isolation-solved-{rows}x{columns}.csv"
    if not path.exists():
        return None
    fields = (line.split(",") for line in path.read_text().splitlines())
    known = {(cell_of(first), cell_of(second)): read_opening(value, how) for first, second, value, _, how in fields}
    return Solved(rows, columns, known)
