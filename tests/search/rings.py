"""Two games of one line each: a ring that never ends, and a chain with many throws between two decisions."""

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
from harena.kernel.bits import mix
from harena.search.workspace import evaluate

THROWS = 20


class Ring(NamedTuple):
    place: int
    player: int


class Chain(NamedTuple):
    place: int


class Place(NamedTuple):
    """Nothing is worth anything, but it is the heuristic that says so."""

    scale: float = 0.0


@evaluate.method(Place)
def _(heuristic: Place, state: object, me: int) -> float:
    return 0.0


@mover.method(Ring)
def _(state: Ring) -> int:
    return state.player


@max_moves.method(Ring)
def _(state: Ring) -> int:
    return 2


@moves.method(Ring)
def _(state: Ring, out: Moves, at: int) -> int:
    out[at], out[at + 1] = 1, 7
    return 2


@play.method(Ring)
def _(state: Ring, move: int) -> Ring:
    return Ring((state.place + move) % 8, 1 - state.player)


@outcome.method(Ring)
def _(state: Ring) -> Outcome:
    return without_points(RUNNING)


@key.method(Ring)
def _(state: Ring) -> np.uint64:
    return mix(np.uint64(2 * state.place + state.player))


@mover.method(Chain)
def _(state: Chain) -> int:
    return (state.place // THROWS) % 2 if state.place % THROWS == 0 else CHANCE


@max_moves.method(Chain)
def _(state: Chain) -> int:
    return 1


@moves.method(Chain)
def _(state: Chain, out: Moves, at: int) -> int:
    out[at] = 0
    return 1


@chances.method(Chain)
def _(state: Chain, out: Moves, probabilities: Probabilities, at: int) -> int:
    out[at], probabilities[at] = 0, 1.0
    return 1


@play.method(Chain)
def _(state: Chain, move: int) -> Chain:
    return Chain(state.place + 1)


@outcome.method(Chain)
def _(state: Chain) -> Outcome:
    return without_points(RUNNING)


@key.method(Chain)
def _(state: Chain) -> np.uint64:
    return mix(np.uint64(state.place))
