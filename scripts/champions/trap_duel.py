"""Compare two evaluations or two ways of pruning of Trap!'s champion, by nodes: pairs of games from one random start.

    python scripts/champions/trap_duel.py new.csv old.csv --nodes 4000 --pairs 300
    python scripts/champions/trap_duel.py --style width=32 --pairs 300

300 pairs with 4,000 nodes a half-turn take about a minute on an idle core. The line that it prints is one of
docs/strength/steps/trap.csv: the Elo difference with its 95 % interval.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from trap_play import LEAST_NODES, LONGEST, SEEN, engine, game

from harena.arena.scores import elo_of
from harena.champions.trap_evaluation import DATA, loaded
from harena.champions.trap_search import Turns
from harena.kernel.rng import generator

RANDOM_HALF_TURNS = 8
POINTS = {0: 1.0, 1: 0.0, 2: 0.5}


def elo(score: float) -> float:
    """The difference that a score stands for; a whitewash counts as a little less."""
    return elo_of(min(max(score, 0.001), 0.999))


def duel(one: Any, other: Any, size: int, pairs: int, seed: int) -> list[float]:
    """The points of the first engine in each pair, 0 to 1."""
    record, draws = np.zeros((LONGEST, SEEN), np.uint64), np.random.default_rng(seed)
    scores = []
    for number in range(pairs):
        randoms, points = int(draws.integers(RANDOM_HALF_TURNS)), 0.0
        for seat in (0, 1):
            end = game(
                one, other, size, randoms, seat, generator(seed, number), generator(seed, number, seat + 1), record
            )
            points += POINTS[int(end) // 1000] / 2
        scores.append(points)
    return scores


def style(text: str) -> Turns:
    """The way of pruning with these changes: width=32 and the like, with commas between."""
    changes = {}
    for part in filter(None, text.split(",")):
        name, _, number = part.partition("=")
        if name not in Turns._fields or not number.isdigit():
            raise argparse.ArgumentTypeError(f"{part} is none of {', '.join(Turns._fields)} with = and a number")
        changes[name] = int(number)
    return Turns()._replace(**changes)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 on, not {text}")
    return int(text)


def enough(text: str) -> int:
    """A number of nodes that the first depth does not use up."""
    if positive(text) < LEAST_NODES:
        raise argparse.ArgumentTypeError(f"at least {LEAST_NODES} nodes, not {text}")
    return int(text)


def main(arguments: list[str] | None = None) -> None:
    """Read the options and do it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path, nargs="?", default=DATA)
    parser.add_argument("second", type=Path, nargs="?", default=DATA)
    parser.add_argument("--style", type=style, default=Turns(), help="of the first: width=32 and the like, with commas")
    parser.add_argument("--nodes", type=enough, default=4000)
    parser.add_argument("--other-nodes", type=enough, default=None)
    parser.add_argument("--pairs", type=positive, default=300)
    parser.add_argument("--size", type=int, choices=range(4, 9), default=7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    one = engine(loaded(options.first), options.nodes, options.style)
    other = engine(loaded(options.second), options.other_nodes or options.nodes)
    scores = np.array(duel(one, other, options.size, options.pairs, options.seed))
    mean, spread = scores.mean(), 1.96 * scores.std() / np.sqrt(len(scores))
    low, high = elo(mean - spread), elo(mean + spread)
    print(f"{elo(mean):+.0f} Elo ({low:+.0f} to {high:+.0f}), {100 * mean:.1f} % of {2 * options.pairs} games")


if __name__ == "__main__":
    main()
