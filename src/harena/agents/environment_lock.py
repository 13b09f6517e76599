"""Locks a course's environment: runs share it, and whatever changes or removes it must have it alone.

The lock is a file in the folder of the environment. The system gives it back when a process dies. Systems without such
locks (Windows) and folders in which no file can be made have none: there only `check_unchanged` notices a change.
"""

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from harena.errors import UsageError

LOCK = "environment.lock"  # in the folder of an environment


class SharedLock:
    """A lock that lasts as long as this object; others may share it."""

    def __init__(self, file: int) -> None:
        self.release = weakref.finalize(self, os.close, file)


def share_environment(folder: Path, name: str) -> SharedLock | None:
    """Keep the environment in a folder from being changed; UsageError if it is being changed now.

    None where it cannot be locked.
    """
    while (file := _open(folder, os.O_RDONLY)) is not None:
        lock = SharedLock(file)
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{name}'s environment is being changed by another process: wait for it") from None
        except OSError:
            return None
        if _is_in_place(file, folder):
            return lock
    return None


@contextmanager
def own_environment(folder: Path, name: str) -> Iterator[None]:
    """Have the environment in a folder for this process alone; UsageError if a run uses it.

    The caller keeps other processes from making or removing it at the same time.
    """
    file = _open(folder, os.O_RDWR)
    try:
        if file is not None:
            _lock_alone(file, name)
        yield
    finally:
        if file is not None:
            os.close(file)


def _lock_alone(file: int, name: str) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"{name}'s environment is in use by a running match or grading: wait until it has ended"
        ) from None
    except OSError:
        pass  # a file system without locks


def _open(folder: Path, access: int) -> int | None:
    """The file of the lock, made if need be; readable for other users, who may use the environment, too."""
    if fcntl is None:
        return None
    try:
        try:
            return os.open(folder / LOCK, access)
        except FileNotFoundError:
            file = os.open(folder / LOCK, access | os.O_CREAT, 0o644)
            os.fchmod(file, 0o644)
            return file
    except OSError:
        return None


def _is_in_place(file: int, folder: Path) -> bool:
    """Whether the file that was locked has not been removed meanwhile."""
    try:
        return os.path.samestat(os.fstat(file), (folder / LOCK).stat())
    except FileNotFoundError:
        return False
