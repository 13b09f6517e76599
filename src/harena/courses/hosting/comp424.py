"""COMP 424: a class with `step(chess_board, my_pos, adv_pos, max_step)` that answers `((row, column), side)`.

Each game has a new instance. What the course's program takes for a move is one here: whatever numpy makes two whole
numbers of, and a side that is a whole number. What it replaces by a random walk is a fault here, with its reason.
"""

from __future__ import annotations

import importlib
import inspect
import operator
import re
import sys
import types
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import importing
from .comp424_finding import STANDARD, find_file, root_of
from .host import ILLEGAL, UNREADABLE, Fault
from .importing import CannotLoad

COURSE = "comp424"
NEEDS_NUMPY = True
SIDES = "urdl"
COLUMNS = "abcdefghijklmnopqrstuvwxyz"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
LONGEST_SHOWN = 80

Cell = tuple[int, int]


def load(folder: Path, target: str, name: str, *, course: str, hello: Mapping[str, Any]) -> Agent:
    """The agent of a file, or the one that is found in a folder."""
    file = folder / target if target else find_file(folder, name)
    root = root_of(file, folder)
    importing.prepare(COURSE, root, root)
    set_year(course)
    sys.path.append(str(file.parent))
    module = importing.load(file, _module_name(file, root))
    known, kind = _choose(module, file, name)
    _check_constructor(kind, file)
    return Agent(known, kind)


def set_year(course: str) -> None:
    """Make the course's modules those of the year in the name of a course: `comp424-2022`."""
    _, _, year = course.partition("-")
    if year:
        vars(importlib.import_module("course_year"))["YEAR"] = int(year)


def _module_name(file: Path, root: Path) -> str:
    """As the course imports it: `agents.student_agent`, so that files beside it can be imported from there too."""
    *folders, stem = file.relative_to(root).with_suffix("").parts
    name = re.sub(r"\W", "_", stem)
    if not folders and name == "agent":
        return name  # `agents.agent` is the base class
    return ".".join([*(folders or ["agents"]), name])


# Which of the classes in a module it is


def _choose(module: types.ModuleType, file: Path, name: str) -> tuple[str, type]:
    """The agent's class and what it is called: the one that was asked for, `student_agent`, or the only one."""
    registry: dict[str, Any] = getattr(importlib.import_module("store"), "AGENT_REGISTRY", {})
    registered = {key: kind for key, kind in registry.items() if isinstance(key, str) and _is_agent(kind)}
    here = {key: kind for key, kind in registered.items() if kind.__module__ == module.__name__}
    classes = {key: kind for key, kind in vars(module).items() if _is_agent(kind)}
    own = {key: kind for key, kind in classes.items() if kind.__module__ == module.__name__}
    if name:
        found = registered.get(name) or classes.get(name)
        if found is None:
            raise CannotLoad(f"{file.name} has no agent {name!r}{_offer({**here, **own})}")
        return name, found
    for named in (here, registered):
        if STANDARD in named:
            return STANDARD, named[STANDARD]
    derived = {key: kind for key, kind in own.items() if any(base.__name__ == "Agent" for base in kind.__mro__[1:])}
    for several in (here, derived, own, classes):
        if len(several) > 1:
            raise CannotLoad(f"{file.name} has several agents{_offer(several)}; add :NAME to choose one")
        if several:
            return next(iter(several.items()))
    raise CannotLoad(f"{file.name} has no agent: no class with a method step")


def _is_agent(kind: Any) -> bool:
    """Whether it is a class of agents, and neither the base of all nor the world, which has a method of that name."""
    is_ours = getattr(kind, "__module__", "") in ("agents.agent", "world")
    return inspect.isclass(kind) and callable(getattr(kind, "step", None)) and not is_ours


def _offer(agents: Mapping[str, Any]) -> str:
    return f": {', '.join(agents)}" if agents else ""


def _check_constructor(kind: type, file: Path) -> None:
    """CannotLoad if the class cannot be made without arguments, as the course makes it."""
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        raise CannotLoad(f"{file.name}: {kind.__name__}() cannot be made without arguments: {error}") from None
    except ValueError:
        return  # it has no signature: the first game will show


# Games


