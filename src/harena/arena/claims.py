"""Who plays a run: one process at a time.

A claim is a locked file beside the store; the system itself gives the lock back when a process dies. The file holds the
number of the process, so that another one can ask it to stop. On Windows, which has no such locks, the file alone is
the claim, for as long as that process runs.
"""

import contextlib
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from harena.errors import UsageError
from harena.files import PRIVATE, has_locks, is_in_place, lock

PATIENCE = 0.3  # seconds: whoever only looks holds a lock for a moment
PAUSE = 0.005
SLACK = 2.0  # seconds: the times of processes and files are rounded differently


@contextlib.contextmanager
def claimed(store: Path, run: str, refusal: str = "") -> Iterator[None]:
    """Keep a run for ourselves; UsageError, in these words, if somebody else plays it."""
    path = file_of(store, run)
    file = _locked(path)
    if file is None:
        raise UsageError(refusal or f"run {run} is being played by another process: wait for it, or stop it first")
    try:
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        yield
    finally:
        if has_locks():
            path.unlink(missing_ok=True)
            os.close(file)
        else:
            os.close(file)  # Windows removes no open file
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            path.parent.rmdir()  # only if no other run is played


def is_claimed(store: Path, run: str) -> bool:
    """Whether somebody plays a run. Looking makes no file, and two who look do not see each other."""
    if not has_locks():
        return _has_living_owner(file_of(store, run))
    try:
        file = os.open(file_of(store, run), os.O_RDONLY)
    except PermissionError:
        return True  # of another user
    except OSError:
        return False
    try:
        return not lock(file, shared=True)
    finally:
        os.close(file)


def ask_to_stop(store: Path, run: str) -> bool:
    """Ask whoever plays a run to keep what there is and end; False if nobody does, or none that can be asked.

    SIGTERM, as the other signal that ends a run cleanly (SIGINT) is ignored by what a shell started in the background.
    """
    if not is_claimed(store, run):
        return False
    try:
        os.kill(int(file_of(store, run).read_text("ascii")), signal.SIGTERM)
    except (OSError, ValueError):
        return False
    return True


def file_of(store: Path, run: str) -> Path:
    """The file of a claim; its folder is there as long as something is played."""
    return store.with_name(f"{store.name}.playing") / re.sub(r"\W", "_", run)  # a store may hold a path there


def _locked(path: Path) -> int | None:
    """The open file, locked; None if somebody else plays. A file or folder removed meanwhile is made again."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            path.parent.mkdir(exist_ok=True)
            if not has_locks():
                return _created(path)
            file = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
        except FileNotFoundError:
            if not path.parent.parent.exists():
                raise
            continue
        is_locked = lock(file)
        if is_locked and is_in_place(file, path):
            return file
        os.close(file)
        if not is_locked:
            if time.monotonic() > until:
                return None
            time.sleep(PAUSE)


def _created(path: Path) -> int | None:
    """The open file where there are no locks; None if the process that made the one that is there still runs."""
    if _has_living_owner(path):
        return None
    with contextlib.suppress(OSError):
        path.unlink()
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
    except (FileExistsError, PermissionError):  # somebody else was faster
        return None


def _has_living_owner(path: Path) -> bool:
    """Whether the process whose number is in a file runs, and did when the file was written."""
    try:
        owner, written = int(path.read_text("ascii")), path.stat().st_mtime
        return bool(psutil.Process(owner).create_time() <= written + SLACK)
    except psutil.AccessDenied:
        return True
    except (OSError, ValueError, psutil.Error):
        return False
