"""Which versions of a champion play alike: as far as this tells, what was measured with one holds for the others.

Code may change where play does not. The play of a version is told by all moves of some games against itself, from the
starts and on the sizes of the matches, with so many nodes a decision; docs/strength/play.csv keeps it. It is a sample,
and it says nothing about the use of time, a second thread and lower levels: after a change of those, or of what such
games hardly ever meet, the lines of the game are to be taken out of the file.
"""

import csv
from functools import cache
from hashlib import sha256
from typing import Any

from matches import DOCS, matches, version

import harena
from harena.arena.conditions import spec_of
from harena.contract import CHANCE
from harena.search.result import Limits

KEPT = DOCS / "strength" / "play.csv"
GAMES, NODES = 20, 20_000
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
    play = sha256("\n".join(played(game)).encode()).hexdigest()[:8]
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(HEAD)
        lines.writerows(sorted([*known, (game, version(game), play)]))


def boards(game: str) -> list[dict[str, Any]]:
    """The sizes and set-ups of the matches of a game."""
    sizes = sorted({match.size or "" for match in matches(2) if match.game == game}, key=lambda size: (len(size), size))
    found = [spec_of(game, ["champion"] * 2, Limits(), sizes=size or None, local=True).variants for size in sizes]
    return [dict(one) for one in dict.fromkeys(tuple(one.items()) for some in found for one in some)]


def played(game: str, games: int = GAMES) -> list[str]:
    """The moves of so many games."""
    found, options = [], boards(game)
    for seed in range(games):
        board, rng = harena.game(game, **options[seed % len(options)]), harena.generator(seed)
        players = [harena.player(f"champion(nodes={NODES})", board) for _ in range(2)]
        state, moves = board.initial(seed), []
        while not state.is_over:
            is_thrown = state.mover == CHANCE
            state = state.play(state.random_move(rng) if is_thrown else players[state.mover].choose(state, seed=seed))
            moves.append(str(state.last_move))
        found.append(" ".join(moves))
    return found
