"""Runs that browsers follow: one look at the store for all who watch a run, however many they are.

The store is asked every second while somebody watches, and less often where looking takes long; pages hear only that
something has changed, and ask for what they show, each at a moment of its own: a class that watches from one address
asks no more often than that address may.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI

from harena.arena.shelf import Wanted, newest
from harena.arena.store import LAST, RUNNING, STOPPED, Row, Run, Store
from harena.errors import HarenaError
from harena.web.config import Config
from harena.web.contests import INTERRUPTED, Held, Part, is_private, playing, status_of, view
from harena.web.events import Feed
from harena.web.naming import without_paths
from harena.web.starting import starter
from harena.web.watching import REFRESHES

EVERY = 1.0  # seconds between two looks
SHARE = 5.0  # a look that takes a second is followed by five without
LINGER = 20.0  # seconds that a run is looked at after the last browser has left
KEPT_EVENTS = 8  # a page that missed one asks anyway
KEPT_RUNS = 32


@dataclass(frozen=True, kw_only=True)
class Said:
    """What was said of a run, how it stood then, and until when it is said again although games have been added."""

    part: Part
    held: Held
    stood: tuple[Any, ...]
    fresh: float


class Followed:
    """One run: its games as far as they were read, and what was said of it last."""

    def __init__(self, app: FastAPI, run: str) -> None:
        config: Config = app.state.config
        self.app, self.path, self.name = app, config.store, run
        self.feed = Feed(KEPT_EVENTS)
        self.task: asyncio.Task[None] | None = None
        self._lock = threading.Lock()
        self._rows: list[Row] = []
        self._told: dict[bool, Said] = {}  # by whether names are hidden

    def look(self, *, hidden: bool = False) -> tuple[Part, Held]:
        """The run as it is now; StoreError if there is none. While somebody else looks: as it was a moment ago."""
        known = self._told.get(hidden)
        if not self._lock.acquire(blocking=known is None):
            assert known is not None
            return known.part, known.held
        try:
            with Store(self.path, writing=False) as store:
                found = self._look(store, hidden)
        finally:
            self._lock.release()
        return found.part, found.held

    def _look(self, store: Store, hidden: bool) -> Said:
        run, mine = store.run(self.name), starter(self.app)
        trouble, is_ours, status = mine.trouble(run.id), mine.is_ours(run.id), status_of(store, run)
        stood = (status, run.status, run.finished, is_ours, trouble)
        known, begin = self._told.get(hidden), time.monotonic()
        known = known if known is not None and known.stood == stood else None
        if known is not None and status == RUNNING and begin < known.fresh:
            return known
        self._read(store, run)
        if known is not None and status != RUNNING and len(known.held.rows) == len(self._rows):
            return known
        held = Held(store=store, run=run, rows=tuple(self._rows))
        part = view(held, hidden=hidden)
        if is_ours and status in (INTERRUPTED, STOPPED):
            part |= {"status": RUNNING, "resumable": False}  # its process is about to begin, or to end
        now = time.monotonic()
        fresh = now + max(EVERY, SHARE * (now - begin))
        said = Said(part=part | {"trouble": without_paths(trouble)}, held=held, stood=stood, fresh=fresh)
        self._told[hidden] = said
        return said

    def _read(self, store: Store, run: Run) -> None:
        """Take in the games that were added."""
        after = self._rows[-1].id if self._rows else 0
        fresh, _ = newest(store, Wanted(run=run.id, after=after), most=LAST)
        self._rows += reversed(fresh)

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
        left, quiet = time.monotonic(), 0.0
        while time.monotonic() - left < LINGER:
            begin = time.monotonic()
            try:
                found, boards = await asyncio.to_thread(self._looked_at)
            except (HarenaError, OSError):  # whoever asks is told; the store may be there again in a moment
                await asyncio.sleep(EVERY)
                left = time.monotonic() if self.feed.watchers else left
                continue
            now = (found["status"], found["trouble"], found["played"])
            before = before or now
            if now[:2] != before[:2] or (now != before and begin >= quiet):
                within = self.feed.watchers / REFRESHES
                told = {"played": now[2], "planned": found["planned"], "status": now[0], "within": round(within, 3)}
                self.feed.publish("changed", told)
                before, quiet = now, begin + within
            if boards != shown:
                self.feed.publish("playing", boards)
                shown = boards
            await asyncio.sleep(max(EVERY, SHARE * (time.monotonic() - begin)))
            left = time.monotonic() if self.feed.watchers else left


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
