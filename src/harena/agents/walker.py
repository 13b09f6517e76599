"""Colosseum's moves as its course walks: the random agent's single steps, and all moves in breadth-first order."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harena import calls
from harena.contract import Moves
from harena.games.colosseum import Colosseum
from harena.heuristics.boxed import NOWHERE, SIDES, neighbour
from harena.heuristics.boxed import moves_by_distance as in_order
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.kernel.rng import Rng, below, generator
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn

QUEUE = 256  # more cells than any board has


@helper
def random_side(state: Colosseum, cell: int, avoided: int, rng: Rng) -> int:
    """An open side that does not lead to the avoided cell, all equally likely; NOWHERE if there is none."""
    number = 0
    for side in SIDES:
        beyond = neighbour(state, cell, side)
        if beyond not in (NOWHERE, avoided):
            number += 1
    if number == 0:
        return NOWHERE
    chosen = below(rng, number)
    for side in SIDES:
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


def moves_by_distance(state: Any) -> Moves:
    """All legal moves, the nearest cells first: up, right, down and left of each cell in turn."""
    out = np.zeros(calls.look(state).max_moves + QUEUE, np.int64)
    count = calls.list_moves(state, out, 0)
    by_distance(state, out)
    return out[:count].copy()


@kernel
def by_distance(state: Any, out: Moves) -> None:
    """Bring the moves into that order."""
    in_order(state, out)


@dataclass(frozen=True, kw_only=True)
class RandomWalk:
    """The player."""

    bounded_by: ClassVar[tuple[str, ...]] = ()

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Draw by the turn's seed."""
        move = int(random_walk(state, generator(turn.seed, turn.ply)))
        return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="random")
