"""What the champion of colosseum sees in a position: who gets where first, and how open it is there.

Both players spread step by step over the open sides, and all that is counted comes out of these two floods; each count
is the mover's minus the opponent's.
"""

from typing import NamedTuple

from harena.champions.colosseum_cut import wins_at_once
from harena.games.colosseum import Colosseum, spread
from harena.kernel.boards import both, count, either, is_empty, minus, single
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
    mine, theirs = single(state.rights, state.mine), single(state.rights, state.theirs)
    ground, other_ground = mine, theirs
    while True:
        before, other_before = mine, theirs
        mine, theirs = spread(mine, state.rights, state.downs), spread(theirs, state.rights, state.downs)
        ground = either(ground, minus(mine, other_before))
        other_ground = either(other_ground, minus(theirs, mine))
        if is_empty(minus(either(mine, theirs), either(before, other_before))):
            break
    return Grounds(
        1.0,
        float(count(ground) - count(other_ground)),
        float(sides_of(state, ground) - sides_of(state, other_ground)),
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
