"""Isolation as people give, type and see it."""

from typing import Any

from harena.games import notation, picture
from harena.games.catalogue import Size, entry
from harena.games.face import Face, Trail
from harena.games.isolation import NOWHERE, Isolation, IsolationSetup
from harena.games.layout import cells_of_word, word_of
from harena.games.picture import Picture
from harena.kernel.values import coerce


class IsolationFace(Face):
    """Options, texts and pictures of isolation."""

    entry = entry("isolation")
    state = Isolation

    def setup(self, *, size: Size | None = None, setup: str | None = None, first: str | None = None) -> IsolationSetup:
        self.refuse(first=first)
        rows, columns = self.entry.rows_and_columns(size)
        return IsolationSetup(rows, columns, self.entry.setup_name(setup) == "random-placements")

    def options_of(self, value: Isolation) -> dict[str, Any]:
        return {"size": value.rows if value.rows == value.columns else f"{value.rows}x{value.columns}"}

    def format_move(self, value: Isolation, move: int) -> str:
        return notation.format_cell(*divmod(move, 8))

    def cell_of(self, value: Isolation, move: int) -> picture.Cell:
        return divmod(move, 8)

    def parse_move(self, value: Isolation, text: str) -> int:
        row, column = notation.parse_cell(text, value.rows, value.columns)
        return 8 * row + column

    def format_position(self, value: Isolation) -> str:
        cells = list(f"{int(value.blocked):064b}"[::-1].replace("0", ".").replace("1", "x"))  # asked at every move
        for place, symbol in zip(_places(value), "12", strict=True):
            if place != NOWHERE:
                cells[place] = symbol
        rows = ("".join(cells[8 * row : 8 * row + value.columns]) for row in range(value.rows))
        return f"{'/'.join(rows)} {value.player + 1}"

    def parse_position(self, text: str) -> Isolation:
        board, player_text = notation.parse_fields(text, ("rows", "player to move"))
        rows = notation.parse_rows(board, ".x12", "board")
        self.entry.rows_and_columns((len(rows), len(rows[0])))
        player = notation.parse_player(player_text)
        cells = [
            NOWHERE if place is None else 8 * place[0] + place[1] for place in notation.find_players(rows, "board")
        ]
        blank = word_of(
            (row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell == "."
        )
        return coerce(
            Isolation(2**64 - 1 - blank, cells[player], cells[1 - player], player, len(rows), len(rows[0]))  # type: ignore[arg-type]
        )

    def why_illegal(self, value: Isolation, move: int) -> str:
        if not 0 <= move < 64 or move // 8 >= value.rows or move % 8 >= value.columns:
            return "there is no such cell"
        if divmod(move, 8) in cells_of_word(value.blocked):
            return "that cell is taken or has been visited"
        return f"a knight on {notation.format_cell(*divmod(value.mine, 8))} does not reach it"

    def turn_text(self, value: Isolation) -> str:
        return "to place the knight" if value.mine == NOWHERE else "to move"

    def end_text(self, value: Isolation) -> str:
        return f"no cell is left to jump to for player {value.player + 1}"

    def picture(self, value: Isolation, trail: Trail) -> Picture:
        cells = {
            cell: picture.BLOCKED
            for cell in cells_of_word(value.blocked)
            if cell[0] < value.rows and cell[1] < value.columns
        }
        for place, kind in zip(_places(value), (picture.PLAYER_1, picture.PLAYER_2), strict=True):
            if place != NOWHERE:
                cells[divmod(place, 8)] = kind
        marks = {}
        for before, move in trail[:1]:
            marks[divmod(move, 8)] = frozenset({picture.MOVED_TO})
            if before.mine != NOWHERE:
                marks[divmod(before.mine, 8)] = frozenset({picture.CAME_FROM})
        return Picture(rows=value.rows, columns=value.columns, cells=cells, marks=marks)


def _places(value: Isolation) -> tuple[int, int]:
    """The cells of the first and the second player."""
    return (value.mine, value.theirs) if value.player == 0 else (value.theirs, value.mine)
