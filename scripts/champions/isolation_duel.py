"""Two players of isolation against each other, in one process and by nodes, so that the machine's load does not matter.

    python scripts/champions/isolation_duel.py --levels 10 9 8 7 6 5 4 3 2
    python scripts/champions/isolation_duel.py --hunted "champion(nodes=60000)" "id_improved(nodes=5000)"

Starts are random placements of their seeds. Levels play the level below, in pairs of games with seats swapped, which
takes about ten minutes on one core. With `--hunted` the first player has the knight that is hunted, in every game.
"""

import argparse

import harena
from harena import Limits
from harena.arena.scores import Pairs, Tally
from harena.champions.isolation_openings import is_hunter


def wins(game: harena.Game, players: tuple[harena.Player, harena.Player], seed: int, limits: Limits) -> bool:
    """Whether the first of these players, who has the first move, wins the game from this start."""
    state = game.initial(seed)
    for player in players:
        player.forget()
    while not state.is_over:
        state = state.play(players[state.mover].think(state, limits, seed=seed).move)
    return bool(state.mover == 1)  # who cannot move has lost


def match(game: harena.Game, texts: tuple[str, str], limits: Limits, pairs: int) -> Pairs:
    """So many pairs of games."""
    one, other = (harena.player(text, game) for text in texts)
    return Pairs.of(
        float(wins(game, (one, other), seed, limits)) + float(not wins(game, (other, one), seed, limits))
        for seed in range(pairs)
    )


def hunt(game: harena.Game, texts: tuple[str, str], limits: Limits, games: int) -> Tally:
    """So many games in which the first player is hunted."""
    one, other = (harena.player(text, game) for text in texts)
    found = Tally()
    for seed in range(games):
        if is_hunter(game.initial(seed).value):  # who has the first move
            found = found.add(float(not wins(game, (other, one), seed, limits)))
        else:
            found = found.add(float(wins(game, (one, other), seed, limits)))
    return found


def described(found: Pairs | Tally) -> str:
    """A result in one line."""
    low, high = found.interval
    elo = found.elo
    score = f"{found.score:.1%} ({low:.1%} to {high:.1%}) of {found.games} games"
    return f"{score}; Elo {elo.value:.0f} ({elo.low:.0f} to {elo.high:.0f})"


def main() -> None:
    """What the options ask for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--levels", type=int, nargs="*", default=[], choices=range(2, 11))
    options.add_argument("--hunted", nargs=2, metavar="PLAYER")
    options.add_argument("--games", type=int, default=200)
    options.add_argument("--size", default="7x7")
    options.add_argument("--nodes", type=int, default=60_000, help="of level 10")
    given = options.parse_args()
    game = harena.game("isolation", setup="random-placements", size=given.size)
    limits = Limits(nodes=given.nodes)
    if given.hunted:
        print(f"hunted: {described(hunt(game, tuple(given.hunted), limits, given.games))}", flush=True)
    for level in given.levels:
        texts = f"champion(level={level})", f"champion(level={level - 1})"
        print(f"{level} against {level - 1}: {described(match(game, texts, limits, given.games // 2))}", flush=True)


if __name__ == "__main__":
    main()
