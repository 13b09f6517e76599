"""The champion of tiles, and the ladder below it."""

from functools import cache
from pathlib import Path

import numpy as np

from harena.champions.options import FULL_LEVEL, handicap_of
from harena.champions.tiles_evaluation import MOST_TILES, Balance
from harena.champions.tiles_master import TilesMastery
from harena.champions.tiles_search import Removal
from harena.search.mastery import Handicap
from harena.search.result import Search

WEIGHTS = Path(__file__).parent / "data/tiles-weights.csv"  # its first line says when and how they were made
MOST_MEGABYTES = 1000
LADDER = {  # nodes and noise (in the logarithm of odds) of the levels below the champion itself
    1: Handicap(nodes=60, noise=4.0),
    2: Handicap(nodes=60, noise=1.1),
    3: Handicap(nodes=60, noise=0.53),
    4: Handicap(nodes=60, noise=0.25),
    5: Handicap(nodes=120, noise=0.1),
    6: Handicap(nodes=350, noise=0.03),
    7: Handicap(nodes=1_000),
    8: Handicap(nodes=4_000),
    9: Handicap(nodes=20_000),
}


@cache
def weights() -> Balance:
    """The fitted evaluation: a row of the file holds for its number of tiles, those between are interpolated."""
    lines = WEIGHTS.read_text(encoding="utf-8").splitlines()
    rows = np.array([line.split(",") for line in lines if line[:1].isdigit()], np.float64)
    left = np.arange(MOST_TILES + 1)
    return Balance(np.stack([np.interp(left, rows[:, 0], column) for column in rows[:, 1:].T], axis=1).copy())


def champion(game: str, *, level: int = FULL_LEVEL, memory: float = 32.0, threads: int = 1) -> Search:
    """The strongest player that we have; levels 1 to 9 are weaker. Memory in MB; a second thread fills the table."""
    handicap, proves = handicap_of(LADDER, level, threads, memory, MOST_MEGABYTES), level == FULL_LEVEL
    return TilesMastery(
        algorithm=Removal(),
        heuristic=weights(),
        megabytes=memory / 2 if proves else memory,
        threads=threads,
        handicap=handicap,
        proves=proves,
    )
