"""The processes of an agent: the one that was started, and all that came from it, wherever they put themselves.

Looking through all processes takes milliseconds, so it is done only when one was born since the last look: Linux tells
the number it gave last.
"""

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path
from signal import SIGCONT, Signals
from typing import NamedTuple

import psutil

LAST_BORN = Path("/proc/loadavg")
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
LONGEST_WAIT = 0.25  # seconds until a thread that waits is not waited for
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Load(NamedTuple):
    """What the system counts: seconds that each thread waited for a processor, and that each process had one."""

    waited: Mapping[int, float]  # up to when the thread got one last: a wait that goes on is not in it
    turns: Mapping[int, tuple[bytes, ...]]  # what changes when a thread gets one, or goes on having it
    used: Mapping[int, float]


NO_LOAD = Load({}, {}, {})


class Tree:
    """A process and its descendants; one that was seen once stays known when its parent has gone."""

    def __init__(self, root: int) -> None:
        self.root = root
        self._looked_at = ""
        self._known: dict[int, psutil.Process] = {}
        with contextlib.suppress(psutil.Error):
            self._known[root] = psutil.Process(root)

    def processes(self) -> list[psutil.Process]:
        """All that are known and alive, the root first."""
        born = _last_born()
        if not born or born != self._looked_at:
            self._looked_at = born
            self._look()
        return list(self._known.values())

    def _look(self) -> None:
        children: dict[int, list[int]] = {}
        for pid in psutil.pids():
            with contextlib.suppress(psutil.Error, OSError):
                children.setdefault(_parent(pid), []).append(pid)
        self._known = {pid: one for pid, one in self._known.items() if one.is_running()}
        todo = list(self._known)
        while todo:
            for pid in children.get(todo.pop(), []):
                if pid not in self._known:
                    with contextlib.suppress(psutil.Error):
                        self._known[pid] = psutil.Process(pid)
                        todo.append(pid)

    def signal(self, number: Signals) -> None:
        """To its group at once, then to whoever has left the group; again, should one have been born meanwhile."""
        self.signal_group(number)
        done: set[int] = set()
        while new := [one for one in self.processes() if one.pid not in done]:
            self._send(number, new)
            done.update(one.pid for one in new)

    def wake(self) -> None:
        """Let all go on that are known: what is stopped has no children that nobody has seen."""
        self.signal_group(SIGCONT)
        self._send(SIGCONT, list(self._known.values()))

    def signal_group(self, number: Signals) -> None:
        """To its group alone."""
        with contextlib.suppress(OSError):
            os.killpg(self.root, number)

    def _send(self, number: Signals, processes: list[psutil.Process]) -> None:
        for one in processes:
            with contextlib.suppress(psutil.Error, OSError):
                if os.getpgid(one.pid) != self.root:
                    one.send_signal(number)

    def resident(self) -> float:
        """Megabytes of resident memory, all together."""
        return sum(_resident(one.pid) for one in self.processes()) / 1e6

    def load(self) -> Load:
        """What the known processes have waited and used until now."""
        waited: dict[int, float] = {}
        turns: dict[int, tuple[bytes, ...]] = {}
        used: dict[int, float] = {}
        for pid in list(self._known):
            with contextlib.suppress(OSError, IndexError, ValueError):
                used[pid] = _used(pid)
                for thread in os.listdir(f"/proc/{pid}/task"):
                    ran, nanoseconds, times = _schedule(pid, thread)
                    waited[int(thread)], turns[int(thread)] = int(nanoseconds) / 1e9, (ran, times)
        return Load(waited, turns, used)

    def kept_waiting(self, before: Load, seconds: float) -> float:
        """How long, of so many seconds since this load, the machine had no processor for it: not if it took them all.

        An agent whose many threads or processes wait for each other had its share: what they used is taken off.
        """
        self._looked_at = ""
        self.processes()
        begin, first = time.perf_counter(), self.load()
        used = sum(first.used[one] - before.used.get(one, 0.0) for one in first.used)
        waiting, now, more = self._runnable(), first, 0.0
        while any(now.turns.get(one) == first.turns.get(one, ()) for one in waiting) and more < LONGEST_WAIT:
            time.sleep(0.001)  # until it gets its processor, and with it the wait is counted
            now, more = self.load(), time.perf_counter() - begin
        if more >= LONGEST_WAIT:
            return max(0.0, min(more, seconds - used))
        waited = max((now.waited[one] - before.waited.get(one, 0.0) for one in now.waited), default=0.0) - more
        return max(0.0, min(waited, seconds - used))

    def _runnable(self) -> list[int]:
        """The threads that run or wait for a processor."""
        found = []
        for pid in list(self._known):
            with contextlib.suppress(OSError):
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{thread}/stat", "rb") as file:
                        if file.read().rpartition(b")")[2].split()[0] == b"R":
                            found.append(int(thread))
        return found


def _schedule(pid: int, thread: str) -> list[bytes]:
    """Nanoseconds on a processor and waiting for one, and how often it got one: of a thread, not of its process."""
    with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:
        return file.read().split()


def _used(pid: int) -> float:
    """By all threads, also those that have ended."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _last_born() -> str:
    """The number that the system gave last; nothing where it does not tell."""
    try:
        return LAST_BORN.read_text().split()[-1]
    except OSError:
        return ""


def _parent(pid: int) -> int:
    """Faster than psutil, which makes an object first."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return int(psutil.Process(pid).ppid())


def _resident(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return float(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        with contextlib.suppress(psutil.Error):
            return float(psutil.Process(pid).memory_info().rss)
    return 0.0
