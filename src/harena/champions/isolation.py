"""The champion of isolation, and the ladder below it."""

from pathlib import Path

import numpy as np

from harena.champions.isolation_evaluation import Judgement
from harena.champions.isolation_master import Master
from harena.champions.isolation_search import Knights
from harena.champions.options import FULL_LEVEL, handicap_of
from harena.search.mastery import Handicap, Mastery
from harena.search.result import Search

WEIGHTS = Path(__file__).parent / "data/isolation-weights.csv"  # by scripts/champions/isolation_fit.py, 2026-11-16
JUDGEMENT = Judgement(np.loadtxt(WEIGHTS, delimiter=",").ravel())
MOST_MEGABYTES = 1000
LADDER = {  # nodes and noise (in the logarithm of odds) of the levels below the champion itself; measured 2026-11-16
    1: Handicap(nodes=2, noise=12.0),
    2: Handicap(nodes=3, noise=7.0),
    3: Handicap(nodes=5, noise=4.0),
    4: Handicap(nodes=14, noise=1.8),
    5: Handicap(nodes=35, noise=1.15),
    6: Handicap(nodes=80, noise=0.9),
    7: Handicap(nodes=185, noise=0.65),
    8: Handicap(nodes=460, noise=0.4),
    9: Handicap(nodes=1150, noise=0.2),
}


def champion(game: str, *, level: int = FULL_LEVEL, memory: float = 32.0, threads: int = 1) -> Search:
    """The strongest player that we have; levels 1 to 9 are weaker. Memory in MB; a second thread fills the table."""
    handicap = handicap_of(LADDER, level, threads, memory, MOST_MEGABYTES)
    if level < FULL_LEVEL:
        return Mastery(algorithm=Knights(), heuristic=JUDGEMENT, megabytes=memory, handicap=handicap)
    search = Mastery(algorithm=Knights(), heuristic=JUDGEMENT, megabytes=memory / 2, threads=threads)
    return Master(search=search, megabytes=memory / 2)
