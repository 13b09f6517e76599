"""Agents of Columbia's W4701: a class with getMove and getTrap, asked for a cell twice a turn.

A question of stage `walk` is put to getMove, one of stage `aim` to getTrap; each gets a grid of its own. Where it
stands and who it is are told as the course's program does: before its first walk, on its clock, and after each valid
walk.
"""

from __future__ import annotations

import importlib
import inspect
import operator
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .host import ILLEGAL, UNREADABLE, Fault
from .importing import CannotLoad, explained, prepare
from .importing import load as load_file
from .stand_ins import STANDARD_MODULES
from .w4701_finding import COURSE_FILES, find

COURSE = "w4701"
NEEDS_NUMPY = True
REUSED = "w4701-reused"  # the grader's habit: one instance for all games
VALUES = {".": 0, "x": -1, "1": 1, "2": 2}
COLUMNS = "abcdefgh"
LONGEST_REPR = 80

Cell = tuple[int, int]


def load(folder: Path, target: str, name: str, *, course: str, hello: dict[str, Any]) -> Player:
    """The agent of a file, or the one that is found in a folder; CannotLoad says why there is none."""
    file = folder / target if target else find(folder, name)
    if file.suffix != ".py":
        raise CannotLoad(f"{file.name} is no Python file")
    prepare(COURSE, folder, file.parent)
    os.chdir(file.parent)  # where the course's program was started
    module = load_file(file, _module_name(file))
    made = player_class(module, file, name)
    try:
        grid = importlib.import_module("Grid").Grid
    except (Exception, SystemExit) as error:
        raise CannotLoad(f"Grid.py cannot be imported: {explained(error, folder)}") from None
    return Player(made, grid, folder, is_reused=course == REUSED)


def _module_name(file: Path) -> str:
    """What the file is imported as; never what a library is called."""
    return f"agent_{file.stem}" if file.stem in STANDARD_MODULES or file.stem in sys.modules else file.stem


def player_class(module: types.ModuleType, file: Path, name: str) -> Callable[[], Any]:
    """The class of this name, else PlayerAI, else the only one that can play."""
    classes = {key: value for key, value in vars(module).items() if isinstance(value, type)}
    wanted = name or "PlayerAI"
    if wanted in classes:
        return _checked(classes[wanted], wanted)
    players = {key: value for key, value in classes.items() if _plays(value)}
    if name:
        raise CannotLoad(f"{file.name} has no class {name}; it has: {', '.join(players or classes) or 'none'}")
    own = {key: value for key, value in players.items() if value.__module__ == module.__name__} or {
        key: value for key, value in players.items() if f"{value.__module__}.py" not in COURSE_FILES
    }
    last = [key for key, value in own.items() if not any(value in other.__mro__[1:] for other in own.values())]
    if file.stem in last:
        last = [file.stem]
    if not last:
        raise CannotLoad(f"{file.name} has no class with getMove and getTrap")
    if len(last) > 1:
        raise CannotLoad(f"{file.name} has several agents, {', '.join(last)}: add :{last[0]} to the path")
    return _checked(own[last[0]], last[0])


def _plays(found: type) -> bool:
    return not _missing(found)


def _missing(found: type) -> list[str]:
    """The calls that a class does not answer; BaseAI's own are empty."""
    empty = vars(getattr(sys.modules.get("BaseAI"), "BaseAI", object))
    calls = {call: getattr(found, call, None) for call in ("getMove", "getTrap")}
    return [call for call, answer in calls.items() if not callable(answer) or answer is empty.get(call)]


def _checked(found: type, name: str) -> Callable[[], Any]:
    """The class, if it can be asked and be made without arguments."""
    if missing := _missing(found):
        raise CannotLoad(f"{name} has no {' and no '.join(missing)}")
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return found
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [one.name for one in parameters if one.default is one.empty and one.kind not in rest]
    if needed:
        raise CannotLoad(f"{name} cannot be made without arguments: give {', '.join(needed)} a default")
    return found


