"""Runs that browsers follow: one look at the store for all who watch a run, however many they are.

The store is asked every second while somebody watches, and less often where looking takes long; pages hear only that
something has changed, and ask for what they show.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from typing import Any

from fastapi import FastAPI

from harena.arena.shelf import Wanted, newest
from harena.arena.store import LAST, RUNNING, STOPPED, Row, Run, Store
from harena.web.config import Config
from harena.web.contests import INTERRUPTED, Held, Part, is_private, playing, status_of, view
from harena.web.events import Feed
from harena.web.starting import starter

EVERY = 1.0  # seconds between two looks
SHARE = 5.0  # a look that takes a second is followed by five without
LINGER = 20.0  # seconds that a run is looked at after the last browser has left
KEPT_EVENTS = 8  # a page that missed one asks anyway
KEPT_RUNS = 32


class Followed:
    """One run: its games as far as they were read, and what was said of it last."""

    def __init__(self, app: FastAPI, run: str) -> None:
        config: Config = app.state.config
        self.app, self.path, self.name = app, config.store, run
        self.feed = Feed(KEPT_EVENTS)
        self.task: asyncio.Task[None] | None = None
        self._lock = threading.Lock()
        self._rows: list[Row] = []
        self._looked = 0.0
        self._told: dict[bool, tuple[Any, Part]] = {}

    def look(self, *, hidden: bool = False) -> tuple[Part, Held]:
        """The run as it is now; StoreError if there is none."""
        with self._lock, Store(self.path, writing=False) as store:
            run = store.run(self.name)
            after = self._rows[-1].id if self._rows else 0
            fresh, _ = newest(store, Wanted(run=run.id, after=after), most=LAST)
            self._rows += reversed(fresh)
            held = Held(store=store, run=run, rows=self._rows)
            return self._view(held, run, hidden), held

    def _view(self, held: Held, run: Run, hidden: bool) -> Part:
        mine = starter(self.app)
        trouble, is_ours, status = mine.trouble(run.id), mine.is_ours(run.id), status_of(held.store, run)
        state = (len(self._rows), status, run.finished, is_ours, trouble)
        known = self._told.get(hidden)
        is_old = status == RUNNING and time.monotonic() - self._looked > EVERY  # how long it will take
        if known is None or known[0] != state or is_old:
            self._looked = time.monotonic()
            found = view(held, hidden=hidden)
            if is_ours and status in (INTERRUPTED, STOPPED):
                found |= {"status": RUNNING, "resumable": False}  # its process is about to begin, or to end
            self._told[hidden] = (state, found | {"trouble": trouble})
        return self._told[hidden][1]

    def _looked_at(self) -> tuple[Part, list[Part]]:
        """The run, and the boards of its games in progress where everybody may see who plays."""
        found, held = self.look()
        return found, [] if found["status"] != RUNNING or is_private(held.run) else playing(held)

    def watch(self) -> None:
        """Look at the store from now on, until nobody listens any more. Only from the server's own loop."""
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        before: Any = None
        shown: list[Part] = []
        left = time.monotonic()
        while time.monotonic() - left < LINGER:
            begin = time.monotonic()
            found, boards = await asyncio.to_thread(self._looked_at)
            now = (found["played"], found["status"], found["trouble"])
            if before is not None and now != before:
                self.feed.publish("changed", {"played": now[0], "planned": found["planned"], "status": now[1]})
            if boards != shown:
                self.feed.publish("playing", boards)
            before, shown = now, boards
            took = time.monotonic() - begin
            await asyncio.sleep(max(EVERY, SHARE * took))
            if self.feed.watchers:
                left = time.monotonic()


class Following:
    """The runs that are followed on one server; the ones asked for last are kept."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self._runs: OrderedDict[str, Followed] = OrderedDict()
        self._lock = threading.Lock()

    def run(self, name: str) -> Followed:
        """The run of this name; whether there is one shows when it is looked at."""
        with self._lock:
            found = self._runs.setdefault(name, Followed(self.app, name))
            self._runs.move_to_end(name)
            for other in [one for one, run in self._runs.items() if run.task is None or run.task.done()]:
                if len(self._runs) <= KEPT_RUNS:
                    break
                if other != name:
                    del self._runs[other]
            return found


def following(app: FastAPI) -> Following:
    """That of this server."""
    if not hasattr(app.state, "following"):
        app.state.following = Following(app)
    found: Any = app.state.following
    assert isinstance(found, Following)
    return found
