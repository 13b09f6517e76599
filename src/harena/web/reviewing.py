"""Reviews in the background: each is many short searches that take turns with all others, and is kept at the end.

One that is on its way has a file beside the store until it is done, has failed or was stopped: a server that is started
again, also after it was killed, begins anew with whatever was on its way.
"""

import asyncio
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from harena.agents.names import PLAYERS
from harena.arena.judgement import Review
from harena.arena.record import Record
from harena.arena.replay import dumps, from_text
from harena.arena.review import Reviewer
from harena.arena.reviews import keep
from harena.arena.store import Store
from harena.errors import BadOption, HarenaError, UnknownName
from harena.files import remove_unfinished
from harena.games.catalogue import CATALOGUE
from harena.web.beside import folder_of, read_object, write_whole
from harena.web.config import Config
from harena.web.events import Feed
from harena.web.thinking import PATIENCE, thinking
from harena.web.thinking import Job as Search

WAITING, RUNNING, DONE, FAILED, STOPPED = "waiting", "running", "done", "failed", "stopped"
AT_ONCE = 16  # reviews that may be on their way
REMEMBERED = 64  # jobs, finished ones included
TRIES = 5  # servers that may end before a review is done: it may be what ends them
STEP = 50  # events of progress that a review sends, about


@dataclass
class Job:
    """A review that was asked for."""

    number: int
    player: str
    state: str = WAITING
    done: int = 0
    total: int = 0
    words: str = ""  # what went wrong
    feed: Feed = field(default_factory=Feed)
    search: Search = field(default_factory=Search)  # the one that runs now
    is_stopped: bool = False
    task: "asyncio.Task[None] | None" = None

    @property
    def is_open(self) -> bool:
        """Whether there is more to come."""
        return self.state in (WAITING, RUNNING)

    def told(self) -> dict[str, Any]:
        """As JSON-ready data."""
        return {"state": self.state, "done": self.done, "total": self.total, "words": self.words}

    def stop(self) -> None:
        """Give it up."""
        self.is_stopped = True
        self.search.stop()


class Reviews:
    """All reviews that a server makes."""

    def __init__(self, app: FastAPI) -> None:
        config: Config = app.state.config
        self.app, self.config = app, config
        self.folder = folder_of(config.store, "reviews")
        self._jobs: OrderedDict[tuple[int, str], Job] = OrderedDict()
        self._is_closing = False

    def job(self, number: int, player: str) -> Job | None:
        """What is known of a review that was asked for here."""
        return self._jobs.get((number, player))

    def start(self, number: int, record: Record, player: str) -> Job:
        """Begin a review, unless it is on its way."""
        check(record, player)
        found = self.job(number, player)
        if found is not None and found.is_open:
            return found
        if sum(one.is_open for one in self._jobs.values()) >= AT_ONCE:
            raise HTTPException(503, "too many reviews are on their way: try again in a while")
        return self._begin(number, record, player, 1)

    def _begin(self, number: int, record: Record, player: str, tries: int) -> Job:
        job = self._jobs[number, player] = Job(number, player)
        self._jobs.move_to_end((number, player))
        for key in [key for key, one in self._jobs.items() if not one.is_open][: max(0, len(self._jobs) - REMEMBERED)]:
            del self._jobs[key]
        with suppress(OSError):  # a disk that is full: it is lost if the server ends, and no more
            write_whole(self._file(job), dumps({"number": number, "player": player, "tries": tries}))
        job.task = asyncio.get_running_loop().create_task(self._work(job, record))
        return job

    def _file(self, job: Job) -> Path:
        return self.folder / f"{job.number}-{job.player}.json"

    async def resume(self) -> None:
        """Begin again with the reviews that were on their way when the last server ended."""
        for number, player, tries, record in await asyncio.to_thread(self._left):
            if tries < TRIES:
                self._begin(number, record, player, tries + 1)
            else:
                words = f"the server ended {tries} times while it was made"
                job = self._jobs[number, player] = Job(number, player, state=FAILED, words=words)
                self._forget(job)

    def _left(self) -> list[tuple[int, str, int, Record]]:
        """The number, player, tries and game of each; one whose file is damaged or whose game has gone is forgotten."""
        remove_unfinished(self.folder)
        found = []
        for path in sorted(self.folder.glob("*.json")):
            try:
                kept = read_object(path)
                number, player, tries = int(kept["number"]), str(kept["player"]), int(kept["tries"])
                with Store(self.config.store, writing=False) as store:
                    record = from_text(store.text(number))
                check(record, player)
                found.append((number, player, tries, record))
            except (HarenaError, KeyError, TypeError, ValueError):
                path.unlink(missing_ok=True)
        return found

    def _forget(self, job: Job) -> None:
        with suppress(OSError):
            self._file(job).unlink(missing_ok=True)

    async def _work(self, job: Job, record: Record) -> None:
        try:
            found = await self._made(job, record)
            if found is not None:
                await run_in_threadpool(self._keep, job.number, found)
            job.state = DONE if found is not None else STOPPED
        except HarenaError as error:
            job.state, job.words = FAILED, str(error)
        except BaseException:  # told to whoever waits, then raised again: a stopped server too
            job.state, job.words = FAILED, "the server had to give it up"
            raise
        finally:
            if not self._is_closing:
                self._forget(job)
            job.feed.publish(job.state, job.told())

    async def _made(self, job: Job, record: Record) -> Review | None:
        """The review; None once it was stopped."""
        made: list[Reviewer] = []
        await self._turn(job, lambda flag: made.append(Reviewer(record, job.player)))
        reviewer = made[0] if made else None
        if reviewer is None:
            return None
        job.state, job.total = RUNNING, reviewer.total
        for step in reviewer.steps():
            await self._turn(job, step)
            if job.is_stopped:
                return None
            job.done += 1
            if job.done % max(1, job.total // STEP) == 0:
                job.feed.publish("progress", job.told())
        return reviewer.result()

    async def _turn(self, job: Job, step: Any) -> None:
        """One step, when its turn has come among all searches."""
        while not job.is_stopped:
            job.search = Search()
            try:
                await thinking(self.app).run(step, job=job.search)
                return
            except HTTPException:
                await asyncio.sleep(PATIENCE)

    def _keep(self, number: int, found: Review) -> None:
        with Store(self.config.store) as store:
            keep(store, number, found)

    def close(self) -> None:
        """The server ends; the next one begins again with what was on its way."""
        self._is_closing = True
        for job in self._jobs.values():
            job.stop()
            if job.task is not None:
                job.task.cancel()


def check(record: Record, player: str) -> None:
    """Complain about a review that is not made here."""
    if record.game not in CATALOGUE:
        raise BadOption("games of somebody's own are reviewed by `harena review` only")
    if player not in PLAYERS[record.game]:
        raise UnknownName(f"player of {record.game}", player, PLAYERS[record.game])


def reviews(app: FastAPI) -> Reviews:
    """Those of this server."""
    if not hasattr(app.state, "reviews"):
        app.state.reviews = Reviews(app)
    found: Reviews = app.state.reviews
    return found
