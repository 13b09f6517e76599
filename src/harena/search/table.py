"""A transposition table: what was found out about a position, by its key, in an array of fixed size.

Two entries a key: the first keeps what was searched deepest, the second whatever came last. Both lie in one cache line,
since a probe costs little else than the way to memory:

    word        0      1    2     3      4      5    6     7
    of a line   value  key  note  seal   value  key  note  seal

Threads may share a table without locks: the seal is made of the other three words, so an entry that two of them wrote
at once, or that is half written, is not found (Hyatt & Mann, "A lockless transposition table", 2002); and what is found
is a copy, made before its seal was checked.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.kernel.bits import integer
from harena.kernel.generic import helper

UPPER, LOWER, EXACT = 1, 2, 3  # what a stored value is to the true one
NO_MOVE = -1

LINE, ENTRY, KEY, NOTE, SEAL = 8, 4, 1, 2, 3  # words
WAX = np.uint64(0x9E3779B97F4A7C15)  # any number but 0: so that an empty entry is not sealed
DEPTH_SHIFT, BOUND_SHIFT, COMPLETE, MOVE_MASK = 34, 32, 2**31, 2**31 - 1


class Table(NamedTuple):
    """The same words read as three types; the number of lines is a power of two."""

    keys: NDArray[np.uint64]
    values: NDArray[np.float64]
    notes: NDArray[np.int64]  # depth, bound, complete, best move (plus one); 0 in an empty entry


class Entry(NamedTuple):
    """A copy of what was stored about one position."""

    value: float
    note: int  # 0 if nothing was


NOTHING = Entry(0.0, 0)


@helper
def line_of(table: Table, key: np.uint64) -> int:
    """Where the two entries for this key are."""
    return integer(key & np.uint64(len(table.keys) - LINE))


@helper
def seal(value: np.uint64, key: np.uint64, note: np.uint64) -> np.uint64:
    """What the words of an entry add up to."""
    return value ^ key ^ note ^ WAX


@helper
def entry_at(table: Table, place: int, key: np.uint64) -> Entry:
    """What is known of this key at a place. The words are read once: another thread may change them meanwhile."""
    value, note = table.keys[place], table.keys[place + NOTE]
    if table.keys[place + KEY] == key and table.keys[place + SEAL] == seal(value, key, note):
        return Entry(np.uint64(value).view(np.float64), integer(note))
    return NOTHING


@helper
def find(table: Table, key: np.uint64) -> Entry:
    """What is known of this key."""
    place = line_of(table, key)
    entry = entry_at(table, place, key)
    return entry if is_known(entry) else entry_at(table, place + ENTRY, key)


@helper
def is_known(entry: Entry) -> bool:
    """Whether there is an entry at all."""
    return entry.note != 0


@helper
def depth_of(entry: Entry) -> int:
    """How deep the stored value was searched."""
    return entry.note >> DEPTH_SHIFT


@helper
def bound_of(entry: Entry) -> int:
    """UPPER, LOWER or EXACT."""
    return (entry.note >> BOUND_SHIFT) & 3


@helper
def move_of(entry: Entry) -> int:
    """The best move there, or NO_MOVE."""
    return (entry.note & MOVE_MASK) - 1


@helper
def is_complete(entry: Entry) -> bool:
    """Whether the stored value rests on ends of games alone, and on no heuristic: then it holds at any depth."""
    return entry.note & COMPLETE != 0


@helper
def turned(entry: Entry, sign: float) -> Entry:
    """The entry as the other player sees it, if the sign is -1: the value changes its sign, and bounds their side."""
    bound = bound_of(entry)
    flip = sign < 0.0 and bound in (UPPER, LOWER)
    return Entry(sign * entry.value, entry.note ^ (UPPER ^ LOWER) << BOUND_SHIFT if flip else entry.note)


@helper
def settles(entry: Entry, alpha: float, beta: float) -> bool:
    """Whether it says all that a search with this window would: the exact value, or a bound outside of the window."""
    bound = bound_of(entry)
    return bound == EXACT or (bound == LOWER and entry.value >= beta) or (bound == UPPER and entry.value <= alpha)


@helper
def bound_by(best: float, alpha: float, beta: float, sign: float) -> int:
    """What the best value is to the true one, after a search with this window; turned if the sign is -1."""
    if alpha < best < beta:
        return EXACT
    return LOWER if (best >= beta) == (sign > 0.0) else UPPER


@helper
def store(table: Table, key: np.uint64, depth: int, bound: int, value: float, move: int, complete: bool) -> None:
    """Remember; deeper knowledge of another position in the first entry is left alone, the second gives way."""
    place = line_of(table, key)
    if table.keys[place + KEY] != key and depth < table.notes[place + NOTE] >> DEPTH_SHIFT:
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
