"""Records played again: the one place of the server in which what is stored becomes positions.

A game of somebody's own is a file of code that runs when it is loaded, so it is loaded for whoever may act only.
"""

from collections.abc import Iterator

from starlette.exceptions import HTTPException

from harena.api import State
from harena.arena.record import Record
from harena.arena.replay import start, states
from harena.games.catalogue import CATALOGUE


class OwnGame(HTTPException):
    """A game that is not shown to everybody."""

    def __init__(self, what: str = "this game") -> None:
        super().__init__(401, f"{what} is of a game of its owner's own: showing it wants the token")


def check_own(game: str, *, own: bool, what: str = "this game") -> None:
    """OwnGame if this is code that whoever asks may not run; `own` says that he may."""
    if game not in CATALOGUE and not own:
        raise OwnGame(what)


def stored_states(record: Record, *, own: bool) -> Iterator[State]:
    """The start of a stored game and the position after each of its plies, as `harena.arena.replay.states`."""
    check_own(record.game, own=own)
    return states(record)


def stored_start(record: Record) -> State:
    """The position in which a game of the catalogue began."""
    check_own(record.game, own=False)
    return start(record)
