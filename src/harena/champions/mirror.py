"""A player who answers with the image of the other's last move."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from harena import calls
from harena.kernel.values import coerce
from harena.search.greedy import legal_moves
from harena.search.result import NO_TURN, Limits, Result, RootMove, Search, Turn


@dataclass(frozen=True)
class Mirror:
    """Answers with an image of the last move that is legal and does not lose at once; else it searches."""

    bounded_by: ClassVar[tuple[str, ...]] = ("seconds", "nodes", "depth")
    images: Callable[[Any, int], Iterable[int]]  # of a move, in a state
    search: Search

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        legal = legal_moves(state).tolist() if turn.path else []
        for move in self.images(state, turn.path[-1]) if turn.path else ():
            if move in legal and calls.look(coerce(calls.step(state, move))).result != 1 - state.player:
                return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="mirrored")
        return self.search.run(state, limits, turn)
