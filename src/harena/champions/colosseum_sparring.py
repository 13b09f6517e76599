"""Sparring partners of other styles for the champion of colosseum."""

from harena.champions.mirror import Mirror
from harena.champions.sparring import partners
from harena.games.colosseum import Colosseum
from harena.heuristics.zones import Zones
from harena.kernel.boards import width
from harena.search.deepening import Deepening
from harena.search.principal import Principal
from harena.search.result import Search


def half_turned(state: Colosseum, move: int) -> int:
    """The move on the board turned by 180 degrees: the opposite cell, the opposite side."""
    return 4 * ((state.size - 1) * (width(state.rights) + 1) - (move >> 2)) + (move + 2) % 4


def spar_mirror(game: str) -> Search:
    """Turns the opponent's last move by half a turn; where that cannot be done it searches."""
    return Mirror(
        lambda state, move: (half_turned(state, move),),
        Deepening(algorithm=Principal(), heuristic=Zones(territory=1.0)),
    )


PARTNERS = partners("colosseum", spar_mirror)
