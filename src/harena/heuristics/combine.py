"""Heuristics made of heuristics: weighted sums, and one for each phase of the game."""

from typing import Any, NamedTuple

from harena.games.colosseum import Colosseum
from harena.games.isolation import Isolation
from harena.games.tiles import Tiles
from harena.games.trap import SQUARES, Trap
from harena.kernel.bits import entry, popcount
from harena.kernel.boards import count
from harena.kernel.generic import generic
from harena.search.workspace import evaluate


class Null(NamedTuple):
    """Nothing but winning and losing."""

    weight: float = 0.0


class Sum(NamedTuple):
    """Two heuristics, each with its weight."""

    first: Any
    first_weight: float
    second: Any
    second_weight: float


class Phased(NamedTuple):
    """One heuristic for each third of the game, told by the share of the board that is still open."""

    early: Any
    middle: Any
    late: Any
    early_above: float
    late_below: float


@generic
def open_share(state: Any) -> float:
    """How much of the board is still open, from 1 at the start towards 0."""


@evaluate.method(Null)
def _(heuristic: Null, state: Any, me: int) -> float:
    return 0.0


@evaluate.method(Sum)
def _(heuristic: Sum, state: Any, me: int) -> float:
    first = heuristic.first_weight * evaluate(heuristic.first, state, me)
    return first + heuristic.second_weight * evaluate(heuristic.second, state, me)


@evaluate.method(Phased)
def _(heuristic: Phased, state: Any, me: int) -> float:
    share = open_share(state)
    if share > heuristic.early_above:
        return evaluate(heuristic.early, state, me)
    if share < heuristic.late_below:
        return evaluate(heuristic.late, state, me)
    return evaluate(heuristic.middle, state, me)


@open_share.method(Isolation)
def _(state: Isolation) -> float:
    return popcount(~state.blocked) / (state.rows * state.columns)


@open_share.method(Trap)
def _(state: Trap) -> float:
    return popcount(entry(SQUARES, state.size) & ~state.blocked) / (state.size * state.size)


@open_share.method(Colosseum)
def _(state: Colosseum) -> float:
    return (count(state.rights) + count(state.downs)) / (2 * state.size * (state.size - 1))


@open_share.method(Tiles)
def _(state: Tiles) -> float:
    tiles = count(state.mine) + count(state.theirs)
    return tiles / (tiles + count(state.gaps))
