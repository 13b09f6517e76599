"""Folders of the cache, private to the user."""

import errno
import os
from pathlib import Path


def make_private(folder: Path) -> None:
    """Make a folder, and those above it, for this user alone; PermissionError if others may write there."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_private(folder.parent):
        raise PermissionError(errno.EACCES, "others may write there")
    folder.mkdir(mode=0o700, exist_ok=True)


def is_private(folder: Path) -> bool:
    """Whether only this user can have put files here (Windows keeps its user folders private by itself)."""
    if not hasattr(os, "geteuid"):
        return True
    status = folder.stat()
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & 0o022
