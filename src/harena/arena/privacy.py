"""Files that only their user may read: grades, submissions and stores."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
OTHERS = 0o077  # all rights of the group and of everybody else


@contextlib.contextmanager
def private_files() -> Iterator[None]:
    """Whatever this process makes meanwhile, also in other threads, is closed to other users."""
    before = os.umask(OTHERS)
    try:
        yield
    finally:
        os.umask(before)


def close_to_others(path: Path) -> None:
    """Take all rights of other users from a file or folder, but not from what a folder holds.

    What does not exist, is a link or belongs to another user stays as it is.
    """
    with contextlib.suppress(OSError):
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode) and mode & OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)
