"""Searches for the page, all in one place: so many at once, so many waiting, so long, and none for who has left.

    result = await think(request, "mcts(c=0.5)", state, Limits(seconds=1))     # a player by its text, from the pool
    result = await think(request, mine, state, limits, seed=7)                 # a player that the caller keeps
    answer = await thinking(app).run(lambda flag: anything(flag), request)     # any other long work

A player by its text is lent to one search at a time and used again. A player that the caller keeps (for its tree, from
move to move) waits until its own search before is over.
"""

import asyncio
import math
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from fastapi import FastAPI, HTTPException
from numpy.typing import NDArray
from starlette.requests import Request

from harena.agents.external_player import MARGIN, ExternalPlayer
from harena.agents.player import NO_LIMITS, Player
from harena.api import Game, State
from harena.errors import BadOption
from harena.search.mcts import Mcts
from harena.search.result import Limits, Result
from harena.web.config import Config
from harena.web.given import known_player

Flag = NDArray[np.int64]  # one number: not 0 means stop
Answer = TypeVar("Answer")

WAITING = 32  # searches that may wait for a turn
IDLE = 8  # players that are kept for the next search
LOOK = 0.1  # seconds between two looks whether the browser is still there
PATIENCE = 0.5  # seconds before a crowded server is asked again
LEAVING = 2.0  # seconds in which searches that were stopped have to end when the server does


@dataclass
class Job:
    """A search that was asked for."""

    flag: Flag = field(default_factory=lambda: np.zeros(1, np.int64))
    started: float | None = None  # seconds of the clock; None while it waits
    slack: float = 0.0  # seconds beyond the longest move: an agent whose time is up is let say so

    def stop(self) -> None:
        """End it with what it has found so far."""
        self.flag[0] = 1


class Thinking:
    """The searches of one server."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._workers = ThreadPoolExecutor(config.searches, "search")
        self._jobs: dict[int, Job] = {}
        self._busy = 0  # threads that search, also for who has left
        self._lock = threading.Lock()
        self._idle: deque[tuple[str, Game, Player]] = deque(maxlen=IDLE)  # the one used last at the right
        self._own: weakref.WeakKeyDictionary[Player, threading.Lock] = weakref.WeakKeyDictionary()

    async def run(
        self, work: Callable[[Flag], Answer], request: Request | None = None, job: Job | None = None
    ) -> Answer:
        """The answer of a call in a thread. Its flag is set when it has run for too long or nobody waits for it."""
        job = job or Job()
        with self._lock:
            if len(self._jobs) >= self.config.searches + WAITING:
                raise HTTPException(503, "too many searches are waiting: try again in a moment")
            self._jobs[id(job)] = job
        future = asyncio.get_running_loop().run_in_executor(self._workers, self._worked, work, job)
        try:
            while not (await asyncio.wait({future}, timeout=LOOK))[0]:
                if request is not None and await request.is_disconnected():
                    job.stop()
                    if job.started is None:
                        raise HTTPException(503, "nobody waits for this any more")
                if job.started is not None and time.monotonic() - job.started > self.config.longest_move + job.slack:
                    job.stop()
            return future.result()
        finally:  # an answer, a mistake, or we are cancelled
            job.stop()
            future.cancel()
            with self._lock:
                self._jobs.pop(id(job), None)

    def _worked(self, work: Callable[[Flag], Answer], job: Job) -> Answer:
        with self._lock:
            self._busy += 1
        try:
            job.started = time.monotonic()
            return work(job.flag)
        finally:
            with self._lock:
                self._busy -= 1

    @contextmanager
    def lent(self, who: "str | Player", game: Game) -> Iterator[Player]:
        """A player for the calling thread alone."""
        if isinstance(who, Player):
            with self._lock:
                own = self._own.setdefault(who, threading.Lock())
            with own:
                yield who
            return
        found = self._taken(who, game) or known_player(self.config, who, game)
        yield found  # one whose search failed is not used again
        self._give_back(who, game, found)

    def _taken(self, text: str, game: Game) -> Player | None:
        with self._lock:
            for index in reversed(range(len(self._idle))):
                name, known, player = self._idle[index]
                if name == text and known == game:
                    del self._idle[index]
                    return player
        return None

    def _give_back(self, text: str, game: Game, found: Player) -> None:
        found.forget()
        if isinstance(found.search, Mcts):
            found.search.memory.tree = None  # hundreds of megabytes
        with self._lock:
            self._idle.append((text, game, found))

    def dismiss(self, players: Iterable[Player]) -> None:
        """These are needed no more: the processes of agents end, also of one that is being asked."""
        for one in players:
            if not isinstance(one, ExternalPlayer):
                continue
            with self._lock:
                own = self._own.setdefault(one, threading.Lock())
            if own.acquire(timeout=LEAVING):
                one.agent.close()
                own.release()
            elif one.agent.process is not None:
                one.agent.process.signal_kill()

    def close(self) -> None:
        """The server ends: searches are stopped and waited for a little, and the processes of agents go."""
        with self._lock:
            jobs, idle = list(self._jobs.values()), [player for _, _, player in self._idle]
            self._idle.clear()
        for job in jobs:
            job.stop()
        self._workers.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + LEAVING
        while self._busy and time.monotonic() < until:
            time.sleep(LOOK / 2)
        self.dismiss(idle)

    def begin(self, player: Player, job: Job) -> None:
        """Make a player ready to think; the time of a job is counted from here on, since compiling is not thinking."""
        if isinstance(player, ExternalPlayer):
            player.heed(job.flag)
        if not player.is_ready:
            job.slack = math.inf  # compiling ends by itself, and loading has a limit of its own
            player.ready()
        job.started = time.monotonic()
        job.slack = MARGIN if isinstance(player, ExternalPlayer) else 0.0

    def bounded(self, player: Player, limits: Limits) -> Limits:
        """The limits, with the server's own time for an agent whose process hears no flag."""
        longest = self.config.longest_move
        if limits.seconds is not None and limits.seconds > longest:
            raise BadOption(f"here a search takes at most {longest:g} seconds, not {limits.seconds:g}")
        if isinstance(player, ExternalPlayer) and (player.allowed(limits).seconds or longest + 1) > longest:
            return replace(limits, seconds=longest)
        return limits


def thinking(app: FastAPI) -> Thinking:
    """The searches of this server."""
    if not hasattr(app.state, "thinking"):
        app.state.thinking = Thinking(app.state.config)
    found: Thinking = app.state.thinking
    return found


async def think(
    whose: Request | FastAPI,
    who: str | Player,
    state: State,
    limits: Limits = NO_LIMITS,
    *,
    seed: int = 0,
    job: Job | None = None,
) -> Result:
    """What a player finds. The search of a request ends when its browser leaves; a `job` may be stopped by anybody."""
    request = whose if isinstance(whose, Request) else None
    searches = thinking(whose.app if isinstance(whose, Request) else whose)
    job = job or Job()

    def work(flag: Flag) -> Result:
        with searches.lent(who, state.game) as player:
            searches.begin(player, job)
            return player.think(state, searches.bounded(player, limits), seed=seed, flag=flag)

    return await searches.run(work, request, job)
