"""The champion of colosseum, and the ladder below it."""

from harena.champions.colosseum_evaluation import Grounds
from harena.champions.colosseum_search import Enclosure
from harena.champions.options import FULL_LEVEL, handicap_of
from harena.games.colosseum import Colosseum
from harena.search.mastery import Handicap, Mastery
from harena.search.result import Search

# By scripts/champions/colosseum_tune.py on 2026-11-16, when `Principal` was the search; what was tried in place of them
# with the search of today is in docs/strength.md, and was no better.
WEIGHTS = Grounds(tempo=0.1435, ground=0.1, sides=0.0626)
MANY_WALLS = 0.45  # of all sides: from then on a lead says all that it can
MOST_MEGABYTES = 400  # of 500 that the course allows
LADDER = {  # nodes and noise (in the units of the evaluation) of the levels below the champion itself
    1: Handicap(nodes=1, noise=3.3, sure=2.0, width=40),  # beginners may overlook what is decided at once
    2: Handicap(nodes=1, noise=1.8, sure=2.0, width=40),
    3: Handicap(nodes=1, noise=0.85, sure=2.0, width=40),
    4: Handicap(nodes=1, noise=0.05),
    5: Handicap(nodes=190),
    6: Handicap(nodes=570),
    7: Handicap(nodes=2_000),
    8: Handicap(nodes=5_200),
    9: Handicap(nodes=14_500),
}


def phase(state: Colosseum) -> float:
    """How far a game has come, from 0 to 1: by the share of the sides within the board that are walls."""
    still_open = sum(int(word).bit_count() for board in (state.rights, state.downs) for word in board)
    walls = 1 - still_open / (2 * state.size * (state.size - 1))
    return min(walls / MANY_WALLS, 1.0)


def champion(game: str, *, level: int = FULL_LEVEL, memory: float = 32.0, threads: int = 1) -> Search:
    """The strongest player that we have; levels 1 to 9 are weaker. Memory in MB; a second thread fills the table."""
    handicap = handicap_of(LADDER, level, threads, memory, MOST_MEGABYTES)
    return Mastery(algorithm=Enclosure(), heuristic=WEIGHTS, megabytes=memory, threads=threads, handicap=handicap)
