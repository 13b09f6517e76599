"""Records played again: the one place of the server in which what is stored becomes positions.

A game of the user's own is a file of code that runs when it is loaded: `harena serve --game FILE` lets it be loaded,
and nothing else does (`kernel/trusted.py`).
"""

from collections.abc import Iterator

from harena.api import State
from harena.arena.record import Record
from harena.arena.replay import start, states
from harena.games.catalogue import CATALOGUE
from harena.kernel.trusted import NotTrusted

NOTICE = (
    "There is no board: the rules of this game are a file of its owner's. "
    "`harena serve --game FILE` loads it, if it has not changed."
)


def stored_states(record: Record) -> Iterator[State]:
    """The start of a stored game and the position after each of its plies, as `harena.arena.replay.states`."""
    return states(record)


def stored_start(record: Record) -> State:
    """The position in which a game of the catalogue began."""
    if record.game not in CATALOGUE:
        raise NotTrusted("this is a game of its owner's own, which is played at the command line only")
    return start(record)
