"""Games between two agents that are played here for somebody to watch, and runs of other processes that are followed.

A game goes on in a thread of its own, its agents in processes; each ply is kept and told as it comes, and whoever
watches asks for what he missed. Nobody who watches can slow it down.
"""

import asyncio
import secrets
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException

from harena.agents.contestant import Contestant, ProcessContestant, Said, Stopped
from harena.agents.process import AgentFault
from harena.api import State
from harena.arena.casual import SEEDS, keep
from harena.arena.claims import is_claimed
from harena.arena.contest import Contest, Slot, Spec
from harena.arena.record import Ply, Record
from harena.arena.referee import Referee
from harena.arena.shelf import Wanted, newest
from harena.arena.store import Run, Store
from harena.errors import HarenaError
from harena.search.result import Limits
from harena.web.config import Config
from harena.web.events import Feed
from harena.web.given import check_player, known_game
from harena.web.inplay import InPlay
from harena.web.naming import without_paths
from harena.web.replays import NOTHING, heading, result, shown_ply

KIND = "watch"  # of the runs that hold such games
MARGIN = 1.0  # seconds beyond an agent's limit: nothing hangs on them here
MOST_KEPT = 40  # games that can still be watched when they are over
REFRESHES = 5.0  # a second, of all pages together that show a run
LOOK = 1.0  # seconds between two looks into the store for the games of another process
SLOT = Slot(a=0, b=1, pair=0, swapped=False)
STARTING, PLAYING, OVER = "starting", "playing", "over"


class Heard:
    """A contestant whose answers somebody else hears, too."""

    def __init__(self, inner: Contestant, show: "Show") -> None:
        self.inner, self.show = inner, show
        self.begin, self.end, self.close = inner.begin, inner.end, inner.close

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """As the contestant does."""
        self.show.said = self.inner.choose(state, moves, limits, seed, allowed)
        return self.show.said


class Show:
    """One game: `plies` only grows, and `known` is the rest of its document."""

    def __init__(self, name: str, contest: Contest, config: Config) -> None:
        self.name, self.contest, self.config = name, contest, config
        self.feed = Feed()
        self.begun = time.time()
        self.status = STARTING
        self.said: Said | None = None
        number, self.start = contest.start_of(SLOT)
        self.options = contest.spec.variants[number]
        first, second = contest.spec.agents
        self.seats = (first, second)
        self.plies = [shown_ply(self.start)]
        self.known = heading(contest.spec.game, dict(self.options), self.seats, self.plies[0])
        self.thread = threading.Thread(target=self._run, name=f"show {name}", daemon=True)

    def told(self, after: int = 0) -> dict[str, Any]:
        """The document, with the plies from this one on."""
        status, known = self.status, self.known  # first: what is over has all its plies
        return {**known, "id": self.name, "status": status, "after": after, "plies": self.plies[after:]}

    def listed(self) -> dict[str, Any]:
        """A line of the list."""
        names = ("title", "game", "seats", "end", "winner", "number")
        return {"id": self.name, "status": self.status, "plies": len(self.plies) - 1} | {
            key: self.known[key] for key in names
        }

    def stop(self) -> None:
        """End it now; it is not stored."""
        self.contest.abort()

    def _run(self) -> None:
        seats = [self.contest.contestant(number) for number in (0, 1)]
        end: dict[str, Any] = {"end": "The game broke off.", "trouble": "the server could not go on with it"}
        try:
            for one in seats:
                if isinstance(one, ProcessContestant):
                    with suppress(AgentFault):  # the referee finds out again
                        one.start()
            self.status = PLAYING
            self.feed.publish("status", {"status": PLAYING})
            record = self._play(Heard(seats[0], self), Heard(seats[1], self))
            if self.contest.aborted.is_set():
                raise Stopped
            end = result(record) | self._keep(record)
        except Stopped:
            end = {"end": "Stopped before its end."}
        except HarenaError as error:
            end = {"end": "The game broke off.", "trouble": without_paths(str(error))}
        finally:
            for contestant in seats:
                contestant.close()
            self.known = self.known | end
            self.status = OVER
            self.feed.publish(OVER, end | {"status": OVER})

    def _play(self, first: Contestant, second: Contestant) -> Record:
        contest = self.contest
        referee = Referee(
            game=self.start.game,
            options=self.options,
            terms=(contest.terms[0], contest.terms[1]),
            margin=MARGIN,
            conditions=contest.conditions,
            watch=self._show,
        )
        return referee.play(self.start, (first, second), self.seats, contest.seed_of(SLOT))

    def _show(self, state: State) -> None:
        if state.previous is None:
            return  # the start is known
        said, self.said = self.said, None
        ply = NOTHING if said is None else Ply(by=state.previous.mover, **asdict(said))
        self.plies.append(shown_ply(state, ply))
        self.feed.publish("ply", {"number": len(self.plies) - 1, "ply": self.plies[-1]})

    def _keep(self, record: Record) -> dict[str, Any]:
        """Store it, so that it can be replayed; a store that cannot be written does not spoil the game."""
        spec = {"game": record.game, "options": dict(record.options), "agents": list(record.seats)}
        try:
            with Store(self.config.store) as store:
                run = store.new_run(KIND, spec)
                return {"number": keep(store, record, run.id), "run": run.id}
        except HarenaError as error:
            return {"trouble": without_paths(f"it is not stored: {error}")}


