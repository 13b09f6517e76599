"""Agents of the Isolation course (Udacity AIND): a class with get_move, asked for a cell.

The Board that an agent gets is that of its own generation, told by the parameters of its get_move; its state is the
agent's to spoil. An agent that has moves left and answers (-1, -1) or None has resigned.
"""

from __future__ import annotations

import importlib
import inspect
import operator
import sys
import types
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from .aind_boards import can_restore, restored
from .aind_finding import CALL, LATER, asks_for_moves, find, generation, is_later, project, seems_early
from .aind_making import arguments_for, explain_data
from .host import ILLEGAL, RESIGNED, UNREADABLE, Fault
from .importing import MODULES, CannotLoad, explained, prepare
from .importing import load as load_file
from .stand_ins import STANDARD_MODULES

COURSE, GAME = "aind", "isolation"
NEEDS_NUMPY = False
STANDARD = ("CustomPlayer", "AlphaBetaPlayer", "MinimaxPlayer")
MILLISECONDS = 150.0  # where no time is told: the course's own
COLUMNS = "abcdefgh"
NO_MOVE = (-1, -1)
LONGEST_REPR = 80

Cell = tuple[int, int]


def load(folder: Path, target: str, name: str, *, course: str, hello: dict[str, Any]) -> Player:
    """The agent of a file, or the one that is found in a folder; CannotLoad says why there is none."""
    if hello["game"] != GAME:
        raise CannotLoad(f"an agent of the Isolation course plays {GAME}, not {hello['game']}")
    file = folder / target if target else find(folder, name)
    if file.suffix != ".py":
        raise CannotLoad(f"{file.name} is no Python file")
    if is_later(file):
        raise CannotLoad(LATER)
    root = project(file, folder)
    prepare(COURSE, root, file.parent)
    sys.path.append(str(folder))
    _older_python()
    boards = _boards(folder)
    is_ours = MODULES in Path(str(boards.__file__)).parents
    if is_ours:
        _install(boards, generation(file, root, is_early=seems_early(file)))
    module = load_file(file, _module_name(file))
    made = player_class(module, file, name)
    is_early = _is_early(made)
    board = boards.GENERATIONS[generation(file, root, is_early=is_early)] if is_ours else boards.Board
    if not can_restore(board):
        raise CannotLoad("isolation.py has a Board of its own without _board_state: leave the course's Board as it is")
    arguments = arguments_for(made, module, file.parent, is_early=is_early)
    try:
        return Player(lambda: made(**arguments), board, folder, name=made.__name__, is_early=is_early)
    except CannotLoad as error:
        raise CannotLoad(f"{error}{explain_data(arguments)}") from None


def _older_python() -> None:
    """Put back what the Python of 2017 had, and agents of that year use."""
    vars(importlib.import_module("time")).setdefault("clock", perf_counter)
    known, abstract = importlib.import_module("collections"), importlib.import_module("collections.abc")
    for name in abstract.__all__:
        vars(known).setdefault(name, getattr(abstract, name))


def _boards(folder: Path) -> types.ModuleType:
    try:
        importlib.import_module("isolation")
        return importlib.import_module("isolation.isolation")
    except (Exception, SystemExit) as error:
        raise CannotLoad(f"isolation.py cannot be imported: {explained(error, folder)}") from None


def _install(boards: types.ModuleType, chosen: str) -> None:
    """Make `isolation.Board` the board of a generation, and the time limit its own."""
    for module in (boards, sys.modules["isolation"]):
        vars(module)["Board"] = boards.GENERATIONS[chosen]
        vars(module)["TIME_LIMIT_MILLIS"] = boards.TIME_LIMITS[chosen]


def _module_name(file: Path) -> str:
    """What the file is imported as; never what a library is called."""
    return f"agent_{file.stem}" if file.stem in STANDARD_MODULES or file.stem in sys.modules else file.stem


def player_class(module: types.ModuleType, file: Path, name: str) -> type:
    """The class of this name, else one of the course's names, else the last of its own that no other builds upon."""
    players = {
        key: value for key, value in vars(module).items() if isinstance(value, type) and callable(_call_of(value))
    }
    if name:
        if name not in players:
            raise CannotLoad(f"{file.name} has no class {name} with {CALL}; it has: {', '.join(players) or 'none'}")
        return players[name]
    for standard in STANDARD:
        if standard in players:
            return players[standard]
    own = [value for value in players.values() if value.__module__ == module.__name__] or [
        value for value in players.values() if value.__module__ != "sample_players"
    ]
    last = [one for one in own if not any(one in other.__mro__[1:] for other in own)]
    if not last:
        raise CannotLoad(f"{file.name} has no class with {CALL}")
    return last[-1]


