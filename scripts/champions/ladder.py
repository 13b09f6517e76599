"""How the levels of a champion score against the level below, in pairs of games.

    python scripts/champions/ladder.py tiles --pairs 100
    python scripts/champions/ladder.py trap --pairs 100 --levels 10 9

A pair is played from one random start, one of trap from the start with dice of its own. Limits are of nodes: the load
of the machine does not matter. With `--keep` the lines that it prints go into docs/strength/ladder.csv, from which
`python scripts/strength --page` makes its tables.
"""

import argparse
import sys
from datetime import date
from importlib import import_module
from pathlib import Path

import numpy as np

import harena
from harena import Limits
from harena.arena.scores import Pairs
from harena.champions.options import setting
from harena.contract import CHANCE

sys.path.append(str(Path(__file__).parents[1] / "strength"))
from matches import version

KEPT = Path(__file__).parents[2] / "docs" / "strength" / "ladder.csv"
GAMES = {
    "isolation": {"size": "7x7", "setup": "random-placements"},
    "colosseum": {"size": 8},
    "tiles": {"size": 8, "setup": "random"},
    "trap": {"size": 7},
}
NODES = {"isolation": 60_000, "colosseum": 60_000, "tiles": 60_000, "trap": 50_000}  # of level 10


def points(game: harena.Game, players: list[harena.Player], limits: Limits, seed: int, swapped: bool) -> float:
    """The points of the first player in one game."""
    state, dice = game.initial(seed), np.random.default_rng([seed, swapped])
    for player in players:
        player.forget()
    while not state.is_over:
        if state.mover == CHANCE:
            outcomes = state.chances()
            state = state.play(outcomes[int(dice.choice(len(outcomes), p=[share for _, share in outcomes]))][0])
            continue
        player = players[(state.mover + swapped) % 2]
        state = state.play(player.think(state, limits, seed=2 * seed + swapped).move)
    winner = state.outcome.winner if state.outcome else None
    return 0.5 if winner is None else float((winner + swapped) % 2 == 0)


def match(game: harena.Game, texts: tuple[str, str], limits: Limits, seeds: range) -> Pairs:
    """A pair of games for each seed."""
    players = [harena.player(text, game) for text in texts]
    return Pairs.of(sum(points(game, players, limits, seed, swapped) for swapped in (False, True)) for seed in seeds)


def line(game: str, level: int, found: Pairs) -> str:
    """What a match says, as a line of the file."""
    low, high = found.interval
    handicaps = setting(import_module(f"harena.champions.{game}").LADDER, level)
    score = f"{found.score:.4f},{low:.4f},{high:.4f},{found.games}"
    return f"{game},{level},{score},{date.today()},{handicaps},{version(game)}"


def keep(line: str) -> None:
    """Write it in place of an older one of the same game and level."""
    head, *old = KEPT.read_text("utf-8").splitlines()
    lines = [one for one in old if one.split(",")[:2] != line.split(",")[:2]] + [line]
    lines.sort(key=lambda one: (one.split(",")[0], int(one.split(",")[1])))
    KEPT.write_text("\n".join([head, *lines]) + "\n", "utf-8")


def main() -> None:
    """Each level against the one below."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("game", choices=GAMES)
    options.add_argument("--pairs", type=int, default=100)
    options.add_argument("--seed", type=int, default=0, help="of the first pair; each has its own")
    options.add_argument("--keep", action="store_true", help="write what is found into docs/strength/ladder.csv")
    options.add_argument("--levels", type=int, nargs="*", choices=range(2, 11), default=list(range(2, 11)))
    given = options.parse_args()
    game, nodes = harena.game(given.game, **GAMES[given.game]), NODES[given.game]
    seeds = range(given.seed, given.seed + given.pairs)
    for level in given.levels:
        texts = f"champion(level={level})", f"champion(level={level - 1})"
        found = line(given.game, level, match(game, texts, Limits(nodes=nodes), seeds))
        print(found, flush=True)
        if given.keep:
            keep(found)


if __name__ == "__main__":
    main()
