"""Colosseum's random agent, as the course has it: a walk of single steps, which is not uniform over legal moves."""

from dataclasses import dataclass
from typing import Any

from harena.games.colosseum import DOWN, LEFT, RIGHT, UP, Colosseum
from harena.kernel.boards import down, has, right, width
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.kernel.rng import Rng, below, generator
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn

NOWHERE = -1


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


@helper
def random_side(state: Colosseum, cell: int, avoided: int, rng: Rng) -> int:
    """An open side that does not lead to the avoided cell, all equally likely; NOWHERE if there is none."""
    number = 0
    for side in (UP, RIGHT, DOWN, LEFT):
        beyond = neighbour(state, cell, side)
        if beyond not in (NOWHERE, avoided):
            number += 1
    if number == 0:
        return NOWHERE
    chosen = below(rng, number)
    for side in (UP, RIGHT, DOWN, LEFT):
        beyond = neighbour(state, cell, side)
        if beyond not in (NOWHERE, avoided):
            if chosen == 0:
                return side
            chosen -= 1
    return NOWHERE


@kernel
def random_walk(state: Colosseum, rng: Rng) -> int:
    """0 to K steps, each to a random open side, ending early where there is none; then a random free side."""
    cell = state.mine
    for _ in range(below(rng, (state.size + 1) // 2 + 1)):
        side = random_side(state, cell, state.theirs, rng)
        if side == NOWHERE:
            break
        cell = neighbour(state, cell, side)
    return 4 * cell + random_side(state, cell, NOWHERE, rng)


@dataclass(frozen=True, kw_only=True)
class RandomWalk:
    """The player."""

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Draw by the turn's seed."""
        move = int(random_walk(state, generator(turn.seed)))
        return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="random")
