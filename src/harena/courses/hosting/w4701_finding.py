"""Finds the agent in a repository of W4701: PlayerAI.py in whatever folder it lies, else the one file that can play.

Of several, the one in a folder named by its authors' ids (ab1234_cd5678) goes first, as the course has it handed in,
then the one nearest to the top. The course's own template, whose methods are empty, is only taken if there is no other.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from .encoding import first_misread
from .importing import CannotLoad
from .parsing import Unparsable, parse_file
from .sightings import describe_found, lacks_agent

PREFERRED = "PlayerAI.py"
COURSE_FILES = frozenset(
    f"{name}.py" for name in ("BaseAI", "BaseDisplayer", "ComputerAI", "Displayer", "Game", "Grid", "Utils")
)
NOT_THEIRS = frozenset(("test_players", "venv", "env", "site-packages", "node_modules", "__pycache__", "__MACOSX"))
AUTHORS = re.compile(r"[a-z]{2,4}\d{1,5}(_[a-z]{2,4}\d{1,5})*", re.ASCII)
CALLS = frozenset(("getMove", "getTrap"))


def find(folder: Path, name: str) -> Path:
    """The file of the agent (of this class, if one is named); CannotLoad if there is none, or no telling which."""
    files = _files(folder)
    found = [file for file in files if _is_agent(file, name)]
    if not found:
        raise CannotLoad(first_misread(files) or _explain_none(folder, files, name))
    if not name:
        found = [file for file in found if not lacks_agent(file, CALLS, files)] or found
    best = min(_rank(file, folder) for file in found)
    equals = [file for file in found if _rank(file, folder) == best]
    if len({file.read_bytes() for file in equals}) > 1:
        names = ", ".join(file.relative_to(folder).as_posix() for file in equals[:3])
        raise CannotLoad(f"there are several agents here, {names}: keep or name one of them")
    return equals[0]


def _explain_none(folder: Path, files: list[Path], name: str) -> str:
    what = f"a class {name}" if name else "a class with getMove and getTrap"
    looked = "" if name else f"looked for {PREFERRED} and then any other; "
    return f"no Python file here has {what} ({looked}{describe_found(folder, files)})"


def _files(folder: Path) -> list[Path]:
    def is_theirs(file: Path) -> bool:
        parts = file.relative_to(folder).parts
        return file.is_file() and not any(part in NOT_THEIRS or part.startswith(".") for part in parts)

    return sorted(file for file in folder.rglob("*.py") if is_theirs(file))


def _is_agent(file: Path, name: str) -> bool:
    classes = _classes(file)
    if name:
        return name in classes
    if file.name == PREFERRED:
        return True  # whatever is wrong with it is to be said
    return file.name not in COURSE_FILES and any(methods.keys() >= CALLS for methods in classes.values())


def _rank(file: Path, folder: Path) -> tuple[bool, bool, bool, int]:
    """The lowest goes first."""
    methods = [method for found in _classes(file).values() for call, method in found.items() if call in CALLS]
    is_template = bool(methods) and all(_is_empty(method) for method in methods)
    parts = file.relative_to(folder).parts
    return is_template, file.name != PREFERRED, not any(map(AUTHORS.fullmatch, parts[:-1])), len(parts)


def _classes(file: Path) -> dict[str, dict[str, ast.FunctionDef]]:
    """The methods of the classes of a file; nothing if it cannot be read."""
    try:
        tree = parse_file(file)
    except (OSError, Unparsable):
        return {}
    return {
        node.name: {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def _is_empty(method: ast.FunctionDef) -> bool:
    """Whether a method does nothing: a docstring, pass, or a return of nothing."""
    return all(
        isinstance(line, ast.Pass)
        or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
        or (isinstance(line, ast.Return) and (line.value is None or isinstance(line.value, ast.Constant)))
        for line in method.body
    )
