"""Reviews and the store: one that is kept is not made again."""

from collections.abc import Callable
from typing import Any

from harena.arena.judgement import VERSION, Review, from_dict
from harena.arena.review import CHAMPION, NODES, review
from harena.arena.store import Store
from harena.errors import BadText
from harena.search.result import Limits


def kept(store: Store, number: int, player: str = CHAMPION, limits: Limits | None = None) -> Review | None:
    """The review of a game by this player, if it is kept and was made with these limits; None asks for any."""
    plain = store.review(number, player, VERSION)
    try:
        found = None if plain is None else from_dict(plain)
    except BadText:
        return None  # damaged: it is made again
    if found is not None and limits is not None and (found.nodes, found.seconds) != (limits.nodes, limits.seconds):
        return None
    return found


def keep(store: Store, number: int, found: Review) -> None:
    """Keep a review, in place of the player's last one."""
    store.add_review(number, found.player, VERSION, found.as_dict())


def make(
    store: Store,
    number: int,
    player: str = CHAMPION,
    limits: Limits | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    flag: Any = None,
) -> Review:
    """Go over a stored game, and keep what is found."""
    limits = limits or Limits(nodes=NODES)
    found = review(store.record(number), player, limits, progress=progress, flag=flag)
    keep(store, number, found)
    return found
