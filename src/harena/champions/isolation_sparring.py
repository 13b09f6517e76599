"""Partners of other styles to try isolation's champion against."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harena.champions.dawdler import Dawdler
from harena.champions.isolation_evaluation import FEATURES, PHASES, Judgement
from harena.champions.isolation_search import Knights
from harena.champions.isolation_symmetry import opposite
from harena.champions.mirror import Mirror
from harena.champions.sparring import partners
from harena.games.isolation import JUMPS
from harena.search.greedy import legal_moves
from harena.search.mastery import Mastery
from harena.search.result import NO_TURN, Limits, Result, Search, Turn


def mobile() -> Judgement:
    """The difference of moves."""
    weights = np.zeros((2 * PHASES, FEATURES))
    weights[:, 1], weights[:, 2] = 1.0, -1.0
    return Judgement(weights.ravel())


@dataclass(frozen=True)
class Hugger:
    """Goes where the fewest jumps lead on, which is along the border: it fills a region well, and has no other plan."""

    bounded_by: ClassVar[tuple[str, ...]] = ()

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""

        def jumps_on(move: int) -> int:
            return int(JUMPS[move] & ~state.blocked).bit_count()

        moves = legal_moves(state).tolist()
        alive = [move for move in moves if jumps_on(move)] or moves
        fewest = min(map(jumps_on, alive))
        best = [move for move in alive if jumps_on(move) == fewest]
        return Result(move=int(np.random.default_rng([turn.seed % 2**63, turn.ply]).choice(best)), stopped="chosen")


def spar_deep(game: str) -> Search:
    """The champion's search, with nothing but the difference of moves for an evaluation."""
    return Mastery(algorithm=Knights(), heuristic=mobile(), megabytes=16.0)


def spar_mirror(game: str) -> Search:
    """Answers at the opposite point of the board while it can."""
    return Mirror(lambda state, move: (opposite(state, move),), spar_deep(game))


def spar_hugger(game: str) -> Search:
    """Goes along the border."""
    return Hugger()


def spar_dawdler(game: str) -> Search:
    """Uses every millisecond."""
    return Dawdler(spar_deep(game))


PARTNERS = partners("isolation", spar_deep, spar_mirror, spar_hugger, spar_dawdler)
