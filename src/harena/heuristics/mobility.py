"""The mobility family of the courses: values whose weights make each of its heuristics, and all their sums.

Two classes, so that all of them share two compiled searches: `Mobility` counts what one move reaches, `Ground` looks
further. A weight of 0 costs a comparison.
"""

from typing import Any, NamedTuple

from harena.contract import mover
from harena.heuristics.features import (
    ABSENT,
    cell_of,
    columns,
    halved,
    hops,
    lookahead,
    open_ground,
    reach,
    rows,
    targets,
    territory,
)
from harena.kernel.boards import both, count, is_empty, minus, width
from harena.search.workspace import evaluate


class Mobility(NamedTuple):
    """Weights; `mine` and `theirs` are numbers of moves, the others the courses' heuristics of the same name."""

    mine: float = 0.0
    theirs: float = 0.0
    net_advantage: float = 0.0
    net_mobility: float = 0.0
    offensive: float = 0.0
    proximity: float = 0.0
    accessibility: float = 0.0
    center: float = 0.0


@evaluate.method(Mobility)
def _(heuristic: Mobility, state: Any, me: int) -> float:
    own, others = targets(state, me), targets(state, 1 - me)
    mine, theirs = count(own), count(others)
    active = mover(state) == me
    value = heuristic.mine * mine + heuristic.theirs * theirs
    if heuristic.net_advantage != 0.0:
        value += heuristic.net_advantage * ((mine if active else count(minus(own, others))) - theirs)
    if heuristic.net_mobility != 0.0 and mine != theirs:
        ahead, behind = (2.0, -1.0) if active else (1.0, -2.0)
        value += heuristic.net_mobility * (ahead if mine > theirs else behind)
    if heuristic.offensive != 0.0 and not is_empty(both(own, others)):
        value += heuristic.offensive if active else -heuristic.offensive
    here, there = cell_of(state, me), cell_of(state, 1 - me)
    if heuristic.proximity != 0.0 and ABSENT not in (here, there):
        value -= heuristic.proximity * hops(width(own), here, there)
    if heuristic.accessibility != 0.0 and here != ABSENT:
        middle = halved(rows(state)) * width(own) + halved(columns(state))
        distance, threshold = hops(width(own), here, middle), halved(halved(rows(state)))
        if distance != threshold:
            value += heuristic.accessibility if distance < threshold else -heuristic.accessibility
    if heuristic.center != 0.0 and here != ABSENT:
        down, right = here // width(own) - rows(state) / 2, here % width(own) - columns(state) / 2
        value += heuristic.center * (down * down + right * right)
    return value


class Ground(NamedTuple):
    """Weights of what lies further than one move; all but `outlook` are mine minus theirs."""

    lookahead: float = 0.0  # for each next cell: how many cells come after it
    outlook: float = 0.0  # my own part of that
    horizon: float = 0.0  # the free cells, each halved for every move it takes to get there
    reach: float = 0.0  # free cells within reach in any number of moves
    territory: float = 0.0  # free cells reached first


@evaluate.method(Ground)
def _(heuristic: Ground, state: Any, me: int) -> float:
    value = 0.0
    if heuristic.lookahead != 0.0:
        value += heuristic.lookahead * (lookahead(state, me) - lookahead(state, 1 - me))
    if heuristic.outlook != 0.0:
        value += heuristic.outlook * lookahead(state, me)
    if heuristic.horizon != 0.0:
        value += heuristic.horizon * (open_ground(state, me) - open_ground(state, 1 - me))
    if heuristic.reach != 0.0:
        value += heuristic.reach * (reach(state, me) - reach(state, 1 - me))
    if heuristic.territory != 0.0:
        value += heuristic.territory * territory(state, me)
    return value
