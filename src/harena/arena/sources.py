"""The files that agents are made of: a run does not go on with others than it began with.

What a run has kept of them also tells whether an agent of one text was the same in two runs.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from harena.agents.guests import guest, is_guest
from harena.agents.launch import is_file
from harena.agents.text import own_files
from harena.errors import HarenaError, UsageError
from harena.kernel.beside import GAME, game_files, with_imports


def sources(game: str, agents: Iterable[str]) -> dict[str, str]:
    """A digest of every file that a game and these agents name, by its path; of what cannot be read an empty one."""
    named = [path for text in agents for path in _files(text)]
    return {path: _digest(path) for path in [*game_files(game), *named]}


def check_unchanged(name: str, before: Mapping[str, str]) -> None:
    """UsageError if one of the files of a run is not what it was."""
    for path, digest in before.items():
        if _digest(path) not in (digest, ""):  # that it is gone is said elsewhere
            raise UsageError(f"{path} has changed since run {name} began: begin a new one, whose games belong together")


def version(text: str, folder: str, kept: Mapping[str, str]) -> str | None:
    """What tells an agent from others of its text: a digest of its files, of those that a run begun in a folder kept.

    Nothing of a player that is made of no files; None where they were not kept. What a file imports is what it imports
    now, if it is still there.
    """
    if is_guest(text):
        named = [text.partition(":")[2]]
        named += [path for path, colon, _ in [named[0].rpartition(":")] if colon]  # without the name of a class
    else:
        named = [text] if is_file(text) else own_files(text)
    return _version(named, _files(text, folder), folder, kept) if named else ""


def rules_version(game: str, folder: str, kept: Mapping[str, str]) -> str | None:
    """The same of a game of one's own; nothing of any other."""
    own = GAME.match(game)
    return _version([own[0]], game_files(os.path.join(folder, game)), folder, kept) if own else ""


def _version(named: Iterable[str], files: Iterable[str], folder: str, kept: Mapping[str, str]) -> str | None:
    roots = {os.path.realpath(os.path.join(folder, path)) for path in named}
    now = {os.path.realpath(path) for path in files}
    found = []
    for path, digest in kept.items():
        whole = os.path.realpath(os.path.join(folder, path))
        if whole in now or any(whole == root or whole.startswith(root + os.sep) for root in roots):
            found.append(f"{os.path.basename(path)} {digest}")
    return blake2b("\n".join(sorted(found)).encode(), digest_size=8).hexdigest() if found else None


def _files(text: str, folder: str = "") -> Iterator[str]:
    if is_guest(text):
        course, _, path = text.partition(":")
        try:
            found = guest(f"{course}:{os.path.join(folder, path)}")
        except HarenaError:
            return  # it is said elsewhere
        if found.target:
            yield from with_imports(os.path.join(found.folder, found.target), found.folder)
        else:
            yield from sorted(map(str, Path(found.folder).rglob("*.py")))
    elif is_file(text):
        yield from with_imports(os.path.join(folder, text))
    else:
        for path in own_files(text):
            yield from with_imports(os.path.join(folder, path))


def _digest(path: str) -> str:
    try:
        return blake2b(Path(path).read_bytes(), digest_size=8).hexdigest()
    except OSError:
        return ""
