"""The processes of an agent: the one that was started, and all that came from it, wherever they put themselves.

Where a control group holds them, the kernel freezes, measures, counts and ends them as one. Elsewhere they are looked
for: going through all processes takes milliseconds, so it is done only when one was born since the last look (Linux
tells the number it gave last), and they are stopped by signals.
"""

import contextlib
import os
import signal
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from signal import Signals
from typing import NamedTuple

import psutil

from harena.sandbox.groups import Group

LAST_BORN = Path("/proc/loadavg")
LONGEST_WAIT = 0.25  # seconds until a thread that waits is not waited for
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
TICK_ERROR = 0.02  # seconds by which the machine's CPU time, counted in ticks, may be wrong
SPREAD = 2  # processors over which a wait that decides alone may have been divided
SHARED = b"s"  # of a mapping: other processes may have it too
SHARED_MEMORY = (b"/dev/zero", b"/memfd:", b"/SYSV")  # the names of mappings that are no files


class Load(NamedTuple):
    """What the system counts: how long the processes waited for a processor, and what they used.

    Of a control group all waits are known. Else those of each thread that was seen, up to when it got a processor last:
    a wait that goes on is not in it.
    """

    used: float = 0.0  # seconds of CPU time
    machine: float | None = 0.0  # seconds of CPU time of all programs on the cores; None: not needed
    together: float | None = None  # seconds that the group waited, on the average processor it was on
    waited: Mapping[int, float] = {}  # by thread; of a group whose waits the kernel counts by main threads alone
    turns: Mapping[int, tuple[bytes, ...]] = {}  # what changes when a thread gets a processor, or goes on having it


NO_LOAD = Load()


