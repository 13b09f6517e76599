"""Trap!'s easiest opponents: they walk at random and aim at random, anywhere or near the other player."""

from dataclasses import dataclass
from typing import Any, ClassVar

from harena import calls
from harena.games.trap import AIM, AIM_AT, Trap, aims, escapes
from harena.kernel.bits import nth, popcount
from harena.kernel.compile import kernel
from harena.kernel.rng import Rng, below, generator
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn


@kernel
def random_aim(state: Trap, near: bool, rng: Rng) -> int:
    """A random free cell, or a free neighbour of the opponent; there is one as long as the game runs."""
    cells = escapes(state) if near else aims(state) & ~state.blocked
    return AIM_AT + nth(cells, below(rng, popcount(cells)))


@dataclass(frozen=True, kw_only=True)
class RandomThrower:
    """The player."""

    bounded_by: ClassVar[tuple[str, ...]] = ()
    near: bool  # aim at the opponent's free neighbours only

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Draw by the turn's seed."""
        rng = generator(turn.seed, turn.ply)
        move = int(random_aim(state, self.near, rng) if state.stage == AIM else calls.pick(state, rng))
        return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="random")
