"""Finds the agent in a repository of the Isolation course, and tells which generation of the course it was written for.

`game_agent.py` goes first, in whatever folder it lies, then `competition_agent.py`, then any file with a class that has
get_move; of equals the one nearest to the top. The course's own files are not agents. A file of the first two names
without any such class is passed over where another file has one.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from .encoding import first_misread
from .importing import CannotLoad
from .parsing import Unparsable, parse_file
from .sightings import describe_found, lacks_agent

PREFERRED = ("game_agent.py", "competition_agent.py")
COURSE_FILES = ("isolation.py", "sample_players.py", "tournament.py", "agent_test.py", "__init__.py")
PROJECT = (
    "isolation/isolation.py",
    "sample_players.py",
    "tournament.py",
)  # what lies in the folder that the course works in
NOT_THEIRS = frozenset(("venv", "env", "site-packages", "node_modules", "__pycache__", "__MACOSX"))
CALL, LATER_CALL = "get_move", "get_action"
LATER = "the agent here has get_action, of the later 11x9 project: only get_move can be asked here"
QUESTION = re.compile(r"def\s+get_move\s*\(\s*\w+\s*,\s*\w+[^,)]*,\s*(\w+)[^,)]*(,\s*\w+[^,)]*)?\)")
FLAT = re.compile(r"(?<!_)_board_state\b(?!_)|_Board__get_moves|(?<!_)_player_[12]\b(?!_)")
NESTED = re.compile(r"\b__board_state__|__last_player_move__")


def find(folder: Path, name: str) -> Path:
    """The file of the agent (of this class, if one is named); CannotLoad if there is none, or no telling which."""
    files = [file for file in sorted(folder.rglob("*.py")) if _is_theirs(file, folder)]
    found = [file for file in files if _is_agent(file, name)]
    if not found:
        if any(is_later(file) for file in files):
            raise CannotLoad(LATER)
        raise CannotLoad(first_misread(files) or _explain_none(folder, files, name))
    if not name:
        found = [file for file in found if not lacks_agent(file, (CALL,), files)] or found
    best = min(_rank(file, folder) for file in found)
    equals = [file for file in found if _rank(file, folder) == best]
    if len({file.read_bytes() for file in equals}) > 1:
        names = ", ".join(file.relative_to(folder).as_posix() for file in equals[:3])
        raise CannotLoad(f"there are several agents here, {names}: keep or name one of them")
    return equals[0]


def _explain_none(folder: Path, files: list[Path], name: str) -> str:
    looked = f"looked for {', '.join(PREFERRED)} and then any other; " if not name else ""
    return f"no Python file here has a class {name or f'with {CALL}'} ({looked}{describe_found(folder, files)})"


def is_later(file: Path) -> bool:
    """Whether the agent of a file is of the later project."""
    calls = {method for methods in classes(file).values() for method in methods}
    return LATER_CALL in calls and CALL not in calls


def _is_theirs(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    return file.is_file() and not any(part in NOT_THEIRS or part.startswith(".") for part in parts)


def _is_agent(file: Path, name: str) -> bool:
    if name:
        return name in classes(file)
    if file.name in PREFERRED:
        return True  # whatever is wrong with it is to be said
    return file.name not in COURSE_FILES and any(CALL in methods for methods in classes(file).values())


def _rank(file: Path, folder: Path) -> tuple[int, int]:
    """The lowest goes first."""
    order = PREFERRED.index(file.name) if file.name in PREFERRED else len(PREFERRED)
    return order, len(file.relative_to(folder).parts)


def classes(file: Path) -> dict[str, set[str]]:
    """The methods of the classes of a file; nothing if it cannot be read."""
    try:
        tree = parse_file(file)
    except (OSError, Unparsable):
        return {}
    return {
        node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def project(file: Path, folder: Path) -> Path:
    """The folder in which the course's commands were typed: one with its files around the agent, else the agent's."""
    for place in file.parents:
        if any((place / name).exists() for name in PROJECT):
            return place
        if place == folder:
            break
    return file.parent


def asks_for_moves(names: list[str], needed: int) -> bool:
    """Whether a get_move with these parameters, so many without a default, is of (game, legal_moves, time_left)."""
    return needed == 3 or (len(names) > 1 and "moves" in names[1].lower())


def seems_early(file: Path) -> bool:
    """The same, by the text of a file and of the helpers beside it: for what the agent is to import."""
    for text in _texts(file):
        if match := QUESTION.search(text):
            names = [name for name in ("game", match[1], match[2]) if name]
            return asks_for_moves(names, len(names))
    return False


def generation(file: Path, root: Path, *, is_early: bool) -> str:
    """The generation of its Board. G1 and G1c ask alike: the board it brings tells, or the members it uses, else G1."""
    if not is_early:
        return "G2"
    for text in [*_text(root / "isolation" / "isolation.py"), *_texts(file)]:
        if NESTED.search(text):
            return "G1"
        if FLAT.search(text):
            return "G1c"
    return "G1"


def _texts(file: Path) -> list[str]:
    beside = (one for one in sorted(file.parent.glob("*.py")) if one != file and one.name not in COURSE_FILES)
    return [text for one in (file, *beside) for text in _text(one)]


def _text(file: Path) -> list[str]:
    try:
        return [file.read_text("utf-8", errors="replace")]
    except OSError:
        return []
