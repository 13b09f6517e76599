"""The files that agents are made of: a run does not go on with others than it began with."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from harena.agents.guests import guest, is_guest
from harena.agents.launch import is_file
from harena.errors import HarenaError, UsageError

HEURISTIC = re.compile(r"[^\s=,+*()]+\.py(?=:)")  # a user's own, in the text of a player


def sources(agents: Iterable[str]) -> dict[str, str]:
    """A digest of every file that these texts name, by its path; of what cannot be read an empty one."""
    return {path: _digest(path) for text in agents for path in _files(text)}


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
            yield os.path.join(found.folder, found.target)
        else:
            yield from sorted(map(str, Path(found.folder).rglob("*.py")))
    elif is_file(text):
        yield text
    else:
        yield from HEURISTIC.findall(text)


def _digest(path: str) -> str:
    try:
        return blake2b(Path(path).read_bytes(), digest_size=8).hexdigest()
    except OSError:
        return ""
