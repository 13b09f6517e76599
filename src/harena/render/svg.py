"""A board as a self-contained SVG document: an arena of sandstone that brings its own background.

The drawing is made in fixed units, 48 to a cell, and scaled as a whole. From bottom to top:

    panel, cells, grounds (blocked, gaps), traces of the last turn, pieces, walls, signs of the last turn, letters

A page restyles it by the classes in STYLES with any selector that outweighs `.harena .name`; every cell is also a
`rect` with its name in `data-cell`. No element has an id, so several boards can stand in one page.
"""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from html import escape
from math import cos, hypot, pi, sin
from string import ascii_lowercase

import harena.games.picture as names
from harena.games.picture import Cell, Picture, Side

Point = tuple[float, float]

UNIT = 48
LEFT, TOP, RIGHT, BOTTOM = 34, 34, 20, 20  # of the panel around the board
NARROWEST, LINE, LETTER = 250, 21, 9  # the panel's least width; height of a caption's line, width of its letters

SAND, STONE, EARTH, INK = "#fbf3de", "#e8d6b0", "#6b5230", "#3a2d1a"
IRON, PIT, ALARM, WATER = "#3d3a38", "#4b4035", "#c8321e", "#3c7f8c"
FONT = "font-family: system-ui, 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif; text-anchor: middle"

STYLES = {
    "panel": f"fill: {STONE}; stroke: #b99b64; stroke-width: 2",
    "cell": f"fill: {SAND}; stroke: #dfcba1; stroke-width: 1.5",
    "border": "fill: none; stroke: #b99b64; stroke-width: 3; stroke-linejoin: round",
    "label": f"{FONT}; fill: {EARTH}; font-size: 15px",
    "caption": f"{FONT}; fill: {INK}; font-size: 15px; font-weight: 600",
    "blocked": "fill: #cdb487",
    "hatch": "fill: none; stroke: #b0925c; stroke-width: 3; stroke-linecap: round",
    "gap": f"fill: {PIT}",
    "trap": f"fill: {IRON}",
    "teeth": f"fill: {STONE}",
    "spring": f"fill: {ALARM}",
    "player-1": "fill: #f5a81c; stroke: #6b4300; stroke-width: 2.5",
    "player-2": "fill: #4f2683; stroke: #200b3d; stroke-width: 2.5; stroke-linejoin: round",
    "number-1": f"{FONT}; fill: #2b1a00; font-size: 21px; font-weight: 700",
    "number-2": f"{FONT}; fill: #ffffff; font-size: 21px; font-weight: 700",
    "red": "fill: #d9482b",
    "red-edge": "fill: #8f2410",
    "blue": "fill: #2463a8",
    "blue-edge": "fill: #123a68",
    "inlay": "fill: none; stroke: #ffffff; stroke-opacity: .55; stroke-width: 1.5",
    "letter": f"{FONT}; fill: #ffffff; font-size: 20px; font-weight: 700",
    "text": f"{FONT}; fill: {INK}; font-weight: 700",
    "wall": f"fill: none; stroke: {INK}; stroke-width: 6; stroke-linecap: round",
    "new-wall": f"fill: none; stroke: {ALARM}; stroke-width: 8; stroke-linecap: round",
    "glow": "fill: none; stroke: #ffb868; stroke-opacity: .75; stroke-width: 16; stroke-linecap: round",
    "core": "fill: none; stroke: #ffffff; stroke-width: 2; stroke-linecap: round",
    "heat": "stroke: none",
    "warmth": f"{FONT}; fill: {INK}; font-size: 13px",
    "came-from": f"fill: {WATER}; fill-opacity: .16; stroke: {WATER}; stroke-width: 2; stroke-dasharray: 5 4",
    "moved-to": f"fill: {WATER}; fill-opacity: .3; stroke: {WATER}; stroke-width: 2",
    "path": f"fill: none; stroke: {WATER}; stroke-width: 4; stroke-linecap: round; stroke-linejoin: round",
    "head": f"fill: {WATER}",
    "landed-on": "fill: #f79a5b; stroke: #c8541e; stroke-width: 1.5; stroke-linejoin: round",
    "flight-halo": f"fill: none; stroke: {SAND}; stroke-width: 5; stroke-linecap: round",
    "flight": f"fill: none; stroke: {INK}; stroke-width: 2; stroke-dasharray: 4 3",
    "aim-halo": f"fill: none; stroke: {SAND}; stroke-width: 5; stroke-linecap: round",
    "aimed-at": f"fill: none; stroke: {ALARM}; stroke-width: 2.5; stroke-linecap: round",
    "removed": "fill: none; stroke: #f0902c; stroke-width: 2.5; stroke-linecap: round",
    "fell": "fill: none; stroke: #f0902c; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round",
    "ghost": "fill: none; stroke: #f0902c; stroke-width: 1.5; stroke-dasharray: 4 4",
}


