"""Trap!'s easiest opponent: it walks at random and aims at a random free neighbour of the other."""

from dataclasses import dataclass
from typing import Any

from harena import calls
from harena.games.trap import AIM, AIM_AT, Trap, escapes
from harena.kernel.bits import nth, popcount
from harena.kernel.compile import kernel
from harena.kernel.rng import Rng, below, generator
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn


@kernel
def aim_near(state: Trap, rng: Rng) -> int:
    """A random free neighbour of the opponent, who has one as long as the game runs."""
    cells = escapes(state)
    return AIM_AT + nth(cells, below(rng, popcount(cells)))


@dataclass(frozen=True, kw_only=True)
class EasyTrap:
    """The player."""

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Draw by the turn's seed."""
        rng = generator(turn.seed)
        move = int(aim_near(state, rng) if state.stage == AIM else calls.pick(state, rng))
        return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="random")
