"""`harena.review`: a stored game gone over by the champion, or by another player."""

import os
import threading
from collections.abc import Callable, Sequence

from harena.agents.spec import parse_agent
from harena.arena.judgement import Review
from harena.arena.review import DEFAULT, ReviewStopped, usual
from harena.arena.reviews import kept, make
from harena.arena.store import Store
from harena.errors import UsageError
from harena.find import typed_games
from harena.kernel import patience
from harena.kernel.trusted import only_trusted
from harena.search.result import Limits


def review(
    number: int,
    player: str | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    again: bool = False,
    games: Sequence[str] = (),
    store: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Go over a stored game, by the champion or another player: what each decision cost, and where it was decided.

    A review that is kept is not made `again` unless that is asked for. `games` are files of games of one's own, which
    are loaded only if they are named; `progress` is told how much of how much is done. Ctrl-C ends it.
    """
    limits = Limits(nodes=nodes, seconds=seconds) if nodes or seconds else DEFAULT
    if (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
        raise UsageError("a limit is more than 0")
    with Store(store, writing=False) as opened:
        chosen = usual(opened.record(number).game) if player is None else player
        found = None if again else kept(opened, number, chosen, limits)
    if found is not None:
        return found
    with Store(store) as opened, only_trusted([*typed_games(games), *parse_agent(chosen).unwalled_code()]):
        if threading.current_thread() is not threading.main_thread():
            return make(opened, number, chosen, limits, progress=progress)
        try:
            return patience.run_until_stopped(
                lambda flag: make(opened, number, chosen, limits, progress=progress, flag=flag)
            )
        except ReviewStopped:
            raise KeyboardInterrupt from None
