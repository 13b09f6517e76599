"""A run in the terminal: shown while it plays, reported when it ends, however it ends."""

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, ParamSpec, Protocol

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from harena.arena.contest import NotStarted
from harena.arena.runs.display import RunDisplay, print_blocks
from harena.arena.runs.run import Run, write_files
from harena.arena.runs.runner import AgentsReady, GameFinished, Progress, asked_by_signal
from harena.arena.store import FINISHED, STOPPED
from harena.cli.compiling import announced
from harena.errors import HarenaError

PLAIN_EVERY = 30.0  # seconds between two lines where there is no terminal
P = ParamSpec("P")


def announce(start: Callable[P, Run]) -> Callable[P, Run]:
    """Make a function that starts a run say that rules are compiled for it, if that takes long."""
    return announced()(start)


def play_run(run: Run, *, is_new: bool = False, as_json: bool = False, news: Sequence[str] = ()) -> None:
    """Play a run, with a display, report what it shows and write the files that it was asked for.

    A new run says first how it can be continued, and its `news`: once all agents are ready, where it needs all of them.
    """
    kind = run.kind
    beginning = [f"run {run.id}: {run.command} goes on if it is stopped", *news] if is_new else []
    with (
        live_run(
            RunDisplay(kind),
            lambda console: print_blocks(console, kind.report(run.id, run.option, run.numbers())),
            again=f"go on with: {run.command}",
            result=(lambda: kind.result_dict(run.id) or {}) if as_json else None,
            is_table_printed=kind.prints_lines,
        ) as screen,
        run,
    ):
        if beginning and not kind.needs_all:
            screen.say("\n".join(beginning))
        screen.print_lines(kind.new_lines())
        for event in run:
            if isinstance(event, AgentsReady) and beginning and kind.needs_all:
                screen.say("\n".join(beginning))
            elif isinstance(event, Progress):
                print(f"harena: {event.text}", file=sys.stderr, flush=True)
            elif isinstance(event, GameFinished):
                screen.print_lines(kind.new_lines())
    console = Console(highlight=False, stderr=as_json)
    for file in write_files(kind):
        console.print(Text(f"wrote {file}", "dim"), soft_wrap=True)


def print_json(result: Mapping[str, Any]) -> None:
    """Print one object on standard output."""
    print(json.dumps(result, indent=2), flush=True)


class Display(Protocol):
    """A run as it goes: drawn anew again and again at a terminal, a line now and then elsewhere."""

    def __rich__(self) -> RenderableType: ...

    def progress_line(self) -> str:
        """How far the run has come, on one line."""
        ...


@dataclass(frozen=True)
class Screen:
    """Where lines are printed while a display is shown: about the run, and of its report."""

    above: Console
    out: Console

    def say(self, line: str) -> None:
        """A line about the run, above the display."""
        self.above.print(Text(line, "dim"), soft_wrap=True)

    def print_lines(self, lines: Sequence[str]) -> None:
        """Lines of the report."""
        for line in lines:
            self.out.print(Text(line), soft_wrap=True)


@contextmanager
def live_run(
    display: Display | None,
    report: Callable[[Console], None],
    *,
    again: str,
    result: Callable[[], Mapping[str, Any]] | None = None,
    is_table_printed: bool = False,
) -> Iterator[Screen]:
    """Play inside; Ctrl-C or a signal to end reports what there is, and says `again`: how to go on.

    With `result` a JSON object is printed in place of the report: nothing else goes to standard output.
    `is_table_printed`: lines of the report go to standard output meanwhile.
    """
    console = Console(highlight=False, stderr=result is not None)
    with asked_by_signal():
        try:
            shown = Console(highlight=False, stderr=not is_table_printed)
            with _show(display, shown) as live, announced(is_shown=True):
                yield Screen(above=shown if isinstance(live, Live) else Console(stderr=True), out=shown)
        except KeyboardInterrupt:
            hears = signal.signal(signal.SIGINT, signal.SIG_IGN)  # one more would cut the report short
            try:
                _print_result(console, report, result, STOPPED)
                console.print(f"\nstopped; {again}", markup=False, soft_wrap=True)
            finally:
                signal.signal(signal.SIGINT, hears)  # whoever called us, and what it starts, hears it again
            raise SystemExit(130) from None
        except HarenaError as error:
            if not (isinstance(error, NotStarted) and error.is_run_removed):
                print(f"what was played is kept; {again}", file=sys.stderr)
            raise
    _print_result(console, report, result, FINISHED)


def _print_result(
    console: Console, report: Callable[[Console], None], result: Callable[[], Mapping[str, Any]] | None, status: str
) -> None:
    """Print the report, or the JSON object that replaces it."""
    if result is None:
        report(console)
    else:
        print_json({**result(), "status": status})


def _show(display: Display | None, console: Console) -> AbstractContextManager[object]:
    """Show a display while the run plays: live at a terminal, else as plain lines."""
    if display is None:
        return nullcontext()
    if not console.is_terminal:
        return plain_progress(display.progress_line)
    return Live(display, console=console, refresh_per_second=4, transient=True)


@contextmanager
def plain_progress(line: Callable[[], str]) -> Iterator[None]:
    """Print how far it has come to standard error every half minute, where nobody sees a live display."""
    ended = threading.Event()
    begin = time.monotonic()

    def speak() -> None:
        while not ended.wait(PLAIN_EVERY):
            text = line()
            minutes, seconds = divmod(int(time.monotonic() - begin), 60)
            with suppress(OSError, ValueError):  # the reader of standard error has gone
                print(f"after {minutes}:{seconds:02}: {text}", file=sys.stderr, flush=True)

    thread = threading.Thread(target=speak, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
