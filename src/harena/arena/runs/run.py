"""A run that is being played, or about to be: a handle that iterates its events."""

import os
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from harena.arena.runs.executors import Executor, LocalExecutor, Play
from harena.arena.runs.kind import ResultPlace, RunKind
from harena.arena.runs.results import RunResult
from harena.arena.runs.runner import ASKED, Event, Runner, StopFlag, load_run
from harena.arena.sources import file_options
from harena.arena.store import FINISHED, Store
from harena.arena.store import Run as StoredRun
from harena.files import write_output
from harena.kernel.trusted import quoted

StorePath = str | os.PathLike[str] | None


class Run:
    """A run of a store; games are played while it is iterated, and what was played stays in the store."""

    def __init__(self, store: Store, stored: StoredRun, kind: RunKind, executor: Executor, play: Play | None = None):
        self.id, self.kind, self.executor = stored.id, kind, executor
        self.path, self.option = Path(store.path).absolute(), store.option
        self.command = resume_command(store, stored, executor.concurrency)
        self._play, self._stop = play, StopFlag()
        self._events: Generator[Event, None, None] | None = None

    def __iter__(self) -> Iterator[Event]:
        """The events; iterating again goes on where the last loop was left."""
        if self._events is None:
            self._events = self._follow()
        return self._events

    def _follow(self) -> Generator[Event, None, None]:
        with Store(self.path) as store:
            yield from Runner(store, self.executor).play(self.id, self.kind, self._stop, self._play)

    def stop(self, why: str = ASKED) -> None:
        """End it after the games that are stored; from another thread, or between two events. It can go on later."""
        self._stop.set(why)

    def play(self) -> Self:
        """Play it to its end, whatever happens meanwhile; the run itself."""
        with self:
            for _ in self:
                pass
        return self

    def result(self, *, progress: bool = False) -> RunResult:
        """Play it to its end, and write the files that it was asked for; what it has shown then.

        Of a run that was stopped, what it had shown by then. `progress` shows a bar, at a terminal or in a notebook.
        """
        if not self._stop.is_set:
            self._play_shown() if progress else self.play()
        with Store(self.path, writing=False) as store:
            status, numbers = store.run(self.id).status, store.numbers(self.id)
        if status == FINISHED:
            write_files(self.kind)
        place = ResultPlace(run=self.id, status=status, store=self.path, option=self.option, numbers=numbers)
        return self.kind.to_result(place)

    def _play_shown(self) -> None:
        from rich.console import Console
        from rich.live import Live

        from harena.arena.runs.display import RunDisplay

        with Live(RunDisplay(self.kind), console=Console(stderr=True), refresh_per_second=4, transient=True):
            self.play()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the loop for good: a run that is not over is stopped."""
        if self._events is None:
            return
        if isinstance(error, KeyboardInterrupt):
            with suppress(BaseException):
                self._events.throw(error)
        self._events.close()

    def numbers(self) -> dict[str, int]:
        """The numbers of its games in the store, by slot."""
        with Store(self.path, writing=False) as store:
            return store.numbers(self.id)


def start_run(
    kind: RunKind, store: StorePath = None, executor: Executor | None = None, play: Play | None = None
) -> Run:
    """Begin a new run; whatever makes no sense about it is said before anything is stored.

    `play` is its first batch of games, if that is ready already.
    """
    chosen = executor or LocalExecutor()
    play = play or chosen.prepare(kind.batch())
    kind.check(play)
    with Store(store) as opened:
        return Run(opened, opened.new_run(kind.kind, kind.to_dict()), kind, chosen, play)


def reopen_run(store: Store, stored: StoredRun, executor: Executor) -> Run:
    """Go on with a stored run; whatever makes no sense about it is said before it is touched."""
    kind = load_run(store, stored)
    play = executor.prepare(kind.batch()) if kind.missing() else None
    return Run(store, stored, kind, executor, play)


def write_files(kind: RunKind) -> list[str]:
    """Write the files that a run was asked for; their paths."""
    written = []
    for file, data in kind.files():
        write_output(file, data)
        written.append(file)
    return written


def resume_command(store: Store, run: StoredRun, concurrency: int) -> str:
    """The command that goes on with a run, with as many games at once."""
    at_once = f" --concurrency {concurrency}" if concurrency != 1 else ""
    return f"harena resume {quoted(run.id)}{at_once}{file_options(run.spec)}{store.option}"
