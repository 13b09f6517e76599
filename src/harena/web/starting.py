"""Matches and tournaments that somebody starts, stops or resumes from the page.

The server makes the run in the store and starts a runner for it (`web/runner.py`), in a process and a session of its
own: so a contest goes on when the server ends, and can be followed from the store like any other run.
"""

import signal
import subprocess
import tempfile
import threading
from dataclasses import replace
from typing import IO, Any

from fastapi import FastAPI, HTTPException

from harena.agents.spec import parse_agent
from harena.arena.claims import ask_to_stop, is_claimed
from harena.arena.conditions import pairs_of, sizes_of, spec_of
from harena.arena.contest import Contest, Spec
from harena.arena.runs.kind import RunKind
from harena.arena.runs.match import Match
from harena.arena.runs.registry import kind_entry, kind_named
from harena.arena.runs.tournament import Tournament
from harena.arena.store import FINISHED, RUNNING, STOPPED, Run, Store
from harena.errors import BadOption, UsageError
from harena.search.result import Limits
from harena.web.config import Config
from harena.web.given import check_player, known_game
from harena.web.runner import Order

MOST_GAMES = 20_000  # of one contest
STOPPED_CODES = (0, 130, -signal.SIGTERM)  # of processes that are done, or that somebody has stopped
LAST_WORDS = 2000  # bytes of what a process said


class Starter:
    """The contests that this server has started."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._lock = threading.Lock()
        self._children: dict[str, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}
        self._troubles: dict[str, str] = {}

    def begin(
        self,
        game: str,
        agents: list[str],
        limits: Limits,
        *,
        kind: str,
        games: int,
        rounds: int | None,
        size: str | None,
        setup: str | None,
        seed: int | None,
        concurrency: int,
    ) -> str:
        """Start a new contest; its run. Whatever makes no sense is said before anything is started."""
        for one in sizes_of(size or None):
            known_game(game, one, setup)
        for text in agents:
            check_player(self.config, text, game)
        spec = spec_of(
            game,
            agents,
            limits,
            sizes=size or None,
            setup=setup or None,
            walls=self.config.sandbox,
            seed=seed,
            longest=self.config.longest_move,
        )
        contest: RunKind
        if kind == Match.kind:
            if len(agents) != 2:
                raise BadOption(f"a match is between two agents, not {len(agents)}")
            contest = Match(spec=spec, pairs=pairs_of(games))
        else:
            if rounds is not None and kind != "swiss":
                raise BadOption(f"rounds are for a Swiss tournament, and this is {kind}")
            contest = Tournament(spec=spec, type=kind, pairs=pairs_of(games), rounds=rounds)
        planned = contest.planned or games * (len(agents) - 1)
        if planned > MOST_GAMES:
            raise BadOption(f"{planned:,} games are too many: at most {MOST_GAMES:,} from this page")
        Contest(spec)  # complains about limits
        with self._lock:
            with Store(self.config.store) as store:
                self._check_room(store)
                run = store.new_run(contest.kind, contest.to_dict()).id
            self._start(run, concurrency)
        return run

    def resume(self, run: str, concurrency: int) -> None:
        """Go on with a contest that was stopped or interrupted, wherever it was begun, if it could be begun here."""
        with Store(self.config.store, writing=False) as store:
            self._check_again(store.run(run))
        with self._lock, Store(self.config.store) as store:
            if store.run(run).status == FINISHED:
                raise UsageError("this contest is finished")
            if self.is_ours(run) or is_claimed(self.config.store, run):
                raise UsageError("this contest is being played already")
            self._check_room(store)
            store.finish(run, RUNNING)
            self._start(run, concurrency)

    def stop(self, run: str) -> None:
        """Ask a contest to end after what it has; it can go on later."""
        with self._lock:
            if ask_to_stop(self.config.store, run):
                return
            child = self._children.get(run)
            if child is None or child[0].poll() is not None:
                raise UsageError("nobody plays this contest now")
            child[0].terminate()  # it has not begun yet, so nothing is lost
            child[0].wait()
            self._children.pop(run)[1].close()
            with Store(self.config.store) as store:
                store.finish(run, STOPPED, why="asked to stop")

    def is_ours(self, run: str) -> bool:
        """Whether a process of ours plays it, or is about to."""
        child = self._children.get(run)
        return child is not None and child[0].poll() is None

    def trouble(self, run: str) -> str:
        """The last words of a process that failed."""
        with self._lock:
            child = self._children.get(run)
            if child is not None and child[0].poll() is not None:
                del self._children[run]
                with child[1] as said:
                    if child[0].returncode not in STOPPED_CODES:
                        self._troubles[run] = _last_line(said)
            return self._troubles.get(run, "")

    def close(self) -> None:
        """Listen no longer; the contests go on."""
        for _, said in self._children.values():
            said.close()

    def _start(self, run: str, concurrency: int) -> None:
        said = tempfile.TemporaryFile()  # noqa: SIM115 (closed when the process has ended)
        order = Order(
            run=run,
            store=str(self.config.store),
            concurrency=concurrency,
            longest=self.config.longest_move,
            sandbox=self.config.sandbox,
            agents=[str(folder) for folder in self.config.agents],
        )
        child = subprocess.Popen(
            order.command(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )
        self._troubles.pop(run, None)
        self._children[run] = (child, said)

    def _check_room(self, store: Store) -> None:
        """Complain if as many are played as may be, whoever plays them: those of a server before this one go on."""
        claimed = {run.id for run in store.runs() if is_claimed(store.path, run.id)}
        playing = len(claimed | {run for run in self._children if self.is_ours(run)})
        if playing >= self.config.contests:
            raise HTTPException(503, f"{playing} contests are being played: wait for one to end, or stop it")

    def _check_again(self, run: Run) -> None:
        """Complain about a contest that could not have been begun here: of the command line, or with other options."""
        if run.status == FINISHED:
            raise UsageError("this contest is finished")
        if not kind_entry(run.kind).is_resumable:
            raise UsageError(f"a run of kind {run.kind} goes on at the command line only")
        try:
            spec = Spec(**run.spec["spec"])
            spec = replace(spec, agents=[agent.from_folder(spec.folder).text for agent in spec.agent_specs()])
            for variant in spec.variants:
                known_game(spec.game, **variant)
            agents = [*spec.agents, *_varied_agents(run)]
            for text in agents:
                check_player(self.config, text, spec.game)
            is_trusted = all(parse_agent(text).is_trusted for text in agents)
            if spec.sandbox != self.config.sandbox and not is_trusted:
                raise UsageError(f"this contest has the sandbox {spec.sandbox!r}: it goes on at the command line only")
            Contest(replace(spec, longest=self.config.longest_move))
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
            raise UsageError("this contest describes itself in a way that this version does not know") from None


def _varied_agents(run: Run) -> list[str]:
    """The agents that a run makes by itself, as it begins: with the numbers that it tries out."""
    kind = kind_named(run.kind)
    first = kind.from_dict(run.spec).spec_for_next().agents if kind is not None else []
    return [text for text in first if text not in run.spec["spec"]["agents"]]


def _last_line(said: IO[bytes]) -> str:
    size = said.seek(0, 2)
    said.seek(max(0, size - LAST_WORDS))
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "its process ended without a word"


def starter(app: FastAPI) -> Starter:
    """That of this server."""
    if not hasattr(app.state, "starter"):
        app.state.starter = Starter(app.state.config)
    found: Any = app.state.starter
    assert isinstance(found, Starter)
    return found
