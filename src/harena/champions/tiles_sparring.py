"""Sparring partners of other styles for the champion of tiles."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harena import calls
from harena.champions.sparring import partners
from harena.champions.tiles_search import Removal
from harena.games.layout import cells_of
from harena.heuristics.tiles import TileCounts
from harena.kernel.boards import width
from harena.search.deepening import Deepening
from harena.search.result import NO_TURN, Limits, Result, RootMove, Search, Turn

HOUSE = TileCounts(left=1.0, fragile=-1.0)


@dataclass(frozen=True)
class Mirror:
    """Answers a removal with the removal of the tile opposite to it, else as the other search does."""

    bounded_by: ClassVar[tuple[str, ...]] = ("seconds", "nodes", "depth")
    other: Search

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        out = np.empty(calls.look(state).max_moves, np.int64)
        legal = set(out[: calls.list_moves(state, out, 0)].tolist())
        if turn.path:
            cells = [cell for board in (state.mine, state.theirs, state.gaps) for cell in cells_of(board)]
            last, row_width = max(row for row, _ in cells), width(state.gaps)
            row, column = divmod(turn.path[-1], row_width)
            for move in (row_width * row + last - column, row_width * (last - row) + column):
                if move in legal:
                    return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="mirrored")
        return self.other.run(state, limits, turn)


def spar_deep(game: str) -> Search:
    """Alpha-beta as deep as the champion's own, counting tiles and fragile tiles."""
    return Deepening(algorithm=Removal(), heuristic=HOUSE)


def spar_mirror(game: str) -> Search:
    """Removes the tile opposite to the one that was removed last; where it cannot it searches."""
    return Mirror(spar_deep(game))


PARTNERS = partners("tiles", spar_deep, spar_mirror)