HEATS = ("#d7eef2", "#bfe5e0", "#b5e3c5", "#c3e6a8", "#dbe98d", "#f2e66f", "#f8cf57", "#f8b048", "#f48b3a", "#ea5f2b")


def _star(points: int, outer: float, inner: float) -> str:
    """The corners of a star around the origin, its first point upwards."""
    radii = [outer, inner] * points
    angles = [pi * index / points for index in range(2 * points)]
    corners = zip(radii, angles, strict=True)
    return " ".join(f"{radius * sin(angle):.1f},{-radius * cos(angle):.1f}" for radius, angle in corners)


def _square(name: str, half: float, round_by: float, down: float = 0) -> str:
    side = f'width="{2 * half:g}" height="{2 * half:g}" rx="{round_by:g}"'
    return f'<rect class="{name}" x="{-half:g}" y="{down - half:g}" {side}/>'


def _letter(name: str, text: str) -> str:
    return f'<text class="{name}" dy=".35em">{text}</text>'


def _tile(name: str, letter: str, inlay: str) -> str:
    """A square with a darker edge below, hence raised; the inlay's shape tells the colours apart without hue."""
    return _square(f"{name}-edge", 20, 6, 1) + _square(name, 19, 6, -1.5) + inlay + _letter("letter", letter)


# What cells hold and what the last turn left on them, each around the middle of its cell.
GROUNDS = {
    names.BLOCKED: _square("blocked", 22.5, 4) + '<path class="hatch" d="M-14 -4L-4 -14M-14 14L14 -14M4 14L14 4"/>',
    names.GAP: _square("gap", 24.5, 0),
}
PIECES = {
    names.TRAP: '<circle class="trap" r="16"/>'
    f'<polygon class="teeth" points="{_star(9, 13, 6.5)}"/><circle class="spring" r="3.5"/>',
    names.PLAYER_1: '<circle class="player-1" r="16.5"/>' + _letter("number-1", "1"),
    names.PLAYER_2: '<polygon class="player-2" points="0,-19 17,-9.5 17,9.5 0,19 -17,9.5 -17,-9.5"/>'
    + _letter("number-2", "2"),
    names.RED: _tile("red", "R", _square("inlay", 14, 3, -1.5)),
    names.BLUE: _tile("blue", "B", '<circle class="inlay" cy="-1.5" r="14.5"/>'),
}
CROSS_HAIR = "M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M0 -23V-13M0 23V13M-23 0H-13M23 0H13"
TRACES = {
    names.CAME_FROM: _square("came-from", 21, 4),
    names.MOVED_TO: _square("moved-to", 22, 4),
    names.LANDED_ON: f'<polygon class="landed-on" points="{_star(12, 25, 17)}"/>',
}
SIGNS = {
    names.AIMED_AT: f'<path class="aim-halo" d="{CROSS_HAIR}"/><path class="aimed-at" d="{CROSS_HAIR}"/>',
    names.REMOVED: _square("ghost", 18, 6) + '<path class="removed" d="M-8 -8L8 8M-8 8L8 -8"/>',
    names.FELL: _square("ghost", 18, 6) + '<path class="fell" d="M-8 -7L0 1L8 -7M-8 2L0 10L8 2"/>',
}


def draw(picture: Picture, *, cell: int = 48) -> str:
    """The document: coordinates (columns a, b, ... and rows 1, 2, ... from the top), board and caption on one panel.

    `cell` is the width of a cell in pixels. Title and description say in words what there is to see. Of a game's own
    texts everything is escaped, and what XML does not allow becomes a question mark.
    """
    board_width, board_height = picture.columns * UNIT, picture.rows * UNIT
    width = max(LEFT + board_width + RIGHT, NARROWEST)
    paragraphs = [_safe(line) for line in picture.caption.splitlines()]
    lines = [line for text in paragraphs for line in textwrap.wrap(text, int((width - RIGHT) / LETTER))]
    height = TOP + board_height + BOTTOM + LINE * len(lines)
    left = LEFT + (width - LEFT - board_width - RIGHT) / 2
    title = " ".join(paragraphs) or f"Board of {picture.rows} rows and {picture.columns} columns"
    size = f'width="{width * cell / UNIT:g}" height="{height * cell / UNIT:g}" viewBox="0 0 {width} {height}"'
    start, below = f'<text class="caption" x="{width / 2:g}"', TOP + board_height + LINE + 5
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="harena" role="img" {size}>',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(_describe(picture))}</desc>",
            "<style>",
            *(f".harena .{name} {{ {style} }}" for name, style in STYLES.items()),
            "</style>",
            f'<rect class="panel" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="12"/>',
            f'<g transform="translate({left:g} {TOP})">',
            *_board(picture),
            "</g>",
            *(f'{start} y="{below + index * LINE}">{escape(line)}</text>' for index, line in enumerate(lines)),
            "</svg>\n",
        ]
    )


