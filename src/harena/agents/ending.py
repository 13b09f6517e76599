"""Whether the games of a user's own rules come to an end: a search that plays to the end waits for it."""

import logging
from functools import cache

from harena.api import Game
from harena.errors import KernelError
from harena.games.catalogue import CATALOGUE
from harena.kernel.rng import generator
from harena.search.mcts import Mcts
from harena.search.result import Search
from harena.search.uct import TO_THE_END

log = logging.getLogger("harena")
LONGEST = 10_000  # moves of a random game


def check_end(game: Game, search: Search) -> None:
    """Say that a random game has no end, if so; KernelError for a search that would never come back."""
    if game.found_as in CATALOGUE or _ends(type(game.face).__module__, game):
        return
    words = f"{game.found_as}: a random game has not ended after {LONGEST:,} moves: does outcome end every game?"
    if isinstance(search, Mcts) and search.options.playout_plies == TO_THE_END:
        raise KernelError(f"{words} mcts plays to the end; mcts(plies=50, heuristic=...) does not")
    _say_once(words)


@cache
def _ends(module: str, game: Game) -> bool:
    """The module tells apart what is equal as a game: another file's of that name, the same file before it was mended.

    Its name contains the hash of the file.
    """
    rng = generator(1)
    try:
        state = game.initial()
        for _ in range(LONGEST):
            if state.is_over or not state.moves():
                return True
            state = state.play(state.random_move(rng))
            state.previous = None  # of so long a game
    except Exception:  # of rules that make no sense, in whatever way: it is said where they are used
        return True
    return state.is_over


@cache
def _say_once(words: str) -> None:
    log.warning(words)
