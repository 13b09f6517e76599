"""A run that is carried on in the terminal: shown while it plays, reported when it ends, however it ends."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any, NoReturn, Protocol

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from harena.arena.claims import claimed
from harena.arena.contest import Contest, NotStarted, Spec
from harena.arena.running import LOOKING
from harena.arena.sources import file_options
from harena.arena.store import FINISHED, RUNNING, STOPPED, Run, Store
from harena.cli.compiling import announced
from harena.cli.results_json import print_json
from harena.errors import HarenaError
from harena.kernel.trusted import quoted


def new_contest(spec: Spec, *, needs_all: bool = False) -> Contest:
    """A contest that is ready to play; says that rules are compiled for it, if that takes long."""
    with announced():
        return Contest(spec, needs_all=needs_all)


@contextmanager
def carried(
    kept: Store,
    run: Run,
    display: "Display | None",
    report: Callable[[Console], None],
    concurrency: int = 1,
    *,
    again: str = "",
    result: Callable[[], Mapping[str, Any]] | None = None,
) -> Iterator[Callable[[str], None]]:
    """Play inside; Ctrl-C or a signal to end keeps what there is and why, reports it and says how to go on.

    Without a display whoever plays shows how it goes. What it yields says a line above the display.
    With `result` a JSON object is printed in place of the report: nothing else goes to standard output.
    """
    console = Console(highlight=False, stderr=result is not None)
    again = again or f"go on with: {resuming(kept, run, concurrency)}"
    with claimed(kept.path, run.id):
        kept.finish(run.id, RUNNING)
        before = signal.signal(signal.SIGTERM, _interrupt)
        try:
            with _show(display) as shown, announced(is_shown=True):
                above = shown.console if shown is not None else Console(stderr=True)
                yield lambda line: above.print(Text(line, "dim"), soft_wrap=True)
        except KeyboardInterrupt as interrupt:
            hears = signal.signal(signal.SIGINT, signal.SIG_IGN)  # one more would cut the report short
            try:
                kept.finish(run.id, STOPPED, why="asked to stop" if isinstance(interrupt, Asked) else "Ctrl-C")
                _print_result(console, report, result, STOPPED)
                console.print(f"\nstopped; {again}", markup=False, soft_wrap=True)
            finally:
                signal.signal(signal.SIGINT, hears)  # whoever called us, and what it starts, hears it again
            raise SystemExit(130) from None
        except HarenaError as error:
            if isinstance(error, NotStarted) and kept.forget_empty(run.id):
                raise  # nothing was played, and nothing is left of it
            _stopped_by(kept, run, error)
            print(f"what was played is kept; {again}", file=sys.stderr)
            raise
        except Exception as error:  # a bug of ours
            _stopped_by(kept, run, error)
            raise
        finally:
            signal.signal(signal.SIGTERM, before)
        kept.finish(run.id, FINISHED)
        _print_result(console, report, result, FINISHED)


def _print_result(
    console: Console, report: Callable[[Console], None], result: Callable[[], Mapping[str, Any]] | None, status: str
) -> None:
    """Print the report, or the JSON object that replaces it."""
    if result is None:
        report(console)
    else:
        print_json({**result(), "status": status})


def going_on(kept: Store, run: Run, concurrency: int) -> str:
    """The line at the beginning of a run: whoever kills it is told nothing at its end."""
    return f"run {run.id}: {resuming(kept, run, concurrency)} goes on if it is stopped"


def resuming(kept: Store, run: Run, concurrency: int) -> str:
    """The command that goes on with a run, with as many games at once."""
    at_once = f" --concurrency {concurrency}" if concurrency != 1 else ""
    return f"harena resume {quoted(run.id)}{at_once}{file_options(run.spec)}{kept.option}"


class Asked(KeyboardInterrupt):
    """Somebody asked this process to end."""


def _stopped_by(kept: Store, run: Run, error: Exception) -> None:
    """Keep why a run ended early, if the store itself is not the trouble."""
    with suppress(HarenaError):
        kept.finish(run.id, STOPPED, why=str(error) or type(error).__name__)


class Display(Protocol):
    """A run as it goes: drawn anew again and again at a terminal, a line now and then elsewhere."""

    def __rich__(self) -> RenderableType: ...

    def progress_line(self) -> str:
        """How far the run has come, on one line."""


def _show(display: Display | None) -> AbstractContextManager[Live | None]:
    """Show a display while the run plays: live at a terminal, else as plain lines."""
    if display is None:
        return nullcontext()
    console = Console(stderr=True)
    if not console.is_terminal:
        return plain_progress(display.progress_line)
    return Live(Painted(display), console=console, refresh_per_second=4, transient=True)


@contextmanager
def plain_progress(line: Callable[[], str]) -> Iterator[None]:
    """Print how far it has come to standard error every half minute, where nobody sees a live display."""
    ended = threading.Event()
    begin = time.monotonic()

    def speak() -> None:
        while not ended.wait(PLAIN_EVERY):
            with LOOKING:
                said = line()
            minutes, seconds = divmod(int(time.monotonic() - begin), 60)
            with suppress(OSError, ValueError):  # the reader of standard error has gone
                print(f"after {minutes}:{seconds:02}: {said}", file=sys.stderr, flush=True)

    thread = threading.Thread(target=speak, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def games_line(played: int, total: int | None, *, before: int, begin: float) -> str:
    """How many games are played, and how quickly since `begin`, when there were so many `before`."""
    rate = 60 * (played - before) / max(1e-9, time.perf_counter() - begin)
    of = f" of {total:,}" if total is not None else ""
    return f"{played:,}{of} games, {rate:,.0f} a minute"


PLAIN_EVERY = 30.0  # seconds


class Painted:
    """A display that is never drawn while what it shows is changing."""

    def __init__(self, display: Display) -> None:
        self.display = display

    def __rich__(self) -> RenderableType:
        with LOOKING:
            return self.display.__rich__()


def _interrupt(number: int, frame: Any) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # `timeout` asks twice: once more would cut the report short
    raise Asked
