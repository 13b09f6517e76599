"""Which versions of a champion play alike: what was measured with one of them holds for the others.

Code may change where play does not. The play of a version is told by all moves of a few games against itself with so
many nodes a decision; docs/strength/play.csv keeps it. It says nothing about the use of time: after a change of that
the lines of the game are to be taken out of the file.
"""

import csv
from functools import cache
from hashlib import sha256

from matches import DOCS, pairings, version

import harena
from harena.contract import CHANCE

KEPT = DOCS / "strength" / "play.csv"
GAMES, NODES = 6, 20_000
HEAD = ("game", "version", "play")


def rows() -> list[tuple[str, ...]]:
    """What is known: of each game and version the play."""
    with KEPT.open(encoding="utf-8", newline="") as lines:
        return [tuple(row) for row in csv.reader(lines)][1:]


@cache
def alike(game: str) -> set[str]:
    """The versions that play as the one that is here."""
    known = {of: play for name, of, play in rows() if name == game}
    now = version(game)
    return {now} | {of for of, play in known.items() if play == known.get(now)}


def note(game: str) -> None:
    """Keep how the version that is here plays."""
    known = rows()
    if any(row[:2] == (game, version(game)) for row in known):
        return
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(HEAD)
        lines.writerows(sorted([*known, (game, version(game), play_of(game))]))


def play_of(game: str) -> str:
    """A short name for the moves of all games."""
    seen, rng, size = sha256(), harena.generator(1), pairings()[game].get("size")
    for seed in range(GAMES):
        board = harena.game(game, size=size) if size else harena.game(game)
        champion = harena.player(f"champion(nodes={NODES})", board)
        state = champion.game.initial(seed)
        while not state.is_over:
            is_thrown = state.mover == CHANCE
            state = state.play(state.random_move(rng) if is_thrown else champion.choose(state, seed=seed))
            seen.update(f"{state.last_move} ".encode())
    return seen.hexdigest()[:8]