class Agent:
    """A class of agents between the protocol and its method `step`."""

    def __init__(self, name: str, kind: type) -> None:
        self.name, self.kind = name, kind
        self.instance: Any = None

    def make(self) -> None:
        """A new instance."""
        self.instance = self.kind()

    def begin(self, told: dict[str, Any]) -> None:
        """A question holds all that an agent is told."""

    def choose(self, told: dict[str, Any]) -> str:
        """The text of the move that `step` answers; Fault if the course would not take it."""
        place = Place(told["position"])
        answer = self.instance.step(place.board(), place.mine(), place.theirs(), place.steps)
        cell, side = read(answer)
        if trouble := place.trouble(cell, side):
            raise Fault(ILLEGAL, f"({cell}, {side}): {trouble}")
        return text_of(cell) + SIDES[side]


def read(answer: Any) -> tuple[Cell, int]:
    """Cell and side of an answer as the course's program understands it; Fault for one that has no such form."""
    import numpy as np

    try:
        position, side = answer
        with np.errstate(invalid="ignore"):
            numbers = np.asarray(position, dtype=np.int64)
        if numbers.shape != (2,) or isinstance(side, bool):
            raise ValueError
        return (int(numbers[0]), int(numbers[1])), operator.index(side)
    except (TypeError, ValueError, OverflowError):
        shown = " ".join(repr(answer).split())[:LONGEST_SHOWN]
        raise Fault(UNREADABLE, f"{shown} is not of the form ((row, column), side)") from None


class Place:
    """A position of the protocol, `6 d1 c6 1 b2r,c3d`, as the course's arrays and tuples; each of them is a new one."""

    def __init__(self, position: str) -> None:
        size, first, second, player, walls = position.split()
        self.size = int(size)
        self.steps = (self.size + 1) // 2
        one, other = cell_of(first), cell_of(second)
        self.cells = (one, other) if player == "1" else (other, one)  # the player to move, then the other
        self.walls = [] if walls == "-" else walls.split(",")

    def board(self) -> Any:
        """True where there is a wall or the border, by row, column and side."""
        import numpy as np

        board = np.zeros((self.size, self.size, 4), dtype=np.bool_)
        board[0, :, 0] = board[:, -1, 1] = board[-1, :, 2] = board[:, 0, 3] = True
        for wall in self.walls:
            (row, column), side = cell_of(wall[:-1]), SIDES.index(wall[-1])
            board[row, column, side] = True
            board[row + STEPS[side][0], column + STEPS[side][1], (side + 2) % 4] = True
        return board

    def mine(self) -> tuple[Any, Any]:
        """Where the agent stands, in numpy's integers."""
        return self._in_numpy(0)

    def theirs(self) -> tuple[Any, Any]:
        """Where its adversary stands."""
        return self._in_numpy(1)

    def _in_numpy(self, which: int) -> tuple[Any, Any]:
        import numpy as np

        row, column = self.cells[which]
        return np.int64(row), np.int64(column)

    def trouble(self, cell: Cell, side: int) -> str:
        """Why a move is against the rules, checked in the course's order; nothing if it is not."""
        if not all(0 <= one < self.size for one in cell):
            return f"that cell is not on a board of {self.size}x{self.size}"
        if not 0 <= side <= 3:
            return "a side is 0, 1, 2 or 3"
        if self.board()[cell[0], cell[1], side]:
            return "that side has a wall already"
        if cell == self.cells[1]:
            return "the adversary stands there"
        if cell not in self.reached():
            return f"more than {self.steps} steps from {self.cells[0]}, or behind walls"
        return ""

    def reached(self) -> dict[Cell, int]:
        """The cells that the agent can walk to, with the steps to each."""
        board, start = self.board(), self.cells[0]
        steps, queue = {start: 0}, deque([start])
        while queue:
            cell = queue.popleft()
            for side, (down, right) in enumerate(STEPS):
                beyond = cell[0] + down, cell[1] + right
                is_new = beyond not in steps and beyond != self.cells[1]
                if is_new and not board[cell[0], cell[1], side] and steps[cell] < self.steps:
                    steps[beyond] = steps[cell] + 1
                    queue.append(beyond)
        return steps


def cell_of(text: str) -> Cell:
    """Row and column from 0 of a cell's name: (0, 2) of c1."""
    return int(text[1:]) - 1, COLUMNS.index(text[0])


def text_of(cell: Cell) -> str:
    """The name of a cell."""
    return f"{COLUMNS[cell[1]]}{cell[0] + 1}"
