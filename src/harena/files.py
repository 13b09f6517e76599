"""Files that several processes use: written atomically, and locked while they are needed.

A lock belongs to an open file or folder, and the system releases it when the process dies, however it dies. Windows and
some file systems have no such locks; each caller says what it does then.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from harena.errors import UsageError

PRIVATE, DEFAULT = 0o600, 0o666  # the rights of a new file: only its owner reads it, or as the umask says
PART = ".part"  # how the names of unfinished files end
STALE = 60.0  # seconds after which an unfinished file belongs to a process that was killed


# Atomic writes


@contextlib.contextmanager
def atomic_file(path: Path, mode: int = DEFAULT) -> Iterator[Path]:
    """Make a file to write to, which replaces `path` when the block ends; if the block fails, `path` is as before."""
    part = path.with_name(f".{os.urandom(8).hex()}{PART}")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield part
        part.replace(path)
    except BaseException:  # Ctrl-C leaves no unfinished file either
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def atomic_write(path: Path, content: bytes, mode: int = DEFAULT) -> None:
    """Write a file, all of it or nothing."""
    with atomic_file(path, mode) as part:
        part.write_bytes(content)


@contextlib.contextmanager
def output_file(file: str) -> Iterator[Path]:
    """Do the same for a file that the user names; UsageError says why it cannot be written."""
    try:
        with atomic_file(Path(file)) as part:
            yield part
    except OSError as error:
        raise UsageError(f"{file!r} cannot be written: {error.strerror or error}") from None


def write_output(file: str, content: bytes) -> None:
    """Write a file that the user names, all of it or nothing; UsageError says why that is impossible."""
    with output_file(file) as part:
        part.write_bytes(content)


def remove_unfinished(folder: Path) -> None:
    """Remove the unfinished files of processes that were killed; another process may be writing the newer ones."""
    for part in folder.glob(f"*{PART}"):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > STALE:
                part.unlink()


# Locks


def has_locks() -> bool:
    """Whether this system has locks that end with their process."""
    return fcntl is not None


def lock(file: int, *, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file or folder until it is closed; False if another process has it and this one is not to wait.

    Several processes may share a lock. OSError where the file system has no locks; `has_locks` must be true.
    """
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    try:
        fcntl.flock(file, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_in_place(file: int, path: Path) -> bool:
    """Whether the open file is still the one at this path: whoever held its lock before may have removed it."""
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
