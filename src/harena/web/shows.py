"""Games between two agents that are played here for somebody to watch.

A game goes on in a thread of its own, its agents in processes; each ply is kept and told as it comes, and whoever
watches asks for what he missed. Nobody who watches can slow it down.

A game that is being played has a file beside the store: what it is (its specification, with the seed of start and dice)
and what its agents have said. A server that is started again, also after it was killed, plays it from the start with
those answers, and asks the agents from there on.
"""

import re
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException

from harena.agents.contestant import Contestant, ProcessContestant, Said
from harena.agents.environments import environments_for
from harena.agents.fault import AgentFault, Stopped
from harena.agents.spawn import has_processes
from harena.agents.spec import parse_agent
from harena.api import State
from harena.arena.casual import keep
from harena.arena.claims import claimed
from harena.arena.contest import Contest, Spec
from harena.arena.play.referee import Referee
from harena.arena.play.session import SEEDS, GameSession
from harena.arena.record import Record
from harena.arena.replay import dumps
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.errors import HarenaError, UsageError
from harena.files import remove_unfinished
from harena.search.result import Limits
from harena.web.beside import folder_of, read_object, write_whole
from harena.web.config import Config
from harena.web.events import Feed
from harena.web.given import check_player, known_game
from harena.web.naming import without_paths
from harena.web.replays import heading, result, shown_ply
from harena.web.stored import stored_states

KIND = "watch"  # of the runs that hold such games
FOLDER = "shows"  # beside the store
NAME = re.compile(r"[0-9a-f]{12}")
MARGIN = 1.0  # seconds beyond an agent's limit: nothing hangs on them here
MOST_KEPT = 40  # games that can still be watched when they are over
SLOT = Slot(a=0, b=1, pair=0, swapped=False)
STARTING, PLAYING, OVER = "starting", "playing", "over"
DAMAGE = (HarenaError, KeyError, TypeError, ValueError, AttributeError)  # of a file that is not ours


class Heard:
    """A contestant whose answers a show hears, too; it may know them from before, and then nobody is asked."""

    def __init__(self, inner: Contestant, show: "Show") -> None:
        self.inner, self.show = inner, show
        self.begin, self.end, self.close = inner.begin, inner.end, inner.close

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """As the contestant does."""
        return self.show.heard(lambda: self.inner.choose(state, moves, limits, seed, allowed))


