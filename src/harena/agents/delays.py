"""How long the referee itself may have been delayed while an agent's time ran.

A question that the referee cannot write yet, and an answer that it cannot read yet, cost the agent nothing. A thread of
the referee is delayed while it waits for a processor, and at the interpreter's lock while another thread runs or waits.
"""

import contextlib
import os
import threading
from collections.abc import Mapping
from typing import NamedTuple


class Schedule(NamedTuple):
    """Of one thread since it began, as the kernel counts."""

    ran: float  # seconds on a processor
    waited: float  # seconds for a processor


class ThreadFiles:
    """What the kernel counts of this process's threads; its files stay open, since they are read at every move."""

    def __init__(self) -> None:
        self._files: dict[int, int] = {}  # descriptors by thread
        self._pid = 0
        self._lock = threading.Lock()

    def read(self) -> Mapping[int, Schedule]:
        """What each thread has run and waited until now; nothing where the system does not tell."""
        with self._lock:
            if self._pid != os.getpid():  # a fork inherits files about the threads of another process
                self._close()
                self._pid = os.getpid()
            threads = {one.native_id for one in threading.enumerate() if one.native_id is not None}
            for gone in self._files.keys() - threads:
                os.close(self._files.pop(gone))
            return {thread: schedule for thread in threads if (schedule := self._schedule(thread)) is not None}

    def _schedule(self, thread: int) -> Schedule | None:
        with contextlib.suppress(OSError, IndexError, ValueError):
            if thread not in self._files:
                self._files[thread] = os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            ran, waited, _ = os.pread(self._files[thread], 100, 0).split()
            return Schedule(int(ran) / 1e9, int(waited) / 1e9)
        return None

    def _close(self) -> None:
        for descriptor in self._files.values():
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._files.clear()


_files = ThreadFiles()


class Delays:
    """Of one question: what delayed the referee when it mattered, never less than it was.

    That is before it first waited for the answer, and since it began the wait before the last one: an answer that comes
    while it waits is there at once.
    """

    def __init__(self) -> None:
        self._before_first = 0.0
        self._previous = self._last = _files.read()
        self._is_first = True

    def note_wait(self) -> None:
        """The calling thread is about to wait for the answer."""
        now = _files.read()
        if self._is_first:
            self._before_first, self._last, self._is_first = _between(self._last, now), now, False
        self._previous, self._last = self._last, now

    def seconds(self) -> float:
        """The most seconds that the calling thread can have been delayed."""
        return self._before_first + _between(self._previous, _files.read())


def _between(before: Mapping[int, Schedule], now: Mapping[int, Schedule]) -> float:
    own, total = threading.get_native_id(), 0.0
    for thread, (ran, waited) in now.items():
        ran_before, waited_before = before.get(thread, (0.0, 0.0))
        total += waited - waited_before + (ran - ran_before if thread != own else 0.0)
    return total