def _call_of(found: type) -> Callable[..., Any] | None:
    call: Callable[..., Any] | None = getattr(found, CALL, None)
    return call


def _is_early(made: type) -> bool:
    """Whether it wants (game, legal_moves, time_left)."""
    call = _call_of(made)
    assert call is not None
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [one for one in inspect.signature(call).parameters.values() if one.kind in plain][1:]
    return asks_for_moves([one.name for one in parameters], sum(one.default is one.empty for one in parameters))


class Opponent:
    """Stands for the other player on a board: there to be compared, not to be asked."""


class Player:
    """An agent between the protocol and the course's call."""

    def __init__(self, construct: Callable[[], Any], board: Any, folder: Path, *, name: str, is_early: bool) -> None:
        self.construct, self.board, self.name, self.is_early = construct, board, name, is_early
        self.start = ""
        self.agent: Any = None
        self.players: tuple[Any, Any] = (Opponent(), Opponent())
        try:
            construct()  # whether it can be made; no game is played with this instance
        except (Exception, SystemExit) as error:
            raise CannotLoad(f"{name}() fails: {explained(error, folder)}") from None

    def make(self) -> None:
        """A new instance."""
        self.agent = self.construct()

    def begin(self, told: dict[str, Any]) -> None:
        """Keep the start of the game and the agent's seat."""
        self.start = told["start"]
        self.players = (self.agent, Opponent()) if told["seat"] == 0 else (Opponent(), self.agent)

    def choose(self, told: dict[str, Any]) -> str:
        """The text of the cell that get_move answers."""
        begin = perf_counter()
        limit = 1000 * told["limits"]["seconds"] if "seconds" in told["limits"] else MILLISECONDS
        game = restored(self.board, self.players, self.start)
        for move in told["moves"]:
            game.apply_move(_cell(move))

        def time_left() -> float:
            return float(limit - 1000 * (perf_counter() - begin))

        moves = [game.get_legal_moves()] if self.is_early else []
        answer = self.agent.get_move(game, *moves, time_left)
        cell = cell_of(answer)
        if answer is None or cell == NO_MOVE:
            moves_left = "is 1 move" if len(told["legal"]) == 1 else f"are {len(told['legal'])} moves"
            raise Fault(RESIGNED, f"{_shown(answer)} from {CALL} while there {moves_left}")
        if cell is None:
            raise Fault(UNREADABLE, f"{_shown(answer)} from {CALL} is no cell: answer (row, column), two integers")
        rows, _ = told["position"].split(" ")
        reason = _why_illegal(rows.split("/"), cell, told["legal"])
        if reason:
            raise Fault(ILLEGAL, f"{cell} from {CALL}: {reason}")
        return _text(cell)


def cell_of(answer: Any) -> Cell | None:
    """The row and column of a tuple, list or array of two whole numbers; None for anything else."""
    if isinstance(answer, (str, bytes, dict, set)):
        return None
    try:
        row, column = answer
        return _whole(row), _whole(column)
    except (TypeError, ValueError):
        return None


def _whole(number: Any) -> int:
    """A number that is whole, of whatever type; 2.0 equals 2 in the course's list of moves too."""
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return operator.index(number)


def _cell(text: str) -> Cell:
    return int(text[1:]) - 1, COLUMNS.index(text[0])


def _text(cell: Cell) -> str:
    return f"{COLUMNS[cell[1]]}{cell[0] + 1}"


def _why_illegal(rows: list[str], cell: Cell, legal: list[str]) -> str:
    """What is wrong with a cell; nothing if it is a legal move."""
    row, column = cell
    if not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
        return f"it is off the board, which ends at ({len(rows) - 1}, {len(rows[0]) - 1})"
    if rows[row][column] != ".":
        return "that cell is taken or has been visited"
    return "" if _text(cell) in legal else "a knight does not get there"


def _shown(answer: Any) -> str:
    """An answer as Python prints it, if it can be printed."""
    try:
        return " ".join(repr(answer).split())[:LONGEST_REPR]
    except Exception as error:
        return f"what cannot be printed ({type(error).__name__})"
