"""Control groups of Linux: processes that are frozen, measured, limited and ended as one.

Freezing, ending and measuring CPU time need version 2 of the kernel's control groups and no controller. The limits of
memory and of processes need the controllers `memory` and `pids`, of version 2 or, where the system mounts both versions
side by side (the hybrid layout), of version 1. Groups are made below the group of this process: as root, or where the
group is delegated to the user (`systemd-run --user --scope --property=Delegate=yes COMMAND`).
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

CONTROLLERS = ("memory", "pids")
UNIFIED = ""  # the name of version 2 among the hierarchies
PATIENCE = 5.0  # seconds to wait for the end of processes that were killed
MEMBERS = "cgroup.procs"


class NoGroups(OSError):
    """Groups cannot be made here, and why."""


@dataclass(frozen=True, kw_only=True)
class Hierarchies:
    """The folders below which this process makes groups: of version 2, and of each controller that can be used."""

    unified: str
    controllers: Mapping[str, str]

    @property
    def folders(self) -> list[str]:
        """All of them, each once."""
        return list(dict.fromkeys([self.unified, *self.controllers.values()]))

    def below(self, name: str) -> "Hierarchies":
        """The same folders one level down."""
        inner = {controller: os.path.join(folder, name) for controller, folder in self.controllers.items()}
        return Hierarchies(unified=os.path.join(self.unified, name), controllers=inner)


def own_groups(memberships: str, mounts: str) -> dict[str, str]:
    """The folders of this process's groups by controller; version 2 is `UNIFIED`.

    `memberships` is the text of /proc/self/cgroup, `mounts` that of /proc/self/mountinfo.
    """
    mounted = dict(_mounted(mounts))
    found = {}
    for line in memberships.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            if controller in mounted:
                root, point = mounted[controller]
                within = os.path.relpath(path, root)
                if within != ".." and not within.startswith("../"):  # a group above what is mounted is out of reach
                    found[controller] = os.path.normpath(os.path.join(point, within))
    return found


def _mounted(mounts: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """By controller, which group is mounted and where."""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        place, kind = before.split(), after.split()
        if kind and kind[0] == "cgroup2":
            yield UNIFIED, (place[3], place[4])
        elif kind and kind[0] == "cgroup":
            for controller in kind[2].split(","):
                yield controller, (place[3], place[4])


def make_hierarchies(name: str) -> Hierarchies:
    """New groups of this name below those of this process, for all that it starts; NoGroups says why there are none."""
    own = _read_own_groups()
    if UNIFIED not in own:
        raise NoGroups("version 2 of control groups is not mounted")
    base = own[UNIFIED]
    try:
        os.mkdir(os.path.join(base, name))
        _write(os.path.join(base, name, "cgroup.freeze"), "0")
    except OSError as error:
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(base, name))
        raise NoGroups(f"no group can be made in {base}: {error.strerror}") from None
    controllers = {}
    for controller in CONTROLLERS:
        with contextlib.suppress(OSError):
            controllers[controller] = _with_controller(controller, own, name)
    return Hierarchies(unified=os.path.join(base, name), controllers=controllers)


def _read_own_groups() -> dict[str, str]:
    try:
        with (
            open("/proc/self/cgroup", encoding="utf-8") as memberships,
            open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts,
        ):
            return own_groups(memberships.read(), mounts.read())
    except OSError:
        raise NoGroups("this system has no control groups") from None


def _with_controller(controller: str, own: Mapping[str, str], name: str) -> str:
    """The folder of the group of this name in the hierarchy of a controller; OSError where it cannot be used."""
    if controller in own:  # version 1
        folder = os.path.join(own[controller], name)
        os.mkdir(folder)
        return folder
    base = own[UNIFIED]
    folder = os.path.join(base, name)
    if controller not in _read(os.path.join(base, "cgroup.controllers")).split():
        raise NoGroups(f"the controller {controller} is not available")
    _enable(controller, base, os.path.join(base, f"{name}-self"))
    _write(os.path.join(folder, "cgroup.subtree_control"), f"+{controller}")
    return folder


def _enable(controller: str, base: str, leaf: str) -> None:
    """Hand a controller down. A group that has processes may not: one that is alone in it moves into a leaf."""
    control = os.path.join(base, "cgroup.subtree_control")
    if controller in _read(control).split():
        return
    try:
        _write(control, f"+{controller}")
    except OSError:
        if _members(base) != [os.getpid()]:
            raise
        os.mkdir(leaf)
        _write(os.path.join(leaf, MEMBERS), "0")
        _write(control, f"+{controller}")


def leave_leaf(leaf: str) -> None:
    """Move this process, the last one in a leaf that `_enable` made, up again, and remove the leaf."""
    base = os.path.dirname(leaf)
    if not os.path.isdir(leaf):
        return
    for controller in CONTROLLERS:
        with contextlib.suppress(OSError):  # one that was not handed down
            _write(os.path.join(base, "cgroup.subtree_control"), f"-{controller}")
    with contextlib.suppress(OSError):  # another arena still has groups here
        _write(os.path.join(base, MEMBERS), "0")
        remove_group(leaf)  # once the arena itself has ended


class Group:
    """The group of one agent, below the hierarchies of this process."""

    def __init__(self, hierarchies: Hierarchies, name: str) -> None:
        self.places = hierarchies.below(name)
        self._freezer = self._times = self._waits = -1
        unified = self.places.unified
        try:
            for folder in self.places.folders:
                os.mkdir(folder)
            self._freezer = os.open(os.path.join(unified, "cgroup.freeze"), os.O_WRONLY | os.O_CLOEXEC)
            self._times = os.open(os.path.join(unified, "cpu.stat"), os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.remove()
            raise
        with contextlib.suppress(OSError):  # a kernel that does not count this
            self._waits = os.open(os.path.join(unified, "cpu.pressure"), os.O_RDONLY | os.O_CLOEXEC)
        self.counts_waits = self.waited_seconds() is not None
        self.counts_own = self.counts_waits and b"full" not in os.pread(self._waits, 200, 0)  # before Linux 5.13

    @property
    def entrances(self) -> list[str]:
        """The files into which a process writes 0 to join."""
        return [os.path.join(folder, MEMBERS) for folder in self.places.folders]

    def freeze(self) -> None:
        """Stop all processes where they are; no signal wakes them."""
        os.write(self._freezer, b"1")

    def thaw(self) -> None:
        """Let them go on."""
        os.write(self._freezer, b"0")

    def cpu_seconds(self) -> float:
        """The CPU time of all processes that ever were in the group."""
        return int(os.pread(self._times, 200, 0).split()[1]) / 1e6  # usage_usec is the first line

    def waited_seconds(self) -> float | None:
        """How long threads waited for a processor on which none of the group ran; None where the kernel does not tell.

        The kernel averages this over the processors that the group was on. An older kernel counts only how long some
        thread waited, also behind another one of the group (`counts_own`).
        """
        try:
            return int(os.pread(self._waits, 200, 0).rpartition(b"total=")[2]) / 1e6  # the last line: `full`, or `some`
        except (OSError, ValueError):
            return None

    def members(self) -> list[int]:
        """The processes."""
        return _members(self.places.unified)

    def limit_processes(self, most: int) -> None:
        """No more processes and threads than these, where the controller is there."""
        if (folder := self.places.controllers.get("pids")) is not None:
            with contextlib.suppress(OSError):
                _write(os.path.join(folder, "pids.max"), str(most))

    def limit_memory(self, most: int) -> None:
        """No more bytes than these, page cache and swap included, where the controller is there."""
        if (folder := self.places.controllers.get("memory")) is None:
            return
        is_new = self._is_new("memory")
        old = (("memory.limit_in_bytes", most), ("memory.memsw.limit_in_bytes", most))
        limits = (("memory.max", most), ("memory.swap.max", 0)) if is_new else old
        for file, value in limits:
            with contextlib.suppress(OSError):  # less than is used already, or no count of swap: the referee looks, too
                _write(os.path.join(folder, file), str(value))

    def memory(self) -> int | None:
        """Bytes of private and of shared memory, files in memory included; None without the controller."""
        if (folder := self.places.controllers.get("memory")) is None:
            return None
        with contextlib.suppress(OSError, ValueError):
            counted = dict(line.split() for line in _read(os.path.join(folder, "memory.stat")).splitlines())
            private, shared = ("anon", "shmem") if self._is_new("memory") else ("total_rss", "total_shmem")
            return int(counted[private]) + int(counted.get(shared, 0))
        return None

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has ended a process because the group was at its limit."""
        if (folder := self.places.controllers.get("memory")) is None:
            return False
        file = "memory.events" if self._is_new("memory") else "memory.oom_control"
        with contextlib.suppress(OSError, ValueError):
            return int(dict(line.split() for line in _read(os.path.join(folder, file)).splitlines())["oom_kill"]) > 0
        return False

    def _is_new(self, controller: str) -> bool:
        return self.places.controllers[controller] == self.places.unified

    def kill(self) -> None:
        """End all processes at once, frozen or not."""
        kill_members(self.places.unified)

    def remove(self) -> None:
        """Take the empty group away; what cannot be removed now is left to the watcher."""
        for descriptor in (self._freezer, self._times, self._waits):
            if descriptor >= 0:
                os.close(descriptor)
        self._freezer = self._times = self._waits = -1
        for folder in self.places.folders:
            remove_group(folder)


def kill_members(folder: str) -> None:
    """End all processes of a group of version 2 and of those below it."""
    try:
        _write(os.path.join(folder, "cgroup.kill"), "1")
        return
    except FileNotFoundError:  # a kernel before 5.14, or no such group
        pass
    except OSError:
        return
    for place, _, _ in os.walk(folder):
        for _ in range(100):  # one may be born while others are killed
            members = _members(place)
            for pid in members:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if not members:
                break
            time.sleep(0.001)


def remove_group(folder: str, patience: float = PATIENCE) -> bool:
    """Remove a group and those below it, waiting for its processes to end; False if it is still there."""
    deadline = time.monotonic() + patience
    while os.path.isdir(folder):
        for place, _, _ in os.walk(folder, topdown=False):
            with contextlib.suppress(OSError):
                os.rmdir(place)
        if time.monotonic() > deadline:
            return not os.path.isdir(folder)
        if os.path.isdir(folder):
            time.sleep(0.001)
    return True


def _members(folder: str) -> list[int]:
    try:
        return [int(pid) for pid in _read(os.path.join(folder, MEMBERS)).split()]
    except OSError:
        return []


def _read(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
