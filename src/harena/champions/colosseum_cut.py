"""Whether the player to move of colosseum wins at once, found without trying his moves.

He does if a wall within his reach leaves the opponent's part of the board smaller than the rest, in which he stands
himself. Only a wall both of whose ends touch others can close anything off, and whatever the opponent can walk to
without crossing any of those sides stays his: mostly that is half of the board, and nothing else need be looked at.
"""

from typing import Any

from harena.games.colosseum import Colosseum, component, reach, spread
from harena.kernel.boards import (
    both,
    count,
    down,
    either,
    has,
    is_empty,
    left,
    minus,
    nth_cell,
    right,
    single,
    up,
    width,
)
from harena.kernel.generic import helper, routine


@helper
def closing_uprights(state: Colosseum, cells: Any) -> Any:
    """The open right sides at these cells whose two ends touch walls or the border."""
    rights, pairs = state.rights, both(state.downs, left(state.downs))
    loose = either(both(pairs, up(rights)), down(both(pairs, rights)))
    return minus(both(rights, either(cells, left(cells))), loose)


@helper
def closing_levels(state: Colosseum, cells: Any) -> Any:
    """The same for lower sides."""
    downs, pairs = state.downs, both(state.rights, up(state.rights))
    loose = either(both(pairs, left(downs)), right(both(pairs, downs)))
    return minus(both(downs, either(cells, up(cells))), loose)


@helper
def widened(ground: Any, rights: Any, downs: Any, enough: int) -> Any:
    """The ground and all that can be walked to from there; no more is looked for once there are enough cells."""
    wider = spread(ground, rights, downs)
    while not is_empty(minus(wider, ground)) and count(wider) < enough:
        ground = wider
        wider = spread(ground, rights, downs)
    return wider


@helper
def shuts_out(ground: Any, within: Any, end: int, other: int) -> bool:
    """Whether one end of a wall can be walked to and lies outside of the ground."""
    return (has(within, end) and not has(ground, end)) or (has(within, other) and not has(ground, other))


@routine
def wins_at_once(state: Colosseum) -> bool:
    """Whether the mover has a wall that separates the players and leaves him more cells."""
    rights, downs, within = state.rights, state.downs, reach(state)
    uprights, levels = closing_uprights(state, within), closing_levels(state, within)
    if is_empty(uprights) and is_empty(levels):
        return False
    half = (state.size * state.size + 1) // 2
    theirs = widened(single(rights, state.theirs), minus(rights, uprights), minus(downs, levels), half)
    if count(theirs) >= half:
        return False
    half = (count(component(rights, downs, state.theirs)) + 1) // 2
    if count(theirs) >= half:
        return False
    for index in range(count(uprights)):
        cell = nth_cell(uprights, index)
        ground = widened(theirs, minus(rights, single(rights, cell)), downs, half)
        if count(ground) < half and shuts_out(ground, within, cell, cell + 1):
            return True
    for index in range(count(levels)):
        cell = nth_cell(levels, index)
        ground = widened(theirs, rights, minus(downs, single(downs, cell)), half)
        if count(ground) < half and shuts_out(ground, within, cell, cell + width(rights)):
            return True
    return False
