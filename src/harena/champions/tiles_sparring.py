"""Sparring partners of other styles for the champion of tiles."""

from typing import Any

from harena.champions.mirror import Mirror
from harena.champions.sparring import partners
from harena.champions.tiles_search import Removal
from harena.games.layout import cells_of
from harena.heuristics.tiles import TileCounts
from harena.kernel.boards import width
from harena.search.deepening import Deepening
from harena.search.result import Search

HOUSE = TileCounts(left=1.0, fragile=-1.0)


def opposite(state: Any, move: int) -> tuple[int, int]:
    """The cells opposite to that of a move: in its row, and in its column."""
    cells = [cell for board in (state.mine, state.theirs, state.gaps) for cell in cells_of(board)]
    last, row_width = max(row for row, _ in cells), width(state.gaps)
    row, column = divmod(move, row_width)
    return row_width * row + last - column, row_width * (last - row) + column


def spar_deep(game: str) -> Search:
    """Alpha-beta as deep as the champion's own, counting tiles and fragile tiles."""
    return Deepening(algorithm=Removal(), heuristic=HOUSE)


def spar_mirror(game: str) -> Search:
    """Removes the tile opposite to the one that was removed last; where it cannot it searches."""
    return Mirror(opposite, spar_deep(game))


PARTNERS = partners("tiles", spar_deep, spar_mirror)
