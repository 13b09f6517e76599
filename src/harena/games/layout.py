"""Between boards of bits and sets of (row, column), in plain Python: for texts, pictures and board files."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from harena.kernel.boards import BITS, Large, Medium, Small

Cell = tuple[int, int]


def empty_board(side: int) -> Any:
    """A board without cells, of the smallest class that a square of this side fits into."""
    zero = np.uint64(0)
    if side <= 8:
        return Small(zero)
    return Medium(zero, zero) if side <= 10 else Large(zero, zero, zero)


def stride(board: Any) -> int:
    """How far apart two rows are."""
    return 8 if isinstance(board, Small) else 12


def cells_of(board: Any) -> set[Cell]:
    """The cells of a board."""
    wide = stride(board)
    bits = 64 if isinstance(board, Small) else BITS
    found = set()
    for part, word in enumerate(board):
        left = int(word)
        while left:
            lowest = left & -left
            found.add(divmod(bits * part + lowest.bit_length() - 1, wide))
            left ^= lowest
    return found


def board_of(side: int, cells: Iterable[Cell]) -> Any:
    """The board, of the class for this side, with these cells."""
    empty = empty_board(side)
    bits = 64 if isinstance(empty, Small) else BITS
    words = [0] * len(empty)
    for row, column in cells:
        part, index = divmod(stride(empty) * row + column, bits)
        words[part] |= 1 << index
    return type(empty)(*(np.uint64(word) for word in words))


def cells_of_word(word: np.uint64) -> set[Cell]:
    """The cells of a single word, eight to a row."""
    return cells_of(Small(word))


def word_of(cells: Iterable[Cell]) -> int:
    """The word, eight cells to a row, with these cells."""
    return sum(1 << (8 * row + column) for row, column in set(cells))
