"""The champion of colosseum, and the ladder below it."""

from harena.champions.colosseum_evaluation import Grounds
from harena.champions.options import FULL_LEVEL, handicap_of
from harena.search.mastery import Handicap, Mastery
from harena.search.principal import Principal
from harena.search.result import Search

WEIGHTS = Grounds(tempo=0.1435, ground=0.1, sides=0.0626)  # by scripts/champions/colosseum_tune.py, 2026-11-16
MOST_MEGABYTES = 400  # of 500 that the course allows
LADDER = {  # nodes and noise (in the units of the evaluation) of the levels below the champion itself
    1: Handicap(nodes=400, noise=5.0),
    2: Handicap(nodes=400, noise=2.5),
    3: Handicap(nodes=400, noise=1.4),
    4: Handicap(nodes=400, noise=0.7),
    5: Handicap(nodes=600, noise=0.4),
    6: Handicap(nodes=700),
    7: Handicap(nodes=1_800),
    8: Handicap(nodes=6_200),
    9: Handicap(nodes=20_000),
}


def champion(game: str, *, level: int = FULL_LEVEL, memory: float = 32.0, threads: int = 1) -> Search:
    """The strongest player that we have; levels 1 to 9 are weaker. Memory in MB; a second thread fills the table."""
    handicap = handicap_of(LADDER, level, threads, memory, MOST_MEGABYTES)
    return Mastery(algorithm=Principal(), heuristic=WEIGHTS, megabytes=memory, threads=threads, handicap=handicap)
