"""What a server keeps in files beside the store: one that is killed goes on where it was when it is started again.

| folder | |
|---|---|
| `games.sqlite.tables` | games with people (`tables.py`) |
| `games.sqlite.shows` | games between agents that are being watched (`shows.py`) |
| `games.sqlite.reviews` | reviews that are on their way (`reviewing.py`) |
"""

import json
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from harena.errors import BadText
from harena.files import PRIVATE, atomic_write
from harena.web.tokens import OTHERS


def folder_of(store: Path, what: str) -> Path:
    """The folder of these files; it is made when the first is written."""
    return store.with_name(f"{store.name}.{what}")


def write_whole(path: Path, text: str) -> None:
    """Write a file, all of it or nothing: then it is OSError, and the file is as before. Only its owner reads it."""
    make_private_folder(path.parent)
    atomic_write(path, f"{text}\n".encode(), PRIVATE)


def make_private_folder(folder: Path) -> None:
    """Make a folder that only its owner can open; one that an older server made for everybody to read is closed."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = folder.stat().st_mode
    if mode & OTHERS:
        with suppress(PermissionError):  # the folder of another user, who decides about it
            folder.chmod(stat.S_IMODE(mode) & ~OTHERS)


def read_object(path: Path) -> dict[str, Any]:
    """What such a file says; BadText if that is nothing."""
    try:
        kept = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadText(f"{path.name} cannot be read: {error}") from None
    if not isinstance(kept, dict):
        raise BadText(f"{path.name} is no file of a server")
    return kept
