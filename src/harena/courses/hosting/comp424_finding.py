"""Where the agent of COMP 424 lies in a file or a repository: found out without running any of it.

In a repository `agents/student_agent.py` comes first, then any `student_agent.py`, then whatever registers the name
`student_agent`, then other agents in a folder `agents`, then all others; of two alike the one nearer to the top. The
course's own files (the random and the human agent among them) are agents only if they are asked for by name.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .encoding import first_misread
from .importing import CannotLoad
from .parsing import Unparsable, parse_source, read_source
from .sightings import describe_found, lacks_agent

STANDARD = "student_agent"
AGENTS = "agents"
MARKS = (AGENTS, "simulator.py", "world.py", "store.py")  # what the root of the course's checkout has
OF_THE_COURSE = frozenset(
    ["agent.py", "random_agent.py", "human_agent.py", "world.py", "simulator.py", "store.py", "ui.py"]
)
NOT_LOOKED_AT = frozenset(["__pycache__", "__MACOSX", "site-packages", "node_modules", "venv", "env", "test", "tests"])
REGISTERS = re.compile(r"""register_agent\(\s*["']([^"']+)["']""")
DEFINES = re.compile(r"^class\s+(\w+)", re.MULTILINE)
MOST_SHOWN = 5


@dataclass(frozen=True)
class Sight:
    """What a file shows of itself: the names that it registers, and its classes that look like agents."""

    registered: tuple[str, ...]
    classes: tuple[str, ...]

    def has(self, name: str) -> bool:
        """Whether an agent of this name is there; any at all for no name."""
        known = (*self.registered, *self.classes)
        return name in known if name else bool(known)


def sight(file: Path) -> Sight:
    """What there is to see in a file; of one that cannot be parsed what its text shows."""
    try:
        data = read_source(file)
        tree = parse_source(data)
    except OSError:
        return Sight(registered=(), classes=())
    except Unparsable:
        text = data.decode("utf-8", "replace")
        registered = tuple(REGISTERS.findall(text))
        return Sight(registered=registered, classes=tuple(DEFINES.findall(text)) if registered else ())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return Sight(
        registered=tuple(name for call in calls for name in _registered(call)),
        classes=tuple(one.name for one in classes if _looks_like_an_agent(one)),
    )


def _registered(call: ast.Call) -> Iterator[str]:
    if _called(call.func) == "register_agent" and len(call.args) == 1:
        name = call.args[0]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            yield name.value


def _called(function: ast.expr) -> str:
    """The last part of a name: `register_agent` of `store.register_agent`."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _looks_like_an_agent(one: ast.ClassDef) -> bool:
    has_step = any(isinstance(node, ast.FunctionDef) and node.name == "step" for node in one.body)
    return has_step or any(_called(base).endswith("Agent") for base in one.bases)


def find_file(folder: Path, name: str) -> Path:
    """The file of the agent of this name, or of the one there is; CannotLoad if there is none, or no telling which.

    A name that no file shows may still be registered when the one agent's file is run.
    """
    files = list(_files(folder))
    ranked = sorted((_rank(folder, file, seen), file) for file, seen in _agents(folder, name))
    if name and not ranked:
        return find_file(folder, "")
    if not ranked:
        raise CannotLoad(first_misread(files) or _explain_none(folder, files))
    if not name:
        ranked = [(rank, file) for rank, file in ranked if not lacks_agent(file, ("step",), files)] or ranked
    best = [file for rank, file in ranked if rank == ranked[0][0]]
    if len(best) > 1:
        shown = ", ".join(file.relative_to(folder).as_posix() for file in best[:MOST_SHOWN])
        more = " ..." if len(best) > MOST_SHOWN else ""
        raise CannotLoad(f"several agents in this folder ({shown}{more}): name the file of one")
    return best[0]


def _explain_none(folder: Path, files: list[Path]) -> str:
    looked = f"looked for {STANDARD}.py and then any other; {describe_found(folder, files)}"
    return f"no agent in this folder: no class with a method step ({looked})"


def _agents(folder: Path, name: str) -> Iterator[tuple[Path, Sight]]:
    for file in _files(folder):
        if not name and file.name in OF_THE_COURSE:
            continue
        seen = sight(file)
        if seen.has(name) or (not name and file.stem == STANDARD):
            yield file, seen


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in NOT_LOOKED_AT and not one.startswith("."))
        yield from (Path(place, one) for one in sorted(files) if one.endswith(".py") and not one.startswith("."))


def _rank(folder: Path, file: Path, seen: Sight) -> tuple[int, int]:
    """The lower the better: how sure it is that this is the agent, then how deep it lies."""
    among_agents = file.parent.name == AGENTS
    if file.stem == STANDARD:
        kind = 0 if among_agents else 1
    elif STANDARD in seen.registered:
        kind = 2
    else:
        kind = 3 if among_agents else 4
    return kind, len(file.relative_to(folder).parts)


def root_of(file: Path, folder: Path) -> Path:
    """The folder from which the course would run an agent: its checkout's, or the agent's own if there is none."""
    for place in file.parents:
        if place.name != AGENTS and any((place / mark).exists() for mark in MARKS):
            return place
        if place == folder:
            break
    return file.parent


def registered_in(agents: Path) -> dict[str, Path]:
    """The names that the files of a folder `agents` register, each with its file."""
    found: dict[str, Path] = {}
    for file in sorted(agents.glob("*.py")):
        for name in sight(file).registered:
            found.setdefault(name, file)
    return found
