"""A board in half the lines, for a window of few rows: a row is one line. One with walls is drawn in ASCII.

          a   b   c
         ___ ___ ___
      1 |         2 |
      2 |    ___    |   a wall below the cell in the middle
      3 |_1_|___ ___|   a wall right of player 1

A wall below a cell is drawn at the foot of its own line, one to its right between the two; the new one by = or #.
"""

from harena.games.picture import FREE, Cell, Picture, Side
from harena.render import text


def height(picture: Picture) -> int:
    """The lines of a drawing without its caption."""
    return picture.rows + (3 if picture.walls is None else 2)


def draw(picture: Picture, *, colour: bool = False, ascii_only: bool = False) -> str:
    """The board with its coordinates, and its caption below it; colours and Unicode are for games without walls."""
    if picture.walls is None:
        return text.draw(picture, colour=colour, ascii_only=ascii_only, close=True)
    margin = " " * 4
    names = map(str if picture.counted else text.column_name, range(picture.columns))
    header = "".join(f"{name:^4}" for name in names).rstrip()
    lines = [f"{margin} {header}", margin + " ___" * picture.columns]
    for row in range(picture.rows):
        cells = (_cell(picture, (row, column)) for column in range(picture.columns))
        lines.append(f"{row + (not picture.counted):>3} |" + "".join(cells))
    said = text.caption(picture, len(margin), text.ASCII if ascii_only else text.UNICODE)
    return "\n".join([*lines, *(margin + line for line in said)])


def _cell(picture: Picture, cell: Cell) -> str:
    """Three letters and the line on the right."""
    row, column = cell
    foot = _line(picture, (row, column, "d"), "_=", is_border=row == picture.rows - 1)
    right = _line(picture, (row, column, "r"), "|#", is_border=column == picture.columns - 1)
    return _letters(picture.cells.get(cell, FREE)).center(3, foot) + right


def _line(picture: Picture, side: Side, look: str, *, is_border: bool) -> str:
    """What stands at a side, a wall or the new one being drawn so."""
    if side == picture.new_wall:
        return look[1]
    return look[0] if is_border or side in (picture.walls or ()) else " "


def _letters(content: str) -> str:
    """What a cell holds; of a game's own text its beginning."""
    if content == FREE:
        return ""
    known = text.ASCII.contents.get(content)
    return known[1] if known else text.safe(content, text.ASCII)[:3]
