"""Pauses a contest while the machine is overloaded: then no clock is worth anything."""

import threading
import time

from harena.errors import HarenaError

SPIN = 0.05  # seconds of one try
ENOUGH, IN_A_ROW = 0.5, 3  # share of a processor that a busy thread has to get, this many times in a row
BETWEEN = 0.5  # seconds between two tries that fail
LONGEST = 30.0  # seconds after which the contest goes on all the same


class Infrastructure(HarenaError):
    """The machine's fault, not an agent's: the game is to be played again. `seat` is whose turn it was."""

    def __init__(self, seat: int, seconds: float) -> None:
        super().__init__(f"the machine had no processor for an agent within {seconds:.1f} s")
        self.seat = seat


class Pacer:
    """Lets games begin, unless the machine is overloaded."""

    def __init__(self) -> None:
        self._is_calm = threading.Event()
        self._is_calm.set()
        self._lock = threading.Lock()
        self.pauses = 0

    def wait(self, stopped: threading.Event) -> None:
        """Return when games may begin."""
        while not self._is_calm.wait(0.1) and not stopped.is_set():
            pass

    def pause(self, stopped: threading.Event) -> float:
        """Keep games from beginning until the machine is calm again; the seconds that took."""
        begin = time.monotonic()
        if not self._lock.acquire(blocking=False):  # another worker waits for calm: once is enough
            self.wait(stopped)
            return time.monotonic() - begin
        try:
            self.pauses += 1
            self._is_calm.clear()
            _wait_for_calm(stopped)
        finally:
            self._is_calm.set()
            self._lock.release()
        return time.monotonic() - begin


def _wait_for_calm(stopped: threading.Event) -> None:
    deadline, good = time.monotonic() + LONGEST, 0
    while good < IN_A_ROW and time.monotonic() < deadline and not stopped.is_set():
        good = good + 1 if processor_share(SPIN) >= ENOUGH else 0
        if not good:
            stopped.wait(BETWEEN)


def processor_share(seconds: float) -> float:
    """The share of a processor that a thread gets which is busy for so long."""
    begin, used = time.perf_counter(), time.thread_time()
    while time.perf_counter() - begin < seconds:
        pass
    return (time.thread_time() - used) / (time.perf_counter() - begin)
