"""Tiles' own heuristics, as weights of one value. One wants one's own colour gone, so fewer of mine is better."""

from typing import Any, NamedTuple

from harena.games.tiles import Tiles, around, falling
from harena.kernel.boards import both, count, either, nth_cell, single
from harena.kernel.generic import routine
from harena.search.workspace import evaluate


class TileCounts(NamedTuple):
    """Weights."""

    left: float = 0.0  # tiles of theirs left, minus mine
    fragile: float = 0.0  # tiles with an open side, which fall when a neighbour is removed: mine minus theirs
    balance: float = 0.0  # of side effects: the most that one removal gains, mine minus theirs


@routine
def best_balance(state: Tiles, mine: Any, theirs: Any) -> int:
    """The most tiles of mine that go, less those of theirs, when I remove one of mine."""
    best = -4
    for index in range(count(mine)):
        tile = single(mine, nth_cell(mine, index))
        gone = either(tile, falling(state, tile))
        best = max(best, count(both(gone, mine)) - count(both(gone, theirs)))
    return best


@evaluate.method(TileCounts, Tiles)
def _(heuristic: TileCounts, state: Tiles, me: int) -> float:
    mine, theirs = (state.mine, state.theirs) if state.player == me else (state.theirs, state.mine)
    value = heuristic.left * (count(theirs) - count(mine))
    if heuristic.fragile != 0.0:
        exposed = around(state.gaps)
        value += heuristic.fragile * (count(both(mine, exposed)) - count(both(theirs, exposed)))
    if heuristic.balance != 0.0:
        value += heuristic.balance * (best_balance(state, mine, theirs) - best_balance(state, theirs, mine))
    return value
