"""Locks a course's environment: runs share it, and whatever changes or removes it must have it alone.

The lock is a file in the folder of the environment. The system gives it back when a process dies. Systems without such
locks (Windows) and folders in which no file can be made have none: there only `check_unchanged` notices a change.
"""

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harena.errors import UsageError
from harena.files import has_locks, is_in_place, lock

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
        shared = SharedLock(file)
        try:
            is_locked = lock(file, shared=True)
        except OSError:
            return None
        if not is_locked:
            raise UsageError(f"{name}'s environment is being changed by another process: wait for it")
        if is_in_place(file, folder / LOCK):
            return shared
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
        is_locked = lock(file)
    except OSError:
        return  # a file system without locks
    if not is_locked:
        raise UsageError(f"{name}'s environment is in use by a running match or grading: wait until it has ended")


def _open(folder: Path, access: int) -> int | None:
    """The file of the lock, made if need be; readable for other users, who may use the environment, too."""
    if not has_locks():
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
