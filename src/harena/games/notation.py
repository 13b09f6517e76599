"""Cells, rows and players as text: what the positions and moves of all games are written with."""

import re
from collections.abc import Callable, Iterable

from harena.errors import BadText

LETTERS = "abcdefghijkl"
CELL = re.compile(r"([a-l])([1-9][0-9]?)")
COURSE_CELL = re.compile(r"\(?\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)?", re.ASCII)


def format_cell(row: int, column: int) -> str:
    """`a1` for row 0, column 0."""
    return f"{LETTERS[column]}{row + 1}"


COURSE_FORM = "row,column from 0 like 3,2"


def parse_cell(text: str, rows: int, columns: int, course: str = COURSE_FORM) -> tuple[int, int]:
    """Row and column of `c4`, or of the courses' `3,2` (row, column from 0); on the board, or BadText.

    `course` is how the game's own course writes a cell, which is offered for a text that is none.
    """
    plain = text.strip().lower()
    if match := CELL.fullmatch(plain):
        row, column = int(match[2]) - 1, LETTERS.index(match[1])
    elif match := COURSE_CELL.fullmatch(plain):
        row, column = int(match[1]), int(match[2])
    else:
        raise BadText(f"{text!r} is no cell: write a letter and a number like c4, or {course}")
    if row >= rows or column >= columns:
        last = format_cell(rows - 1, columns - 1)
        raise BadText(f"{text!r} is off the board: its cells are a1 to {last}")
    return row, column


def format_rows(rows: int, columns: int, symbol: Callable[[int, int], str]) -> str:
    """The board as rows of symbols joined by slashes."""
    return "/".join("".join(symbol(row, column) for column in range(columns)) for row in range(rows))


def parse_rows(text: str, symbols: str, what: str, *size: int) -> list[str]:
    """The rows of a board text: all of one length, and of these symbols only; as many as the size says, if given."""
    rows = text.split("/")
    if size and (len(rows), len(rows[0])) != size:
        raise BadText(f"the {what} is {len(rows)}x{len(rows[0])} cells, not {size[0]}x{size[1]}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise BadText(f"row {number} of the {what} has {len(row)} cells, row 1 has {len(rows[0])}")
        for cell in row:
            if cell not in symbols:
                raise BadText(f"row {number} of the {what} contains {cell!r}: only {' '.join(symbols)} are allowed")
    return rows


def find_players(rows: list[str], what: str) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """Where `1` and `2` stand in a board text; at most once each."""
    places: list[tuple[int, int] | None] = []
    for symbol in "12":
        found = [(row, line.index(symbol)) for row, line in enumerate(rows) if symbol in line]
        if sum(line.count(symbol) for line in rows) > 1:
            raise BadText(f"player {symbol} stands on more than one cell of the {what}")
        places.append(found[0] if found else None)
    return places[0], places[1]


def parse_player(text: str) -> int:
    """0 for `1`, 1 for `2`."""
    if text not in ("1", "2"):
        raise BadText(f"{text!r} is no player to move: write 1 or 2")
    return int(text) - 1


def parse_fields(text: str, names: Iterable[str]) -> list[str]:
    """The fields of a position text, which are separated by blanks; a printed board ends with such a line."""
    wanted = list(names)
    lines = [line for line in text.strip().splitlines() if line.strip()]
    labelled = [line.split(":", 1)[1] for line in lines if line.startswith("position:")]
    fields = (labelled[-1] if labelled else " ".join(lines)).split()
    if len(fields) != len(wanted):
        raise BadText(
            f"a position is {' '.join(f'<{name}>' for name in wanted)}: {len(wanted)} fields, not {len(fields)}"
        )
    return fields
