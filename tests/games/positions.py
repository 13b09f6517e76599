"""Hypothesis strategies: every game's options, and arbitrary positions as texts, most of which no game ever reaches."""

from functools import reduce
from operator import and_

from hypothesis import strategies as st

from games.support import Options

ALL_OPTIONS: dict[str, list[Options]] = {
    "isolation": [
        {"size": (rows, columns), "setup": setup}
        for rows in range(3, 9)
        for columns in range(3, 9)
        for setup in ("start", "random-placements")
    ],
    "colosseum": [
        {"size": size, "setup": setup}
        for size in range(2, 13)
        for setup in ("2023", "2022", "empty")
        if (size, setup) != (2, "2022")
    ],
    "trap": [{"size": size} for size in range(4, 9)],
    "tiles": [
        {"size": size, "setup": setup, "first": first}
        for size in range(2, 11)
        for setup in ("checkerboard", "random")
        for first in "RB"
    ],
}

players = st.sampled_from("12")


def cell_text(cell: tuple[int, int]) -> str:
    return f"{'abcdefghijkl'[cell[1]]}{cell[0] + 1}"


def cells(rows: int, columns: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))


@st.composite
def boards(draw: st.DrawFn, rows: int, columns: int, marks: str) -> list[list[str]]:
    """Rows of marks; now and then nearly all of one kind, since it is there that games end."""
    symbols = draw(st.sampled_from([marks, *(marks + 9 * mark for mark in marks)]))
    line = st.lists(st.sampled_from(symbols), min_size=columns, max_size=columns)
    return draw(st.lists(line, min_size=rows, max_size=rows))


def joined(board: list[list[str]]) -> str:
    return "/".join(map("".join, board))


@st.composite
def isolation_texts(draw: st.DrawFn) -> str:
    rows, columns = draw(st.integers(3, 8)), draw(st.integers(3, 8))
    board = draw(boards(rows, columns, ".x"))
    places = draw(st.lists(cells(rows, columns), max_size=2, unique=True))
    for mark, (row, column) in zip(draw(st.permutations("12")), places, strict=False):
        board[row][column] = mark
    return f"{joined(board)} {draw(players)}"


@st.composite
def trap_texts(draw: st.DrawFn) -> str:
    size = draw(st.integers(4, 8))
    board = draw(boards(size, size, ".x"))
    first, second, target = draw(st.lists(cells(size, size), min_size=3, max_size=3, unique=True))
    for mark, (row, column) in (("1", first), ("2", second)):
        board[row][column] = mark
    stage = draw(st.sampled_from(["walk", "aim", f"@{cell_text(target)}"]))
    half_turns = draw(st.integers(0, 149) | st.integers(145, 150 if stage == "walk" else 149))
    return f"{joined(board)} {draw(players)} {stage} {half_turns}"


@st.composite
def tiles_texts(draw: st.DrawFn) -> str:
    size = draw(st.integers(2, 10))
    return f"{joined(draw(boards(size, size, 'RBX')))} {draw(st.sampled_from('RB'))} {draw(players)}"


@st.composite
def colosseum_texts(draw: st.DrawFn) -> str:
    size = draw(st.integers(2, 12))
    first, second = draw(st.lists(cells(size, size), min_size=2, max_size=2, unique=True))
    sides = [
        cell_text((row, column)) + side
        for row in range(size)
        for column in range(size)
        for side in "rd"
        if (column < size - 1 if side == "r" else row < size - 1)
    ]
    masks = draw(st.lists(st.binary(min_size=33, max_size=33), min_size=1, max_size=4))
    chosen = reduce(and_, map(int.from_bytes, masks))  # a half, a quarter ... of the sides
    walls = ",".join(side for index, side in enumerate(sides) if chosen >> index & 1) or "-"
    return f"{size} {cell_text(first)} {cell_text(second)} {draw(players)} {walls}"


POSITIONS: dict[str, st.SearchStrategy[str]] = {
    "isolation": isolation_texts(),
    "colosseum": colosseum_texts(),
    "trap": trap_texts(),
    "tiles": tiles_texts(),
}
