"""A board as text for a terminal: in colour, in Unicode line drawing, or in plain ASCII.

A cell is four columns by two lines, hence about square; the lattice stands between the cells:

        a   b   c                                      a   b   c
      ┌───┬───┬───┐                                  ┏━━━━━━━━━━━┓
    1 │( )│ ╳ │*╳*│   came from, trap, landed on   1 ┃►1◄        ┃   moved to
      ├───┼───┼───┤                                  ┃   ╺━━━┓   ┃   walls
    2 │►1◄│   │╶┼╴│   moved to, free, aimed at     2 ┃       ┃   ┃
      ├───┼───┴───┤                                  ◆═══◆   ╹   ┃   the new wall
    3 │▒▒▒│ ·   · │   blocked, two gaps            3 ┃        ▐2▌┃   player 2
      └───┴───────┘                                  ┗━━━━━━━━━━━┛
"""

import textwrap
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from string import ascii_lowercase

from harena.games.picture import (
    AIMED_AT,
    BLOCKED,
    BLUE,
    CAME_FROM,
    FELL,
    FREE,
    GAP,
    LANDED_ON,
    MOVED_TO,
    PLAYER_1,
    PLAYER_2,
    RED,
    REMOVED,
    TRAP,
    Cell,
    Picture,
    Side,
)

Span = tuple[str, tuple[str, ...]]  # a text and the names of its styles, the later ones over the earlier
Lines = Mapping[Cell, int]  # the weight of each line of the lattice, by the cell below it or to its right

NONE, LIGHT, HEAVY, NEW = 0, 1, 2, 3  # the weights of a line
WEIGHT_STYLES = ("light", "light", "heavy", "new")
HIT = "hit"  # aimed at and landed on
TERMINAL_WIDTH = 80

# Every joint of light and heavy lines: the arms up, right, down and left are the digits of a number in base three.
JOINTS = "·╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"


@dataclass(frozen=True, kw_only=True)
class Look:
    """The characters of a look: three for each content and each mark of a cell, one for each weight of a line.

    A mark replaces the outer two characters of a cell, and the middle one too if the cell is free.
    """

    contents: dict[str, str]
    marks: dict[str, str]
    flat: str
    upright: str
    joints: str
    post: str  # at either end of a new wall
    ellipsis: str  # the end of a text that was cut


CONTENTS = (FREE, BLOCKED, TRAP, GAP, PLAYER_1, PLAYER_2, RED, BLUE)
MARKS = (CAME_FROM, MOVED_TO, AIMED_AT, LANDED_ON, HIT, REMOVED, FELL)
UNICODE = Look(
    contents=dict(zip(CONTENTS, ["   ", "▒▒▒", " ╳ ", " · ", "▐1▌", "▐2▌", "▓R▓", "░B░"], strict=True)),
    marks=dict(zip(MARKS, ["( )", "► ◄", "╶┼╴", "* *", "» «", "◄ ►", "▼ ▼"], strict=True)),
    flat=" ─━═",
    upright=" │┃║",
    joints=JOINTS,
    post="◆",
    ellipsis="…",
)
COLOURED = replace(UNICODE, contents=UNICODE.contents | {PLAYER_1: " 1 ", PLAYER_2: " 2 ", RED: " R ", BLUE: " B "})
ASCII = Look(
    contents=dict(zip(CONTENTS, ["   ", ":::", "#x#", " . ", "[1]", "[2]", "[R]", ":B:"], strict=True)),
    marks=dict(zip(MARKS, ["( )", "> <", "-+-", "* *", "! !", "< >", "v v"], strict=True)),
    flat=" --#",
    upright=" ||#",
    joints="." + "+" * 80,
    post="#",
    ellipsis="~",
)

SAND, HOLE, TRACE = "48;5;230", "48;5;238", "38;5;23;48;5;152"
COLOURS = {  # SGR parameters; the board brings its own background, so it looks the same on dark and light terminals
    FREE: f"38;5;240;{SAND}",
    BLOCKED: "38;5;137;48;5;180",
    TRAP: "1;38;5;231;48;5;88",
    GAP: f"38;5;244;{HOLE}",
    PLAYER_1: "1;38;5;16;48;5;214",
    PLAYER_2: "1;38;5;231;48;5;54",
    RED: "1;38;5;231;48;5;160",
    BLUE: "1;38;5;231;48;5;25",
    "text": f"1;38;5;16;{SAND}",
    CAME_FROM: TRACE,
    MOVED_TO: TRACE,
    AIMED_AT: "1;38;5;160;48;5;224",
    LANDED_ON: "38;5;16;48;5;209",
    HIT: "38;5;231;48;5;196",
    REMOVED: f"1;38;5;215;{HOLE}",
    FELL: f"38;5;215;{HOLE}",
    "hole": f"38;5;244;{HOLE}",
    "light": f"38;5;180;{SAND}",
    "heavy": f"38;5;237;{SAND}",
    "new": f"1;38;5;202;{SAND}",
    "label": "38;5;244",
    "caption": "1",
}
HEATS = (195, 159, 123, 157, 191, 226, 220, 214, 208, 202)  # cold to hot
COLOURS |= {f"heat {warmth}": f"38;5;16;48;5;{colour}" for warmth, colour in enumerate(HEATS)}
SOLID = (PLAYER_1, PLAYER_2, RED, BLUE)  # pieces keep their colour under a mark


