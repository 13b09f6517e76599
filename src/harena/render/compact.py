"""A board with walls in half the lines, for a window of few rows: a row is one line, in ASCII.

          0   1   2
         ___ ___ ___
      0 |         2 |
      1 |    ___    |   a wall below the cell in the middle
      2 |_1_|___ ___|   a wall right of player 1

A wall below a cell is drawn at the foot of its own line, one to its right between the two.
"""

from harena.games.picture import FREE, PLAYER_1, PLAYER_2, Cell, Picture

PIECES = {PLAYER_1: "1", PLAYER_2: "2"}


def draw(picture: Picture) -> str:
    """The board of a game with walls, its rows and columns counted from 0, and its caption below it."""
    margin = " " * 4
    names = "".join(f"{column:^4}" for column in range(picture.columns)).rstrip()
    lines = [f"{margin} {names}", margin + " ___" * picture.columns]
    for row in range(picture.rows):
        cells = (_cell(picture, (row, column)) for column in range(picture.columns))
        lines.append(f"{row:>3} |" + "".join(cells))
    return "\n".join([*lines, *(margin + line for line in picture.caption.splitlines())])


def _cell(picture: Picture, cell: Cell) -> str:
    """Three letters and the line on the right."""
    row, column = cell
    walls = picture.walls or frozenset()
    foot = "_" if row == picture.rows - 1 or (row, column, "d") in walls else " "
    right = "|" if column == picture.columns - 1 or (row, column, "r") in walls else " "
    return f"{foot}{PIECES.get(picture.cells.get(cell, FREE), foot)}{foot}{right}"
