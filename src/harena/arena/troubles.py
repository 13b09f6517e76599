"""What can go wrong with the file of a store, in words."""

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harena.errors import HarenaError

PATIENCE = 10.0  # seconds to wait for another process that writes


class StoreError(HarenaError):
    """Trouble with the file: no store, of another version, full, read-only, locked, out of reach."""


class StoreDamaged(StoreError):
    """Pages of the file are broken; games elsewhere in it can be read."""


class DamagedRecord(StoreError):
    """One game cannot be read; the others can."""


# The beginning of SQLite's name of an error, and what we say in its place.
TROUBLES: dict[str, tuple[type[StoreError], str]] = {
    "SQLITE_FULL": (StoreError, "the disk is full; the games before are safe"),
    "SQLITE_READONLY": (StoreError, "it is read-only; name another file with --store"),
    "SQLITE_BUSY": (StoreError, f"another process has been writing for over {PATIENCE:g} s; try again later"),
    "SQLITE_LOCKED": (StoreError, "another process keeps it locked; try again later"),
    "SQLITE_NOTADB": (StoreError, "it is no store of games; name another file with --store"),
    "SQLITE_CORRUPT": (StoreDamaged, "the file is damaged; `sqlite3 FILE .recover` may save more of it"),
    "SQLITE_CANTOPEN": (StoreError, "it cannot be opened; is its folder missing or not yours?"),
    "SQLITE_IOERR_WRITE": (StoreError, "it cannot be written (is the disk full?); the games before are safe"),
    "SQLITE_IOERR": (StoreError, "it cannot be read or written: the disk reports an error"),
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """SQLite's errors in our words."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        if path.is_dir():
            file = shlex.quote(str(path / "games.sqlite"))
            raise StoreError(f"{path} is a folder: name a file, as {file} (--store, or HARENA_STORE)") from None
        name = getattr(error, "sqlite_errorname", "")
        for beginning, (kind, words) in TROUBLES.items():
            if name.startswith(beginning):
                raise kind(f"{path}: {words}") from None
        raise StoreError(f"{path}: {' '.join(str(error).split())}") from None
