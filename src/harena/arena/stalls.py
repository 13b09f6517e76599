"""The machine's own stalls: a thread that sleeps a millisecond at a time and notes when it was woken late.

An agent that overran its limit while the whole machine stood still has done nothing wrong.
"""

import threading
import time
from collections import deque

NAP = 0.001
WORTH_NOTING = 0.004
KEPT = 10_000


class StallProbe:
    """Runs while a match does."""

    def __init__(self) -> None:
        self.stalls: deque[tuple[float, float]] = deque(maxlen=KEPT)  # begin and length
        self.worst = 0.0
        self._asleep_since = float("inf")
        self._done = threading.Event()

    def start(self) -> None:
        """Begin to watch."""
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._done.is_set():
            begin = self._asleep_since = time.perf_counter()
            time.sleep(NAP)
            late = time.perf_counter() - begin - NAP
            if late > WORTH_NOTING:
                self.stalls.append((begin, late))
                self.worst = max(self.worst, late)

    def lost(self, begin: float, end: float) -> float:
        """The seconds within this span in which nothing ran."""
        asleep = self._asleep_since
        unfinished = (asleep, max(0.0, time.perf_counter() - asleep - NAP))  # a stall that is not over yet
        past = [(start, length) for start, length in list(self.stalls) if start != asleep]
        spans = ((max(start, begin), min(start + length, end)) for start, length in [*past, unfinished])
        return sum(max(0.0, stop - start) for start, stop in spans)

    def stop(self) -> None:
        """End the thread."""
        self._done.set()
