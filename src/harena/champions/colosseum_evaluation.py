"""What the champion of colosseum sees in a position: who gets where first, and how open it is there.

Both players spread step by step over the open sides, each over what the other has not got first: a shortest way to a
cell that somebody gets first leads over such cells only. All that is counted comes out of these two floods; each count
is the mover's minus the opponent's.
"""

from typing import NamedTuple

from harena.champions.colosseum_cut import wins_at_once
from harena.games.colosseum import Colosseum, spread
from harena.kernel.boards import both, count, minus, single
from harena.kernel.generic import helper, routine
from harena.search.workspace import evaluate, foresees_win


class Grounds(NamedTuple):
    """Weights of what is counted."""

    tempo: float  # to be the mover
    ground: float  # cells reached first, the mover first among equals
    sides: float  # open sides of these cells


@helper
def sides_of(state: Colosseum, cells: object) -> int:
    """Open right and lower sides of these cells."""
    return count(both(state.rights, cells)) + count(both(state.downs, cells))


@routine
def count_all(state: Colosseum) -> Grounds:
    """The counts of a running state, in place of their weights."""
    ground, other = single(state.rights, state.mine), single(state.rights, state.theirs)
    known, reached = 0, 2
    while reached > known:
        known = reached
        ground = minus(spread(ground, state.rights, state.downs), other)
        other = minus(spread(other, state.rights, state.downs), ground)
        reached = count(ground) + count(other)
    return Grounds(
        1.0,
        float(count(ground) - count(other)),
        float(sides_of(state, ground) - sides_of(state, other)),
    )


@evaluate.method(Grounds, Colosseum)
def _(heuristic: Grounds, state: Colosseum, me: int) -> float:
    counts = count_all(state)
    value = 0.0
    for index in range(len(counts)):
        value += heuristic[index] * counts[index]
    return value if state.player == me else -value


@foresees_win.method(Grounds, Colosseum)
def _(heuristic: Grounds, state: Colosseum) -> bool:
    return wins_at_once(state)
