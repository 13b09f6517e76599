"""Partners of other styles for Trap!'s champion: each has a habit that a strong player must not fall for.

Four of them search like anybody else but keep a habit in the one or the other decision:

    waster   throws always on existing traps: it only walks, and waits for the other to wall himself in
    mirror   walks to the point reflection of the other's cell and reflects the other's traps, while it can
    hugger   walks along the walls
    chaser   walks up to the other, so that its throws are certain
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from harena.champions.dawdler import Dawdler
from harena.champions.sparring import partners
from harena.games.trap import AIM_AT, SQUARES, WALK
from harena.heuristics.names import heuristic as read_heuristic
from harena.search.deepening import Deepening
from harena.search.greedy import legal_moves
from harena.search.principal import Principal
from harena.search.result import NO_TURN, Limits, Result, RootMove, Search, Turn


def _steps(cell: int, other: int) -> int:
    return max(abs(cell // 8 - other // 8), abs(cell % 8 - other % 8))


def _from_edge(cell: int, size: int) -> int:
    return min(cell // 8, cell % 8, size - 1 - cell // 8, size - 1 - cell % 8)


def _reflected(cell: int, size: int) -> int:
    return 8 * (size - 1 - cell // 8) + size - 1 - cell % 8


def _open(state: Any, cell: int) -> int:
    """The free neighbours of a cell."""
    return sum(
        _steps(cell, other) == 1 and not int(state.blocked) >> other & 1 and other not in (state.mine, state.theirs)
        for other in range(64)
    )


@dataclass(frozen=True, kw_only=True)
class Habit:
    """A search whose choice is narrowed by a habit, wherever the habit has a say."""

    bounded_by: ClassVar[tuple[str, ...]] = Deepening.bounded_by
    style: str
    search: Deepening

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """The habit's move; without one what the search finds."""
        legal = [int(move) for move in legal_moves(state)]
        move = self.walk(state, legal) if state.stage == WALK else self.aim(state, legal)
        if move is None:
            return self.search.run(state, limits, turn)
        return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="habit")

    def walk(self, state: Any, legal: list[int]) -> int | None:
        """Where the habit goes, if it is no dead end."""
        safe = [cell for cell in legal if _open(state, cell) > 1]
        if not safe:
            return None
        if self.style == "hugger":
            return min(safe, key=lambda cell: (_from_edge(cell, state.size), -_open(state, cell)))
        if self.style == "chaser":
            return min(safe, key=lambda cell: (_steps(cell, state.theirs), -_open(state, cell)))
        mirrored = _reflected(state.theirs, state.size)
        return mirrored if self.style == "mirror" and mirrored in safe else None

    def aim(self, state: Any, legal: list[int]) -> int | None:
        """What the habit throws at."""
        traps = [move for move in legal if int(state.blocked) >> move - AIM_AT & 1]
        if self.style == "waster" and traps:
            return min(traps, key=lambda move: _steps(move - AIM_AT, state.mine))
        if self.style == "mirror":
            board = int(SQUARES[state.size])
            missing = [
                move
                for move in legal
                if not int(state.blocked) >> move - AIM_AT & 1
                and int(state.blocked) & board & 1 << _reflected(move - AIM_AT, state.size)
            ]
            return missing[0] if missing else None
        return None


def _searching(game: str) -> Deepening:
    return Deepening(algorithm=Principal(), heuristic=read_heuristic(game, "horizon"))


def spar_waster(game: str) -> Search:
    """Wastes every throw on a trap, and waits."""
    return Habit(style="waster", search=_searching(game))


def spar_mirror(game: str) -> Search:
    """Mirrors the other's walks and traps."""
    return Habit(style="mirror", search=_searching(game))


def spar_hugger(game: str) -> Search:
    """Walks along the walls."""
    return Habit(style="hugger", search=_searching(game))


def spar_chaser(game: str) -> Search:
    """Walks up to the other and throws from there."""
    return Habit(style="chaser", search=_searching(game))


def spar_dawdler(game: str) -> Search:
    """Searches as any other, and uses every millisecond."""
    return Dawdler(_searching(game))


PARTNERS = partners("trap", spar_waster, spar_mirror, spar_hugger, spar_chaser, spar_dawdler)