def height(picture: Picture) -> int:
    """The lines of a drawing without its caption."""
    return 2 * picture.rows + 2


def draw(picture: Picture, *, colour: bool = False, ascii_only: bool = False, close: bool = False) -> str:
    """The board with its coordinates (columns a, b, ... and rows 1, 2, ... from the top), its caption below.

    A picture may have both counted from 0. No line ends in a space, nor the text in a newline; up to 19 columns fit
    into a terminal of 80. `colour` paints the same drawing with SGR escapes for 256 colours; without it there are none.
    `ascii_only` keeps to characters below 128 and has no escapes, whatever `colour` says. `close` leaves out the lines
    between rows, and with them their walls. What is not safe to print in a game's own texts becomes "?".
    """
    look = ASCII if ascii_only else COLOURED if colour else UNICODE
    palette = COLOURS if look is COLOURED else None
    board = _Board(picture, look)
    lines = [board.header()]
    for row in range(picture.rows):
        lines += [board.cell_line(row)] if close and row else [board.lattice_line(row), board.cell_line(row)]
    lines += [board.lattice_line(picture.rows), *board.caption()]
    return "\n".join(_paint(line, palette) for line in lines)


def legend(picture: Picture, *, colour: bool = False, ascii_only: bool = False) -> dict[str, str]:
    """What marks and contents of a drawing mean, by symbol; players, colours and free cells need no words."""
    look = ASCII if ascii_only else COLOURED if colour else UNICODE
    held, marked = set(picture.cells.values()), set[str]()
    for marks in picture.marks.values():
        marked |= {HIT} if {AIMED_AT, LANDED_ON} <= marks else marks
    symbols = {look.contents[kind].strip(): kind for kind in (BLOCKED, TRAP, GAP) if kind in held}
    symbols |= {look.marks[kind]: EXPLAINED.get(kind, kind) for kind in MARKS if kind in marked}
    if picture.new_wall is not None:
        symbols[f"{look.post}{look.flat[NEW]}{look.post}"] = "the new wall"
    return symbols


EXPLAINED = {HIT: "aimed at and hit", FELL: "fell with it"}


def caption(picture: Picture, margin: int, look: Look) -> list[str]:
    """The lines below a board, so far from the left."""
    paragraphs = (safe(line, look) for line in picture.caption.splitlines())
    return [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, TERMINAL_WIDTH - margin)]


class _Board:
    """The lines of a picture in one look, as spans that are still to be painted."""

    def __init__(self, picture: Picture, look: Look) -> None:
        self.picture, self.look = picture, look
        self.flats, self.uprights = _flats(picture), _uprights(picture)
        texts = (safe(content, look) for content in picture.cells.values() if content not in look.contents)
        longest = max(map(_width, texts), default=1)
        widest = (TERMINAL_WIDTH - 4) // picture.columns - 1
        self.width = max(3, min((longest + 2) | 1, (widest - 1) | 1))  # odd, with a column on either side for a mark
        self.margin = len(str(picture.rows)) + 1

    def header(self) -> list[Span]:
        columns = range(self.picture.columns)
        names = map(str, columns) if self.picture.counted else map(column_name, columns)
        centred = "".join(name.center(self.width + 1) for name in names)
        return [(" " * (self.margin + 1) + centred.rstrip(), ("label",))]

    def lattice_line(self, row: int) -> list[Span]:
        """The line above a row; below the last one for the number of rows."""
        spans: list[Span] = [(" " * self.margin, ())]
        for column in range(self.picture.columns + 1):
            spans.append(self.joint(row, column))
            if column < self.picture.columns:
                weight = self.flats[row, column]
                spans.append((self.look.flat[weight] * self.width, (self.ground(weight, row, column),)))
        return spans

    def cell_line(self, row: int) -> list[Span]:
        number = row if self.picture.counted else row + 1
        spans: list[Span] = [(f"{number:>{self.margin - 1}} ", ("label",))]
        for column in range(self.picture.columns + 1):
            weight = self.uprights[row, column]
            spans.append((self.look.upright[weight], (self.ground(weight, row, column),)))
            if column < self.picture.columns:
                spans.append(self.cell((row, column)))
        return spans

    def joint(self, row: int, column: int) -> Span:
        """Where the lines around the upper left corner of a cell meet."""
        arms = (
            self.uprights.get((row - 1, column), NONE),
            self.flats.get((row, column), NONE),
            self.uprights.get((row, column), NONE),
            self.flats.get((row, column - 1), NONE),
        )
        if NEW in arms:
            return self.look.post, ("new",)
        up, right, down, left = arms
        return self.look.joints[27 * up + 9 * right + 3 * down + left], (self.ground(max(arms), row, column),)

    def ground(self, weight: int, row: int, column: int) -> str:
        """The style of a line or joint at the upper left of a cell: that of a hole where it vanished between gaps."""
        if weight == NONE and self.picture.walls is None and self.picture.cells.get((row, column)) == GAP:
            return "hole"
        return WEIGHT_STYLES[weight]

    def cell(self, cell: Cell) -> Span:
        content = self.picture.cells.get(cell, FREE)
        marks = _visible_marks(self.picture.marks.get(cell, frozenset()))
        known = self.look.contents.get(content)
        text = _widened(known, self.width) if known else _centred(safe(content, self.look), self.width, self.look)
        if marks:
            first, last = self.look.marks[marks[0]], self.look.marks[marks[-1]]
            inner = _widened(first[1], self.width - 2) if content == FREE else text[1:-1]
            text = first[0] + inner + last[-1]
        style = content if known else "text"
        if cell in self.picture.heat:
            warmth = self.picture.heat[cell]
            if content == FREE and not marks:
                text = str(warmth).center(self.width)
            return text, (style, *marks, f"heat {warmth}")
        return text, (style,) if content in SOLID else (style, *marks)

    def caption(self) -> list[list[Span]]:
        lines = caption(self.picture, self.margin, self.look)
        return [[(" " * self.margin, ()), (line, ("caption",))] for line in lines]


