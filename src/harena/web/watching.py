"""Runs of other processes that are followed game by game, as long as somebody listens."""

import asyncio

from fastapi import FastAPI

from harena.arena.claims import is_claimed
from harena.arena.shelf import Wanted, newest
from harena.arena.store import Run, Store
from harena.errors import HarenaError
from harena.web.config import Config
from harena.web.events import Feed
from harena.web.inplay import InPlay

REFRESHES = 5.0  # a second, of all pages together that show a run
LOOK = 1.0  # seconds between two looks into the store for the games of another process
IDLE = 5.0  # seconds between two looks at a run that nobody plays: it may be resumed
OVER = "over"


def runs_in_progress(store: Store) -> list[Run]:
    """The runs that some process is playing now, the latest first."""
    return [run for run in reversed(store.runs()) if is_claimed(store.path, run.id)]


class Follower:
    """Tells of every game that another process adds to a run, as long as somebody listens."""

    def __init__(self, config: Config, run: str) -> None:
        self.config, self.run, self.feed = config, run, Feed()
        self.games = InPlay(config.store, run)
        self.task: asyncio.Task[None] | None = None
        self.last: int | None = None  # the newest game that is known, once somebody has looked

    def wake(self) -> None:
        """Look into the store from now on; only from the server's own loop."""
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        self.last, playing = None, True
        while True:
            within, before = self.feed.watchers / REFRESHES, playing
            try:
                if self.last is None:
                    self.last = await asyncio.to_thread(self._newest)
                numbers, playing = await asyncio.to_thread(self._look, self.last)
                news = await asyncio.to_thread(self.games.look)
            except (HarenaError, OSError):  # the store may be there again in a moment
                numbers, news = [], []
            for kind, told in news:
                self.feed.publish(kind, told)
            for number in numbers:
                self.feed.publish("game", {"number": number, "within": within})
                self.last = number
            if before != playing:
                self.feed.publish("begun" if playing else OVER, {"within": within})
            await asyncio.sleep(max(LOOK if playing else IDLE, within))
            if not self.feed.watchers:
                return

    def _newest(self) -> int:
        with Store(self.config.store, writing=False) as store:
            rows, _ = newest(store, Wanted(run=self.run), most=1)
        return rows[0].id if rows else 0

    def _look(self, last: int) -> tuple[list[int], bool]:
        """The numbers of new games, and whether there may be more."""
        playing = is_claimed(self.config.store, self.run)  # before the look: what is added later is found by another
        with Store(self.config.store, writing=False) as store:
            rows, _ = newest(store, Wanted(run=self.run, after=last), most=200)
        return [row.id for row in reversed(rows)], playing


def follower(app: FastAPI, run: str) -> Follower:
    """Whoever follows a run."""
    if not hasattr(app.state, "followers"):
        app.state.followers = {}
    followers: dict[str, Follower] = app.state.followers
    for name in [name for name, one in followers.items() if not one.feed.watchers and name != run]:
        del followers[name]
    return followers.setdefault(run, Follower(app.state.config, run))