class Tree:
    """A process and its descendants; without a group, one that was seen once stays known when its parent has gone."""

    def __init__(
        self, root: int, group: Group | None = None, *, is_alone: bool = False, cores: Collection[int] = ()
    ) -> None:
        self.root, self.group, self.is_alone = root, group, is_alone  # alone: it never has children
        self.cores = frozenset(cores) or usable_cores()  # that its processes run on
        self._looked_at = ""
        self._known: dict[int, psutil.Process] = {}
        self._last_mapped = self._next_look_at_maps = 0.0
        self._waited: dict[int, float] = {}  # by thread, also of those that have ended
        self._schedules: dict[int, int] = {}  # descriptors of what the kernel counts of main threads, by process
        with contextlib.suppress(psutil.Error):
            self._known[root] = psutil.Process(root)

    def processes(self) -> list[psutil.Process]:
        """All that are known and alive, the root first."""
        if self.group is not None:
            self._take_members(self.group)
            return list(self._known.values())
        if self.is_alone:
            return list(self._known.values())
        born = _last_born()
        if not born or born != self._looked_at:
            self._looked_at = born
            self._look()
        return list(self._known.values())

    def _take_members(self, group: Group) -> None:
        members = group.members()
        known = {pid: one for pid, one in self._known.items() if pid in members or pid == self.root}
        for pid in members:
            if pid not in known:
                with contextlib.suppress(psutil.Error):
                    known[pid] = psutil.Process(pid)
        self._known = known

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

    # Turns and the end

    def pause(self) -> None:
        """Stop all processes until `wake`."""
        if self.group is not None:
            self.group.freeze()
        else:
            self.signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let all go on that are known: what is stopped has no children that nobody has seen."""
        if self.group is not None:
            self.group.thaw()
        else:
            self.signal_group(signal.SIGCONT)
            self._send(signal.SIGCONT, list(self._known.values()))

    def kill(self) -> None:
        """End all processes at once; from any thread."""
        if self.group is not None:
            self.group.kill()
        self.signal_group(signal.SIGKILL)

    def kill_all(self) -> None:
        """The same, and whoever has left the process group, where no control group holds them."""
        self.kill()
        if self.group is None:
            self.signal(signal.SIGKILL)

    def signal(self, number: Signals) -> None:
        """To its process group at once, then to whoever has left it; again, should one have been born meanwhile."""
        self.signal_group(number)
        if self.is_alone:
            return
        done: set[int] = set()
        while new := [one for one in self.processes() if one.pid not in done]:
            self._send(number, new)
            done.update(one.pid for one in new)

    def signal_group(self, number: Signals) -> None:
        """To its process group alone."""
        with contextlib.suppress(OSError):
            os.killpg(self.root, number)

    def _send(self, number: Signals, processes: list[psutil.Process]) -> None:
        for one in processes:
            with contextlib.suppress(psutil.Error, OSError):
                if os.getpgid(one.pid) != self.root:
                    one.send_signal(number)

    # What they use

    def memory(self) -> float:
        """Megabytes that all hold together: by the group's own count, else resident and shared memory added up."""
        counted = self.group.memory() if self.group is not None else None
        return (self._resident() if counted is None else counted) / 1e6

    def peak_memory(self) -> float:
        """The most resident megabytes that each living process ever held, added up."""
        return sum(_peak(one.pid) for one in self.processes()) / 1e6

    def _resident(self) -> float:
        """Resident bytes of all processes, and what they share but have given back without freeing it."""
        pids = [one.pid for one in self.processes()]
        counts = [_resident(pid) for pid in pids]
        return sum(own for own, _ in counts) + max(sum(shared for _, shared in counts), self._mapped(pids))

    def _mapped(self, pids: Sequence[int]) -> float:
        """Bytes of shared memory that the processes have mapped, touched or not; rarely looked at if it takes long."""
        begin = time.perf_counter()
        if begin >= self._next_look_at_maps:
            shared: dict[tuple[bytes, bytes], int] = {}
            for pid in pids:
                shared |= {place: max(size, shared.get(place, 0)) for place, size in _shared(pid).items()}
            self._last_mapped = float(sum(shared.values()))
            self._next_look_at_maps = begin + 50 * (time.perf_counter() - begin)
        return self._last_mapped

    def cpu_seconds(self) -> float:
        """CPU time of all processes and threads; also of children that have ended, as far as the kernel tells."""
        if self.group is not None:
            return self.group.cpu_seconds()
        return sum(_used(one.pid) for one in self.processes())

    def load(self) -> Load:
        """What the known processes have waited and used until now."""
        if self.group is not None and (together := self.group.waited_seconds()) is not None:
            machine = machine_seconds(self.cores) if self.group.counts_own else None
            waited, turns = self._main_threads()
            return Load(used=self.group.cpu_seconds(), machine=machine, together=together, waited=waited, turns=turns)
        turns = {}
        for pid in list(self._known):
            with contextlib.suppress(OSError, IndexError, ValueError):
                for thread in os.listdir(f"/proc/{pid}/task"):
                    ran, nanoseconds, times = _schedule(pid, thread)
                    self._waited[int(thread)], turns[int(thread)] = int(nanoseconds) / 1e9, (ran, times)
        used = self.group.cpu_seconds() if self.group is not None else sum(_used(pid) for pid in list(self._known))
        return Load(used=used, machine=machine_seconds(self.cores), waited=dict(self._waited), turns=turns)

    def _main_threads(self) -> tuple[dict[int, float], dict[int, tuple[bytes, ...]]]:
        """The waits and turns of the known processes' main threads; their files stay open between questions."""
        waited, turns = dict[int, float](), dict[int, tuple[bytes, ...]]()
        for pid in self._known:
            try:
                if pid not in self._schedules:
                    self._schedules[pid] = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
                ran, nanoseconds, times = os.pread(self._schedules[pid], 100, 0).split()
                waited[pid], turns[pid] = int(nanoseconds) / 1e9, (ran, times)
            except (OSError, ValueError):  # it has ended
                continue
        for pid in self._schedules.keys() - self._known.keys():
            os.close(self._schedules.pop(pid))
        return waited, turns

    def close(self) -> None:
        """Close the files that were kept open."""
        while self._schedules:
            os.close(self._schedules.popitem()[1])

    def first_load(self) -> Load:
        """The load when a question is asked: threads that have ended by now are not of interest any more."""
        self._waited.clear()
        if self.group is None or not self.group.counts_waits:
            self.processes()
        return self.load()

    def note_waits(self) -> None:
        """Look at the threads while they live: how long one waited is not told after its end, but for a group."""
        if self.group is None or not self.group.counts_waits:
            self.load()

    def kept_waiting(self, before: Load, seconds: float, *, by_one: bool = False) -> float:
        """How long, of so many seconds since this load, the machine had no processor for it.

        It never waited for more than what is left beside its own CPU time, nor for more than other programs kept the
        processors of its cores; a group's wait is counted only while something else has the processor. The kernel's
        count of a group is an average over the processors that it was on: waits on one after another are each counted
        in part, so the most that they can have been is taken, or what a main thread waited if that is more. Without a
        count of the whole group the waits of its threads are added up, since one waits for what another does. `by_one`
        asks for what a single thread can have waited.
        """
        if self.group is None or not self.group.counts_waits:
            self._looked_at = ""
            self.processes()
        now = self.load()
        used = now.used - before.used
        if now.together is not None and before.together is not None:
            spread = max(1, len(self.cores))
            if by_one:  # a thread that waits behind others of its group waits for no more than what these use
                spread = min(spread, SPREAD if now.machine is None else 1)
            waited = max(spread * (now.together - before.together), self._main_wait(before, now, seconds))
        else:
            waits = self._waits(before, now, seconds).values()
            waited = max(waits, default=0.0) if by_one else sum(waits)
        if now.machine is not None and before.machine is not None:
            waited = min(waited, max(0.0, now.machine - before.machine - used) + TICK_ERROR)
        return max(0.0, min(waited, seconds - used))

    def _main_wait(self, before: Load, now: Load, seconds: float) -> float:
        """The longest that a main thread waited for other programs than its own group's: exact for a single thread.

        Waits behind other threads of the group are left out, by subtracting all that these ran.
        """
        used, longest = now.used - before.used, 0.0
        for thread, waited in self._waits(before, now, seconds).items():
            if thread in before.turns and thread in now.turns:
                ran = (int(now.turns[thread][0]) - int(before.turns[thread][0])) / 1e9
                longest = max(longest, waited - max(0.0, used - ran))
        return longest

    def _waits(self, before: Load, first: Load, seconds: float) -> dict[int, float]:
        """How long each thread waited between two loads."""
        waiting, now, begin, more = self._runnable(), first, time.perf_counter(), 0.0
        while any(now.turns.get(one) == first.turns.get(one, ()) for one in waiting) and more < LONGEST_WAIT:
            time.sleep(0.001)  # until it gets its processor, and with it the wait is counted
            now, more = self.load(), time.perf_counter() - begin
        waits = {}
        for thread, total in now.waited.items():
            counted = total - before.waited.get(thread, 0.0)
            if thread in waiting and now.turns.get(thread) == first.turns.get(thread):  # it has not got one yet
                counted += seconds if now.turns.get(thread) == before.turns.get(thread) else more
            elif thread in waiting:
                counted -= more
            waits[thread] = max(0.0, counted)
        return waits

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


