"""The files that a user's own file is made of: it, and what it imports from the files and packages beside it."""

import ast
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

GAME = re.compile(r".+\.py(?=:|$)")


def game_files(name: str) -> list[str]:
    """The files of a game of one's own, `mygame.py` or `mygame.py:Face`, its own first; of any other game none."""
    own = GAME.match(name)
    return with_imports(own[0]) if own else []


def with_imports(path: str, *folders: str) -> list[str]:
    """A Python file, the files that it imports from its own folder (or these), and what those import, and so on.

    A package is a folder: of `import parts.search` both `parts/__init__.py` and `parts/search.py` count.
    """
    found = [path]
    named = os.path.realpath(path) if os.path.islink(path) else path  # Python, too, looks beside the file, not its link
    roots = [os.path.dirname(named), *folders]
    for one in found:  # grows as it goes
        if not os.path.isfile(one):
            continue  # a device, too, which has no end
        try:
            tree = ast.parse(Path(one).read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # it is said elsewhere
        for node in ast.walk(tree):
            found += [file for file in dict.fromkeys(_imported(node, one, roots)) if file not in found]
    return found


def _imported(node: ast.AST, file: str, roots: Iterable[str]) -> Iterator[str]:
    """The files that a statement imports, of those that are there."""
    if isinstance(node, ast.Import):
        for root in roots:
            for alias in node.names:
                yield from _files(root, alias.name)
    elif isinstance(node, ast.ImportFrom):
        base = f"{node.module}." if node.module else ""
        places = [_above(file, node.level)] if node.level else roots
        for place in places:
            for alias in node.names:
                yield from _files(place, f"{base}{alias.name}")  # a part of the package, or a name in it


def _above(file: str, level: int) -> str:
    """The folder that so many dots before an import mean."""
    folder = os.path.dirname(file)
    for _ in range(level - 1):
        folder = os.path.dirname(folder)
    return folder


def _files(root: str, dotted: str) -> Iterator[str]:
    """The files of a module in this folder, the packages around it included."""
    whole = root
    for part in dotted.split("."):
        whole = os.path.join(whole, part)
        yield from (file for file in (f"{whole}.py", os.path.join(whole, "__init__.py")) if os.path.isfile(file))