def _board(picture: Picture) -> Iterator[str]:
    """Everything on the board, its upper left corner at the origin, from bottom to top."""
    cells = [(row, column) for row in range(picture.rows) for column in range(picture.columns)]
    contents = {cell: picture.cells.get(cell, names.FREE) for cell in cells}
    marks = {cell: picture.marks.get(cell, frozenset()) for cell in cells}
    for row, column in cells:
        place = f'x="{column * UNIT}" y="{row * UNIT}" width="{UNIT}" height="{UNIT}"'
        yield f'<rect class="cell" data-cell="{_name((row, column))}" {place}/>'
    yield from (_at(cell, GROUNDS[content]) for cell, content in contents.items() if content in GROUNDS)
    yield from (_at(cell, _heat(warmth, contents.get(cell))) for cell, warmth in sorted(picture.heat.items()))
    yield from (_at(cell, TRACES[mark]) for cell in cells for mark in TRACES if mark in marks[cell])
    yield from _path(picture, _only(marks, names.CAME_FROM), _only(marks, names.MOVED_TO))
    for cell, content in contents.items():
        if content != names.FREE and content not in GROUNDS:
            yield _at(cell, PIECES.get(content) or _text(content))
    yield from _walls(picture)
    yield from _flight(_only(marks, names.AIMED_AT), _only(marks, names.LANDED_ON))
    yield from (_at(cell, SIGNS[mark]) for cell in cells for mark in SIGNS if mark in marks[cell])
    for column in range(picture.columns):
        yield f'<text class="label" x="{column * UNIT + UNIT / 2:g}" y="-10">{_labels(picture, column)[0]}</text>'
    for row in range(picture.rows):
        yield f'<text class="label" x="-17" y="{row * UNIT + UNIT / 2 + 5:g}">{_labels(picture, row)[1]}</text>'


def _walls(picture: Picture) -> Iterator[str]:
    """The border, a line for each wall inside it, and the new wall on top, in three strokes."""
    is_walled = picture.walls is not None
    size = f'width="{picture.columns * UNIT}" height="{picture.rows * UNIT}"'
    yield f'<rect class="{"wall" if is_walled else "border"}" x="0" y="0" {size} rx="2"/>'
    for side in sorted(picture.walls or ()):
        if side != picture.new_wall and _is_inside(picture, side):
            yield f'<path class="wall" d="{_line(side)}"/>'
    if picture.new_wall is not None:
        for name in ("glow", "new-wall", "core"):
            yield f'<path class="{name}" d="{_line(picture.new_wall)}"/>'


def _is_inside(picture: Picture, side: Side) -> bool:
    """Whether two cells of the board meet at this side; the border is drawn apart."""
    row, column, direction = side
    rows, columns = (picture.rows, picture.columns - 1) if direction == "r" else (picture.rows - 1, picture.columns)
    return 0 <= row < rows and 0 <= column < columns


def _line(side: Side) -> str:
    row, column, direction = side
    if direction == "r":
        return f"M{(column + 1) * UNIT} {row * UNIT}v{UNIT}"
    return f"M{column * UNIT} {(row + 1) * UNIT}h{UNIT}"


def _walk(picture: Picture, start: Cell, end: Cell) -> list[Cell]:
    """The cells of a shortest way around pieces and walls, the new one not yet built; without walls the two ends."""
    came_from, queue = {start: start}, [start]
    for row, column in queue if picture.walls is not None else ():
        sides = ((row - 1, column, "d"), (row, column, "r"), (row, column, "d"), (row, column - 1, "r"))
        cells = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        for side, cell in zip(sides, cells, strict=True):
            is_open = _is_inside(picture, side) and (side == picture.new_wall or side not in (picture.walls or ()))
            if is_open and cell not in came_from and (cell == end or picture.cells.get(cell, names.FREE) == names.FREE):
                came_from[cell] = (row, column)
                queue.append(cell)
    way = [end]
    while way[-1] != start:
        way.append(came_from.get(way[-1], start))
    return way[::-1]


