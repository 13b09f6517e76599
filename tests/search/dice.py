"""A game that a hash makes up: who moves, how many moves there are, how it ends; a hard test of bounds."""

from typing import NamedTuple

import numpy as np

from harena.contract import (
    CHANCE,
    RUNNING,
    Moves,
    Outcome,
    Probabilities,
    chances,
    key,
    max_moves,
    mover,
    moves,
    outcome,
    play,
    without_points,
)
from harena.kernel.bits import integer, mix
from harena.kernel.generic import helper
from harena.search.workspace import evaluate

MOST = 3


class Dice(NamedTuple):
    """A node of the made-up tree."""

    word: np.uint64
    left: int  # plies to the end


class Opinion(NamedTuple):
    """A heuristic of the same kind; symmetric, so that who asks does not matter."""

    scale: float = 10.0


@helper
def part(state: Dice, number: int, size: int) -> int:
    return integer(mix(state.word + np.uint64(number)) >> np.uint64(8)) % size


@mover.method(Dice)
def _(state: Dice) -> int:
    return part(state, 1, 3)


@max_moves.method(Dice)
def _(state: Dice) -> int:
    return MOST


@moves.method(Dice)
def _(state: Dice, out: Moves, at: int) -> int:
    count = 1 + part(state, 2, MOST)
    for index in range(count):
        out[at + index] = index
    return count


@chances.method(Dice)
def _(state: Dice, out: Moves, probabilities: Probabilities, at: int) -> int:
    count = moves(state, out, at)
    for index in range(at, at + count):
        probabilities[index] = 1.0 / count
    return count


@play.method(Dice)
def _(state: Dice, move: int) -> Dice:
    return Dice(mix(state.word ^ np.uint64(move + 1)), state.left - 1)


@outcome.method(Dice)
def _(state: Dice) -> Outcome:
    is_over = state.left <= 0 or (part(state, 3, 5) == 0 and part(state, 1, 3) != CHANCE)
    return without_points(part(state, 4, 3) if is_over else RUNNING)


@key.method(Dice)
def _(state: Dice) -> np.uint64:
    return mix(state.word + np.uint64(state.left))


@evaluate.method(Opinion, Dice)
def _(heuristic: Opinion, state: Dice, me: int) -> float:
    value = heuristic.scale * (part(state, 5, 2001) - 1000) / 1000.0
    return value if me == 0 else -value
