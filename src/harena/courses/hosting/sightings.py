"""What the finders of all courses say and see: the files that were found, and standard files without an agent."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from pathlib import Path

from .parsing import Unparsable, parse_file

MOST_SHOWN = 5


def describe_found(folder: Path, files: Sequence[Path]) -> str:
    """The Python files of a folder, the first of them by name."""
    if not files:
        return "found no Python file"
    names = ", ".join(file.relative_to(folder).as_posix() for file in files[:MOST_SHOWN])
    return f"found {names}{f' and {len(files) - MOST_SHOWN} more' if len(files) > MOST_SHOWN else ''}"


def lacks_agent(file: Path, calls: Collection[str], files: Sequence[Path]) -> bool:
    """Whether a file surely has no agent: no class with one of these methods or a base, and none that it imports.

    A file that cannot be parsed may have one: what is wrong with it has to be said.
    """
    try:
        tree = parse_file(file)
    except (OSError, Unparsable):
        return False
    helpers = {one.stem for one in files} | {one.parent.name for one in files}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            if methods & set(calls) or node.bases:
                return False
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[-1] in helpers):
            return False
    return True
