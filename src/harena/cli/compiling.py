"""A line that explains a long silence: code is compiled for the first time, and kept."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harena.kernel.switch import JIT

PATIENCE = 2.0  # seconds of compiling about which nothing is said
WORDS = "compiling for this game, only once: what is compiled is kept in the cache"


class Watch:
    """Counts the time that is spent compiling, and says once that it is long; loading what is kept does not count."""

    def __init__(self) -> None:
        self.depth = 0  # what is compiled may have to compile something else first
        self.begin = 0.0
        self.spent = 0.0
        self.is_said = False
        self.timer: threading.Timer | None = None

    def start(self) -> None:
        """Something is about to be compiled."""
        self.depth += 1
        if self.depth > 1 or self.is_said:
            return
        self.begin = time.perf_counter()
        left = PATIENCE - self.spent
        if left <= 0:
            self.say()
            return
        self.timer = threading.Timer(left, self.say)
        self.timer.daemon = True
        self.timer.start()

    def end(self) -> None:
        """It is compiled, or cannot be."""
        if self.depth == 0:  # it had begun before anybody listened
            return
        self.depth -= 1
        if self.depth == 0:
            self.spent += time.perf_counter() - self.begin
            self.stop()

    def stop(self) -> None:
        """Nothing is waited for any more; what is still being compiled is nobody's concern."""
        self.depth = 0
        if self.timer is not None:
            self.timer.cancel()
            self.timer.join()  # a process with one thread may be forked afterwards
            self.timer = None

    def say(self) -> None:
        """The line, on standard error."""
        if not self.is_said and sys.stderr is not None:
            self.is_said = True
            print(WORDS, file=sys.stderr, flush=True)


WATCH = Watch()  # of this process, so that nothing is said twice


@contextmanager
def announced(*, is_shown: bool = False) -> Iterator[None]:
    """Say inside that something is compiled, if that takes long.

    `is_shown`: the command has a display of its own that says so at a terminal; then only elsewhere.
    """
    if not JIT or (is_shown and sys.stderr is not None and sys.stderr.isatty()):
        yield
        return
    from numba.core.event import Listener, install_listener

    watch = WATCH

    class Compiler(Listener):
        """Numba tells it what it compiles."""

        def on_start(self, event: Any) -> None:
            watch.start()

        def on_end(self, event: Any) -> None:
            watch.end()

    with install_listener("numba:compile", Compiler()):
        try:
            yield
        finally:
            watch.stop()
