"""Reviews and the store: one that is kept is not made again."""

from collections.abc import Callable
from typing import Any

from harena.arena.judgement import VERSION, Review, from_dict
from harena.arena.review import CHAMPION, DEFAULT, review
from harena.arena.store import Store
from harena.errors import BadText
from harena.search.result import Limits


def kept(store: Store, number: int, player: str = CHAMPION, limits: Limits = DEFAULT) -> Review | None:
    """The review of a game by this player, if it is kept and was made with these limits."""
    found = latest(store, number, player)
    is_such = found is not None and (found.nodes, found.seconds) == (limits.nodes, limits.seconds)
    return found if is_such else None


def latest(store: Store, number: int, player: str = CHAMPION) -> Review | None:
    """The review of a game by this player that is kept, whatever its limits were: whoever shows it names them."""
    plain = store.review(number, player, VERSION)
    try:
        return None if plain is None else from_dict(plain)
    except BadText:
        return None  # damaged: it is made again


def keep(store: Store, number: int, found: Review) -> None:
    """Keep a review, in place of the player's last one."""
    store.add_review(number, found.player, VERSION, found.as_dict())


def make(
    store: Store,
    number: int,
    player: str | None = None,
    limits: Limits = DEFAULT,
    *,
    progress: Callable[[int, int], None] | None = None,
    flag: Any = None,
) -> Review:
    """Go over a stored game, by its usual player unless one is named, and keep what is found."""
    found = review(store.record(number), player, limits, progress=progress, flag=flag)
    keep(store, number, found)
    return found
