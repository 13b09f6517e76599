"""The files whose code a stored text may lead to: those that the user has typed in this process, and no others.

A record, a store and a request are data, and anybody may have written them; to load a file that they name is to run
it. So what they name is looked up here first. Names that the user types himself do not pass through here, except inside
of `only_trusted`: there nothing else is loaded or started, whatever names it.
"""

import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from harena.errors import BadFile
from harena.kernel.beside import GAME, with_imports


class NotTrusted(BadFile):
    """A stored text names code that the user has not typed."""


@dataclass
class _Typed:
    names: list[str]  # files and folders by their whole paths, modules as `module:Attribute`
    is_closed: bool = False  # whether nothing else is loaded at all


_typed = _Typed([])


def trust(name: str | os.PathLike[str]) -> None:
    """From now on stored texts may lead to this file, folder or `module:Attribute`; `game.py:Face` is its file."""
    _typed.names.append(_whole(os.fspath(name)))


@contextmanager
def only_trusted(names: Iterable[str | os.PathLike[str]]) -> Iterator[None]:
    """Inside, stored texts may lead to these, and no other file is loaded or started, whatever names it."""
    before = replace(_typed)
    _typed.names = [*before.names, *(_whole(os.fspath(name)) for name in names)]
    _typed.is_closed = True
    try:
        yield
    finally:
        _typed.names, _typed.is_closed = before.names, before.is_closed


def is_trusted(path: str) -> bool:
    """Whether a file or folder is one that was typed, or lies in a folder that was."""
    whole = os.path.realpath(path) + os.sep
    return any(whole.startswith(os.path.realpath(name).rstrip(os.sep) + os.sep) for name in _typed.names)


def check_file(path: str | os.PathLike[str]) -> None:
    """NotTrusted inside of `only_trusted` if this file was not typed."""
    if _typed.is_closed and not is_trusted(os.fspath(path)):
        raise NotTrusted(f"{printable(os.fspath(path))} is not loaded: only a file that you type is")


def check_module(name: str) -> None:
    """NotTrusted inside of `only_trusted` if this `module:Attribute` was not typed."""
    if _typed.is_closed and name not in _typed.names:
        raise NotTrusted(f"{printable(name)} is not imported: only a module that you type is")


def typed_game(name: str, digest: str | None) -> str | None:
    """What was typed for the game that a stored text calls `name`; None if nothing was.

    A file is found by the digest of its content, wherever it lies; without one by its own name.
    """
    own = GAME.match(name)
    if own is None:
        return name if name in _typed.names else None
    for file in _typed.names:
        if not file.endswith(".py"):
            continue
        if rules_digest(file) == digest if digest else os.path.basename(file) == os.path.basename(own[0]):
            return file + name.removeprefix(own[0])
    return None


def rules_digest(file: str) -> str:
    """One digest of a Python file and of the files beside it that it imports."""
    return together((path, digest_of(path)) for path in with_imports(file))


def together(files: Iterable[tuple[str, str]]) -> str:
    """One digest of files with their digests, by name: the same wherever they lie."""
    lines = sorted(f"{os.path.basename(path)} {digest}" for path, digest in files)
    return blake2b("\n".join(lines).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()


def digest_of(path: str) -> str:
    """A digest of a file's content; nothing of what cannot be read, or is a device, which has no end."""
    try:
        return blake2b(Path(path).read_bytes(), digest_size=8).hexdigest() if os.path.isfile(path) else ""
    except (OSError, ValueError):
        return ""


def printable(text: str) -> str:
    """A stored text as it may be shown in a line."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def quoted(text: str) -> str:
    """A stored text as it may be pasted into a shell."""
    return shlex.quote(printable(text))


def _whole(name: str) -> str:
    own = GAME.match(name)
    is_module = own is None and ":" in name and not os.path.exists(name)
    return name if is_module else os.path.abspath(own[0] if own else name)