def usable_cores() -> frozenset[int]:
    """The cores that the calling thread may use; none where the system does not tell."""
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


def machine_seconds(cores: Collection[int]) -> float:
    """CPU time of all programs on these cores, and time that the machine below this one took; 0 if unknown."""
    total = 0
    try:
        with open("/proc/stat", "rb") as file:
            for line in file:
                name, *counts = line.split()
                if not name.startswith(b"cpu"):
                    break
                if name != b"cpu" and int(name[3:]) in cores:
                    user, nice, system, _, _, irq, soft, steal = map(int, counts[:8])
                    total += user + nice + system + irq + soft + steal
    except (OSError, ValueError):
        return 0.0
    return total / TICKS


def _schedule(pid: int, thread: str) -> list[bytes]:
    """Nanoseconds on a processor and waiting for one, and how often it got one: of a thread, not of its process."""
    with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:
        return file.read().split()


def _used(pid: int) -> float:
    """CPU seconds of a process and all its threads, and of the children that it has waited for."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        children = (int(fields[13]) + int(fields[14])) / TICKS
        return children + time.clock_gettime(~pid << 3 | 2)  # the clock of another process, to the nanosecond
    except (OSError, IndexError, ValueError):
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            return float(times.user + times.system)
    return 0.0


def _last_born() -> str:
    """The number that the system gave last; nothing where it does not tell."""
    try:
        return LAST_BORN.read_text("ascii").split()[-1]
    except OSError:
        return ""


def _parent(pid: int) -> int:
    """Faster than psutil, which makes an object first."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return int(psutil.Process(pid).ppid())


def _resident(pid: int) -> tuple[float, float]:
    """Resident bytes of a process: what is its own or a file's, and what it may share."""
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            counted = dict(line.split(b":", 1) for line in file.read().splitlines() if line.startswith(b"Rss"))
        own, files, shared = (1024.0 * int(counted[name].split()[0]) for name in (b"RssAnon", b"RssFile", b"RssShmem"))
        return own + files, shared
    except (OSError, IndexError, KeyError, ValueError):
        with contextlib.suppress(psutil.Error):
            return float(psutil.Process(pid).memory_info().rss), 0.0
    return 0.0, 0.0


def _peak(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/status", "rb") as file:
            return next(1024.0 * int(line.split()[1]) for line in file if line.startswith(b"VmHWM:"))
    except (OSError, StopIteration):
        return sum(_resident(pid))


def _shared(pid: int) -> dict[tuple[bytes, bytes], int]:
    """The bytes of memory, not of files, that a process shares by mapping it, touched or not; by where it is kept."""
    found: dict[tuple[bytes, bytes], int] = {}
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/maps", "rb") as file:
        for line in file:
            span, rights, offset, device, inode, *path = line.split(None, 5)
            if rights[3:4] == SHARED and path and path[0].startswith(SHARED_MEMORY):
                begin, end = (int(one, 16) for one in span.split(b"-"))
                found[device, inode] = max(found.get((device, inode), 0), int(offset, 16) + end - begin)
    return found
