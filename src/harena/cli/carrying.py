"""A run that is carried on in the terminal: shown while it plays, reported when it ends, however it ends."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, RichCast
from rich.live import Live

from harena.arena.store import FINISHED, STOPPED, Run, Store


@contextmanager
def carried(kept: Store, run: Run, display: RichCast, report: Callable[[Console], None]) -> Iterator[None]:
    """Play inside; Ctrl-C keeps what there is, reports it and says how to go on."""
    console = Console(highlight=False)
    try:
        with Live(display, console=Console(stderr=True), refresh_per_second=4, transient=True):
            yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # one more would cut the report short
        kept.finish(run.id, STOPPED)
        report(console)
        console.print(f"\nstopped; go on with: [bold]harena resume {run.id}[/bold]")
        raise SystemExit(130) from None
    kept.finish(run.id, FINISHED)
    report(console)
