"""Tiles as people give, type and see it, and the course's board files."""

import os
import re
from pathlib import Path
from typing import Any

from harena.errors import BadOption, BadText, UnknownName
from harena.games import notation, picture
from harena.games.catalogue import Size, entry
from harena.games.face import Face, Trail
from harena.games.layout import Cell, board_of, cells_of, empty_board, stride
from harena.games.picture import Picture
from harena.games.tiles import BLUE, RED, Tiles, TilesBoard, TilesSetup
from harena.kernel.values import coerce

COLOURS = "RB"
COURSE_FORM = "row and column from 1 with a blank between, like 4 3"
COURSE_MOVE = re.compile(r"(\d{1,3})\s+(\d{1,3})", re.ASCII)


class TilesFace(Face):
    """Options, texts and pictures of tiles."""

    entry = entry("tiles")
    state = Tiles

    def setup(
        self, *, size: Size | None = None, setup: str | None = None, first: str | None = None
    ) -> TilesSetup | TilesBoard:
        colour = _colour(self.entry.firsts[0] if first is None else first, BadOption)
        if isinstance(setup, (str, os.PathLike)) and setup not in self.entry.setups:
            return self._from_file(os.fspath(setup), size, colour)
        side = self.entry.side(size)
        return TilesSetup(empty_board(side), side, colour, self.entry.setup_name(setup) == "random")

    def _from_file(self, name: str, size: Size | None, colour: int) -> TilesBoard:
        path = Path(name)
        if "\0" in name:
            raise BadOption(f"{name!r} is no set-up of tiles and no file")
        if not path.exists() and path.suffix == "" and len(path.parts) == 1:
            raise UnknownName("set-up of tiles (nor board file)", name, self.entry.setups)
        rows = read_board(path)
        if size is not None and self.entry.side(size) != len(rows):
            raise BadOption(f"the board in {name} has size {len(rows)}, not {size}")
        red, blue, gaps = _boards(rows)
        return TilesBoard(red, blue, gaps, colour)

    def options_of(self, value: Tiles) -> dict[str, Any]:
        return {"size": _side(value)}

    def format_move(self, value: Tiles, move: int) -> str:
        return notation.format_cell(*divmod(move, stride(value.gaps)))

    def cell_of(self, value: Tiles, move: int) -> picture.Cell:
        return divmod(move, stride(value.gaps))

    def parse_move(self, value: Tiles, text: str) -> int:
        side = _side(value)
        if match := COURSE_MOVE.fullmatch(text.strip()):
            row, column = int(match[1]) - 1, int(match[2]) - 1
            if not (0 <= row < side and 0 <= column < side):
                raise BadText(f"{text!r} is off the board: rows and columns count from 1 to {side}")
        elif not notation.CELL.fullmatch(text.strip().lower()):
            raise BadText(f"{text!r} is no tile: write c4, or {COURSE_FORM}")
        else:
            row, column = notation.parse_cell(text, side, side, COURSE_FORM)
        return stride(value.gaps) * row + column

    def format_position(self, value: Tiles) -> str:
        side, red, blue = _side(value), *(cells_of(board) for board in _colours(value))

        def symbol(row: int, column: int) -> str:
            return "R" if (row, column) in red else "B" if (row, column) in blue else "X"

        return f"{notation.format_rows(side, side, symbol)} {COLOURS[value.colour]} {value.player + 1}"

    def parse_position(self, text: str) -> Tiles:
        board, colour_text, player_text = notation.parse_fields(text, ("rows", "colour to move", "player to move"))
        rows = notation.parse_rows(board, "RBX", "board")
        self.entry.side((len(rows), len(rows[0])))
        colour, player = _colour(colour_text, BadText), notation.parse_player(player_text)
        red, blue, gaps = _boards(rows)
        mine, theirs = (red, blue) if colour == RED else (blue, red)
        return coerce(Tiles(mine, theirs, gaps, player, colour))

    def why_illegal(self, value: Tiles, move: int) -> str:
        cell = divmod(move, stride(value.gaps))
        if move < 0 or max(cell) >= _side(value):
            return "there is no such cell"
        if cell in cells_of(value.gaps):
            return "that cell is empty"
        return f"that tile is {COLOURS[1 - value.colour]}, and {COLOURS[value.colour]} is to move"

    def turn_text(self, value: Tiles) -> str:
        return f"({COLOURS[value.colour]}) to move"

    def end_text(self, value: Tiles) -> str:
        red, blue = (cells_of(board) for board in _colours(value))
        if not red and not blue:
            return "the last tiles of both colours fell at once"
        winner = value.player if (value.colour == BLUE) == bool(red) else 1 - value.player
        return f"the last {'blue' if red else 'red'} tile is gone, and that wins for player {winner + 1}"

    def picture(self, value: Tiles, trail: Trail) -> Picture:
        red, blue = _colours(value)
        cells = dict.fromkeys(cells_of(red), picture.RED) | dict.fromkeys(cells_of(blue), picture.BLUE)
        cells |= dict.fromkeys(cells_of(value.gaps), picture.GAP)
        marks: dict[Cell, frozenset[str]] = {}
        for before, move in trail[:1]:
            marks = dict.fromkeys(cells_of(value.gaps) - cells_of(before.gaps), frozenset({picture.FELL}))
            marks[divmod(move, stride(value.gaps))] = frozenset({picture.REMOVED})
        side = _side(value)
        return Picture(rows=side, columns=side, cells=cells, marks=marks)


