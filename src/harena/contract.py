"""The words of a game. Every game is a state class and methods of these functions; every search is written with them.

A state is a NamedTuple of numbers. A turn is not a ply: a player may decide twice in a row, and chance is a mover too.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.kernel.generic import generic, helper
from harena.kernel.rng import Rng, below, uniform

Moves = NDArray[np.int64]
Probabilities = NDArray[np.float64]

FIRST, SECOND, CHANCE = 0, 1, 2  # who moves
DRAW, RUNNING = 2, 3  # results beside the number of the player who won
NO_POINTS = -1


class Outcome(NamedTuple):
    """How things stand: `result` is FIRST or SECOND (who won), DRAW or RUNNING; points or NO_POINTS."""

    result: int
    first_points: int
    second_points: int


@helper
def without_points(result: int) -> Outcome:
    """An outcome of a game, or a stage of it, in which no points count."""
    return Outcome(result, NO_POINTS, NO_POINTS)


@generic
def initial(setup: Any, rng: Rng) -> Any:
    """A start position for the set-up's options; chance set-ups draw from the generator only."""


@generic
def mover(state: Any) -> int:
    """Who decides next: FIRST, SECOND or CHANCE."""


@generic
def max_moves(state: Any) -> int:
    """The most legal moves (outcomes, at a chance node) that this or any later position of the game can have.

    Arrays for moves are made of this size before a game is searched: more moves than that are written out of bounds.
    Too large a number only costs memory. It may not grow as the game goes on.
    """


@generic
def moves(state: Any, out: Moves, at: int) -> int:
    """Write the legal moves of a running state into out[at:], in a fixed order, and return how many there are.

    Moves are small non-negative integers. At a chance node they are the possible outcomes.
    """


@generic
def random_move(state: Any, rng: Rng) -> int:
    """One legal move of a running state, all equally likely; at a chance node an outcome by its probability."""


@generic
def chances(state: Any, out: Moves, probabilities: Probabilities, at: int) -> int:
    """Write the outcomes of a chance node and their probabilities, which sum to 1, and return how many there are."""


@generic
def play(state: Any, move: int) -> Any:
    """The state after a legal move. Nothing is checked: the Python API does that."""


@generic
def outcome(state: Any) -> Outcome:
    """Whether the game is over, who won, and with how many points."""


@generic
def key(state: Any) -> np.uint64:
    """A 64-bit hash of everything that matters for how the game goes on."""


@random_move.method()
def _(state: Any, rng: Rng) -> int:
    """By listing; games specialise it where drawing directly is faster."""
    out = np.empty(max_moves(state), np.int64)
    if mover(state) != CHANCE:
        return out[below(rng, moves(state, out, 0))]
    probabilities = np.empty(max_moves(state), np.float64)
    count = chances(state, out, probabilities, 0)
    remaining = uniform(rng)
    for index in range(count - 1):
        remaining -= probabilities[index]
        if remaining < 0:
            return out[index]
    return out[count - 1]


@chances.method()
def _(state: Any, out: Moves, probabilities: Probabilities, at: int) -> int:
    """For games without chance."""
    return 0
