"""What can be counted in a position, in words that hold for every game with a piece for each player.

A "move" of these counts is a cell to go to: a knight's jump in isolation, a free neighbour in Trap!, a cell within
reach in Colosseum. Sets of cells are boards (`kernel/boards.py`).
"""

from typing import Any

import numpy as np

from harena.contract import CHANCE, FIRST, mover
from harena.games.colosseum import Colosseum, spread
from harena.games.isolation import JUMPS, NOWHERE, Isolation
from harena.games.trap import NEIGHBOURS, Trap
from harena.kernel.bits import ZERO, bit, entry, lowest
from harena.kernel.boards import Small, both, count, either, is_empty, minus, nth_cell, single, width
from harena.kernel.generic import generic, helper, routine

ABSENT = -1  # the cell of a player who is not on the board yet


@generic
def cell_of(state: Any, player: int) -> int:
    """Where the player stands, or ABSENT."""


@generic
def targets_from(state: Any, player: int, cell: int) -> Any:
    """The cells that the player could go to if he stood on this cell and were to move."""


@generic
def free_cells(state: Any) -> Any:
    """The cells that a piece may still enter (those with a player not)."""


@generic
def further(state: Any, cells: Any) -> Any:
    """The cells one more move away from any of these, whoever moves, both players standing where they are."""


@generic
def rows(state: Any) -> int:
    """The number of rows."""


@generic
def columns(state: Any) -> int:
    """The number of columns."""


@helper
def targets(state: Any, player: int) -> Any:
    """The cells that the player can go to, whoever is to move."""
    return targets_from(state, player, cell_of(state, player))


@helper
def mobility(state: Any, player: int) -> int:
    """How many cells the player can go to, whoever is to move."""
    return count(targets(state, player))


@routine
def lookahead(state: Any, player: int) -> int:
    """Summed over the cells the player can go to: how many he could go to from there."""
    cells = targets(state, player)
    total = 0
    for index in range(count(cells)):
        total += count(targets_from(state, player, nth_cell(cells, index)))
    return total


@helper
def hops(stride: int, cell: int, other: int) -> int:
    """Half the larger of the distances in rows and columns, rounded down: about the knight's moves between."""
    down = abs(cell // stride - other // stride)
    across = abs(cell % stride - other % stride)
    return max(down, across) // 2


@helper
def halved(number: int) -> int:
    """round(number / 2) as Python rounds: halves go to the even neighbour."""
    return (number + 1) // 2 if number % 4 == 3 else number // 2


@routine
def open_ground(state: Any, player: int) -> float:
    """The free cells around the player, each weighted by one half for every move it takes to get there."""
    reached = targets(state, player)
    layer, weight, total = reached, 0.5, 0.0
    free = free_cells(state)
    while not is_empty(layer):
        total += weight * count(layer)
        weight *= 0.5
        layer = both(minus(further(state, layer), reached), free)
        reached = either(reached, layer)
    return total


@routine
def reach(state: Any, player: int) -> int:
    """How many free cells the player could ever get to, the other standing still."""
    free, layer = free_cells(state), targets(state, player)
    reached = layer
    while not is_empty(layer):
        layer = both(minus(further(state, layer), reached), free)
        reached = either(reached, layer)
    return count(reached)


@routine
def territory(state: Any, me: int) -> int:
    """How many more free cells I get to in fewer moves than the opponent; the player to move goes first."""
    free = free_cells(state)
    first = mover(state) if mover(state) != CHANCE else FIRST
    mine, theirs = minus(free, free), minus(free, free)  # cells claimed
    front, other_front = both(targets(state, first), free), both(targets(state, 1 - first), free)
    while not (is_empty(front) and is_empty(other_front)):
        mine = either(mine, front)
        other_front = minus(other_front, mine)
        theirs = either(theirs, other_front)
        taken = either(mine, theirs)
        front = both(minus(further(state, front), taken), free)
        other_front = both(minus(further(state, other_front), taken), free)
    lead = count(mine) - count(theirs)
    return lead if first == me else -lead


@cell_of.method(Isolation)
def _(state: Isolation, player: int) -> int:
    cell = state.mine if player == state.player else state.theirs
    return ABSENT if cell == NOWHERE else cell


@targets_from.method(Isolation)
def _(state: Isolation, player: int, cell: int) -> Small:
    return Small(~state.blocked if cell == ABSENT else entry(JUMPS, cell) & ~state.blocked)


@free_cells.method(Isolation)
def _(state: Isolation) -> Small:
    return Small(~state.blocked)


@further.method(Isolation)
def _(state: Isolation, cells: Small) -> Small:
    word, reached = cells.a, ZERO
    while word:
        reached |= entry(JUMPS, lowest(word))
        word &= word - np.uint64(1)
    return Small(reached)


@rows.method(Isolation)
def _(state: Isolation) -> int:
    return state.rows


@columns.method(Isolation)
def _(state: Isolation) -> int:
    return state.columns


@cell_of.method(Trap)
def _(state: Trap, player: int) -> int:
    return state.mine if player == state.player else state.theirs


@targets_from.method(Trap)
def _(state: Trap, player: int, cell: int) -> Small:
    return Small(entry(NEIGHBOURS, cell) & ~(state.blocked | bit(state.mine) | bit(state.theirs)))


@free_cells.method(Trap)
def _(state: Trap) -> Small:
    return Small(~(state.blocked | bit(state.mine) | bit(state.theirs)))


@further.method(Trap)
def _(state: Trap, cells: Small) -> Small:
    inner, outer = ~np.uint64(0x8080808080808080), ~np.uint64(0x0101010101010101)
    wide = cells.a | (cells.a & inner) << np.uint64(1) | (cells.a & outer) >> np.uint64(1)
    return Small(wide | wide << np.uint64(8) | wide >> np.uint64(8))


@rows.method(Trap)
def _(state: Trap) -> int:
    return state.size


@columns.method(Trap)
def _(state: Trap) -> int:
    return state.size


@cell_of.method(Colosseum)
def _(state: Colosseum, player: int) -> int:
    return state.mine if player == state.player else state.theirs


@routine
def walk(state: Colosseum, cell: int, other: int) -> Any:
    """The cells within a walk from a cell, not through the other."""
    cells, blocked = single(state.rights, cell), single(state.rights, other)
    for _ in range((state.size + 1) // 2):
        cells = minus(spread(cells, state.rights, state.downs), blocked)
    return cells


@targets_from.method(Colosseum)
def _(state: Colosseum, player: int, cell: int) -> Any:
    return walk(state, cell, state.theirs if player == state.player else state.mine)


@free_cells.method(Colosseum)
def _(state: Colosseum) -> Any:
    cells = minus(state.rights, state.rights)
    for row in range(state.size):
        for column in range(state.size):
            cells = either(cells, single(cells, width(cells) * row + column))
    return minus(cells, either(single(cells, state.mine), single(cells, state.theirs)))


@further.method(Colosseum)
def _(state: Colosseum, cells: Any) -> Any:
    players = either(single(cells, state.mine), single(cells, state.theirs))
    for _ in range((state.size + 1) // 2):
        cells = minus(spread(cells, state.rights, state.downs), players)
    return cells


@rows.method(Colosseum)
def _(state: Colosseum) -> int:
    return state.size


@columns.method(Colosseum)
def _(state: Colosseum) -> int:
    return state.size
