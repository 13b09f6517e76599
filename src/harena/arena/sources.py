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

WHOLE = "all of "  # before the text of an agent or a game: a digest of its files together, among those of the files


def sources(game: str, agents: Iterable[str]) -> dict[str, str]:
    """A digest of every file that a game and these agents name, by its path; of what cannot be read an empty one.

    And one of all files of each together: which of them were whose is not to be found out later.
    """
    parts = {game: game_files(game)} | {text: list(dict.fromkeys(_files(text))) for text in agents}
    digests = {path: _digest(path) for files in parts.values() for path in files}
    wholes = {text: _together((path, digests[path]) for path in files) for text, files in parts.items() if files}
    return digests | {WHOLE + text: digest for text, digest in wholes.items()}


def check_unchanged(name: str, before: Mapping[str, str]) -> None:
    """UsageError if one of the files of a run is not what it was."""
    for path, digest in before.items():
        if not path.startswith(WHOLE) and _digest(path) not in (digest, ""):  # that it is gone is said elsewhere
            raise UsageError(f"{path} has changed since run {name} began: begin a new one, whose games belong together")


def version(text: str, folder: str, kept: Mapping[str, str], others: Iterable[str] = ()) -> str | None:
    """What tells an agent from others of its text: a digest of its files, of those that a run begun in a folder kept.

    Nothing of a player that is made of no files; None where they were not kept. Of a run that does not say which were
    whose, all count that none of the `others` (its game and agents) names. What lies on the disk now plays no part.
    """
    return _version(text, _named(text), folder, kept, others) if _named(text) else ""


def rules_version(game: str, folder: str, kept: Mapping[str, str], others: Iterable[str] = ()) -> str | None:
    """The same of a game of one's own; nothing of any other."""
    own = GAME.match(game)
    return _version(game, [own[0]], folder, kept, others) if own else ""


def _version(
    text: str, named: Iterable[str], folder: str, kept: Mapping[str, str], others: Iterable[str]
) -> str | None:
    if WHOLE + text in kept:
        return kept[WHOLE + text]
    places = {path: os.path.realpath(os.path.join(folder, path)) for path in kept if not path.startswith(WHOLE)}
    own = _within(places, named, folder)
    taken = _within(places, (path for other in others if other != text for path in _named(other)), folder)
    return _together((path, kept[path]) for path in places if path in own or path not in taken) if own else None


def _named(text: str) -> list[str]:
    """The paths in the text of a player or of a game."""
    if is_guest(text):
        path = text.partition(":")[2]
        return [path, *(one for one, colon, _ in [path.rpartition(":")] if colon)]  # also without the name of a class
    return [text] if is_file(text) else own_files(text)


def _within(places: Mapping[str, str], named: Iterable[str], folder: str) -> set[str]:
    """Those of these files that are named, or lie in a folder that is."""
    roots = [os.path.realpath(os.path.join(folder, path)) for path in named]
    return {path for path, whole in places.items() if any((whole + os.sep).startswith(root + os.sep) for root in roots)}


def _together(files: Iterable[tuple[str, str]]) -> str:
    """One digest of files with their digests, by name: the same wherever they lie."""
    lines = sorted(f"{os.path.basename(path)} {digest}" for path, digest in files)
    return blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()


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
