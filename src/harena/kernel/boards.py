"""Sets of cells as values of one, two or three words, and the few words to speak about them.

    Small    up to  8 rows of  8 columns: one word,    cell =  8 * row + column
    Medium   up to 10 rows of 12 columns: two words,   cell = 12 * row + column, five rows (60 bits) a word
    Large    up to 15 rows of 12 columns: three words, likewise

Rows never cross from one word to the next, so a step to the side is one shift a word. Rules written with these
functions are compiled once for each class, without a trace of the others.
"""

from typing import Any, NamedTuple

import numpy as np

from harena.kernel.bits import ZERO, bit, mix, nth, popcount
from harena.kernel.generic import generic

BITS = 60  # used bits of a word of Medium and Large
FULL = np.uint64(2**60 - 1)
STEP, ROW, CARRY = np.uint64(1), np.uint64(12), np.uint64(48)
SMALL_ROW = np.uint64(8)


class Small(NamedTuple):
    """Cells of a board of up to 8 x 8."""

    a: np.uint64


class Medium(NamedTuple):
    """Cells of a board of up to 10 rows of 12."""

    a: np.uint64
    b: np.uint64


class Large(NamedTuple):
    """Cells of a board of up to 15 rows of 12."""

    a: np.uint64
    b: np.uint64
    c: np.uint64


@generic
def width(board: Any) -> int:
    """How far apart two rows are: cell = width * row + column."""


@generic
def single(board: Any, cell: int) -> Any:
    """The board, of the same class as the given one, with just this cell."""


@generic
def has(board: Any, cell: int) -> bool:
    """Whether the cell is in the set."""


@generic
def both(board: Any, other: Any) -> Any:
    """The cells that are in both sets."""


@generic
def either(board: Any, other: Any) -> Any:
    """The cells that are in one set or the other."""


@generic
def minus(board: Any, other: Any) -> Any:
    """The cells of the first set that are not in the other."""


@generic
def is_empty(board: Any) -> bool:
    """Whether there is no cell at all."""


@generic
def count(board: Any) -> int:
    """How many cells there are."""


@generic
def nth_cell(board: Any, index: int) -> int:
    """The cell with this index in row-major order; it must exist."""


@generic
def right(board: Any) -> Any:
    """Every cell moved one column to the right. Keep the last column of the layout out: it would wrap round."""


@generic
def left(board: Any) -> Any:
    """Every cell moved one column to the left. Cells of the first column wrap round: mask the result."""


@generic
def down(board: Any) -> Any:
    """Every cell moved one row down."""


@generic
def up(board: Any) -> Any:
    """Every cell moved one row up. Beyond the cells of the layout there may be rubbish: mask the result."""


@generic
def board_key(board: Any) -> np.uint64:
    """A hash of the set."""


@width.method(Small)
def _(board: Small) -> int:
    return 8


@single.method(Small)
def _(board: Small, cell: int) -> Small:
    return Small(bit(cell))


@has.method(Small)
def _(board: Small, cell: int) -> bool:
    return board.a & bit(cell) != ZERO


@both.method(Small, Small)
def _(board: Small, other: Small) -> Small:
    return Small(board.a & other.a)


@either.method(Small, Small)
def _(board: Small, other: Small) -> Small:
    return Small(board.a | other.a)


@minus.method(Small, Small)
def _(board: Small, other: Small) -> Small:
    return Small(board.a & ~other.a)


@is_empty.method(Small)
def _(board: Small) -> bool:
    return board.a == ZERO


@count.method(Small)
def _(board: Small) -> int:
    return popcount(board.a)


@nth_cell.method(Small)
def _(board: Small, index: int) -> int:
    return nth(board.a, index)


@right.method(Small)
def _(board: Small) -> Small:
    return Small(board.a << STEP)


@left.method(Small)
def _(board: Small) -> Small:
    return Small(board.a >> STEP)


@down.method(Small)
def _(board: Small) -> Small:
    return Small(board.a << SMALL_ROW)


@up.method(Small)
def _(board: Small) -> Small:
    return Small(board.a >> SMALL_ROW)


@board_key.method(Small)
def _(board: Small) -> np.uint64:
    return mix(board.a)


@width.method(Medium)
def _(board: Medium) -> int:
    return 12


