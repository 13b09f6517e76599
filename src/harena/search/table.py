"""A transposition table: what was found out about a position, by its key, in an array of fixed size.

Two entries a key: the first keeps what was searched deepest, the second whatever came last. Both lie in one cache line,
since a probe costs little else than the way to memory:

    word        0      1    2     3      4      5    6     7
    of a line   value  key  note  seal   value  key  note  seal

Threads may share a table without locks: the seal is made of the other three words, so an entry that two of them wrote
at once, or that is half written, is not found (Hyatt & Mann, "A lockless transposition table", 2002).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.kernel.bits import integer
from harena.kernel.generic import helper

UPPER, LOWER, EXACT = 1, 2, 3  # what a stored value is to the true one
NO_MOVE = -1
NOT_FOUND = -1

LINE, ENTRY, KEY, NOTE, SEAL = 8, 4, 1, 2, 3  # words; the value comes first, so that `values[place]` is it
WAX = np.uint64(0x9E3779B97F4A7C15)  # any number but 0: so that an empty entry is not sealed
DEPTH_SHIFT, BOUND_SHIFT, COMPLETE, MOVE_MASK = 34, 32, 2**31, 2**31 - 1


class Table(NamedTuple):
    """The same words read as three types; the number of lines is a power of two."""

    keys: NDArray[np.uint64]
    values: NDArray[np.float64]
    notes: NDArray[np.int64]  # depth, bound, complete, best move (plus one); 0 in an empty entry


@helper
def line_of(table: Table, key: np.uint64) -> int:
    """Where the two entries for this key are."""
    return integer(key & np.uint64(len(table.keys) - LINE))


@helper
def seal(value: np.uint64, key: np.uint64, note: np.uint64) -> np.uint64:
    """What the words of an entry add up to."""
    return value ^ key ^ note ^ WAX


@helper
def is_sealed(table: Table, place: int) -> bool:
    """Whether the entry is whole."""
    return table.keys[place + SEAL] == seal(table.keys[place], table.keys[place + KEY], table.keys[place + NOTE])


@helper
def find(table: Table, key: np.uint64) -> int:
    """The place of this key, or NOT_FOUND."""
    place = line_of(table, key)
    if table.keys[place + KEY] == key and is_sealed(table, place):
        return place
    place += ENTRY
    if table.keys[place + KEY] == key and is_sealed(table, place):
        return place
    return NOT_FOUND


@helper
def depth_at(table: Table, place: int) -> int:
    """How deep the stored value was searched."""
    return table.notes[place + NOTE] >> DEPTH_SHIFT


@helper
def bound_at(table: Table, place: int) -> int:
    """UPPER, LOWER or EXACT."""
    return (table.notes[place + NOTE] >> BOUND_SHIFT) & 3


@helper
def move_at(table: Table, place: int) -> int:
    """The best move there, or NO_MOVE."""
    return (table.notes[place + NOTE] & MOVE_MASK) - 1


@helper
def is_complete(table: Table, place: int) -> bool:
    """Whether the stored value rests on ends of games alone, and on no heuristic: then it holds at any depth."""
    return table.notes[place + NOTE] & COMPLETE != 0


@helper
def store(table: Table, key: np.uint64, depth: int, bound: int, value: float, move: int, complete: bool) -> None:
    """Remember; deeper knowledge of another position in the first entry is left alone, the second gives way."""
    place = line_of(table, key)
    if table.keys[place + KEY] != key and depth < depth_at(table, place):
        place += ENTRY
    note = depth << DEPTH_SHIFT | bound << BOUND_SHIFT | move + 1
    if complete:
        note |= COMPLETE
    table.keys[place + KEY] = key
    table.values[place] = value
    table.notes[place + NOTE] = note
    table.keys[place + SEAL] = seal(np.float64(value).view(np.uint64), key, np.uint64(note))


def new_table(megabytes: float) -> Table:
    """The largest table that fits, at least one line; it begins where a cache line does."""
    words = LINE
    while 2 * words * 8 <= megabytes * 2**20:
        words *= 2
    memory = np.zeros(words + LINE, np.uint64)
    begin = -(memory.ctypes.data // 8) % LINE
    keys = memory[begin : begin + words]
    return Table(keys, keys.view(np.float64), keys.view(np.int64))
