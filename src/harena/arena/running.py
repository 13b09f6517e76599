"""A run of a contest against its store: plays what is missing, keeps every game as it ends, and can be stopped.

However it ends (done, Ctrl-C, kill -9), the same run goes on from the store later.
"""

import threading
from collections.abc import Callable, Iterable

from harena.arena.contest import Contest, Slot, slot_of
from harena.arena.record import Record
from harena.arena.store import Store

Watch = Callable[[Slot, Record], bool]  # told every game; True: enough


def stored(store: Store, run: str) -> list[tuple[Slot, Record]]:
    """The games that a run has, in the order of its schedule."""
    return sorted(((slot_of(text), record) for text, record in store.games(run)), key=lambda pair: pair[0])


def play_missing(
    store: Store, run: str, contest: Contest, slots: Iterable[Slot], concurrency: int, watch: Watch
) -> None:
    """Play the games that the store lacks, telling each; returns when all are played or the watcher has enough."""
    done = store.slots_done(run)
    missing = [slot for slot in slots if str(slot) not in done]
    stop = threading.Event()
    for slot, record in contest.run(missing, concurrency, stop):
        store.add_game(run, str(slot), record)
        if watch(slot, record):
            stop.set()
            contest.abort()
