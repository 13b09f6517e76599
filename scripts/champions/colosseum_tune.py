"""Tune the weights of colosseum's evaluation by SPSA: every pair of games tries all weights a little up and down.

    python scripts/champions/colosseum_tune.py [--pairs 400] [--nodes 5000] [--sizes 6 8 10] [--search principal]

Source: J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation"
(1992). Both players search the same number of nodes; a pair is one start with the seats swapped. What it prints last
are weights for champions/colosseum.py; those of today came from `--search principal`, which was the champion's search
before it had one of its own. 400 pairs take two to three minutes.
"""

import argparse
import time
from typing import Any

import numpy as np

import harena
from harena import calls
from harena.champions.colosseum_evaluation import Grounds
from harena.champions.colosseum_search import Enclosure
from harena.contract import DRAW, RUNNING
from harena.kernel.values import coerce
from harena.search.deepening import Deepening
from harena.search.principal import Principal
from harena.search.result import Limits, Search

SEED = 20261116
BEGIN = Grounds(tempo=0.2, ground=0.1, sides=0.04)
WIDTH = Grounds(tempo=0.2, ground=0.0, sides=0.03)  # only the proportions matter to how it plays
SEARCHES = {"own": Enclosure(), "principal": Principal()}
RATE = 0.08  # of a width, for a pair that is won


def points(state: Any, players: tuple[Search, Search], limits: Limits) -> float:
    """The first player's points of a game."""
    while (look := calls.look(state)).result == RUNNING:
        state = coerce(calls.step(state, players[look.mover].run(state, limits).move))
    return 0.5 if look.result == DRAW else float(look.result == 0)


def player(algorithm: Any, weights: Any) -> Search:
    """One that plays by these weights."""
    return Deepening(algorithm=algorithm, heuristic=Grounds(*weights.tolist()))


def tune(algorithm: Any, pairs: int, limits: Limits, sizes: list[int]) -> None:
    """Print the weights as they go."""
    rng = np.random.default_rng(SEED)
    games = [harena.game("colosseum", size=size) for size in sizes]
    weights, width, begin = np.array(BEGIN), np.array(WIDTH), time.time()
    for number in range(pairs):
        nudge = rng.choice([-1.0, 1.0], len(weights)) * width
        more, less = player(algorithm, weights + nudge), player(algorithm, weights - nudge)
        start = games[number % len(games)].initial(seed=int(rng.integers(2**31))).value
        score = (points(start, (more, less), limits) + 1 - points(start, (less, more), limits)) / 2
        weights += RATE * (1 - number / pairs / 2) * 2 * (score - 0.5) * nudge
        if number % 25 == 24:
            print(number + 1, f"{time.time() - begin:.0f} s", np.round(weights, 4).tolist(), flush=True)
    print(Grounds(*np.round(weights, 4).tolist()))


def main() -> None:
    """Read the command line."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--pairs", type=int, default=400)
    reader.add_argument("--nodes", type=int, default=5000)
    reader.add_argument("--sizes", type=int, nargs="+", default=[6, 8, 10])
    reader.add_argument("--search", choices=SEARCHES, default="own", help="the champion's own, or the common one")
    given = reader.parse_args()
    tune(SEARCHES[given.search], given.pairs, Limits(nodes=given.nodes), given.sizes)


if __name__ == "__main__":
    main()