class Player:
    """An agent between the protocol and the course's calls."""

    def __init__(self, made: Callable[[], Any], grid: Callable[[int], Any], folder: Path, *, is_reused: bool) -> None:
        self.made, self.grid, self.is_reused = made, grid, is_reused
        self.name = getattr(made, "__name__", "PlayerAI")
        self.agent: Any = None
        self.start: tuple[Cell, int] | None = None  # where it stands and who it is, until it has been told
        try:
            made()  # whether it can be made; no game is played with this instance
        except (Exception, SystemExit) as error:
            raise CannotLoad(f"{self.name}() fails: {explained(error, folder)}") from None

    def make(self) -> None:
        """A new instance, unless one is for all games."""
        if self.agent is None or not self.is_reused:
            self.agent = self.made()

    def begin(self, told: dict[str, Any]) -> None:
        """Keep where the agent stands and who it is."""
        rows = told["start"].split(" ")[0].split("/")
        self.start = _place(rows, str(told["seat"] + 1)), told["seat"] + 1

    def _introduce(self) -> None:
        """Tell the agent where it stands and who it is, once a game."""
        if self.start is not None:
            (place, number), self.start = self.start, None
            self._tell("setPosition", place)
            self._tell("setPlayerNum", number)

    def _tell(self, call: str, what: Any) -> None:
        """Say something to an agent that listens."""
        if hasattr(self.agent, call):
            getattr(self.agent, call)(what)

    def choose(self, told: dict[str, Any]) -> str:
        """The text of the walk or the aim."""
        self._introduce()
        board, player, stage, _ = told["position"].split(" ")
        rows = board.split("/")
        call, prefix = ("getMove", "") if stage == "walk" else ("getTrap", "@")
        answer = getattr(self.agent, call)(self._seen(rows))
        cell = cell_of(answer)
        if cell is None:
            raise Fault(UNREADABLE, f"{_shown(answer)} from {call} is no cell: answer (row, column), two integers")
        text = prefix + COLUMNS[cell[1]] + str(cell[0] + 1) if max(cell) < len(rows) and min(cell) >= 0 else ""
        if text not in told["legal"]:
            raise Fault(ILLEGAL, f"{cell} from {call}: {_why_illegal(rows, player, cell)}")
        if stage == "walk":
            self._tell("setPosition", cell)
        return text

    def _seen(self, rows: list[str]) -> Any:
        """A grid of the agent's own."""
        grid = self.grid(len(rows))
        for row, signs in enumerate(rows):
            for column, sign in enumerate(signs):
                grid.setCellValue((row, column), VALUES[sign])
        return grid


def cell_of(answer: Any) -> Cell | None:
    """The row and column of a tuple, list or array of two integers; None for anything else."""
    lines = answer.tolist() if type(answer).__name__ == "ndarray" else answer
    if not isinstance(lines, (tuple, list)) or len(lines) != 2 or any(isinstance(line, bool) for line in lines):
        return None
    try:
        row, column = (operator.index(line) for line in lines)
    except TypeError:
        return None
    return row, column


def _place(rows: list[str], sign: str) -> Cell:
    """Where a player stands."""
    return next((row, line.index(sign)) for row, line in enumerate(rows) if sign in line)


def _why_illegal(rows: list[str], player: str, cell: Cell) -> str:
    row, column = cell
    if not (0 <= row < len(rows) and 0 <= column < len(rows)):
        return f"it is off the board, whose rows and columns are 0 to {len(rows) - 1}"
    if rows[row][column] == "x":
        return "there is a trap"
    return "a player stands there" if rows[row][column] in "12" else f"it is not next to {_place(rows, player)}"


def _shown(answer: Any) -> str:
    """An answer as Python prints it, if it can be printed."""
    try:
        return " ".join(repr(answer).split())[:LONGEST_REPR]
    except Exception as error:
        return f"what cannot be printed ({type(error).__name__})"