class Show:
    """One game: `plies` only grows, and `known` is the rest of its document.

    `said` are the answers of its agents so far, at first those that another server has heard; `run` is the run in which
    that one was about to store it. No other server on this store plays the game as long as we hold the `claim`.
    """

    def __init__(
        self,
        name: str,
        contest: Contest,
        config: Config,
        claim: ExitStack,
        *,
        said: Sequence[Said] = (),
        run: str | None = None,
    ) -> None:
        self.name, self.contest, self.config, self.claim = name, contest, config, claim
        self.path = folder_of(config.store, FOLDER) / f"{name}.json"
        self.feed = Feed()
        self.status = STARTING
        self.said, self.run = list(said), run
        self.asked = 0  # how many of the answers the referee has
        self.is_left = False  # the next server goes on with it
        number, self.start = contest.start_of(SLOT)
        self.options = contest.spec.variants[number]
        first, second = contest.spec.agents
        self.seats = (first, second)
        self.plies = [shown_ply(self.start)]
        self.known = heading(contest.spec.game, dict(self.options), self.seats)
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

    def begin(self) -> None:
        """Let them play; returns at once."""
        self._write()
        self.thread.start()

    def stop(self) -> None:
        """End it now; it is not stored."""
        self.contest.abort()

    def leave(self) -> None:
        """The server ends: the next one goes on with it."""
        self.is_left = True
        self.contest.abort()

    def heard(self, ask: Callable[[], Said]) -> Said:
        """The next answer: the one that is known, or what is asked for now."""
        if self.asked == len(self.said):
            if self.contest.aborted.is_set():  # a player in this process does not look
                raise Stopped
            self.said.append(ask())
            self._write()
        self.asked += 1
        return self.said[self.asked - 1]

    def _write(self) -> None:
        """Write its file; where that cannot be done the game goes on, and is lost if the server ends."""
        said = [asdict(one) for one in self.said]
        with suppress(OSError):
            write_whole(self.path, dumps({"spec": self.contest.spec.as_dict(), "run": self.run, "said": said}))

    def _run(self) -> None:
        seats = [self.contest.contestant(number) for number in (0, 1)]
        end: dict[str, Any] = {"end": "The game broke off.", "trouble": "the server could not go on with it"}
        try:
            for one in seats:
                if isinstance(one, ProcessContestant):
                    one.stubborn = True
                    with suppress(AgentFault):  # the referee finds out again
                        one.start()
            self.status = PLAYING
            self.feed.publish("status", {"status": PLAYING})
            record = self._play(Heard(seats[0], self), Heard(seats[1], self))
            if self.contest.aborted.is_set():
                raise Stopped
            *_, last = stored_states(record)
            end = result(record, last) | self._keep(record)
        except Stopped:
            end = {"end": "Stopped before its end."}
        except HarenaError as error:
            end = {"end": "The game broke off.", "trouble": without_paths(str(error))}
        finally:
            for contestant in seats:
                contestant.close()
            self._end(end)

    def _end(self, end: dict[str, Any]) -> None:
        """Tell how it ended, unless it is only the server that ends."""
        if not self.is_left:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
        self.claim.close()
        if self.is_left and self.contest.aborted.is_set():
            return
        self.known = self.known | end
        self.status = OVER
        self.feed.publish(OVER, end | {"status": OVER})

    def _play(self, first: Contestant, second: Contestant) -> Record:
        contest = self.contest
        referee = Referee(
            options=self.options,
            terms=(contest.terms[0], contest.terms[1]),
            conditions=contest.conditions,
            watch=self._show,
        )
        return referee.play(self.start, (first, second), self.seats, contest.seed_of(SLOT))

    def _show(self, session: GameSession) -> None:
        if not session.plies:
            return  # the start is known
        self.plies.append(shown_ply(session.state, session.plies[-1], self.seats))
        self.feed.publish("ply", {"number": len(self.plies) - 1, "ply": self.plies[-1]})

    def _keep(self, record: Record) -> dict[str, Any]:
        """Store it, once, so that it can be replayed; where that cannot be done the next server stores it."""
        spec = {"game": record.game, "options": dict(record.options), "agents": list(record.seats)}
        try:
            with Store(self.config.store) as store:
                if self.run is None:
                    self.run = store.new_run(KIND, spec).id
                    self._write()
                return {"number": keep(store, record, self.run), "run": self.run}
        except HarenaError as error:
            self.is_left = True
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
            local=not has_processes(),
            environments=environments_for(map(parse_agent, seats)),
        )
        name = secrets.token_hex(6)
        contest = Contest(spec)  # it may compile its game: nobody waits for that
        show = Show(name, contest, self.config, ExitStack())
        with self._lock:
            playing = sum(one.status != OVER for one in self._shows.values())
            if playing >= self.config.searches:
                raise HTTPException(503, f"{playing} games are being played here: wait for one, or stop it")
            over = [one.name for one in self._shows.values() if one.status == OVER]
            for old in over[: max(0, len(self._shows) - MOST_KEPT)]:
                del self._shows[old]
            self._shows[name] = show
        show.claim = _claimed(self.config, name)
        show.begin()
        return show

    def resume(self) -> None:
        """Go on with the games that were being played when the last server ended."""
        folder = folder_of(self.config.store, FOLDER)
        remove_unfinished(folder)
        for path in sorted(folder.glob("*.json")):
            if not NAME.fullmatch(path.stem):
                continue
            try:
                claim = _claimed(self.config, path.stem)
            except UsageError:
                continue  # another server plays it
            try:
                show = self._read(path, claim)
            except DAMAGE:  # or it may not be played here any more
                claim.close()
                path.unlink(missing_ok=True)
                continue
            with self._lock:
                self._shows[show.name] = show
            show.begin()

    def _read(self, path: Path, claim: ExitStack) -> Show:
        """The game of a file, if it could be begun here as well."""
        kept = read_object(path)
        spec = replace(Spec(**kept["spec"]), sandbox=self.config.sandbox, longest=self.config.longest_move)
        spec = replace(spec, local=not has_processes())
        known_game(spec.game, **spec.variants[0])
        for text in spec.agents:
            check_player(self.config, text, spec.game)
        said = [Said(**one) for one in kept["said"]]
        return Show(path.stem, Contest(spec), self.config, claim, said=said, run=kept["run"])

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
        """The server ends: nobody plays on here."""
        with self._lock:
            shows = [one for one in self._shows.values() if one.status != OVER]
        for show in shows:
            show.leave()
        for show in shows:
            show.thread.join(10)


def _claimed(config: Config, name: str) -> ExitStack:
    """A game for ourselves until this is closed; UsageError if another server on this store plays it."""
    claim = ExitStack()
    with suppress(OSError):  # where nothing can be written nobody else finds it, either
        claim.enter_context(claimed(config.store, name))
    return claim


def shows(app: FastAPI) -> Shows:
    """The games of this server."""
    if not hasattr(app.state, "shows"):
        app.state.shows = Shows(app.state.config)
    found: Shows = app.state.shows
    return found
