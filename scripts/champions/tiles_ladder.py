"""How the levels of the champion of tiles score against the level below, in pairs of games from random boards.

    python scripts/champions/tiles_ladder.py --pairs 50 --size 8

Takes about five minutes on one idle core. Limits of nodes, so the load of the machine does not matter.
"""

import argparse

import harena
from harena import Limits
from harena.arena.scores import Pairs


def points(game: harena.Game, players: list[harena.Player], limits: Limits, seed: int, swapped: bool) -> float:
    """The points of the first player in one game."""
    state = game.initial(seed)
    for player in players:
        player.forget()
    while not state.is_over:
        player = players[(state.mover + swapped) % 2]
        state = state.play(player.think(state, limits, seed=seed).move)
    winner = state.outcome.winner
    return 0.5 if winner is None else float((winner + swapped) % 2 == 0)


def match(game: harena.Game, texts: tuple[str, str], limits: Limits, pairs: int) -> Pairs:
    """So many pairs of games."""
    players = [harena.player(text, game) for text in texts]
    return Pairs.of(
        sum(points(game, players, limits, seed, swapped) for swapped in (False, True)) for seed in range(pairs)
    )


def main() -> None:
    """Each level against the one below."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=50)
    options.add_argument("--size", type=int, default=8)
    options.add_argument("--nodes", type=int, default=60_000, help="of level 10")
    options.add_argument("--levels", type=int, nargs="*", default=list(range(10, 1, -1)))
    given = options.parse_args()
    game = harena.game("tiles", size=given.size, setup="random")
    for level in given.levels:
        texts = f"champion(level={level})", f"champion(level={level - 1})"
        found = match(game, texts, Limits(nodes=given.nodes), given.pairs)
        low, high = found.interval
        score = f"{found.score:.1%} ({low:.1%} to {high:.1%})"
        print(f"{level} against {level - 1}: {score} of {found.games} games", flush=True)


if __name__ == "__main__":
    main()
