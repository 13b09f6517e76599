"""What this process has on the machine while it plays: a folder, control groups, and a watcher that removes both.

They are made when they are first needed, once a process. A process that is killed leaves them to its watcher; if that
was killed too, the next run removes them. A process locks its folder as long as it lives: one of an earlier boot or of
another container that is not locked is left over, too.
"""

import atexit
import contextlib
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from functools import cache
from mmap import mmap
from pathlib import Path

from harena.files import has_locks, lock
from harena.sandbox import watcher
from harena.sandbox.groups import Group, Hierarchies, NoGroups, kill_members, make_hierarchies, remove_group
from harena.sandbox.watcher import GOODBYE, SIZE

# The name of a folder or group says which process made it: of which boot and namespace, its number, and its start.
NAME = re.compile(r"harena-([0-9a-f]+)-(\d+)-(\d+)-(\d+)")
HAS_WATCHER = hasattr(os, "sched_getaffinity")  # Linux
YOUNG = 60.0  # seconds: of another boot or namespace a folder that is younger may not be locked yet by who made it
GRACE = 5.0  # seconds that the watcher gets to clean up when this process ends by itself


class Workplace:
    """Of this process."""

    def __init__(self) -> None:
        self.name = f"harena-{boot()}-{namespace()}-{os.getpid()}-{start_of(os.getpid()) or 0}"
        remove_leftovers(tempfile.gettempdir())
        self.folder = os.path.join(tempfile.gettempdir(), self.name)
        self._make_folder()
        self.hierarchies: Hierarchies | None = None
        self.why_no_groups = ""
        try:
            self.hierarchies = make_hierarchies(self.name)
        except NoGroups as error:
            self.why_no_groups = str(error)
        else:
            for folder in self.hierarchies.folders:
                remove_leftovers(os.path.dirname(folder))
        self._numbers = itertools.count(1)
        self.stalls: mmap | None = None  # what the watcher notes
        self.watcher: subprocess.Popen[bytes] | None = None
        if HAS_WATCHER:
            self._start_watcher()
        else:
            atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    def _start_watcher(self) -> None:
        shared = _shared_memory(self.folder)
        self.stalls = mmap(shared, SIZE)
        theirs, self._lifeline = os.pipe()
        folders = [] if self.hierarchies is None else self.hierarchies.folders
        self._leaf = f"{folders[0]}-self" if folders else ""  # the group into which this process moved, if it had to
        words = [str(theirs), str(shared), self.folder, self._leaf, *folders]
        nothing = subprocess.DEVNULL
        self.watcher = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(watcher.__file__).resolve()), *words],
            pass_fds=(theirs, shared),
            start_new_session=True,  # Ctrl-C is not for it
            cwd="/",
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
        )
        os.close(theirs)
        os.close(shared)
        atexit.register(self._end, os.getpid())

    def _end(self, process: int) -> None:
        """Let the watcher clean up, and wait for that; not in a fork of the process that started it."""
        if os.getpid() == process and self.watcher is not None:
            with contextlib.suppress(OSError):  # the watcher was killed
                os.write(self._lifeline, GOODBYE)
            os.close(self._lifeline)
            if self._leaf and os.path.exists(self._leaf):
                self.watcher.returncode = 0  # it waits for our end, to remove the group that we are in
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.watcher.wait(GRACE)

    def new_mark(self) -> str:
        """What the environment of an agent's processes has, so that they are found; the watcher knows its beginning."""
        return f"{self.name}/{uuid.uuid4().hex}"

    def _make_folder(self) -> None:
        """Make the folder and keep it locked, so that whatever tidies temporary files up lets it be."""
        os.mkdir(self.folder, 0o700)
        if has_locks():
            self._folder = os.open(self.folder, os.O_RDONLY | os.O_CLOEXEC)
            lock(self._folder, shared=True, wait=True)

    def new_folder(self) -> str:
        """An empty folder, readable by this user alone."""
        if not os.path.isdir(self.folder):  # something has tidied it up all the same
            self._make_folder()
        return tempfile.mkdtemp(dir=self.folder)

    def new_group(self) -> Group:
        """A group for the processes of an agent; NoGroups says why there is none."""
        if self.hierarchies is None:
            raise NoGroups(self.why_no_groups)
        try:
            return Group(self.hierarchies, str(next(self._numbers)))
        except OSError as error:
            raise NoGroups(f"no group can be made: {error.strerror}") from None


