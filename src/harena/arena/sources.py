"""The files that agents are made of: a run does not go on with others than it began with."""

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from harena.agents.guests import guest, is_guest
from harena.agents.launch import is_file
from harena.errors import HarenaError, UsageError

GAME = re.compile(r".+\.py(?=:|$)")
HEURISTIC = re.compile(r"[^\s=,+*()]+\.py(?=:)")  # a user's own, in the text of a player


def sources(game: str, agents: Iterable[str]) -> dict[str, str]:
    """A digest of every file that a game and these agents name, by its path; of what cannot be read an empty one."""
    named = [path for text in agents for path in _files(text)]
    own = GAME.match(game)
    return {path: _digest(path) for path in [*(with_imports(own[0]) if own else []), *named]}


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
        yield from with_imports(text)
    else:
        for path in HEURISTIC.findall(text):
            yield from with_imports(path)


def with_imports(path: str) -> list[str]:
    """A user's own file, and the files beside it that it imports, and so on."""
    found = [path]
    for one in found:  # grows as it goes
        try:
            tree = ast.parse(Path(one).read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue  # it is said elsewhere
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module] if node.module else [alias.name for alias in node.names]
            beside = [os.path.join(os.path.dirname(one), f"{name.partition('.')[0]}.py") for name in names]
            found += [file for file in beside if file not in found and os.path.isfile(file)]
    return found


def _digest(path: str) -> str:
    try:
        return blake2b(Path(path).read_bytes(), digest_size=8).hexdigest()
    except OSError:
        return ""
