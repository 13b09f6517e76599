"""Colosseum's own heuristics, as weights of one value: area, distance, being boxed in, moves and territory.

`boxed`, `area` and `distance` count for me only, as in the course's greedy agent; `territory` is mine minus theirs.
"""

from typing import NamedTuple

from harena.games.colosseum import Colosseum, component, spread
from harena.heuristics.features import cell_of, targets
from harena.kernel.boards import both, count, down, either, has, minus, right, single, width
from harena.kernel.generic import helper
from harena.search.workspace import evaluate


class Zones(NamedTuple):
    """Weights."""

    area: float = 0.0  # cells connected with mine
    inverse_area: float = 0.0  # one over that
    distance: float = 0.0  # steps between the players, walls not counted
    boxed: float = 0.0  # 1 when three or more sides of my cell are closed
    own_moves: float = 0.0  # my legal moves: a cell within one walk and an open side of it
    their_moves: float = 0.0  # the opponent's
    territory: float = 0.0  # cells that I reach in fewer steps, minus those that the opponent does


@helper
def closed_sides(state: Colosseum, cell: int) -> int:
    """How many of the four sides of a cell are walls or border."""
    open_sides = 0
    if has(state.rights, cell):
        open_sides += 1
    if has(state.downs, cell):
        open_sides += 1
    if has(right(state.rights), cell):
        open_sides += 1
    if has(down(state.downs), cell):
        open_sides += 1
    return 4 - open_sides


@helper
def steps_between(state: Colosseum) -> int:
    """Manhattan distance of the players."""
    stride = width(state.rights)
    down_steps = abs(state.mine // stride - state.theirs // stride)
    return down_steps + abs(state.mine % stride - state.theirs % stride)


@helper
def territory(state: Colosseum, me: int) -> int:
    """Both spread step by step, the player to move first; how many more cells are mine than theirs."""
    mine = single(state.rights, cell_of(state, me))
    theirs = single(state.rights, cell_of(state, 1 - me))
    mine_first = state.player == me
    while True:
        before = count(mine) + count(theirs)
        if mine_first:
            mine = either(mine, minus(spread(mine, state.rights, state.downs), theirs))
        theirs = either(theirs, minus(spread(theirs, state.rights, state.downs), mine))
        if not mine_first:
            mine = either(mine, minus(spread(mine, state.rights, state.downs), theirs))
        if count(mine) + count(theirs) == before:
            return count(mine) - count(theirs)


@helper
def walls_to_build(state: Colosseum, player: int) -> int:
    """How many moves the player would have: the open sides of all cells within a walk."""
    cells = targets(state, player)
    level = count(both(cells, state.downs)) + count(both(cells, down(state.downs)))
    return level + count(both(cells, state.rights)) + count(both(cells, right(state.rights)))


@evaluate.method(Zones, Colosseum)
def _(heuristic: Zones, state: Colosseum, me: int) -> float:
    here = cell_of(state, me)
    value = heuristic.distance * steps_between(state)
    if heuristic.area != 0.0 or heuristic.inverse_area != 0.0:
        area = count(component(state.rights, state.downs, here))
        value += heuristic.area * area + heuristic.inverse_area / area
    if heuristic.boxed != 0.0 and closed_sides(state, here) >= 3:
        value += heuristic.boxed
    if heuristic.own_moves != 0.0:
        value += heuristic.own_moves * walls_to_build(state, me)
    if heuristic.their_moves != 0.0:
        value += heuristic.their_moves * walls_to_build(state, 1 - me)
    if heuristic.territory != 0.0:
        value += heuristic.territory * territory(state, me)
    return value
