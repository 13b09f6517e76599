"""Waiting for a long kernel so that Ctrl-C is heard: compiled code does not return to Python until it is done."""

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from harena.errors import Endless

Result = TypeVar("Result")
NAP = 0.1  # seconds
KERNEL = "kernel"  # the name of such threads
GRACE = 5.0  # seconds in which a search that is stopped returns
OVERTIME = 30.0  # seconds beyond its own limit after which nobody waits for a search
CAUSE = "rules, a heuristic or a search of your own may have no end (does outcome end every game?)"


class _Late(Exception):
    """The moment until which one waits; no TimeoutError, which may be what the call itself raises."""


class Task(Generic[Result]):
    """A call in a thread of its own, of which one may wait for the end."""

    def __init__(self, function: Callable[[], Result]) -> None:
        self.function, self.done = function, threading.Event()
        self.results: list[Result] = []
        self.errors: list[BaseException] = []
        self.thread = threading.Thread(target=self.work, name=KERNEL, daemon=True)

    def work(self) -> None:
        """What the thread does."""
        try:
            self.results.append(self.function())
        except BaseException as error:  # all of it is raised where the result is waited for
            self.errors.append(error)
        self.done.set()

    def wait(self, until: float = float("inf")) -> Result:
        """The result; in short naps, in which Ctrl-C is heard. _Late at this moment of `time.monotonic`."""
        if self.thread.ident is None:
            self.thread.start()
        while not self.done.wait(NAP):
            if time.monotonic() > until:
                raise _Late
        if self.errors:
            raise self.errors[0]
        return self.results[0]


def is_left_alone() -> bool:
    """Whether a kernel still runs that nobody waits for any more: then the end of the process must not either."""
    return any(one.name == KERNEL for one in threading.enumerate())


def run(function: Callable[..., Result], *arguments: Any) -> Result:
    """The function's result; Ctrl-C raises KeyboardInterrupt at once and leaves the kernel to the process's end."""
    return Task(lambda: function(*arguments)).wait()


def run_until_stopped(function: Callable[[Any], Result], seconds: float | None = None) -> Result:
    """The result of a search that is given a flag: Ctrl-C sets it, and the search returns with what it has so far.

    One that does not, or not long after its limit of seconds, is left to itself, and why is said.
    """
    flag = np.zeros(1, np.int64)
    task = Task(lambda: function(flag))
    until = float("inf") if seconds is None else time.monotonic() + seconds + OVERTIME
    is_asked = False
    while True:
        try:
            return task.wait(until)
        except KeyboardInterrupt:
            if flag[0]:  # a second one: whatever it is, it does not listen
                raise
            flag[0], is_asked, until = 1, True, time.monotonic() + GRACE
        except _Late:
            if task.done.is_set():  # just now
                continue
            if is_asked:
                raise Endless(f"stopped, but the search goes on {GRACE:g} s later: {CAUSE}") from None
            if flag[0]:
                raise Endless(f"no answer {OVERTIME:g} s after the limit of {seconds:g} s: {CAUSE}") from None
            flag[0], until = 1, time.monotonic() + GRACE  # it may be the process that stood still: Ctrl-Z, and fg
