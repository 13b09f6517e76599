"""Trap! as people give, type and see it."""

from typing import Any

from harena.errors import BadText
from harena.games import notation, picture
from harena.games.catalogue import Size, entry
from harena.games.face import Face, Trail
from harena.games.layout import cells_of_word, word_of
from harena.games.picture import Picture
from harena.games.trap import AIM, AIM_AT, HALF_TURNS, LAND_AT, LANDING, NEIGHBOURS, NO_TARGET, WALK, Trap, TrapSetup
from harena.kernel.values import coerce

STAGES = {"walk": WALK, "aim": AIM}
PREFIXES = {"@": (AIM, AIM_AT), "!": (LANDING, LAND_AT)}
OFFSETS = {WALK: 0, AIM: AIM_AT, LANDING: LAND_AT}


class TrapFace(Face):
    """Options, texts and pictures of Trap."""

    entry = entry("trap")
    state = Trap

    def setup(self, *, size: Size | None = None, setup: str | None = None, first: str | None = None) -> TrapSetup:
        self.refuse(first=first)
        self.entry.setup_name(setup)
        return TrapSetup(self.entry.side(size))

    def options_of(self, value: Trap) -> dict[str, Any]:
        return {"size": value.size}

    def format_move(self, value: Trap, move: int) -> str:
        return ("", "@", "!")[move // 64] + _cell_text(move % 64)

    def cell_of(self, value: Trap, move: int) -> picture.Cell:
        return divmod(move % 64, 8)

    def parse_move(self, value: Trap, text: str) -> int:
        plain = text.strip()
        offset = PREFIXES[plain[0]][1] if plain[:1] in PREFIXES else OFFSETS[value.stage]
        cell = plain[1:] if plain[:1] in PREFIXES else plain
        row, column = notation.parse_cell(cell, value.size, value.size)
        return offset + 8 * row + column

    def format_position(self, value: Trap) -> str:
        traps, (first, second) = cells_of_word(value.blocked), _places(value)

        def symbol(row: int, column: int) -> str:
            cell = 8 * row + column
            return "1" if cell == first else "2" if cell == second else "x" if (row, column) in traps else "."

        board = notation.format_rows(value.size, value.size, symbol)
        stage = f"@{_cell_text(value.target)}" if value.stage == LANDING else ("walk", "aim")[value.stage]
        return f"{board} {value.player + 1} {stage} {value.half_turns}"

    def parse_position(self, text: str) -> Trap:
        names = ("rows", "player to move", "stage", "half-turns")
        board, player_text, stage_text, turns_text = notation.parse_fields(text, names)
        rows = notation.parse_rows(board, ".x12", "board")
        size = self.entry.side((len(rows), len(rows[0])))
        player = notation.parse_player(player_text)
        places = notation.find_players(rows, "board")
        if places[0] is None or places[1] is None:
            raise BadText("both players must stand on the board, as 1 and 2")
        cells = [8 * row + column for row, column in (places[0], places[1])]
        stage, target = _parse_stage(stage_text, size, cells)
        most = HALF_TURNS if stage == WALK else HALF_TURNS - 1
        if turns_text not in {str(number) for number in range(most + 1)}:
            raise BadText(f"{turns_text!r} is no number of half-turns: write 0 to {most}")
        free = word_of(
            (row, column) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell != "x"
        )
        blocked: Any = 2**64 - 1 - free
        return coerce(Trap(blocked, cells[player], cells[1 - player], player, stage, target, int(turns_text), size))

    def why_illegal(self, value: Trap, move: int) -> str:
        stage, cell = divmod(move, 64)
        if not 0 <= stage <= LANDING or cell // 8 >= value.size or cell % 8 >= value.size:
            return "there is no such cell"
        if stage != value.stage:
            return f"now it is {('a walk', 'an aim', 'a landing')[value.stage]}, like {('', '@', '!')[value.stage]}c4"
        if cell in (value.mine, value.theirs):
            return "a player stands there"
        if stage == LANDING:
            return f"a throw at {_cell_text(value.target)} cannot land there"
        if divmod(cell, 8) in cells_of_word(value.blocked):
            return "there is a trap"
        return f"it is not next to {_cell_text(value.mine)}"

    def turn_text(self, value: Trap) -> str:
        if value.stage == LANDING:
            return f"the trap thrown at {_cell_text(value.target)} is in the air"
        return ("to walk", "to throw")[value.stage]

    def end_text(self, value: Trap) -> str:
        stuck = value.player if value.stage == WALK else 1 - value.player
        around = cells_of_word(NEIGHBOURS[_places(value)[stuck]])
        if around <= cells_of_word(value.blocked) | {divmod(_places(value)[1 - stuck], 8)}:
            return f"no free cell is left beside player {stuck + 1}"
        return f"{HALF_TURNS} half-turns are over"

    def picture(self, value: Trap, trail: Trail) -> Picture:
        on_board = {cell for cell in cells_of_word(value.blocked) if max(cell) < value.size}
        cells = dict.fromkeys(on_board, picture.TRAP)
        for place, kind in zip(_places(value), (picture.PLAYER_1, picture.PLAYER_2), strict=True):
            cells[divmod(place, 8)] = kind
        marks: dict[tuple[int, int], frozenset[str]] = {}
        for before, move in trail:
            cell = divmod(move % 64, 8)
            marks[cell] = marks.get(cell, frozenset()) | {
                (picture.MOVED_TO, picture.AIMED_AT, picture.LANDED_ON)[before.stage]
            }
            if before.stage == WALK:  # the first ply of the turn
                came_from = divmod(before.mine, 8)
                marks[came_from] = marks.get(came_from, frozenset()) | {picture.CAME_FROM}
                break
        return Picture(rows=value.size, columns=value.size, cells=cells, marks=marks)


def _places(value: Trap) -> tuple[int, int]:
    """The cells of the first and the second player."""
    return (value.mine, value.theirs) if value.player == 0 else (value.theirs, value.mine)


def _cell_text(cell: int) -> str:
    return notation.format_cell(*divmod(cell, 8))


def _parse_stage(text: str, size: int, players: list[int]) -> tuple[int, int]:
    """The stage and the target of `walk`, `aim` or `@c4`."""
    if text in STAGES:
        return STAGES[text], NO_TARGET
    if not text.startswith("@"):
        raise BadText(f"{text!r} is no stage: write walk, aim, or @c4 for a throw at c4 that is in the air")
    row, column = notation.parse_cell(text[1:], size, size)
    if 8 * row + column in players:
        raise BadText(f"the throw {text} is aimed at a player's cell")
    return LANDING, 8 * row + column
