"""Colosseum Survival! as people give, type and see it."""

import re
from typing import Any

from harena.errors import BadOption, BadText
from harena.games import notation, picture
from harena.games.catalogue import Size, entry
from harena.games.colosseum import Colosseum, ColosseumSetup, are_connected
from harena.games.face import Face, Trail
from harena.games.layout import Cell, board_of, cells_of, empty_board, stride
from harena.games.picture import Picture, Side
from harena.kernel.compile import kernel
from harena.kernel.values import coerce

SIDES = "urdl"
MOVE = re.compile(
    r"([a-l]\d{1,3})([urdl])|(\(?\s*\d{1,3}\s*,\s*\d{1,3})\s*\)?\s*,\s*([urdl])\s*\)?", re.IGNORECASE | re.ASCII
)


class ColosseumFace(Face):
    """Options, texts and pictures of Colosseum Survival."""

    entry = entry("colosseum")
    state = Colosseum

    def setup(self, *, size: Size | None = None, setup: str | None = None, first: str | None = None) -> ColosseumSetup:
        self.refuse(first=first)
        side, name = self.entry.side(size), self.entry.setup_name(setup)
        if name == "2022" and side == 2:
            raise BadOption("the set-up '2022' needs a size of 3 or more: on 2x2 its walls always separate the players")
        pairs = {"2023": side // 2 - 1, "2022": (side + 1) // 2, "empty": 0}[name]
        return ColosseumSetup(empty_board(side), side, pairs, name == "empty", name == "2022")

    def options_of(self, value: Colosseum) -> dict[str, Any]:
        return {"size": value.size}

    def reach_text(self, value: Colosseum) -> str:
        steps = (value.size + 1) // 2
        return f"on this board a walk has at most {steps} step{'s' if steps != 1 else ''}"

    def format_move(self, value: Colosseum, move: int) -> str:
        return notation.format_cell(*divmod(move // 4, stride(value.rights))) + SIDES[move % 4]

    def cell_of(self, value: Colosseum, move: int) -> picture.Cell:
        return divmod(move >> 2, stride(value.rights))

    def parse_move(self, value: Colosseum, text: str) -> int:
        match = MOVE.fullmatch(text.strip())
        if not match:
            raise BadText(f"{text!r} is no move: write cell and side like c4u, or row,column,side from 0 like 3,2,u")
        row, column = notation.parse_cell((match[1] or match[3]).lstrip("( "), value.size, value.size)
        return 4 * (stride(value.rights) * row + column) + SIDES.index((match[2] or match[4]).lower())

    def format_position(self, value: Colosseum) -> str:
        first, second = (notation.format_cell(*place) for place in _places(value))
        walls = sorted(_walls(value), key=lambda wall: (wall[0], wall[1], "rd".index(wall[2])))
        listed = ",".join(notation.format_cell(row, column) + side for row, column, side in walls)
        return f"{value.size} {first} {second} {value.player + 1} {listed or '-'}"

    def parse_position(self, text: str) -> Colosseum:
        names = ("size", "cell of player 1", "cell of player 2", "player to move", "walls")
        size_text, first, second, player_text, walls_text = notation.parse_fields(text, names)
        size = self.entry.side(size_text)
        player = notation.parse_player(player_text)
        places = [notation.parse_cell(cell, size, size) for cell in (first, second)]
        if places[0] == places[1]:
            raise BadText(f"both players stand on {first}")
        walls = _parse_walls(walls_text, size)
        rights, downs = (_open_sides(size, walls, side) for side in "rd")
        mine, theirs = (stride(rights) * row + column for row, column in (places[player], places[1 - player]))
        separated = not is_one_zone(rights, downs, mine, theirs)
        return coerce(Colosseum(rights, downs, mine, theirs, player, size, separated))

    def why_illegal(self, value: Colosseum, move: int) -> str:
        row, column = divmod(move // 4, stride(value.rights))
        if move < 0 or row >= value.size or column >= value.size:
            return "there is no such cell"
        if (row, column) == _places(value)[1 - value.player]:
            return "the opponent stands there"
        wall = _canonical(row, column, SIDES[move % 4])
        if not (wall[0] >= 0 and wall[1] >= 0) or wall in _walls(value) or _is_border(wall, value.size):
            return "that side has a wall already"
        return f"it is more than {(value.size + 1) // 2} steps away, or behind walls"

    def end_text(self, value: Colosseum) -> str:
        return "no way leads from one player to the other any more, and the larger zone wins"

    def picture(self, value: Colosseum, trail: Trail) -> Picture:
        first, second = _places(value)
        marks: dict[Cell, frozenset[str]] = {}
        new_wall = None
        for before, move in trail[:1]:
            came_from = divmod(before.mine, stride(value.rights))
            moved_to = divmod(move // 4, stride(value.rights))
            marks[came_from] = frozenset({picture.CAME_FROM})
            marks[moved_to] = marks.get(moved_to, frozenset()) | {picture.MOVED_TO}
            new_wall = _canonical(moved_to[0], moved_to[1], SIDES[move % 4])
        return Picture(
            rows=value.size,
            columns=value.size,
            cells={first: picture.PLAYER_1, second: picture.PLAYER_2},
            walls=frozenset(_walls(value)),
            new_wall=new_wall,
            marks=marks,
        )


@kernel
def is_one_zone(rights: Any, downs: Any, cell: int, other: int) -> bool:
    """Whether a walk leads from one cell to the other."""
    return are_connected(rights, downs, cell, other)


def _places(value: Colosseum) -> tuple[Cell, Cell]:
    """The cells of the first and the second player."""
    mine, theirs = (divmod(cell, stride(value.rights)) for cell in (value.mine, value.theirs))
    return (mine, theirs) if value.player == 0 else (theirs, mine)


def _walls(value: Colosseum) -> set[Side]:
    """The interior walls, each as the right or lower side of a cell."""
    size, rights, downs = value.size, cells_of(value.rights), cells_of(value.downs)
    upright = {(row, column, "r") for row in range(size) for column in range(size - 1) if (row, column) not in rights}
    level = {(row, column, "d") for row in range(size - 1) for column in range(size) if (row, column) not in downs}
    return upright | level


def _canonical(row: int, column: int, side: str) -> Side:
    """A side of a cell as the right or lower side of this cell or its neighbour."""
    if side == "u":
        return row - 1, column, "d"
    return (row, column - 1, "r") if side == "l" else (row, column, side)


def _is_border(wall: Side, size: int) -> bool:
    row, column, side = wall
    return row < 0 or column < 0 or (side == "r" and column == size - 1) or (side == "d" and row == size - 1)


def _parse_walls(text: str, size: int) -> set[Side]:
    walls: set[Side] = set()
    for part in text.split(",") if text != "-" else ():
        if part[-1:] not in SIDES or not part:
            raise BadText(f"{part!r} is no wall: write cell and side like c4r")
        wall = _canonical(*notation.parse_cell(part[:-1], size, size), part[-1])
        if _is_border(wall, size):
            raise BadText(f"the wall {part} lies on the border, which is always closed")
        if wall in walls:
            raise BadText(f"the wall {part} is there twice")
        walls.add(wall)
    return walls


def _open_sides(size: int, walls: set[Side], side: str) -> Any:
    sides = ((row, column, side) for row in range(size) for column in range(size))
    return board_of(
        size, ((row, column) for row, column, _ in sides if not _is_closed((row, column, side), walls, size))
    )


def _is_closed(wall: Side, walls: set[Side], size: int) -> bool:
    return wall in walls or _is_border(wall, size)
