"""How long the referee itself may have been delayed while an agent's time ran.

A question that the referee cannot write yet, and an answer that it cannot read yet, cost the agent nothing. A thread of
the referee is delayed while it waits for a processor, and at the interpreter's lock while another thread runs or waits.
"""

import contextlib
import os
import threading
from collections.abc import Iterable, Sequence

Snapshot = Sequence[tuple[int, bytes]]  # by thread, what the kernel counts of it since it began, as it is read


class ThreadFiles:
    """What the kernel counts of this process's threads.

    It is read at every move and of interest only when an answer is late, so files stay open, and nothing is parsed.
    """

    def __init__(self) -> None:
        self._files: dict[int, int] = {}  # descriptors by thread
        self._pid = 0
        self._lock = threading.Lock()

    def read(self) -> Snapshot:
        """What each thread has run and waited until now; nothing where the system does not tell."""
        with self._lock:
            if self._pid != os.getpid():  # a fork inherits files about the threads of another process
                self._close(list(self._files))
                self._pid = os.getpid()
            files, found = self._files, list[tuple[int, bytes]]()
            for one in threading.enumerate():
                thread = one.native_id
                if thread is not None:
                    try:
                        found.append((thread, os.pread(files[thread], 100, 0)))
                    except (KeyError, OSError):  # a new thread, maybe with the number of one that has ended
                        found += self._read_new(thread)
            if len(files) > len(found):
                self._close(files.keys() - {thread for thread, _ in found})
            return found

    def _read_new(self, thread: int) -> Snapshot:
        self._close([thread] if thread in self._files else [])
        try:
            self._files[thread] = os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            return [(thread, os.pread(self._files[thread], 100, 0))]
        except OSError:
            return []

    def _close(self, threads: Iterable[int]) -> None:
        for thread in threads:
            with contextlib.suppress(OSError):
                os.close(self._files.pop(thread))


_files = ThreadFiles()


class Delays:
    """Of one question: what delayed the referee when it mattered, never less than it was.

    That is before it first waited for the answer, and since it began the wait before the last one: an answer that comes
    while it waits is there at once.
    """

    def __init__(self) -> None:
        self._begin = self._previous = self._last = _files.read()
        self._first: Snapshot | None = None

    def note_wait(self) -> None:
        """The calling thread is about to wait for the answer."""
        now = _files.read()
        if self._first is None:
            self._first = self._last = now
        self._previous, self._last = self._last, now

    def seconds(self) -> float:
        """The most seconds that the calling thread can have been delayed."""
        before_first = 0.0 if self._first is None else _between(self._begin, self._first)
        return before_first + _between(self._previous, _files.read())


def _between(before: Snapshot, now: Snapshot) -> float:
    own, total = threading.get_native_id(), 0.0
    earlier = dict(before)
    for thread, data in now:
        ran, waited = _parse(data)
        ran_before, waited_before = _parse(earlier.get(thread, b""))
        total += waited - waited_before + (ran - ran_before if thread != own else 0.0)
    return total


def _parse(data: bytes) -> tuple[float, float]:
    """The seconds that a thread was on a processor, and those that it waited for one."""
    try:
        ran, waited, _ = data.split()
        return int(ran) / 1e9, int(waited) / 1e9
    except ValueError:
        return 0.0, 0.0
