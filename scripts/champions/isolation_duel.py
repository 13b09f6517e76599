"""How often the hunted wins at isolation, in one process and by nodes, so that the machine's load does not matter.

    python scripts/champions/isolation_duel.py "champion(nodes=60000)" "id_improved(nodes=5000)"

Starts are random placements of their seeds; the first player has the knight that is hunted, in every game. Levels play
each other in ladder.py.
"""

import argparse

import harena
from harena import Limits
from harena.arena.scores import Tally
from harena.champions.isolation_openings import is_hunter


def wins(game: harena.Game, players: tuple[harena.Player, harena.Player], seed: int, limits: Limits) -> bool:
    """Whether the first of these players, who has the first move, wins the game from this start."""
    state = game.initial(seed)
    for player in players:
        player.forget()
    while not state.is_over:
        state = state.play(players[state.mover].think(state, limits, seed=seed).move)
    return bool(state.mover == 1)  # who cannot move has lost


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


def main() -> None:
    """What the options ask for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("hunted")
    options.add_argument("hunter")
    options.add_argument("--games", type=int, default=200)
    options.add_argument("--size", default="7x7")
    options.add_argument("--nodes", type=int, default=60_000, help="of players without limits of their own")
    given = options.parse_args()
    game = harena.game("isolation", setup="random-placements", size=given.size)
    found = hunt(game, (given.hunted, given.hunter), Limits(nodes=given.nodes), given.games)
    low, high = found.interval
    print(f"hunted: {found.score:.1%} ({low:.1%} to {high:.1%}) of {found.games} games")


if __name__ == "__main__":
    main()