class Shows:
    """The games of one server that are played to be watched."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._shows: dict[str, Show] = {}
        self._lock = threading.Lock()

    def open(
        self, game: str, options: dict[str, Any], seats: tuple[str, str], limits: Limits, seed: int | None
    ) -> Show:
        """Begin a game; without a seed each has another start and other throws."""
        for text in seats:
            check_player(self.config, text, game)
        found = known_game(game, **options)
        spec = Spec(
            game=game,
            variants=[dict(found.options)],
            agents=list(seats),
            limits={key: value for key, value in vars(limits).items() if value is not None},
            seed=secrets.randbelow(SEEDS) if seed is None else seed,
            margin=MARGIN,
            sandbox=self.config.sandbox,
            longest=self.config.longest_move,
        )
        contest = Contest(spec)
        show = Show(secrets.token_hex(6), contest, self.config)  # it may compile its game: nobody waits for that
        with self._lock:
            playing = sum(one.status != OVER for one in self._shows.values())
            if playing >= self.config.searches:
                raise HTTPException(503, f"{playing} games are being played here: wait for one, or stop it")
            over = [one.name for one in self._shows.values() if one.status == OVER]
            for name in over[: max(0, len(self._shows) - MOST_KEPT)]:
                del self._shows[name]
            self._shows[show.name] = show
        show.thread.start()
        return show

    def find(self, name: str) -> Show:
        """The game of this name."""
        with self._lock:
            if name not in self._shows:
                raise HTTPException(404, "there is no such game to watch: it was played long ago, or never")
            return self._shows[name]

    def listed(self) -> list[dict[str, Any]]:
        """All that there are, the newest first."""
        with self._lock:
            return [one.listed() for one in reversed(self._shows.values())]

    def close(self) -> None:
        """Stop them all."""
        with self._lock:
            shows = list(self._shows.values())
        for show in shows:
            show.stop()
        for show in shows:
            show.thread.join(10)


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
        while playing:
            within = self.feed.watchers / REFRESHES
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
            if playing:
                await asyncio.sleep(max(LOOK, within))
            if not self.feed.watchers:
                return
        self.feed.publish(OVER, {"within": within})

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


def shows(app: FastAPI) -> Shows:
    """The games of this server."""
    if not hasattr(app.state, "shows"):
        app.state.shows = Shows(app.state.config)
    found: Shows = app.state.shows
    return found


def follower(app: FastAPI, run: str) -> Follower:
    """Whoever follows a run."""
    if not hasattr(app.state, "followers"):
        app.state.followers = {}
    followers: dict[str, Follower] = app.state.followers
    for name in [name for name, one in followers.items() if not one.feed.watchers and name != run]:
        del followers[name]
    return followers.setdefault(run, Follower(app.state.config, run))
