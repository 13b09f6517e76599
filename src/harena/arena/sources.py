"""The files that agents are made of: a run does not go on with others than it began with."""

import os
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from harena.agents.guests import guest, is_guest
from harena.agents.launch import is_file
from harena.agents.text import own_files
from harena.errors import HarenaError, UsageError
from harena.kernel.beside import game_files, with_imports


def sources(game: str, agents: Iterable[str]) -> dict[str, str]:
    """A digest of every file that a game and these agents name, by its path; of what cannot be read an empty one."""
    named = [path for text in agents for path in _files(text)]
    return {path: _digest(path) for path in [*game_files(game), *named]}


def check_unchanged(name: str, before: Mapping[str, str]) -> None:
    """UsageError if one of the files of a run is not what it was."""
    for path, digest in before.items():
        if _digest(path) not in (digest, ""):  # that it is gone is said elsewhere
            raise UsageError(f"{path} has changed since run {name} began: begin a new one, whose games belong together")


def _files(text: str) -> Iterator[str]:
    if is_guest(text):
        try:
            found = guest(text)
        except HarenaError:
            return  # it is said elsewhere
        if found.target:
            yield from with_imports(os.path.join(found.folder, found.target), found.folder)
        else:
            yield from sorted(map(str, Path(found.folder).rglob("*.py")))
    elif is_file(text):
        yield from with_imports(text)
    else:
        for path in own_files(text):
            yield from with_imports(path)


def _digest(path: str) -> str:
    try:
        return blake2b(Path(path).read_bytes(), digest_size=8).hexdigest()
    except OSError:
        return ""
