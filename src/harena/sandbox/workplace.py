"""What this process has on the machine while it plays: a folder, control groups, and a watcher that removes both.

They are made when they are first needed, once a process. A process that is killed leaves them to its watcher; if that
was killed too, the next run removes them.
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
import uuid
from functools import cache
from mmap import mmap
from pathlib import Path

from harena.sandbox import watcher
from harena.sandbox.groups import Group, Hierarchies, NoGroups, kill_members, make_hierarchies, remove_group
from harena.sandbox.watcher import GOODBYE, SIZE

# The name of a folder or group says which process made it: its namespace, its number, and when it was started.
NAME = re.compile(r"harena-(\d+)-(\d+)-(\d+)(-self)?")
HAS_WATCHER = hasattr(os, "sched_getaffinity")  # Linux
GRACE = 5.0  # seconds that the watcher gets to clean up when this process ends by itself


class Workplace:
    """Of this process."""

    def __init__(self) -> None:
        self.name = f"harena-{namespace()}-{os.getpid()}-{start_of(os.getpid())}"
        remove_leftovers(tempfile.gettempdir())
        self.folder = os.path.join(tempfile.gettempdir(), self.name)
        os.mkdir(self.folder, 0o700)
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
        leaf = [f"{folder}-self" for folder in folders[:1]]
        words = [str(theirs), str(shared), self.folder, *folders, *leaf]
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
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.watcher.wait(GRACE)

    def new_mark(self) -> str:
        """What the environment of an agent's processes has, so that they are found; the watcher knows its beginning."""
        return f"{self.name}/{uuid.uuid4().hex}"

    def new_folder(self) -> str:
        """An empty folder, readable by this user alone."""
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


def start_of(process: int) -> int:
    """When a process was started, in ticks of Linux or in seconds: with its number it is unique; 0 if it is unknown."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        import psutil  # where there is no /proc

        with contextlib.suppress(psutil.Error):
            return int(psutil.Process(process).create_time())
    return 0


def remove_leftovers(place: str) -> None:
    """Remove the folders or groups in this place that this user's processes left and that have ended."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(place):
            made_by = NAME.fullmatch(entry.name)
            if made_by and has_ended(*map(int, made_by.groups()[:3])) and _is_own(entry):
                if os.path.exists(os.path.join(entry.path, "cgroup.procs")):
                    kill_members(entry.path)
                    remove_group(entry.path, patience=0.1)
                else:
                    shutil.rmtree(entry.path, ignore_errors=True)


def namespace() -> int:
    """The number of the namespace in which this process has its number; 0 where there are none."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def has_ended(space: int, process: int, start: int) -> bool:
    """Whether this process is known to have ended; of another namespace, as in a container, nothing is known."""
    if space != namespace():
        return False
    if space:
        return start_of(process) != start
    import psutil

    return not psutil.pid_exists(process)  # no signal: number 0 is Ctrl-C on Windows


def _is_own(entry: "os.DirEntry[str]") -> bool:
    found = entry.stat(follow_symlinks=False)
    return entry.is_dir(follow_symlinks=False) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())
