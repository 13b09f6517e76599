"""Plays a run as an iterator of events: a terminal draws them, a page follows the store, a test collects them.

The runner holds the run's lock, keeps every game as it ends, and says in the store how the run stands. However it ends
(done, stopped, Ctrl-C, kill -9), the same run goes on from the store later.
"""

import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NoReturn

from harena.arena.claims import claimed
from harena.arena.contest import Notice, NotStarted, Paused, Played, Ready, Started
from harena.arena.now import shown
from harena.arena.record import Record
from harena.arena.runs.executors import Executor, LocalExecutor, Play
from harena.arena.runs.kind import CHANGING, RunKind
from harena.arena.runs.registry import kind_named
from harena.arena.slot import Slot, slot_of
from harena.arena.store import FINISHED, RUNNING, STOPPED, Run, Store
from harena.errors import HarenaError, UsageError

ASKED = "asked to stop"


# Events


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened to a run."""

    run: str


@dataclass(frozen=True, kw_only=True)
class AgentsReady(Event):
    """The agents of a game are ready, for the first time."""


@dataclass(frozen=True, kw_only=True)
class GameStarted(Event):
    """A game begins."""

    slot: Slot


@dataclass(frozen=True, kw_only=True)
class GameFinished(Event):
    """A game has ended and is in the store, under this number (None if another process has stored it before)."""

    slot: Slot
    record: Record
    number: int | None
    played: int  # games so far
    planned: int | None


@dataclass(frozen=True, kw_only=True)
class Progress(Event):
    """What is done besides games: a pause while the machine is overloaded, or work after the last game."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Decided(Event):
    """Nothing more is to be played; the run is finished."""


@dataclass(frozen=True, kw_only=True)
class Stopped(Event):
    """The run was asked to stop, and did; it can go on later."""

    why: str


# How a run stands


class Asked(KeyboardInterrupt):
    """Another process asked this one to end."""


@contextmanager
def asked_by_signal() -> Iterator[None]:
    """Turn SIGTERM into `Asked` inside, as Ctrl-C is a KeyboardInterrupt; only in the main thread."""
    before = signal.signal(signal.SIGTERM, _ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _ask(number: int, frame: Any) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # `timeout` asks twice: once more would cut the report short
    raise Asked


class StopFlag:
    """Stops a run, from another thread or between two events."""

    def __init__(self) -> None:
        self.is_set = False
        self.why = ASKED
        self.end_batch: Callable[[], None] = lambda: None

    def set(self, why: str = ASKED) -> None:
        """End the games that are being played; the store says why."""
        self.is_set, self.why = True, why
        self.end_batch()


@contextmanager
def hold_run(store: Store, run: str, stop: StopFlag | None = None) -> Iterator[None]:
    """Hold the lock of a run that is played inside; the store says how it stands, and why it was stopped."""
    flag = stop or StopFlag()
    with claimed(store.path, run):
        store.finish(run, RUNNING)
        try:
            yield
        except (KeyboardInterrupt, GeneratorExit) as interrupt:
            is_asked = flag.is_set or isinstance(interrupt, GeneratorExit | Asked)
            store.finish(run, STOPPED, why=flag.why if is_asked else "Ctrl-C")
            raise
        except Exception as error:
            if isinstance(error, NotStarted) and store.forget_empty(run):
                error.is_run_removed = True  # nothing was played, and nothing is left of it
                raise
            with suppress(HarenaError):  # the store itself may be the trouble
                store.finish(run, STOPPED, why=str(error) or type(error).__name__)
            raise
        if flag.is_set:
            store.finish(run, STOPPED, why=flag.why)
        else:
            store.finish(run, FINISHED)


# Playing


def stored_games(store: Store, run: str) -> list[tuple[Slot, Record]]:
    """The games that a run has, in the order of its schedule; damaged ones are told and count as missing."""
    return sorted(((slot_of(text), record) for text, record in store.games(run)), key=lambda pair: pair[0])


def load_run(store: Store, run: Run) -> RunKind:
    """A stored run with its games."""
    kind = kind_named(run.kind)
    if kind is None:
        raise UsageError(f"run {run.id} is of kind {run.kind}, which this version cannot play")
    return kind.from_dict(run.spec).add_all(stored_games(store, run.id))


class Runner:
    """Plays runs of a store."""

    def __init__(self, store: Store, executor: Executor | None = None) -> None:
        self.store, self.executor = store, executor or LocalExecutor()

    def begin(self, kind: RunKind) -> str:
        """Make a new run of it in the store."""
        return self.store.new_run(kind.kind, kind.to_dict()).id

    def play(
        self, run: str, kind: RunKind, stop: StopFlag | None = None, play: Play | None = None
    ) -> Generator[Event, None, None]:
        """Play what is missing; `play` is the first batch of games if it is ready already.

        `stop` ends it after what has been played. Closing the iterator does the same.
        """
        flag = stop or StopFlag()
        with hold_run(self.store, run, flag):
            yield from self._play_batches(run, kind, flag, play)
            if not flag.is_set:
                for text in kind.after_games():
                    yield Progress(run=run, text=text)
        yield Stopped(run=run, why=flag.why) if flag.is_set else Decided(run=run)

    def _play_batches(self, run: str, kind: RunKind, flag: StopFlag, play: Play | None) -> Iterator[Event]:
        is_ready = False
        while not flag.is_set and (missing := kind.missing()):
            kind.play = play or self.executor.prepare(kind.batch())
            for event in self._play_batch(run, kind, kind.play, missing, flag):
                if not isinstance(event, AgentsReady) or not is_ready:
                    yield event
                is_ready = is_ready or isinstance(event, AgentsReady)
            play = None

    def _play_batch(self, run: str, kind: RunKind, play: Play, missing: list[Slot], flag: StopFlag) -> Iterator[Event]:
        enough = threading.Event()

        def end() -> None:
            enough.set()
            play.abort()

        flag.end_batch = end
        with (
            shown(self.store.path, run, play.now),
            closing(play.follow(missing, self.executor.concurrency, enough)) as notices,
        ):
            for notice in notices:
                if isinstance(notice, Played):
                    yield self._keep(run, kind, play, notice)
                else:
                    yield _event(run, notice)
                if kind.ends_early and not enough.is_set():
                    end()

    def _keep(self, run: str, kind: RunKind, play: Play, game: Played) -> GameFinished:
        """Keep a game in the store, and take it in."""
        number = self.store.add_game(run, str(game.slot), game.record)
        if play.outputs is not None:
            play.outputs.ended(str(game.slot), number, game.record)
        with CHANGING:
            kind.add(game.slot, game.record)
        return GameFinished(
            run=run,
            slot=game.slot,
            record=game.record,
            number=number,
            played=len(kind.records),
            planned=kind.planned,
        )


def _event(run: str, notice: Notice) -> Event:
    if isinstance(notice, Started):
        return GameStarted(run=run, slot=notice.slot)
    if isinstance(notice, Ready):
        return AgentsReady(run=run)
    assert isinstance(notice, Paused)
    return Progress(run=run, text=notice.text)