def read_board(path: Path) -> list[str]:
    """The rows of a board file: a line with n, then n lines of R, B or X; blanks and blank lines do not matter."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text file"
        raise BadText(f"{path}: cannot be read as a board file: {reason}") from None
    lines = [(number, "".join(line.split())) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    smallest, largest = entry("tiles").sizes or (0, 0)
    sizes = [str(size) for size in range(smallest, largest + 1)]
    if not lines or lines[0][1] not in sizes:
        where = lines[0][0] if lines else 1
        raise BadText(f"{path}, line {where}: the first line must be the size, {smallest} to {largest}")
    size, rows = int(lines[0][1]), lines[1:]
    for number, row in rows[:size]:
        wrong = row.strip("RBX")
        if wrong:
            raise BadText(f"{path}, line {number}: {wrong[0]!r} is no tile; only R, B and X are allowed")
        if len(row) != size:
            raise BadText(f"{path}, line {number}: {len(row)} cells, but the size is {size}")
    if len(rows) > size:
        raise BadText(f"{path}, line {rows[size][0]}: more than {size} rows")
    if len(rows) < size:
        raise BadText(f"{path}, line {lines[-1][0]}: the file ends after {len(rows)} of {size} rows")
    return [row for _, row in rows]


def _colour(text: str, error: type[BadOption] | type[BadText]) -> int:
    if str(text).upper() not in tuple(COLOURS):
        raise error(f"{text!r} is no colour: write R or B")
    return RED if str(text).upper() == "R" else BLUE


def _boards(rows: list[str]) -> tuple[Any, Any, Any]:
    """The boards of red tiles, blue tiles and gaps."""
    cells = [(row, column, symbol) for row, line in enumerate(rows) for column, symbol in enumerate(line)]
    red, blue, gaps = (
        board_of(len(rows), ((row, column) for row, column, have in cells if have == want)) for want in "RBX"
    )
    return red, blue, gaps


def _colours(value: Tiles) -> tuple[Any, Any]:
    """The boards of red and of blue tiles."""
    return (value.mine, value.theirs) if value.colour == RED else (value.theirs, value.mine)


def _side(value: Tiles) -> int:
    return round(sum(len(cells_of(board)) for board in (value.mine, value.theirs, value.gaps)) ** 0.5)
