"""The code that a stored text may lead to: what the user has typed in this process, and nothing else.

A record, a store and a request are data, and anybody may have written them; to load a file that they name is to run
it. So what they name is looked up here first. Names that the user types himself do not pass through here, except inside
of `only_trusted`: there nothing else is loaded or started, whatever names it.

Code that runs without walls (a game, a search, a heuristic) has to be typed as such. A file or folder that is typed as
that of agents is only started behind walls.
"""

import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from harena.errors import BadFile, printable
from harena.kernel.beside import GAME, with_imports

UNCHECKED = "unchecked:"  # before a game's file: it stands in for the rules of records that hold no digest of them


class NotTrusted(BadFile):
    """A stored text names code that the user has not typed."""


@dataclass(frozen=True)
class _Code:
    """Code that the user lets run without walls."""

    place: str  # a file by its whole path, or a `module:Attribute`
    name: str = ""  # in the file: a search, a heuristic or a face; empty for all of it
    is_checked: bool = True  # only for records that hold the digest of its content


@dataclass
class _Typed:
    code: list[_Code] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)  # files and folders by their whole paths, for agents behind walls
    level: str = ""  # the level of the sandbox
    is_closed: bool = False  # whether nothing else is loaded at all


_typed = _Typed()


def trust(name: str | os.PathLike[str]) -> None:
    """From now on stored texts may lead to this file or `module:Attribute`, which runs without walls."""
    _typed.code.append(_code(os.fspath(name)))


@contextmanager
def only_trusted(
    code: Iterable[str | os.PathLike[str]], agents: Iterable[str | os.PathLike[str]] = (), level: str = ""
) -> Iterator[None]:
    """Inside, stored texts may lead to these, and no other file is loaded or started, whatever names it.

    `code` (a file, `file.py:Name` or `module:Attribute`) runs without walls; `agents` (files and folders) are started
    behind walls, or at the `level` without walls that the user has typed.
    """
    before = replace(_typed)
    _typed.code = [*before.code, *(_code(os.fspath(name)) for name in code)]
    _typed.agents = [*before.agents, *map(os.path.abspath, agents)]
    _typed.level, _typed.is_closed = level or before.level, True
    try:
        yield
    finally:
        vars(_typed).update(vars(before))


def is_trusted(code: str) -> bool:
    """Whether a file, or `file.py:Name`, was typed as code that runs without walls."""
    wanted = _code(code)
    place = os.path.realpath(wanted.place)
    return any(
        os.path.realpath(one.place) == place and (not wanted.name or one.name in ("", wanted.name))
        for one in _typed.code
    )


def is_trusted_interpreter(path: str) -> bool:
    """Whether this very path of a Python was typed: links to one program differ in what they import."""
    return any(one.place == os.path.abspath(path) for one in _typed.code)


def is_trusted_agent(path: str) -> bool:
    """Whether a file or folder of an agent behind walls was typed, or lies in a folder that was."""
    whole = os.path.realpath(path) + os.sep
    return is_trusted(path) or any(
        whole.startswith(os.path.realpath(name).rstrip(os.sep) + os.sep) for name in _typed.agents
    )


def check_file(path: str | os.PathLike[str]) -> None:
    """NotTrusted inside of `only_trusted` if this file was not typed as code that runs without walls."""
    if _typed.is_closed and not is_trusted(os.fspath(path)):
        raise NotTrusted(f"{printable(os.fspath(path))} is not loaded: only a file that you type is")


def check_agent(path: str | os.PathLike[str]) -> None:
    """NotTrusted inside of `only_trusted` if the file of this agent was not typed."""
    if _typed.is_closed and not is_trusted_agent(os.fspath(path)):
        raise NotTrusted(f"{printable(os.fspath(path))} is not started: only a file that you type is")


def check_level(level: str) -> None:
    """NotTrusted inside of `only_trusted` if the user has not typed this level, at which agents have no walls."""
    if _typed.is_closed and _typed.level != level:
        raise NotTrusted(f"an agent would run without a sandbox: if you trust it, type --sandbox {printable(level)}")


def check_module(name: str) -> None:
    """NotTrusted inside of `only_trusted` if this `module:Attribute` was not typed."""
    if _typed.is_closed and _Code(name) not in _typed.code:
        raise NotTrusted(f"{printable(name)} is not imported: only a module that you type is")


def typed_game(name: str, digest: str | None) -> str | None:
    """What was typed for the game that a stored text calls `name`; None if nothing was.

    A file is found by the digest of its content, wherever it lies. Where the stored text holds no digest, a file that
    was typed with `unchecked:` is found by its own name, and no other is.
    """
    own = GAME.match(name)
    if own is None:
        return name if _Code(name) in _typed.code else None
    if not digest:
        found = typed_namesake(name, unchecked=True)
        return None if found is None else found + name.removeprefix(own[0])
    files = (one.place for one in _typed.code if one.place.endswith(".py"))
    found = next((file for file in files if rules_digest(file) == digest), None)
    return None if found is None else found + name.removeprefix(own[0])


def typed_namesake(name: str, *, unchecked: bool = False) -> str | None:
    """The first file that was typed with the own name of this game's, whatever it holds; `unchecked`: of those only."""
    own = GAME.match(name)
    base = os.path.basename(own[0]) if own else None
    files = (one.place for one in _typed.code if not (unchecked and one.is_checked))
    return next((file for file in files if os.path.basename(file) == base), None)


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


def quoted(text: str) -> str:
    """A stored text as it may be pasted into a shell."""
    return shlex.quote(printable(text))


def _code(text: str) -> _Code:
    name = text.removeprefix(UNCHECKED)
    own = GAME.match(name)
    if own is not None:
        return _Code(os.path.abspath(own[0]), name[own.end() + 1 :].strip(), is_checked=name == text)
    is_module = ":" in name and not os.path.exists(name)
    return _Code(name if is_module else os.path.abspath(name), is_checked=name == text)
