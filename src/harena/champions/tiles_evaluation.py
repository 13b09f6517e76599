"""What a position of tiles is worth: traits of both colours, counted by whole boards at once, and fitted weights.

One wants one's own colour gone. A tile with an open side ("exposed") falls when a neighbour is removed: so exposed
tiles beside one's own are a gain in waiting, and beside the other's they tie his hands. All traits are counts of such.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.games.tiles import LAST_COLUMN, Tiles, around
from harena.kernel.bits import ONE
from harena.kernel.boards import Medium, Small, both, count, down, either, is_empty, left, minus, right, up
from harena.kernel.generic import generic, helper
from harena.search.workspace import evaluate


class Traits(NamedTuple):
    """Counts for one colour; "safe" tiles are not exposed, "same" and "other" are colours."""

    tiles: int
    exposed: int
    linked: int  # beside a tile of the same colour
    hubs: int  # beside three of the same colour, or beside such a one
    covered: int  # beside a safe tile of the same colour
    covered_twice: int
    covered_thrice: int
    met: int  # beside a tile of the other colour
    met_twice: int
    alone: int  # without any neighbour
    swept: int  # would fall with a removal that takes two of the same colour and none of the other
    free: int  # whose removal makes no tile of the other colour fall
    even: int  # 1 if a removal makes at least as many of the same colour fall as of the other, else 0
    gain: int  # 1 if there is one that makes more fall
    gain_two: int
    gain_three: int


TRAITS = len(Traits._fields)
MOST_TILES = 100


class Balance(NamedTuple):
    """The evaluation: a row of weights for each number of tiles left.

    A row has a weight for each trait of the player to move, then of the other, then one for being to move.
    """

    weights: NDArray[np.float64]


class Beside(NamedTuple):
    """The cells with at least one, two and three neighbours in a set."""

    one: Any
    two: Any
    three: Any


@generic
def beside(board: Any) -> Beside:
    """How many neighbours in a set the cells have (cells off the board may be among them)."""


@helper
def at_least(east: Any, west: Any, south: Any, north: Any) -> Beside:
    """From the set moved in each direction."""
    across, along = either(east, west), either(south, north)
    both_across, both_along = both(east, west), both(south, north)
    return Beside(
        either(across, along),
        either(either(both_across, both_along), both(across, along)),
        either(both(both_across, along), both(both_along, across)),
    )


@beside.method(Small)
def _(board: Any) -> Beside:
    inner = ~LAST_COLUMN
    return at_least(Small((board.a & inner) << ONE), Small((board.a >> ONE) & inner), down(board), up(board))


@beside.method(Medium)
def _(board: Any) -> Beside:
    return at_least(right(board), left(board), down(board), up(board))


@helper
def exists(board: Any) -> int:
    """1 if there is a cell in the set, else 0."""
    return 0 if is_empty(board) else 1


@helper
def traits_of(
    own: Any, exposed: Any, beside_own: Beside, fragile: Beside, safe: Beside, beside_other: Beside, harmed: Beside
) -> Traits:
    """The traits of one colour: `fragile` and `safe` of its own exposed and other tiles, `harmed` of the other's."""
    own_exposed = both(own, exposed)
    linked = both(own, beside_own.one)
    hub = both(own, beside_own.three)
    met = both(own, beside_other.one)
    free = minus(own, harmed.one)
    sweeping = both(free, fragile.two)
    one = both(own, minus(fragile.one, harmed.two))
    two = both(own, minus(fragile.two, harmed.two))
    gain_three = both(free, fragile.three)
    return Traits(
        count(own),
        count(own_exposed),
        count(linked),
        count(both(own, either(hub, around(hub)))),
        count(both(own, safe.one)),
        count(both(own, safe.two)),
        count(both(own, safe.three)),
        count(met),
        count(both(own, beside_other.two)),
        count(minus(minus(own, linked), met)),
        count(both(own_exposed, around(sweeping))),
        count(free),
        exists(either(free, either(one, minus(two, harmed.three)))),
        exists(either(both(free, fragile.one), two)),
        exists(either(sweeping, minus(both(own, fragile.three), harmed.two))),
        exists(gain_three),
    )


@helper
def both_traits(state: Tiles) -> tuple[Traits, Traits]:
    """The traits of the player to move, and of the other."""
    mine, theirs = state.mine, state.theirs
    exposed = around(state.gaps)
    beside_mine, beside_theirs = beside(mine), beside(theirs)
    fragile_mine, fragile_theirs = beside(both(mine, exposed)), beside(both(theirs, exposed))
    safe_mine, safe_theirs = beside(minus(mine, exposed)), beside(minus(theirs, exposed))
    return (
        traits_of(mine, exposed, beside_mine, fragile_mine, safe_mine, beside_theirs, fragile_theirs),
        traits_of(theirs, exposed, beside_theirs, fragile_theirs, safe_theirs, beside_mine, fragile_mine),
    )


@evaluate.method(Balance, Tiles)
def _(heuristic: Balance, state: Tiles, me: int) -> float:
    mine, theirs = both_traits(state)
    row = heuristic.weights[np.uint64(mine.tiles + theirs.tiles)]
    value = row[2 * TRAITS]
    for index in range(TRAITS):
        value += row[index] * mine[index] + row[TRAITS + index] * theirs[index]
    return value if state.player == me else -value
