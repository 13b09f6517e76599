"""The games that are being played in a run, for whoever looks from another process: a small file beside the store.

It says no more than who plays and which moves were made, and is written twice a second at most: games never wait for
it, and a disk that cannot be written only means that nobody sees them.
"""

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harena.arena.claims import file_of, is_claimed
from harena.arena.replay import dumps
from harena.files import atomic_write, remove_unfinished

if TYPE_CHECKING:
    from harena.api import State

EVERY = 0.5  # seconds


@contextlib.contextmanager
def shown(store: Path, run: str, playing: "dict[str, State]") -> Iterator[None]:
    """Keep the file up to date with the games in this table, by their slots, until the end."""
    path, ended = _path(store, run), threading.Event()

    def write() -> None:
        before = ""
        while not ended.wait(EVERY):
            text = dumps([_told(slot, state) for slot, state in playing.copy().items()])
            if text != before:
                with contextlib.suppress(OSError):
                    atomic_write(path, text.encode("ascii"))
                before = text

    writer = threading.Thread(target=write, name=f"games of run {run}", daemon=True)
    writer.start()
    try:
        yield
    finally:
        ended.set()
        writer.join()
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        remove_unfinished(path.parent)


def in_progress(store: Path, run: str) -> list[dict[str, Any]]:
    """The slot, start, moves and position of each game that is being played; none if nobody tells.

    What a process that was killed has left behind is nobody's game any more.
    """
    if not is_claimed(store, run):
        return []
    try:
        found = json.loads(_path(store, run).read_text("ascii"))
    except (OSError, ValueError):
        return []
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _told(slot: str, state: "State") -> dict[str, Any]:
    *later, start = state.history()
    moves = [str(one.last_move) for one in reversed(later)]
    return {"slot": slot, "start": start.text, "moves": moves, "position": state.text}


def _path(store: Path, run: str) -> Path:
    return file_of(store, run).with_suffix(".now")
