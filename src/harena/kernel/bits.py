"""Counting and finding bits of a 64-bit word, as single machine instructions where there are such.

Each is a plain function (used when compilation is off) with an intrinsic that takes its place in compiled code.
"""

import numpy as np
from numpy.typing import NDArray

from harena.kernel.generic import helper
from harena.kernel.switch import JIT

ZERO = np.uint64(0)
ONE = np.uint64(1)


def popcount(word: np.uint64) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: np.uint64) -> int:
    """The index of the lowest set bit; 64 for an empty word."""
    return (int(word) & -int(word)).bit_length() - 1 if word else 64


def nth(word: np.uint64, index: int) -> int:
    """The position of the set bit with this index, counted from the lowest (0) upwards; it must exist."""
    for _ in range(index):
        word &= word - ONE
    return lowest(word)


def integer(word: np.uint64) -> int:
    """A word below 2**63 as a signed integer (`int()` leaves it unsigned in compiled code, and then mixes badly)."""
    return int(word)


@helper
def bit(cell: int) -> np.uint64:
    """The word with just this bit, 0..63."""
    return ONE << np.uint64(cell)


@helper
def entry(table: NDArray[np.uint64], cell: int) -> np.uint64:
    """table[cell], without Python's test for negative indices (7 % of a playout in isolation)."""
    return table[np.uint64(cell)]


@helper
def mix(word: np.uint64) -> np.uint64:
    """A well-scattered image of a word (the finaliser of splitmix64): a one-to-one map."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


if JIT:
    from harena.kernel import intrinsics

    intrinsics.replace(popcount, lowest, nth, integer)
