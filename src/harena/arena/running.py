"""A run of a contest against its store: plays what is missing, keeps every game as it ends, and can be stopped.

However it ends (done, Ctrl-C, kill -9), the same run goes on from the store later.
"""

import threading
from collections.abc import Callable, Iterable

from harena.arena.contest import Contest
from harena.arena.now import shown
from harena.arena.record import Record
from harena.arena.slot import Slot, slot_of
from harena.arena.store import Store

RESUMABLE = ("match", "tournament", "sweep", "tune", "isolation-tournament")  # kinds of runs that `harena resume` takes
Watch = Callable[[Slot, Record], bool]  # told every game; True: enough
LOOKING = threading.RLock()  # held while a game is told, and by whoever looks at what was told from another thread


def stored(store: Store, run: str) -> list[tuple[Slot, Record]]:
    """The games that a run has, in the order of its schedule; damaged ones are told and count as missing."""
    return sorted(((slot_of(text), record) for text, record in store.games(run)), key=lambda pair: pair[0])


def play_missing(
    store: Store, run: str, contest: Contest, slots: Iterable[Slot], concurrency: int, watch: Watch
) -> None:
    """Play the games that the store lacks, telling each; returns when all are played or the watcher has enough."""
    done = {slot for slot, _ in stored(store, run)}
    missing = [slot for slot in slots if slot not in done]
    stop = threading.Event()
    with shown(store.path, run, contest.now):
        for slot, record in contest.run(missing, concurrency, stop):
            number = store.add_game(run, str(slot), record)
            if contest.outputs is not None:
                contest.outputs.ended(str(slot), number, record)
            with LOOKING:
                enough = watch(slot, record)
            if enough:
                stop.set()
                contest.abort()
