"""Fit the weights of isolation's champion to games against itself: `python scripts/champions/isolation_fit.py`.

Games begin with random placements and a few random moves; both sides search a fixed number of nodes with the weights
of the round before (in the first round: a guess), so the games depend on the options alone. A logistic regression then
finds, for each phase and role, what tells the winner; neighbouring phases are kept alike. Writes
`src/harena/champions/data/isolation-weights.csv`, with its options in the first line. Takes two minutes of a core.
"""

import argparse
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import harena
from harena.champions.isolation_evaluation import FEATURES, PHASES, Judgement, features_of
from harena.champions.isolation_search import Knights
from harena.search.mastery import Mastery
from harena.search.result import Limits, Turn

SIZES = ((7, 7), (7, 7), (7, 7), (6, 6), (8, 8), (7, 7), (6, 7), (8, 7))
TARGET = Path(__file__).resolve().parents[2] / "src/harena/champions/data/isolation-weights.csv"
LEAST = 10_000  # positions that are enough to fit weights to
SMOOTH, SIZE = 30.0, 1.0  # what a difference between phases costs, and what a weight does
Numbers = NDArray[np.float64]


def guess() -> Numbers:
    """Weights to begin with: a little for mobility, more for territory."""
    weights = np.zeros((2 * PHASES, FEATURES))
    weights[:, 1], weights[:, 3], weights[:, 5] = 0.1, 0.1, 0.3
    weights[:, 2], weights[:, 4], weights[:, 6] = -0.1, -0.1, -0.3
    return weights


def positions(weights: Numbers, games: int, nodes: int, seed: int) -> Iterator[tuple[int, Numbers, float]]:
    """(row, features, 1 if the player to move won) for positions of games."""
    rng = np.random.default_rng(seed)
    players = [Mastery(algorithm=Knights(), heuristic=Judgement(weights.ravel().copy())) for _ in range(2)]
    for number in range(games):
        rows, columns = SIZES[number % len(SIZES)]
        game = harena.game("isolation", setup="random-placements", size=f"{rows}x{columns}")
        state, noisy, ply = game.initial(int(rng.integers(2**31))), int(rng.integers(2, 9)), 0
        seen: list[tuple[int, Numbers, int]] = []
        while not state.is_over:
            if ply >= noisy:
                seen.append((*features_of(state.value), state.mover))
            if ply < noisy or rng.random() < 0.04:
                seen, move = [], int(rng.choice(state.moves()))  # what was before a random move says little of the end
            else:
                limits = Limits(nodes=int(nodes * rng.uniform(0.5, 1.5)))
                move = players[state.mover].run(state.value, limits, Turn(path=(0,) if ply >= noisy + 2 else None)).move
            state, ply = state.play(move), ply + 1
        for row, counted, who in seen:
            yield row, counted, float(who != state.mover)


def fit(rows: NDArray[np.int64], counted: Numbers, won: Numbers, begin: Numbers) -> Numbers:
    """The weights with the least surprise; a difference between neighbouring phases costs a little, size too."""
    scale = counted.std(axis=0) + 1e-9
    scale[0] = 1.0
    scaled = counted / scale

    def cost(flat: Numbers) -> tuple[float, Numbers]:
        weights = flat.reshape(PHASES, 2, FEATURES)
        logits = np.einsum("ij,ij->i", scaled, flat.reshape(-1, FEATURES)[rows])
        surprise = np.logaddexp(0.0, -np.where(won > 0.5, logits, -logits)).sum()
        slope = np.zeros((2 * PHASES, FEATURES))
        np.add.at(slope, rows, (1 / (1 + np.exp(-logits)) - won)[:, None] * scaled)
        steps = np.diff(weights, axis=0)
        gradient = slope.reshape(weights.shape) + 2 * SIZE * weights
        gradient[1:] += 2 * SMOOTH * steps
        gradient[:-1] -= 2 * SMOOTH * steps
        return surprise + SMOOTH * (steps**2).sum() + SIZE * (weights**2).sum(), gradient.ravel()

    found = minimize(cost, (begin * scale).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    weights: Numbers = np.asarray(found.x).reshape(-1, FEATURES) / scale
    return weights


def surprise(rows: NDArray[np.int64], counted: Numbers, won: Numbers, weights: Numbers) -> float:
    """The mean log loss; 0.693 is knowing nothing."""
    logits = np.einsum("ij,ij->i", counted, weights[rows])
    return float(np.logaddexp(0.0, -np.where(won > 0.5, logits, -logits)).mean())


def main() -> None:
    """Rounds of games and fits."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--games", type=int, default=6000)
    options.add_argument("--nodes", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=TARGET)
    given = options.parse_args()
    weights = guess()
    for number in range(given.rounds):
        made = list(positions(weights, given.games, given.nodes, given.seed + number))
        if len(made) < LEAST:
            raise SystemExit(f"{len(made)} positions are too few, {LEAST} are needed: give it more --games")
        rows = np.array([row for row, _, _ in made])
        counted, won = np.array([one for _, one, _ in made]), np.array([one for _, _, one in made])
        test = np.arange(len(rows)) % 10000 < 1000
        weights = fit(rows[~test], counted[~test], won[~test], weights)
        if not np.isfinite(weights).all():
            raise SystemExit("the fit found no finite weights: nothing is written")
        unseen = surprise(rows[test], counted[test], won[test], weights)
        print(f"round {number + 1}: {len(rows)} positions, log loss of unseen ones {unseen:.4f}", flush=True)
        how = f"--rounds {given.rounds} --games {given.games} --nodes {given.nodes} --seed {given.seed}"
        made_by = f"made on {date.today()} by scripts/champions/isolation_fit.py {how}: {len(rows)} positions"
        np.savetxt(given.out, weights, fmt="%.4f", delimiter=",", header=made_by)


if __name__ == "__main__":
    main()