@single.method(Medium)
def _(board: Medium, cell: int) -> Medium:
    word = bit(cell if cell < BITS else cell - BITS)
    return Medium(word if cell < BITS else ZERO, ZERO if cell < BITS else word)


@has.method(Medium)
def _(board: Medium, cell: int) -> bool:
    word = board.a if cell < BITS else board.b
    return word & bit(cell if cell < BITS else cell - BITS) != ZERO


@both.method(Medium, Medium)
def _(board: Medium, other: Medium) -> Medium:
    return Medium(board.a & other.a, board.b & other.b)


@either.method(Medium, Medium)
def _(board: Medium, other: Medium) -> Medium:
    return Medium(board.a | other.a, board.b | other.b)


@minus.method(Medium, Medium)
def _(board: Medium, other: Medium) -> Medium:
    return Medium(board.a & ~other.a, board.b & ~other.b)


@is_empty.method(Medium)
def _(board: Medium) -> bool:
    return board.a | board.b == ZERO


@count.method(Medium)
def _(board: Medium) -> int:
    return popcount(board.a) + popcount(board.b)


@nth_cell.method(Medium)
def _(board: Medium, index: int) -> int:
    first = popcount(board.a)
    early = index < first
    return nth(board.a if early else board.b, index if early else index - first) + (0 if early else BITS)


@right.method(Medium)
def _(board: Medium) -> Medium:
    return Medium(board.a << STEP, board.b << STEP)


@left.method(Medium)
def _(board: Medium) -> Medium:
    return Medium(board.a >> STEP, board.b >> STEP)


@down.method(Medium)
def _(board: Medium) -> Medium:
    return Medium((board.a << ROW) & FULL, (board.b << ROW) & FULL | board.a >> CARRY)


@up.method(Medium)
def _(board: Medium) -> Medium:
    return Medium(board.a >> ROW | board.b << CARRY, board.b >> ROW)


@board_key.method(Medium)
def _(board: Medium) -> np.uint64:
    return mix(mix(board.a) ^ board.b)


@width.method(Large)
def _(board: Large) -> int:
    return 12


@single.method(Large)
def _(board: Large, cell: int) -> Large:
    part = cell // BITS
    word = bit(cell - BITS * part)
    return Large(word if part == 0 else ZERO, word if part == 1 else ZERO, word if part == 2 else ZERO)


@has.method(Large)
def _(board: Large, cell: int) -> bool:
    part = cell // BITS
    word = board.a if part == 0 else (board.b if part == 1 else board.c)
    return word & bit(cell - BITS * part) != ZERO


@both.method(Large, Large)
def _(board: Large, other: Large) -> Large:
    return Large(board.a & other.a, board.b & other.b, board.c & other.c)


@either.method(Large, Large)
def _(board: Large, other: Large) -> Large:
    return Large(board.a | other.a, board.b | other.b, board.c | other.c)


@minus.method(Large, Large)
def _(board: Large, other: Large) -> Large:
    return Large(board.a & ~other.a, board.b & ~other.b, board.c & ~other.c)


@is_empty.method(Large)
def _(board: Large) -> bool:
    return board.a | board.b | board.c == ZERO


@count.method(Large)
def _(board: Large) -> int:
    return popcount(board.a) + popcount(board.b) + popcount(board.c)


@nth_cell.method(Large)
def _(board: Large, index: int) -> int:
    first = popcount(board.a)
    second = first + popcount(board.b)
    if index < first:
        return nth(board.a, index)
    if index < second:
        return nth(board.b, index - first) + BITS
    return nth(board.c, index - second) + 2 * BITS


@right.method(Large)
def _(board: Large) -> Large:
    return Large(board.a << STEP, board.b << STEP, board.c << STEP)


@left.method(Large)
def _(board: Large) -> Large:
    return Large(board.a >> STEP, board.b >> STEP, board.c >> STEP)


@down.method(Large)
def _(board: Large) -> Large:
    return Large(
        (board.a << ROW) & FULL, (board.b << ROW) & FULL | board.a >> CARRY, (board.c << ROW) & FULL | board.b >> CARRY
    )


@up.method(Large)
def _(board: Large) -> Large:
    return Large(board.a >> ROW | board.b << CARRY, board.b >> ROW | board.c << CARRY, board.c >> ROW)


@board_key.method(Large)
def _(board: Large) -> np.uint64:
    return mix(mix(mix(board.a) ^ board.b) ^ board.c)
