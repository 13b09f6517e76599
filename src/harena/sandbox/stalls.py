"""The machine's own stalls, as the watcher notes them while a contest is played.

An agent that overran its limit while the whole machine stood still has done nothing wrong.
"""

import threading
import time
from mmap import mmap
from typing import NamedTuple

from harena.sandbox.watcher import (
    ACTIVE,
    ASLEEP,
    BLOCK,
    CORE_HEADER,
    CORES,
    COUNT,
    HEADER,
    IS_EXACT,
    KEPT,
    NAP,
    NUMBER,
    WORST,
)
from harena.sandbox.workplace import workplace


class Stall(NamedTuple):
    """How long a core stood still within a span; `is_exact` if no program causes that by merely being busy."""

    seconds: float = 0.0
    is_exact: bool = True


class StallProbe:
    """Tells when the machine stood still; it watches between `start` and `stop`."""

    _watching = 0  # probes that are started, in this process
    _lock = threading.Lock()

    def __init__(self) -> None:
        self._is_started = False

    def start(self) -> None:
        """Begin to watch."""
        if not self._is_started:
            self._is_started = True
            self._count(1)

    def stop(self) -> None:
        """Watch no longer."""
        if self._is_started:
            self._is_started = False
            self._count(-1)

    @classmethod
    def _count(cls, change: int) -> None:
        memory = workplace().stalls
        with cls._lock:
            cls._watching += change
            if memory is not None:
                NUMBER.pack_into(memory, NUMBER.size * ACTIVE, cls._watching)

    @staticmethod
    def worst() -> float:
        """The longest stall so far, in seconds."""
        return max((_read(base + WORST) for base in _cores()), default=0.0)

    @staticmethod
    def lost(begin: float, end: float) -> Stall:
        """The longest that a core stood still within this span, on the clock of `time.perf_counter`."""
        memory = workplace().stalls
        if memory is None:
            return Stall()
        return max((_lost(memory, base, begin, end) for base in _cores()), default=Stall())


def _cores() -> list[int]:
    """Where the notes of each core begin; nothing if nobody watches."""
    here = workplace()
    if here.watcher is None or here.watcher.poll() is not None:
        return []
    return [HEADER + number * BLOCK for number in range(int(_read(CORES)))]


def _lost(memory: mmap, base: int, begin: float, end: float) -> Stall:
    def read(place: int) -> float:
        return float(NUMBER.unpack_from(memory, NUMBER.size * place)[0])

    asleep = read(base + ASLEEP)
    total = _overlap(asleep, max(0.0, time.perf_counter() - asleep - NAP), begin, end)  # a stall that is not over yet
    count = int(read(base + COUNT))
    for number in range(count - 1, max(-1, count - 1 - KEPT), -1):
        entry = base + CORE_HEADER + 2 * (number % KEPT)
        start, length = read(entry), read(entry + 1)
        if start + length < begin:
            break
        if start != asleep:
            total += _overlap(start, length, begin, end)
    return Stall(total, bool(read(base + IS_EXACT)))


def _overlap(start: float, length: float, begin: float, end: float) -> float:
    return max(0.0, min(start + length, end) - max(start, begin))


def _read(place: int) -> float:
    memory = workplace().stalls
    assert memory is not None
    return float(NUMBER.unpack_from(memory, NUMBER.size * place)[0])
