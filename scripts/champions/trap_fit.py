"""Fit the network of Trap!'s evaluation to games of the champion against itself, and write its data file.

    python scripts/champions/trap_fit.py --seed 1

It begins with counts of free neighbours. A round plays games from random starts with the weights so far and fits a new
network by gradient descent (Adam): the first round to the results of its games, a later one to the games of all rounds
but the first, half to the result and half to the value that the search had found. The games depend on the seed alone,
never on the time, and the first line of the file says with which options it was made. It takes about five minutes of
one core.
"""

import argparse
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from trap_play import LEAST_NODES, LONGEST, MILLION, SEEN, engine, game

from harena.champions.trap_evaluation import (
    COUNTED,
    DATA,
    DEGREE_CLASSES,
    DEGREES,
    DISTANCE,
    EXITS,
    FREE,
    HIDDEN,
    MANY,
    OTHER_EXITS,
    STEPS,
    Odds,
    degrees,
    king_distance,
    layers,
    packed,
)
from harena.kernel.bits import bit, popcount
from harena.kernel.compile import kernel
from harena.kernel.rng import generator

INPUTS = FREE + 2
RANDOM_HALF_TURNS = 18
SIZE = 7
BATCH, EPOCHS, RATE, DECAY = 512, 12, 2e-3, 1e-5
HELD_BACK = 20  # of so many games one is not fitted to
LEAST_GAMES = 2 * HELD_BACK
RESULT_SHARE = 0.5  # of the result in what is fitted to, from the second round on

Played = tuple[Any, Any, Any]  # positions, the results for their movers, the numbers of their games


@kernel
def describe(seen: Any, inputs: Any) -> None:
    """Write the inputs of the network for each of these positions."""
    for index in range(len(seen)):
        blocked, mine, theirs = seen[index, 0], np.int64(seen[index, 1]), np.int64(seen[index, 2])
        free = ~(blocked | bit(mine) | bit(theirs))
        around, near, other = degrees(free), layers(free, mine), layers(free, theirs)
        row = inputs[index]
        for step in range(STEPS):
            for other_step in range(STEPS):
                row[STEPS * step + other_step] = popcount(near[step] & other[other_step])
        for side in range(2):
            exits = near.first if side == 0 else other.first
            at = DEGREES + DEGREE_CLASSES * side
            few = exits & ~(around.fours | around.eights)
            row[at] = popcount(few & ~around.twos & ~around.ones)
            row[at + 1] = popcount(few & ~around.twos & around.ones)
            row[at + 2] = popcount(few & around.twos & ~around.ones)
            row[at + 3] = popcount(few & around.twos & around.ones)
            row[at + 4] = popcount(exits & around.fours & ~around.twos)
            row[at + 5] = popcount(exits & (around.eights | around.fours & around.twos))
        row[EXITS + popcount(near.first)] = 1.0
        row[OTHER_EXITS + popcount(other.first)] = 1.0
        row[DISTANCE + king_distance(mine, theirs) - 1] = 1.0
        row[FREE], row[FREE + 1] = 1.0, min(popcount(free) / MANY, 1.0)


def play(odds: Odds, games: int, nodes: int, seed: int) -> Played:
    """Positions of games of self-play, the results for their movers, and the number of the game of each."""
    one, other = engine(odds, nodes), engine(odds, nodes)
    record = np.zeros((LONGEST, SEEN), np.uint64)
    draws = np.random.default_rng(seed)
    seen, results, numbers = [], [], []
    for number in range(games):
        start, dice = generator(seed, number), generator(seed, number, 1)
        end = game(one, other, SIZE, int(draws.integers(RANDOM_HALF_TURNS)), number % 2, start, dice, record)
        winner, length = divmod(int(end), 1000)
        seen.append(record[:length].copy())
        results.append(np.full(length, 0.5) if winner == 2 else (record[:length, 3] == winner).astype(float))
        numbers.append(np.full(length, number))
    return np.concatenate(seen), np.concatenate(results), np.concatenate(numbers)


def loss(scores: Any, wanted: Any) -> float:
    """The mean log loss."""
    sure = np.clip(scores, 1e-6, 1 - 1e-6)
    return float(-np.mean(wanted * np.log(sure) + (1 - wanted) * np.log(1 - sure)))


def forward(layer: list[Any], inputs: Any) -> tuple[Any, Any]:
    """The hidden units before they are cut at 0, and the expected scores."""
    hidden = inputs @ layer[0]
    return hidden, 1 / (1 + np.exp(-(np.maximum(hidden, 0) @ layer[1] + layer[2])))


