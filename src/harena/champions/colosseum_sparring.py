"""Sparring partners of other styles for the champion of colosseum."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harena import calls
from harena.champions.sparring import partners
from harena.games.colosseum import Colosseum
from harena.heuristics.zones import Zones
from harena.kernel.boards import width
from harena.kernel.values import coerce
from harena.search.deepening import Deepening
from harena.search.principal import Principal
from harena.search.result import NO_TURN, Limits, Result, RootMove, Search, Turn


def half_turned(state: Colosseum, move: int) -> int:
    """The move on the board turned by 180 degrees: the opposite cell, the opposite side."""
    return 4 * ((state.size - 1) * (width(state.rights) + 1) - (move >> 2)) + (move + 2) % 4


@dataclass(frozen=True)
class Mirror:
    """Answers a move with its image under the half-turn while that is legal and does not lose at once."""

    bounded_by: ClassVar[tuple[str, ...]] = ("seconds", "nodes", "depth")
    other: Search

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        out = np.empty(calls.look(state).max_moves, np.int64)
        legal = out[: calls.list_moves(state, out, 0)].tolist()
        if turn.path:
            move = half_turned(state, turn.path[-1])
            if move in legal and calls.look(coerce(calls.step(state, move))).result != 1 - state.player:
                return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="mirrored")
        return self.other.run(state, limits, turn)


def spar_mirror(game: str) -> Search:
    """Turns the opponent's last move by half a turn; where that cannot be done it searches."""
    return Mirror(Deepening(algorithm=Principal(), heuristic=Zones(territory=1.0)))


PARTNERS = partners("colosseum", spar_mirror)
