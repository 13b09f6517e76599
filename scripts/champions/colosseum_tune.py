"""Tune the weights of colosseum's evaluation by SPSA: every pair of games tries all weights a little up and down.

python scripts/champions/colosseum_tune.py [PAIRS] [NODES] [SIZES]    (250 pairs on 7,8 take about four minutes)

Source: J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation"
(1992). Both players search the same number of nodes; a pair is one start with the seats swapped.
"""

import sys
import time
from typing import Any

import numpy as np

import harena
from harena import calls
from harena.champions.colosseum_evaluation import Grounds
from harena.contract import DRAW, RUNNING
from harena.kernel.values import coerce
from harena.search.deepening import Deepening
from harena.search.focused import Focused
from harena.search.result import Limits, Search

BEGIN = Grounds(tempo=0.2, ground=0.1, sides=0.04)
WIDTH = Grounds(tempo=0.2, ground=0.0, sides=0.03)  # only the proportions matter to how it plays
RATE = 0.08  # of a width, for a pair that is won


def points(state: Any, players: tuple[Search, Search], limits: Limits) -> float:
    """The first player's points of a game."""
    while (look := calls.look(state)).result == RUNNING:
        state = coerce(calls.step(state, players[look.mover].run(state, limits).move))
    return 0.5 if look.result == DRAW else float(look.result == 0)


def main(pairs: int, nodes: int, sizes: list[int]) -> None:
    """Print the weights as they go."""
    rng, limits = np.random.default_rng(20261116), Limits(nodes=nodes)
    games = [harena.game("colosseum", size=size) for size in sizes]
    weights, begin = np.array(BEGIN), time.time()
    for number in range(pairs):
        signs = rng.choice([-1.0, 1.0], len(weights))
        more, less = (
            Deepening(
                algorithm=Focused(first=25.0), heuristic=Grounds(*(weights + sign * signs * np.array(WIDTH)).tolist())
            )
            for sign in (1, -1)
        )
        start = games[number % len(games)].initial(seed=int(rng.integers(2**31))).value
        score = (points(start, (more, less), limits) + 1 - points(start, (less, more), limits)) / 2
        weights += RATE * (1 - number / pairs / 2) * 2 * (score - 0.5) * signs * np.array(WIDTH)
        if number % 25 == 24:
            print(number + 1, f"{time.time() - begin:.0f} s", np.round(weights, 4).tolist(), flush=True)
    print(Grounds(*np.round(weights, 4).tolist()))


if __name__ == "__main__":
    arguments = [*sys.argv[1:], *("250", "2000", "7,8")[len(sys.argv) - 1 :]]
    main(int(arguments[0]), int(arguments[1]), [int(size) for size in arguments[2].split(",")])