def fit(inputs: Any, wanted: Any, held: Any, seed: int) -> list[Any]:
    """The weights of the first layer, of the output, and its constant."""
    draws = np.random.default_rng(seed)
    spread = 1 / np.maximum(np.sqrt((inputs**2).mean(axis=0)), 0.05)  # common inputs begin with smaller weights
    layer = [
        (draws.normal(0, 1 / np.sqrt(INPUTS / 4), (INPUTS, HIDDEN)) * np.minimum(spread, 1)[:, None]).astype(
            np.float32
        ),
        draws.normal(0, 0.3, HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    means, squares, step = [np.zeros_like(part) for part in layer], [np.zeros_like(part) for part in layer], 0
    train = np.flatnonzero(~held)
    for epoch in range(EPOCHS):
        draws.shuffle(train)
        for begin in range(0, len(train), BATCH):
            chosen = train[begin : begin + BATCH]
            batch = inputs[chosen]
            hidden, scores = forward(layer, batch)
            error = ((scores - wanted[chosen]) / len(chosen)).astype(np.float32)
            back = np.outer(error, layer[1]) * (hidden > 0)
            slopes = [batch.T @ back + DECAY * layer[0], np.maximum(hidden, 0).T @ error, error.sum(keepdims=True)]
            step += 1
            rate = RATE * (1 - epoch / EPOCHS) + 1e-5
            for which, slope in enumerate(slopes):
                means[which] += 0.1 * (slope - means[which])
                squares[which] += 0.001 * (slope**2 - squares[which])
                bent = np.sqrt(squares[which] / (1 - 0.999**step)) + 1e-8
                layer[which] -= rate * means[which] / (1 - 0.9**step) / bent
    return layer


def save(layer: list[Any], path: Path, note: str) -> None:
    """As a table: a row for each input, then the output weights and the constant."""
    rows = [*layer[0], layer[1], np.append(layer[2], np.zeros(HIDDEN - 1))]
    names = [*(f"input {number}" for number in range(INPUTS)), "output", "constant"]
    lines = [f"{name}," + ",".join(f"{number:.5g}" for number in row) for name, row in zip(names, rows, strict=True)]
    path.write_text(f"# {note}\n" + "\n".join(lines) + "\n")


def first_guess() -> Odds:
    """More free neighbours are better."""
    first = np.zeros((INPUTS, HIDDEN))
    for unit, sign in ((0, 1.0), (1, -1.0)):
        first[:COUNTED, unit] = 1e-2
        first[EXITS : EXITS + 9, unit], first[OTHER_EXITS : OTHER_EXITS + 9, unit] = np.array(
            [[sign * 0.02 * number for number in range(9)], [-sign * 0.02 * number for number in range(9)]]
        )
    first[0, 2:] = 1.0
    return packed(first, np.array([20.0, -20.0, *[0.0] * (HIDDEN - 1)]))


def refit(gathered: list[Played], seed: int) -> tuple[list[Any], int]:
    """A network for the games of all rounds but the first, and the number of their positions; says how good it is."""
    share = 1.0 if len(gathered) == 1 else RESULT_SHARE
    seen, results, numbers = (np.concatenate(parts) for parts in zip(*gathered[1:] or gathered, strict=True))
    inputs = np.zeros((len(seen), INPUTS), np.float32)
    describe(seen, inputs)
    found = np.clip(seen[:, 4] / MILLION / 2, 0.0, 1.0)
    held = numbers % HELD_BACK == 0
    layer = fit(inputs, share * results + (1 - share) * found, held, seed)
    missed = loss(forward(layer, inputs[held])[1], results[held])
    print(f"{len(seen):,} positions: log loss {missed:.4f}", file=sys.stderr)
    return layer, len(seen)


def options_of(arguments: list[str] | None) -> argparse.Namespace:
    """The options, or an error for those that make no sense."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[8_000, 12_000, 24_000], help="of each round")
    parser.add_argument("--nodes", type=int, nargs="+", default=[400, 800, 2_000], help="of a move in each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    if len(options.games) != len(options.nodes):
        parser.error("--games and --nodes need a number for each round")
    if min(options.games) < LEAST_GAMES or min(options.nodes) < LEAST_NODES:
        parser.error(f"a round needs at least {LEAST_GAMES} games, and {LEAST_NODES} nodes a move")
    return options


def main(arguments: list[str] | None = None) -> None:
    """Read the options and do it."""
    options = options_of(arguments)
    odds, gathered = first_guess(), []
    for number, (games, nodes) in enumerate(zip(options.games, options.nodes, strict=True)):
        gathered.append(play(odds, games, nodes, options.seed + number))
        layer, positions = refit(gathered, options.seed)
        if not all(np.isfinite(part).all() for part in layer):
            sys.exit("the fit did not converge: nothing was written")
        odds = packed(layer[0].astype(float), np.append(layer[1], layer[2]).astype(float))
    games, nodes = (" ".join(map(str, numbers)) for numbers in (options.games, options.nodes))
    command = f"scripts/champions/trap_fit.py --games {games} --nodes {nodes} --seed {options.seed}"
    note = f"The network of trap_evaluation.py, made on {date.today()} by {command}: {positions:,} positions"
    save(layer, options.out, note)


if __name__ == "__main__":
    main()