def _path(picture: Picture, start: Cell | None, end: Cell | None) -> Iterator[str]:
    """An arrow from cell to cell, ending before the piece."""
    if start is None or end is None or start == end:
        return
    *corners, (from_x, from_y), (to_x, to_y) = map(_middle, _walk(picture, start, end))
    length = hypot(to_x - from_x, to_y - from_y)
    along_x, along_y = (to_x - from_x) / length, (to_y - from_y) / length
    tip_x, tip_y = to_x - 19 * along_x, to_y - 19 * along_y
    neck_x, neck_y = tip_x - 10 * along_x, tip_y - 10 * along_y
    yield f'<polyline class="path" points="{_points([*corners, (from_x, from_y), (neck_x, neck_y)])}"/>'
    aside_x, aside_y = -7 * along_y, 7 * along_x
    head = ((tip_x, tip_y), (neck_x + aside_x, neck_y + aside_y), (neck_x - aside_x, neck_y - aside_y))
    yield f'<polygon class="head" points="{_points(head)}"/>'


def _flight(aim: Cell | None, landing: Cell | None) -> Iterator[str]:
    """A dashed line to where a throw went that missed."""
    if aim is not None and landing is not None and aim != landing:
        line = f"M{_points([_middle(aim)])}L{_points([_middle(landing)])}"
        yield f'<path class="flight-halo" d="{line}"/><path class="flight" d="{line}"/>'


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _middle(cell: Cell) -> Point:
    return (cell[1] + 0.5) * UNIT, (cell[0] + 0.5) * UNIT


def _at(cell: Cell, shapes: str) -> str:
    x, y = _middle(cell)
    return f'<g transform="translate({x:g} {y:g})">{shapes}</g>'


def _only(marks: dict[Cell, frozenset[str]], mark: str) -> Cell | None:
    """The cell with this mark, if there is exactly one."""
    found = [cell for cell, here in marks.items() if mark in here]
    return found[0] if len(found) == 1 else None


def _heat(warmth: int, content: str | None) -> str:
    """A shade from cold to hot, with its number where nothing stands."""
    shade = f'<rect class="heat" x="-23" y="-23" width="46" height="46" fill="{HEATS[warmth]}"/>'
    return shade + (f'<text class="warmth" dy=".35em">{warmth}</text>' if content == names.FREE else "")


def _text(text: str) -> str:
    """A game's own text, as large as the cell allows."""
    safe = _safe(text)
    widths = (1 if unicodedata.east_asian_width(character) in "WF" else 0.65 for character in safe)
    return f'<text class="text" dy=".35em" font-size="{min(27, 42 / (sum(widths) or 1)):.1f}">{escape(safe)}</text>'


def _safe(text: str) -> str:
    """The text on one line, with a question mark for every character that is not printable."""
    return "".join(" " if character.isspace() else character if character.isprintable() else "?" for character in text)


def _name(cell: Cell) -> str:
    """The name of a cell, a1 at the upper left; after column z come aa, ab, ..."""
    row, column = cell
    return (ascii_lowercase[column // 26 - 1] if column >= 26 else "") + ascii_lowercase[column % 26] + str(row + 1)


def _labels(picture: Picture, number: int) -> tuple[str, str]:
    """The names of a column and of a row."""
    return (str(number), str(number)) if picture.counted else (_name((0, number))[:-1], str(number + 1))


def _describe(picture: Picture) -> str:
    """What is where, in words."""

    def called(cell: Cell) -> str:
        return str(cell) if picture.counted else _name(cell)

    places: dict[str, list[str]] = {}
    for cell, content in sorted(picture.cells.items()):
        if content != names.FREE:
            places.setdefault(content, []).append(called(cell))
    for cell, marks in sorted(picture.marks.items()):
        for mark in sorted(marks):
            places.setdefault(f"last turn {mark}", []).append(called(cell))
    sentences = [f"{_safe(what)}: {', '.join(where)}." for what, where in places.items()]
    if picture.heat:
        hottest = max(picture.heat.values())
        best = [called(cell) for cell, warmth in sorted(picture.heat.items()) if warmth == hottest]
        sentences.append(f"The search likes best: {', '.join(best)}.")
    if picture.walls is not None:
        sentences.append(f"walls: {len(picture.walls | {picture.new_wall} - {None})}.")
    if picture.new_wall is not None:
        row, column, direction = picture.new_wall
        sentences.append(f"New wall {'right of' if direction == 'r' else 'below'} {called((row, column))}.")
    return " ".join([f"{picture.rows} rows, {picture.columns} columns.", *sentences])