def _shared_memory(folder: str) -> int:
    """An open file for what the watcher notes: in memory, or in this folder where that is not allowed."""
    try:
        shared = os.memfd_create("harena-stalls")
    except (OSError, AttributeError):  # a C library without it
        shared = os.open(os.path.join(folder, "stalls"), os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    os.ftruncate(shared, SIZE)
    return shared


_making = threading.Lock()


def workplace() -> Workplace:
    """The workplace of this process."""
    with _making:
        return _workplace_of(os.getpid())


@cache
def _workplace_of(process: int) -> Workplace:
    return Workplace()


def start_of(process: int) -> int | None:
    """When a process was started, in ticks of Linux or in seconds: with its number it is unique; None if unknown.

    ProcessLookupError if there is no such process.
    """
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        if not os.path.exists("/proc/self/stat"):
            return _start_elsewhere(process)
        if not os.path.exists(f"/proc/{process}"):
            raise ProcessLookupError from None
        return None


def _start_elsewhere(process: int) -> int | None:
    """The same where there is no /proc."""
    import psutil

    try:
        return int(psutil.Process(process).create_time())
    except psutil.NoSuchProcess:
        raise ProcessLookupError from None
    except psutil.Error:
        return None


def arena_of(mark: str) -> int | None:
    """The process that made this mark; None if it is none."""
    made_by = NAME.match(mark)
    return int(made_by[3]) if made_by else None


def remove_leftovers(place: str) -> None:
    """End and remove what processes of this user that have ended left in this place: folders or groups."""
    entries: list[os.DirEntry[str]] = []
    with contextlib.suppress(OSError):
        entries += os.scandir(place)
    for entry in entries:
        if made_by := NAME.match(entry.name):
            with contextlib.suppress(OSError):  # it has gone, or cannot be looked into
                _remove_leftover(entry, made_by[1], *map(int, made_by.groups()[1:]))


def _remove_leftover(entry: "os.DirEntry[str]", start_of_machine: str, space: int, process: int, start: int) -> None:
    """Remove a folder or group of this user, if the process that made it has ended."""
    is_over = has_ended(start_of_machine, space, process, start)
    if not _is_own(entry):
        return
    if os.path.exists(os.path.join(entry.path, "cgroup.procs")):
        if is_over:
            kill_members(entry.path)
            remove_group(entry.path, patience=0.1)
        return
    if not is_over:
        is_foreign = (start_of_machine, space) != (boot(), namespace())
        is_over = is_foreign and has_locks() and time.time() - entry.stat().st_mtime > YOUNG
    if is_over and not _is_locked(entry.path):
        watcher.kill_marked(f"{watcher.MARK}={entry.name}/".encode())
        shutil.rmtree(entry.path, ignore_errors=True)


def boot() -> str:
    """What tells this start of the machine from others, and from other machines; 0 where the system does not tell."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read(8)
    except OSError:
        return "0"


def namespace() -> int:
    """The number of the namespace in which this process has its number; 0 where there are none."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def has_ended(start_of_machine: str, space: int, process: int, start: int) -> bool:
    """Whether this process is known to have ended; nothing is known of other machines and of other namespaces."""
    if (start_of_machine, space) != (boot(), namespace()) or not start:
        return False
    try:
        found = start_of(process)
    except ProcessLookupError:
        return True
    return found is not None and found != start


def _is_locked(folder: str) -> bool:
    """Whether a process that lives holds this folder."""
    if not has_locks():
        return False
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return not lock(descriptor)
    finally:
        os.close(descriptor)


def _is_own(entry: "os.DirEntry[str]") -> bool:
    found = entry.stat(follow_symlinks=False)
    return entry.is_dir(follow_symlinks=False) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())
