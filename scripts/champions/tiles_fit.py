"""Fit the evaluation of tiles to games of the search with itself, and write champions/data/tiles-weights.csv.

    python scripts/champions/tiles_fit.py --seed 1

Rounds: the first plays by the balance of tiles alone, each later one by the weights of the round before, with more
nodes. Positions come from random boards of 5x5 to 10x10 and checkerboards, after some random moves. The weights are a
logistic fit of the results (a draw is one half), so a value is the logarithm of the odds; the first round is not part
of the last fit. The games depend on the seed alone, never on the time, and the first line of the file says with which
options it was made. It takes a few minutes of one core.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from tiles_selfplay import new_desk, new_recorder, play_game

import harena
from harena.champions.tiles import WEIGHTS
from harena.champions.tiles_evaluation import TRAITS, Balance, Traits
from harena.champions.tiles_search import Removal
from harena.heuristics.tiles import TileCounts
from harena.kernel.rng import generator
from harena.search.principal import Principal

SIZES = (5, 6, 7, 8, 8, 9, 10, 10)
KNOTS = (2, 8, 16, 28, 45, 75)  # tiles left: between them weights are interpolated
STRAY, RIDGE, MOST_POSITIONS, TESTED = 0.02, 10.0, 200_000, 10
NODES = (600, 1000, 1500)  # of a move, in each round
LEAST_GAMES = 2 * TESTED


def play_games(algorithm: Any, heuristic: Any, nodes: int, games: int, seed: int) -> tuple[Any, Any, Any]:
    """Traits of positions, the results of their games and the numbers of the games."""
    desk, recorder, rng = new_desk(2.0), new_recorder(), generator(seed)
    draws = np.random.default_rng(seed)
    traits, results, numbers = [], [], []
    for number in range(games):
        size = SIZES[number % len(SIZES)]
        setup = "checkerboard" if number % 9 == 0 else "random"
        state = harena.game("tiles", size=size, setup=setup).initial(seed=seed * 1_000_003 + number).value
        desk.work.table.keys[:] = 0
        opening = int(draws.integers(0, size * size // 4))
        count = play_game(algorithm, heuristic, state, nodes, opening, STRAY, desk, rng, recorder)
        traits.append(recorder.traits[:count].astype(np.float32))
        results.append(recorder.results[:count].astype(np.float32))
        numbers.append(np.full(count, number))
    print(f"{games} games, {sum(map(len, results))} positions")
    return np.concatenate(traits), np.concatenate(results), np.concatenate(numbers)


def phases(tiles: Any) -> Any:
    """How much each knot counts."""
    return np.stack([np.interp(tiles, KNOTS, one) for one in np.eye(len(KNOTS))], axis=1).astype(np.float32)


def fit(traits: Any, results: Any, numbers: Any) -> Any:
    """The weights at each knot; says how well they foretell games that were left out."""
    chosen = np.arange(len(results))[-MOST_POSITIONS:]
    traits, results, is_test = traits[chosen], results[chosen], numbers[chosen] % TESTED == 0
    shares = phases(traits[:, 0] + traits[:, TRAITS])
    columns = np.concatenate([traits, np.ones((len(traits), 1), np.float32)], axis=1)
    table = np.concatenate([columns * share[:, None] for share in shares.T], axis=1)
    scale = np.sqrt((table**2).mean(axis=0)) + 1e-3
    table /= scale
    known, wanted = table[~is_test], results[~is_test]

    def loss(weights: Any) -> tuple[float, Any]:
        chance = 1 / (1 + np.exp(-(known @ weights.astype(np.float32))))
        surprise = cross_entropy(chance, wanted).sum() + RIDGE * (weights @ weights) / 2
        return float(surprise) / len(wanted), ((chance - wanted) @ known + RIDGE * weights) / len(wanted)

    found = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 120})
    chance = 1 / (1 + np.exp(-(table[is_test] @ found.x)))
    print(f"cross entropy of games left out: {cross_entropy(chance, results[is_test]).mean():.4f}")
    return (found.x / scale).reshape(len(KNOTS), -1)


def cross_entropy(chance: Any, wanted: Any) -> Any:
    """The surprise at each result."""
    return -(wanted * np.log(chance + 1e-9) + (1 - wanted) * np.log(1 - chance + 1e-9))


def as_heuristic(weights: Any) -> Balance:
    """Weights at the knots as a value for the search."""
    return Balance(np.ascontiguousarray(phases(np.arange(101)).astype(np.float64) @ weights))


def write(weights: Any, note: str, path: Path) -> None:
    """The file that the champion reads."""
    names = [f"{whose} {trait}" for whose in ("my", "their") for trait in Traits._fields]
    rows = [
        ",".join([str(knot), *(f"{weight:.5g}" for weight in row)]) for knot, row in zip(KNOTS, weights, strict=True)
    ]
    path.write_text("\n".join([f"# {note}", ",".join(["tiles left", *names, "to move"]), *rows]) + "\n")


def options_of(arguments: list[str] | None) -> argparse.Namespace:
    """The options, or an error for those that make no sense."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, nargs=len(NODES), default=[3000, 3000, 3000], help="of each round")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=WEIGHTS)
    given = options.parse_args(arguments)
    if min(given.games) < LEAST_GAMES:
        options.error(f"a round needs at least {LEAST_GAMES} games")
    return given


def main(arguments: list[str] | None = None) -> None:
    """Play, fit, play by what was fitted ..."""
    given = options_of(arguments)
    algorithm, heuristic = Principal(), TileCounts(left=1.0, fragile=-1.0)
    rounds: list[tuple[Any, Any, Any]] = []
    for number, (games, nodes) in enumerate(zip(given.games, NODES, strict=True)):
        rounds.append(play_games(algorithm, heuristic, nodes, games, given.seed + number))
        data = [np.concatenate(parts) for parts in zip(*rounds[min(number, 1) :], strict=True)]
        weights = fit(*data)
        if not np.isfinite(weights).all():
            sys.exit("the fit did not converge: nothing was written")
        algorithm, heuristic = Removal(), as_heuristic(weights)
    options = f"--games {' '.join(map(str, given.games))} --seed {given.seed}"
    note = f"fitted {time.strftime('%Y-%m-%d')} by scripts/champions/tiles_fit.py {options}: {len(NODES)} rounds with "
    note += f"{', '.join(map(str, NODES))} nodes a move; {len(data[1])} positions after the first"
    write(weights, note, given.out)


if __name__ == "__main__":
    main()
