"""Isolation positions in which the knights can never meet again: each plays alone, and only the longest paths count.

The player to move wins if and only if his longest path has more jumps than the other's. Paths are found by branch and
bound; a knight changes the colour of its cell with each jump, which bounds a path by the colours of the cells within
reach (2q + 1 jumps at most with q cells of the starting colour and more of the other).
"""

from typing import Any, NamedTuple

import numpy as np

from harena.games.isolation import JUMPS, NOWHERE, Isolation
from harena.kernel.bits import ONE, ZERO, bit, entry, lowest, popcount
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.prove import UNKNOWN, shortcut

EVEN = np.uint64(0xAA55AA55AA55AA55)  # cells with row + column even


class Separated(NamedTuple):
    """A shortcut of the solver; jumps tried for both paths together, before it gives up."""

    effort: int = 20_000


class Path(NamedTuple):
    """The jumps of the longest path found, and how many more may be tried (below 0: it gave up)."""

    jumps: int
    effort: int


@helper
def jumps_from(cells: np.uint64) -> np.uint64:
    """The cells that a knight on any of these reaches in one jump."""
    near = (cells >> ONE) & np.uint64(0x7F7F7F7F7F7F7F7F) | (cells << ONE) & np.uint64(0xFEFEFEFEFEFEFEFE)
    far = (cells >> np.uint64(2)) & np.uint64(0x3F3F3F3F3F3F3F3F) | (cells << np.uint64(2)) & np.uint64(
        0xFCFCFCFCFCFCFCFC
    )
    return near << np.uint64(16) | near >> np.uint64(16) | far << np.uint64(8) | far >> np.uint64(8)


@helper
def within_reach(cell: int, free: np.uint64) -> np.uint64:
    """The free cells that a knight can ever get to from a cell."""
    reached, newest = ZERO, entry(JUMPS, cell) & free
    while newest:
        reached |= newest
        newest = jumps_from(newest) & free & ~reached
    return reached


@helper
def most_jumps(cell: int, reached: np.uint64) -> int:
    """A bound on the jumps of a path from a cell over the cells within reach."""
    even = popcount(reached & EVEN)
    odd = popcount(reached) - even
    same, other = (even, odd) if bit(cell) & EVEN else (odd, even)
    return 2 * same + 1 if other > same else 2 * other


@kernel
def longest(cell: int, free: np.uint64, done: int, best: int, goal: int, effort: int) -> Path:
    """The longest path over free cells with `done` jumps before it, if longer than `best`; `goal` jumps are enough."""
    reached = within_reach(cell, free)
    if done + most_jumps(cell, reached) <= best or effort < 0:
        return Path(best, effort)
    best = max(best, done)
    targets = entry(JUMPS, cell) & reached
    while targets and best < goal:
        target = lowest(targets)
        targets &= targets - ONE
        found = longest(target, reached & ~bit(target), done + 1, best, goal, effort - 1)
        best, effort = found.jumps, found.effort
    return Path(best, effort)


@helper
def are_apart(state: Isolation) -> bool:
    """Whether no free cell is within reach of both."""
    free = ~state.blocked
    mine, theirs = entry(JUMPS, state.mine) & free, entry(JUMPS, state.theirs) & free
    while mine & theirs == ZERO:
        wider = (mine | jumps_from(mine)) & free
        other = (theirs | jumps_from(theirs)) & free
        if wider == mine and other == theirs:
            return True
        mine, theirs = wider, other
    return False


@shortcut.method(Separated, Isolation)
def _(rule: Separated, state: Isolation) -> float:
    """The shorter of the two bounds is made exact first; of the other path only so much is asked as decides."""
    if NOWHERE in (state.mine, state.theirs) or not are_apart(state):
        return UNKNOWN
    free = ~state.blocked
    none: Any = np.int64(0)  # a literal would keep `longest` from the disk cache
    mine_at_most = most_jumps(state.mine, within_reach(state.mine, free))
    theirs_at_most = most_jumps(state.theirs, within_reach(state.theirs, free))
    if mine_at_most <= theirs_at_most:
        mine = longest(state.mine, free, none, none - 1, mine_at_most, rule.effort)
        theirs = longest(state.theirs, free, none, none - 1, mine.jumps, mine.effort)
        effort = theirs.effort
    else:
        theirs = longest(state.theirs, free, none, none - 1, theirs_at_most, rule.effort)
        mine = longest(state.mine, free, none, none - 1, theirs.jumps + 1, theirs.effort)
        effort = mine.effort
    if effort < 0:
        return UNKNOWN
    return 1.0 if mine.jumps > theirs.jumps else -1.0
