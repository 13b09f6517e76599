"""A transposition table: what was found out about a position, by its key, in arrays of fixed size.

Two places a key: the first keeps what was searched deepest, the second whatever came last.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.kernel.bits import integer
from harena.kernel.generic import helper

UPPER, LOWER, EXACT = 1, 2, 3  # what a stored value is to the true one
NO_MOVE = -1
NOT_FOUND = -1

DEPTH_SHIFT, BOUND_SHIFT, MOVE_MASK = 34, 32, 2**32 - 1


class Table(NamedTuple):
    """Parallel arrays; their length is a power of two."""

    keys: NDArray[np.uint64]
    values: NDArray[np.float64]
    notes: NDArray[np.int64]  # depth, bound and best move (plus one), packed


@helper
def find(table: Table, key: np.uint64) -> int:
    """The place of this key, or NOT_FOUND."""
    place = integer(key & np.uint64(len(table.keys) - 2))
    if table.keys[place] == key and table.notes[place] != 0:
        return place
    if table.keys[place + 1] == key and table.notes[place + 1] != 0:
        return place + 1
    return NOT_FOUND


@helper
def depth_at(table: Table, place: int) -> int:
    """How deep the stored value was searched."""
    return table.notes[place] >> DEPTH_SHIFT


@helper
def bound_at(table: Table, place: int) -> int:
    """UPPER, LOWER or EXACT."""
    return (table.notes[place] >> BOUND_SHIFT) & 3


@helper
def move_at(table: Table, place: int) -> int:
    """The best move there, or NO_MOVE."""
    return (table.notes[place] & MOVE_MASK) - 1


@helper
def store(table: Table, key: np.uint64, depth: int, bound: int, value: float, move: int) -> None:
    """Remember; deeper knowledge of another position in the first place is left alone, the second place gives way."""
    place = integer(key & np.uint64(len(table.keys) - 2))
    if table.keys[place] != key and depth < depth_at(table, place):
        place += 1
    table.keys[place] = key
    table.values[place] = value
    table.notes[place] = depth << DEPTH_SHIFT | bound << BOUND_SHIFT | move + 1


def new_table(megabytes: float) -> Table:
    """The largest table that fits (24 bytes an entry), at least two entries."""
    entries = 2
    while entries * 2 * 24 <= megabytes * 1e6:
        entries *= 2
    return Table(np.zeros(entries, np.uint64), np.zeros(entries, np.float64), np.zeros(entries, np.int64))