def _flats(picture: Picture) -> Lines:
    """The weights of the horizontal lines, by the cell below."""
    return {
        (row, column): _weight(picture, (row - 1, column, "d"), (row, column), row in (0, picture.rows))
        for row in range(picture.rows + 1)
        for column in range(picture.columns)
    }


def _uprights(picture: Picture) -> Lines:
    """The weights of the vertical lines, by the cell on their right."""
    return {
        (row, column): _weight(picture, (row, column - 1, "r"), (row, column), column in (0, picture.columns))
        for row in range(picture.rows)
        for column in range(picture.columns + 1)
    }


def _weight(picture: Picture, side: Side, beyond: Cell, is_border: bool) -> int:
    """A game with walls has heavy ones and no other lines; in one without, every line is light but between two gaps."""
    if side == picture.new_wall:
        return NEW
    if picture.walls is not None:
        return HEAVY if is_border or side in picture.walls else NONE
    is_hole = picture.cells.get(side[:2]) == picture.cells.get(beyond) == GAP
    return NONE if is_hole else LIGHT


def _visible_marks(marks: frozenset[str]) -> list[str]:
    """At most two marks, a cell having two sides: what the player or tile did, then what was thrown."""
    done = [mark for mark in (MOVED_TO, CAME_FROM, REMOVED, FELL) if mark in marks]
    thrown = [HIT] if {AIMED_AT, LANDED_ON} <= marks else [mark for mark in (AIMED_AT, LANDED_ON) if mark in marks]
    return done[:1] + thrown


def column_name(column: int) -> str:
    """The letter of a column; after z come aa, ab, ..."""
    return (ascii_lowercase[column // 26 - 1] if column >= 26 else "") + ascii_lowercase[column % 26]


def safe(text: str, look: Look) -> str:
    """The text on one line, with a question mark for every character that the look must not print."""
    spaced = (" " if character.isspace() else character for character in text)
    return "".join(
        character if character.isprintable() and (character.isascii() or look is not ASCII) else "?"
        for character in spaced
    )


def _width(text: str) -> int:
    """The columns that a printable text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def _widened(glyph: str, width: int) -> str:
    """A glyph of a look on that many columns: shades spread, all else is centred."""
    return glyph.center(width, glyph[0] if len(set(glyph)) == 1 else " ")


def _centred(text: str, width: int, look: Look) -> str:
    """A game's own text on that many columns, a blank at either end, cut if it is too long."""
    room = width - 2
    if _width(text) > room:
        while _width(text) > room - 1:
            text = text[:-1]
        text += look.ellipsis
    left = (width - _width(text)) // 2
    return " " * left + text + " " * (width - _width(text) - left)


def _paint(spans: Iterable[Span], palette: Mapping[str, str] | None) -> str:
    """The spans joined; with a palette each run of one style in its colours."""
    if palette is None:
        return "".join(text for text, _ in spans)
    painted = []
    for style, run in groupby(spans, key=lambda span: span[1]):
        text = "".join(part for part, _ in run)
        painted.append(f"\x1b[{';'.join(palette[name] for name in style)}m{text}\x1b[0m" if style else text)
    return "".join(painted)
