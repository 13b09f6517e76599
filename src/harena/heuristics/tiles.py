"""Tiles' own heuristics, as weights of one value. One wants one's own colour gone, so fewer of mine is better."""

from typing import NamedTuple

from harena.games.tiles import Tiles, around
from harena.kernel.boards import both, count
from harena.search.workspace import evaluate


class TileCounts(NamedTuple):
    """Weights."""

    left: float = 0.0  # tiles of theirs left, minus mine
    fragile: float = 0.0  # tiles with an open side, which fall when a neighbour is removed: mine minus theirs


@evaluate.method(TileCounts, Tiles)
def _(heuristic: TileCounts, state: Tiles, me: int) -> float:
    mine, theirs = (state.mine, state.theirs) if state.player == me else (state.theirs, state.mine)
    value = heuristic.left * (count(theirs) - count(mine))
    if heuristic.fragile != 0.0:
        exposed = around(state.gaps)
        value += heuristic.fragile * (count(both(mine, exposed)) - count(both(theirs, exposed)))
    return value
