"""Colosseum Survival!: walk up to K steps, build a wall beside you; once the players are walled apart, more cells win.

    a move is 4 * cell + side, the side of the destination that gets the wall:  UP 0, RIGHT 1, DOWN 2, LEFT 3

Walls are kept as the sides that are still open: `rights` holds the cells whose right side is open, `downs` those whose
lower side is. The border counts as closed, so nothing here needs to know where the board ends.
"""

from typing import Any, NamedTuple

import numpy as np

from harena.contract import (
    DRAW,
    FIRST,
    RUNNING,
    SECOND,
    Moves,
    Outcome,
    initial,
    key,
    max_moves,
    mover,
    moves,
    outcome,
    play,
    random_move,
    without_points,
)
from harena.kernel.bits import mix
from harena.kernel.boards import (
    board_key,
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
from harena.kernel.generic import helper
from harena.kernel.rng import Rng, below

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3


class ColosseumSetup(NamedTuple):
    """The options of a game: `empty` is a board without cells, of the class that the size needs."""

    empty: Any
    size: int
    pairs: int  # start walls, each with its image under the half-turn
    fixed: bool  # the players at the middle of the first row and opposite, in place of random cells
    rebuild: bool  # a start that is already separated: draw the walls again too (2022), not only the players


class Colosseum(NamedTuple):
    """A position, seen by the player to move."""

    rights: Any
    downs: Any
    mine: int  # the cell of the player to move
    theirs: int
    player: int  # who is to move, 0 or 1
    size: int
    separated: bool


@helper
def spread(cells: Any, rights: Any, downs: Any) -> Any:
    """The cells and all that one step over an open side reaches from them."""
    sideways = either(right(both(cells, rights)), both(left(cells), rights))
    upright = either(down(both(cells, downs)), both(up(cells), downs))
    return either(cells, either(sideways, upright))


@helper
def reach(state: Colosseum) -> Any:
    """The cells that the player to move can walk to (his own among them): K steps, never onto the opponent."""
    cells, opponent = single(state.rights, state.mine), single(state.rights, state.theirs)
    rights = minus(state.rights, either(opponent, left(opponent)))  # all sides of his cell are closed to us
    downs = minus(state.downs, either(opponent, up(opponent)))
    for _ in range((state.size + 1) // 2):
        cells = spread(cells, rights, downs)
    return cells


@helper
def component(rights: Any, downs: Any, cell: int) -> Any:
    """All cells connected with this one; players do not block."""
    cells = single(rights, cell)
    wider = spread(cells, rights, downs)
    while not is_empty(minus(wider, cells)):
        cells = wider
        wider = spread(cells, rights, downs)
    return cells


@helper
def are_connected(rights: Any, downs: Any, cell: int, other: int) -> bool:
    """Whether a walk leads from one cell to the other."""
    goal = single(rights, other)
    cells = single(rights, cell)
    wider = spread(cells, rights, downs)
    while is_empty(both(wider, goal)):
        if is_empty(minus(wider, cells)):
            return False
        cells = wider
        wider = spread(cells, rights, downs)
    return True


@helper
def is_loose_upright(wall: Any, rights: Any, downs: Any) -> bool:
    """Whether a wall on the right of a cell leaves one of its ends touching no other wall and no border.

    Such a wall cannot close off anything, which saves most of the flood fills.
    """
    pair = both(downs, left(downs))  # cells at whose lower right corner no level wall ends
    return not is_empty(either(both(wall, both(pair, up(rights))), both(up(wall), both(pair, rights))))


@helper
def is_loose_level(wall: Any, rights: Any, downs: Any) -> bool:
    """The same for a wall below a cell."""
    pair = both(rights, up(rights))  # cells at whose lower right corner no upright wall ends
    return not is_empty(either(both(wall, both(pair, left(downs))), both(left(wall), both(pair, downs))))


@initial.method(ColosseumSetup)
def _(setup: ColosseumSetup, rng: Rng) -> Colosseum:
    size, stride = setup.size, width(setup.empty)
    half_turn = (size - 1) * (stride + 1)  # cell + image
    while True:
        rights, downs = setup.empty, setup.empty
        for row in range(size):
            for column in range(size):
                cell = single(setup.empty, stride * row + column)
                if column < size - 1:
                    rights = either(rights, cell)
                if row < size - 1:
                    downs = either(downs, cell)
        placed = 0
        while placed < setup.pairs:
            cell = stride * below(rng, size) + below(rng, size)
            upright = below(rng, 2) == 0
            if upright and has(rights, cell):
                rights = minus(rights, either(single(rights, cell), single(rights, half_turn - cell - 1)))
                placed += 1
            if not upright and has(downs, cell):
                downs = minus(downs, either(single(downs, cell), single(downs, half_turn - cell - stride)))
                placed += 1
        while True:
            mine = size // 2 if setup.fixed else stride * below(rng, size) + below(rng, size)
            theirs = half_turn - mine
            if mine != theirs:
                if are_connected(rights, downs, mine, theirs):
                    return Colosseum(rights, downs, mine, theirs, 0, size, False)
                if setup.rebuild:
                    break


@mover.method(Colosseum)
def _(state: Colosseum) -> int:
    return state.player


@max_moves.method(Colosseum)
def _(state: Colosseum) -> int:
    return 2 * (count(state.rights) + count(state.downs))


@moves.method(Colosseum)
def _(state: Colosseum, out: Moves, at: int) -> int:
    cells = reach(state)
    uppers, lefts = down(state.downs), right(state.rights)
    end = at
    for index in range(count(cells)):
        cell = nth_cell(cells, index)
        if has(uppers, cell):
            out[end] = 4 * cell + UP
            end += 1
        if has(state.rights, cell):
            out[end] = 4 * cell + RIGHT
            end += 1
        if has(state.downs, cell):
            out[end] = 4 * cell + DOWN
            end += 1
        if has(lefts, cell):
            out[end] = 4 * cell + LEFT
            end += 1
    return end - at


@random_move.method(Colosseum)
def _(state: Colosseum, rng: Rng) -> int:
    cells = reach(state)
    uppers, rights = both(cells, down(state.downs)), both(cells, state.rights)
    downs, lefts = both(cells, state.downs), both(cells, right(state.rights))
    up_to, right_to = count(uppers), count(uppers) + count(rights)
    down_to = right_to + count(downs)
    index = below(rng, down_to + count(lefts))
    if index < right_to:
        side, before = (UP, 0) if index < up_to else (RIGHT, up_to)
        cells = uppers if index < up_to else rights
    else:
        side, before = (DOWN, right_to) if index < down_to else (LEFT, down_to)
        cells = downs if index < down_to else lefts
    return 4 * nth_cell(cells, index - before) + side


@play.method(Colosseum)
def _(state: Colosseum, move: int) -> Colosseum:
    cell, side = move >> 2, move & 3
    anchor = cell - width(state.rights) if side == UP else (cell - 1 if side == LEFT else cell)
    wall = single(state.rights, anchor)
    rights, downs = state.rights, state.downs
    if side in (RIGHT, LEFT):
        rights = minus(rights, wall)
        is_loose = is_loose_upright(wall, rights, downs)
    else:
        downs = minus(downs, wall)
        is_loose = is_loose_level(wall, rights, downs)
    separated = not is_loose and not are_connected(rights, downs, cell, state.theirs)
    return Colosseum(rights, downs, state.theirs, cell, 1 - state.player, state.size, separated)


@outcome.method(Colosseum)
def _(state: Colosseum) -> Outcome:
    if not state.separated:
        return without_points(RUNNING)
    mine = count(component(state.rights, state.downs, state.mine))
    theirs = count(component(state.rights, state.downs, state.theirs))
    first, second = (mine, theirs) if state.player == FIRST else (theirs, mine)
    return Outcome(DRAW if first == second else (FIRST if first > second else SECOND), first, second)


@key.method(Colosseum)
def _(state: Colosseum) -> np.uint64:
    where = np.uint64(state.mine | state.theirs << 8 | state.player << 16)
    return mix(mix(board_key(state.rights) ^ where) ^ board_key(state.downs))
