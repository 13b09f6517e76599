"""The champion of isolation, and the ladder below it."""

from dataclasses import replace
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
LADDER = {  # nodes and noise (in the logarithm of odds) of the levels below the champion itself; measured 2026-11-17
    1: Handicap(nodes=1, noise=8.0, sure=5.0),  # beginners may overlook what is decided at once
    2: Handicap(nodes=1, noise=4.2, sure=5.0),
    3: Handicap(nodes=1, noise=3.3),
    4: Handicap(nodes=1, noise=1.1),
    5: Handicap(nodes=30, noise=0.75),
    6: Handicap(nodes=110, noise=0.48),
    7: Handicap(nodes=270, noise=0.38),
    8: Handicap(nodes=620, noise=0.25),
    9: Handicap(nodes=1600, noise=0.1),
}


def champion(game: str, *, level: int = FULL_LEVEL, memory: float = 32.0, threads: int = 1) -> Search:
    """The strongest player that we have; levels 1 to 9 are weaker.

    Memory in MB, half of it for proofs. A second thread fills the table of the search, and rests while a proof is
    looked for.
    """
    handicap = handicap_of(LADDER, level, threads, memory, MOST_MEGABYTES)
    share = memory if level < FULL_LEVEL else memory / 2
    search = Mastery(algorithm=Knights(), heuristic=JUDGEMENT, megabytes=share, threads=threads, handicap=handicap)
    if level < FULL_LEVEL:
        return search
    return Master(search=replace(search, spare=0.0), megabytes=share)  # the master sees to the time
