"""Whether the player to move of colosseum wins at once, found without trying his moves.

A wall separates the players if it stands on a bridge: a side whose loss divides the board. By planar duality those are
the sides whose two ends are joined by walls, and one flood over the walls, from the border inwards, finds them all at
once (but for the few inside a bow of walls that does not touch the border: these are not noticed). The mover wins by a
bridge with more than half of all cells on the side away from the opponent, if he can get to its end there. Such bridges
lie one behind the other on the way from the opponent to the heavier part of the board.
"""

from typing import Any, NamedTuple

import numpy as np

from harena.games.colosseum import Colosseum, component, reach, spread
from harena.kernel.bits import entry
from harena.kernel.boards import (
    BITS,
    Large,
    Medium,
    Small,
    both,
    count,
    down,
    either,
    is_empty,
    left,
    minus,
    nth_cell,
    right,
    single,
    up,
)
from harena.kernel.generic import generic, helper, routine

SETS = 5  # of corners: all, and those beside the upper, lower, left and right border


def corner_words(which: int, stride: int, rows: int, word: int) -> Any:
    """For each size of board one word of a set of inner corners; a corner is named by the cell up and left of it."""
    table = np.zeros(13, np.uint64)
    for size in range(2, 13):
        for row in range(size - 1):
            for column in range(size - 1):
                chosen = (True, row == 0, row == size - 2, column == 0, column == size - 2)[which]
                if chosen and row // rows == word and column < stride:
                    table[size] |= np.uint64(1 << stride * (row % rows) + column)
    return table


SMALL = tuple(corner_words(which, 8, 8, 0) for which in range(SETS))
LONG = tuple(tuple(corner_words(which, 12, BITS // 12, word) for word in range(3)) for which in range(SETS))
SMALL_INNER, SMALL_TOP, SMALL_BOTTOM, SMALL_LEFT, SMALL_RIGHT = SMALL
(INNER_A, INNER_B, INNER_C), (TOP_A, *NO_TOPS), (BOTTOM_A, BOTTOM_B, BOTTOM_C) = LONG[:3]
(LEFT_A, LEFT_B, LEFT_C), (RIGHT_A, RIGHT_B, RIGHT_C) = LONG[3:]


class Corners(NamedTuple):
    """The inner corners of a board: all, and those beside the upper, lower, left and right border."""

    inner: Any
    top: Any
    bottom: Any
    left: Any
    right: Any


@generic
def corners(board: Any, size: int) -> Corners:
    """The corners of a board of this size."""


@corners.method(Small)
def _(board: Small, size: int) -> Corners:
    return Corners(
        Small(entry(SMALL_INNER, size)),
        Small(entry(SMALL_TOP, size)),
        Small(entry(SMALL_BOTTOM, size)),
        Small(entry(SMALL_LEFT, size)),
        Small(entry(SMALL_RIGHT, size)),
    )


@corners.method(Medium)
def _(board: Medium, size: int) -> Corners:
    return Corners(
        Medium(entry(INNER_A, size), entry(INNER_B, size)),
        Medium(entry(TOP_A, size), np.uint64(0)),
        Medium(entry(BOTTOM_A, size), entry(BOTTOM_B, size)),
        Medium(entry(LEFT_A, size), entry(LEFT_B, size)),
        Medium(entry(RIGHT_A, size), entry(RIGHT_B, size)),
    )


@corners.method(Large)
def _(board: Large, size: int) -> Corners:
    return Corners(
        Large(entry(INNER_A, size), entry(INNER_B, size), entry(INNER_C, size)),
        Large(entry(TOP_A, size), np.uint64(0), np.uint64(0)),
        Large(entry(BOTTOM_A, size), entry(BOTTOM_B, size), entry(BOTTOM_C, size)),
        Large(entry(LEFT_A, size), entry(LEFT_B, size), entry(LEFT_C, size)),
        Large(entry(RIGHT_A, size), entry(RIGHT_B, size), entry(RIGHT_C, size)),
    )


@helper
def free_corners(state: Colosseum) -> Any:
    """The inner corners that no walls join to the border: sides that end there are no bridges."""
    rights, downs = state.rights, state.downs
    all_corners = corners(rights, state.size)
    inner = all_corners.inner
    joined = either(
        either(minus(all_corners.top, rights), minus(all_corners.bottom, up(rights))),
        either(minus(all_corners.left, downs), minus(all_corners.right, left(downs))),
    )
    while True:
        upright = either(minus(down(joined), rights), up(minus(joined, rights)))
        level = either(minus(right(joined), downs), left(minus(joined, downs)))
        new = minus(both(either(upright, level), inner), joined)
        if is_empty(new):
            return minus(inner, joined)
        joined = either(joined, new)


@helper
def heavy_part(rest: Any, state: Colosseum, total: int) -> Any:
    """The part of these cells, connected among themselves, that has more than half of the total; else no cells."""
    while 2 * count(rest) > total:
        cells = single(rest, nth_cell(rest, 0))
        wider = both(spread(cells, state.rights, state.downs), rest)
        while not is_empty(minus(wider, cells)):
            cells = wider
            wider = both(spread(cells, state.rights, state.downs), rest)
        if 2 * count(cells) > total:
            return cells
        rest = minus(rest, cells)
    return minus(rest, rest)


@helper
def behind(state: Colosseum, ground: Any, part: Any) -> Any:
    """The cells of the part beyond an open side of the ground."""
    return both(minus(spread(ground, state.rights, state.downs), ground), part)


@routine
def wins_at_once(state: Colosseum) -> bool:
    """Whether the mover surely has a wall that separates the players and leaves him the larger part."""
    free = free_corners(state)
    rights, downs = both(state.rights, either(free, down(free))), both(state.downs, either(free, right(free)))
    if is_empty(minus(state.rights, rights)) and is_empty(minus(state.downs, downs)):
        return False
    ground, cells = single(rights, state.theirs), state.size * state.size
    wider = spread(ground, rights, downs)
    while not is_empty(minus(wider, ground)):
        ground = wider
        if 2 * count(ground) >= cells:
            return False
        wider = spread(ground, rights, downs)
    whole = component(state.rights, state.downs, state.mine)
    total, within = count(whole), reach(state)
    while True:
        part = heavy_part(minus(whole, ground), state, total)
        if is_empty(part):
            return False
        door = behind(state, ground, part)
        if not is_empty(both(door, within)):
            return True
        ground = minus(whole, minus(part, door))
        wider = spread(ground, rights, downs)
        while not is_empty(minus(wider, ground)):
            ground = wider
            wider = spread(ground, rights, downs)
