"""The rule of Colosseum's course for a Monte Carlo search: moves in breadth-first order, and no boxing oneself in."""

from typing import NamedTuple

from harena.contract import Moves, max_moves
from harena.games.colosseum import DOWN, LEFT, RIGHT, UP, Colosseum
from harena.heuristics.features import cell_of
from harena.heuristics.zones import closed_sides
from harena.kernel.boards import down, either, has, right, single, width
from harena.kernel.generic import helper, routine
from harena.search.uct import arrange, handicap

NOWHERE = -1
SIDES = (UP, RIGHT, DOWN, LEFT)


class Boxed(NamedTuple):
    """A move that leaves the mover between three walls starts with lost games."""

    games: int = 20


@helper
def neighbour(state: Colosseum, cell: int, side: int) -> int:
    """The cell beyond an open side, or NOWHERE."""
    stride = width(state.rights)
    if side == UP:
        return cell - stride if has(down(state.downs), cell) else NOWHERE
    if side == RIGHT:
        return cell + 1 if has(state.rights, cell) else NOWHERE
    if side == DOWN:
        return cell + stride if has(state.downs, cell) else NOWHERE
    return cell - 1 if has(right(state.rights), cell) else NOWHERE


@handicap.method(Boxed, Colosseum)
def _(rule: Boxed, state: Colosseum, player: int) -> int:
    return rule.games if closed_sides(state, cell_of(state, player)) >= 3 else 0


@routine
def moves_by_distance(state: Colosseum, out: Moves) -> None:
    """Write the moves from the nearest cells to the farthest; the cells still to be looked at wait behind them."""
    head = max_moves(state)
    tail, layer_end, steps, count = head + 1, head + 1, 0, 0
    out[head] = state.mine
    seen = either(single(state.rights, state.mine), single(state.rights, state.theirs))
    while head < tail:
        cell = out[head]
        head += 1
        for side in SIDES:
            beyond = neighbour(state, cell, side)
            if beyond != NOWHERE:
                out[count] = 4 * cell + side
                count += 1
                if steps < (state.size + 1) // 2 and not has(seen, beyond):
                    seen = either(seen, single(seen, beyond))
                    out[tail] = beyond
                    tail += 1
        if head == layer_end:
            steps += 1
            layer_end = tail


@arrange.method(Boxed, Colosseum)
def _(rule: Boxed, state: Colosseum, out: Moves) -> None:
    moves_by_distance(state, out)
