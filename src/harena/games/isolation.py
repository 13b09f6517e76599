"""Knight isolation: jump to a blank cell; every cell ever visited stays blocked; who cannot move on his turn loses.

    a cell is 8 * row + column, whatever the size of the board:

         0  1  2  3  4  5  6 | 7
         8  9 10 11 12 13 14 |15
        16 17 ...

The first move of each player is a placement on any blank cell. A move is the cell to go to.
"""

from typing import NamedTuple

import numpy as np

from harena.contract import (
    RUNNING,
    Moves,
    Outcome,
    initial,
    key,
    max_moves,
    mover,
    moves,
    outcome,
    play,
    random_move,
    without_points,
)
from harena.kernel.bits import bit, entry, lowest, mix, nth, popcount
from harena.kernel.generic import helper
from harena.kernel.rng import Rng, below

NOWHERE = 64  # a knight that is not on the board yet


class IsolationSetup(NamedTuple):
    """The options of a game."""

    rows: int
    columns: int
    placed: bool  # both placements drawn at random


class Isolation(NamedTuple):
    """A position, seen by the player to move."""

    blocked: np.uint64  # visited cells, and everything off the board
    mine: int  # the cell of the player to move, or NOWHERE
    theirs: int
    player: int  # who is to move, 0 or 1
    rows: int
    columns: int


def _jumps() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """For each cell the cells a knight reaches from it; from NOWHERE it reaches all."""
    table = np.zeros(65, np.uint64)
    for cell in range(64):
        for down, right in ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)):
            row, column = cell // 8 + down, cell % 8 + right
            if 0 <= row < 8 and 0 <= column < 8:
                table[cell] |= np.uint64(1 << (8 * row + column))
    table[NOWHERE] = np.uint64(2**64 - 1)
    return table


JUMPS = _jumps()


@helper
def targets(state: Isolation) -> np.uint64:
    """The cells that the player to move can go to."""
    return entry(JUMPS, state.mine) & ~state.blocked


@initial.method(IsolationSetup)
def _(setup: IsolationSetup, rng: Rng) -> Isolation:
    blank = np.uint64(0)
    for row in range(setup.rows):
        for column in range(setup.columns):
            blank |= bit(8 * row + column)
    state = Isolation(~blank, NOWHERE, NOWHERE, 0, setup.rows, setup.columns)
    if setup.placed:
        state = play(state, random_move(state, rng))
        state = play(state, random_move(state, rng))
    return state


@mover.method(Isolation)
def _(state: Isolation) -> int:
    return state.player


@max_moves.method(Isolation)
def _(state: Isolation) -> int:
    return state.rows * state.columns


@moves.method(Isolation)
def _(state: Isolation, out: Moves, at: int) -> int:
    free = targets(state)
    count = popcount(free)
    for index in range(at, at + count):
        out[index] = lowest(free)
        free &= free - np.uint64(1)
    return count


@random_move.method(Isolation)
def _(state: Isolation, rng: Rng) -> int:
    free = targets(state)
    return nth(free, below(rng, popcount(free)))


@play.method(Isolation)
def _(state: Isolation, move: int) -> Isolation:
    return Isolation(state.blocked | bit(move), state.theirs, move, 1 - state.player, state.rows, state.columns)


@outcome.method(Isolation)
def _(state: Isolation) -> Outcome:
    if targets(state):
        return without_points(RUNNING)
    return without_points(1 - state.player)


@key.method(Isolation)
def _(state: Isolation) -> np.uint64:
    where = np.uint64(state.mine) | np.uint64(state.theirs) << np.uint64(8) | np.uint64(state.player) << np.uint64(16)
    return mix(mix(state.blocked) ^ where)
