"""Where a store lies on the disk, and who may read it: its user alone."""

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

from harena.arena.privacy import PRIVATE_FILE, PRIVATE_FOLDER, close_to_others
from harena.arena.troubles import StoreError
from harena.errors import nearest


def store_path(given: str | os.PathLike[str] | None = None) -> Path:
    """The file: as given, else `HARENA_STORE`, else the user's own."""
    chosen = given or os.environ.get("HARENA_STORE")
    return Path(chosen).expanduser() if chosen else usual_path()


def usual_path() -> Path:
    """The store of a user who names none: `games.sqlite` in the data folder."""
    return user_data_path("harena") / "games.sqlite"


def near_store(path: Path) -> str:
    """What to do about a store that does not exist: the file beside it with a name like it, if there is one."""
    beside = [file.name for file in path.parent.iterdir() if file.is_file()] if path.parent.is_dir() else []
    near = nearest(path.name, [name for name in beside if name not in {one.name for one in files_of(path)[1:]}])
    return f"; did you mean {path.with_name(near)}?" if near else "; is --store right?"


def files_of(store: Path) -> list[Path]:
    """The file of a store, and those that SQLite may keep beside it."""
    return [store, *(store.with_name(f"{store.name}{ending}") for ending in ("-wal", "-shm", "-journal"))]


def make_private(store: Path) -> None:
    """Make the file and the folder of a new store, closed to other users; SQLite gives its other files the same mode.

    The usual store is closed also if an earlier version left it open. A store that was named stays as its user has it.
    """
    try:
        store.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{store.parent} cannot be made: {error.strerror}") from None
    with suppress(OSError):  # it exists, or opening it says what is wrong
        os.close(os.open(store, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    if store == usual_path():
        for path in (store.parent, *files_of(store)):
            close_to_others(path)
