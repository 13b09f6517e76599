"""A search in a user's file, `mine.py:MySearch(width=4)`; docs/search/own.md shows both kinds.

* A class with `run(self, state, limits, turn)`, in plain Python: `state` is a `harena.State`, the answer a move or a
  `harena.Result`. What its constructor takes are the options of its text.
* An algorithm as a value, compiled: a NamedTuple with a method of `search`, as in `search/alphabeta.py`. Its fields are
  the options, and `Deepening` does the rest, as for Harena's.

Answers become Harena's own: numbers are Python's, since numpy's cannot be written as JSON to another process, and moves
are legal. Anything else is an error of one plain line.
"""

import ast
import inspect
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from inspect import Parameter, Signature
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from harena.agents.algorithms import megabytes
from harena.api import Game, State
from harena.errors import BadFile, HarenaError, KernelError
from harena.heuristics.names import heuristic as read_heuristic
from harena.kernel.modules import OTHER_FILES, is_of_rules, load_file, user_line
from harena.kernel.values import coerce, is_value_class
from harena.search.deepening import Deepening
from harena.search.reading import kind_of
from harena.search.result import NO_TURN, Limits, Result, RootMove, Search, Turn
from harena.search.workspace import search

Build = Callable[..., Search]
PROMISES = ("windows", "narrows")  # fields of an algorithm that say what it does with alpha and beta
ENDED_BY = ("seconds", "nodes", "iterations")  # what ends `turn.rounds(limits)`
LIMITS = tuple(vars(Limits()))
SHOWN = 60  # letters of an answer
WHOLE = ("depth", "iterations", "proven")  # fields of a result
WHOLE_OF_ROOT = ("visits", "won", "lost", "drawn", "proven")
BOUNDS = ("=", "<=", ">=")
SPEAKS = re.compile(r"""harena\.agents\.bot\b|\bimport bot\b|["']ready["']|\bstdin\b|\binput\(""")  # docs/protocol.md
RUN = ("self", "state", "limits", "turn")


def find_user_search(name: str, game: Game) -> Build:
    """What makes the search `file.py:class` for this game; its keyword-only parameters are the options."""
    path, _, called = name.rpartition(":")
    module = load_file(Path(path))
    kind = getattr(module, called, None)
    OTHER_FILES.add(module.__file__)
    if isinstance(kind, type) and any(key[0] is kind for key in search.methods):
        return _algorithm(path, kind)
    if isinstance(kind, type) and callable(getattr(kind, "run", None)):
        return _plain(path, kind, game)
    if isinstance(kind, type):
        raise BadFile(f"{path}: {called} is no search: it needs a method run(self, state, limits, turn)")
    raise BadFile(f"{path}: there is no search {called!r}; there are: {', '.join(_searches(module)) or 'none'}")


def _searches(module: ModuleType) -> list[str]:
    """The classes of a file that are searches."""
    own = {key: thing for key, thing in vars(module).items() if isinstance(thing, type)}
    return [
        key
        for key, thing in own.items()
        if thing.__module__ == module.__name__
        and (hasattr(thing, "run") or any(method[0] is thing for method in search.methods))
    ]


def _algorithm(path: str, kind: Any) -> Build:
    """An algorithm, deepened by Harena's loop: its fields, and the options of `id`."""
    missing = [field for field in PROMISES if field not in kind._fields] if is_value_class(kind) else []
    if missing:
        raise BadFile(f"{path}: {kind.__qualname__} needs the field {missing[0]}, as in {missing[0]}: bool = False")

    def build(
        game: str,
        /,
        *,
        heuristic: str = "null",
        deepen: bool = True,
        settled: bool = False,
        full: bool = False,
        memory: float = 32.0,
        **fields: Any,
    ) -> Search:
        return Deepening(
            algorithm=coerce(kind(**fields)),
            heuristic=read_heuristic(game, heuristic),
            fixed=not deepen,
            settled=settled,
            full=full,
            megabytes=megabytes(memory),
        )

    usual = [option for option in inspect.signature(build).parameters.values() if option.kind is option.KEYWORD_ONLY]
    own = [option for option in _options(path, kind) if option.name not in PROMISES]
    return _with_options(build, path, kind, [*own, *usual])


def _plain(path: str, kind: Any, game: Game) -> Build:
    """A search in plain Python: the parameters of its constructor."""

    def build(name: str, /, **options: Any) -> Search:
        with blame_search(f"{path}: {kind.__qualname__}"):
            made = kind(**options)
        _check_search(path, kind, made)
        return PlainSearch(made=made, game=game, where=f"{path}: {kind.__qualname__}")

    return _with_options(build, path, kind, _options(path, kind))


def _check_search(path: str, kind: Any, made: Any) -> None:
    """BadFile for a search that could never be asked, or that would be told a limit which it does not mean."""
    name = kind.__qualname__
    try:
        inspect.signature(made.run).bind(None, None, None)
    except TypeError:
        raise BadFile(f"{path}: {name}.run takes other things: it must be run(self, state, limits, turn)") from None
    limits = getattr(made, "bounded_by", ENDED_BY)
    if not isinstance(limits, (tuple, list, set, frozenset)):
        raise BadFile(f'{path}: bounded_by of {name} is a tuple, as in ("seconds",), not {limits!r}')
    for limit in limits:
        if limit not in LIMITS:
            known = ", ".join(LIMITS)
            raise BadFile(f"{path}: bounded_by of {name} has {limit!r}, which is no limit: those are {known}")


def _options(path: str, kind: Any) -> list[Parameter]:
    """The parameters of a class as options."""
    options = []
    for parameter in inspect.signature(kind).parameters.values():
        name = parameter.name
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise BadFile(f"{path}: {name} of {kind.__qualname__} cannot be given by its name: take the / away")
        value_type = kind_of(parameter)
        if value_type is None or parameter.default is parameter.empty:
            raise BadFile(
                f"{path}: {name} of {kind.__qualname__} must be a number, a word or true or false, "
                f"with a default, as in {name}: float = 1.0"
            )
        options.append(parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=value_type))
    return options


def _with_options(build: Build, path: str, kind: Any, options: list[Parameter]) -> Build:
    """The function, with these options to be seen from outside."""
    names = [option.name for option in options]
    for name in names:
        if name in LIMITS or names.count(name) > 1:
            raise BadFile(f"{path}: rename the option {name} of {kind.__qualname__}: every search has one of that name")
    build.__signature__ = Signature(options)  # type: ignore[attr-defined]
    return build


@dataclass(frozen=True, kw_only=True)
class PlainSearch:
    """A user's own object with `run`, asked as Harena's searches are."""

    rehearsal: ClassVar[dict[str, Any]] = {"seconds": 0.01, "nodes": 2, "iterations": 2, "depth": 1}
    made: Any
    game: Game
    where: str

    @property
    def bounded_by(self) -> tuple[str, ...]:
        """As the object says; else it is taken to need an end."""
        return tuple(getattr(self.made, "bounded_by", ENDED_BY))

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Its answer; BadFile if that is no legal move, or whatever else it did wrong."""
        here = State(self.game, state)
        begin = time.perf_counter()
        flag = np.zeros(1, np.int64) if turn.flag is None else turn.flag
        with blame_search(self.where):
            answer = self.made.run(here, limits, replace(turn, flag=flag))
        seconds = time.perf_counter() - begin
        result = check_answer(answer, here, f"{self.where}.run")
        return replace(result, seconds=result.seconds or seconds)

    def forget(self) -> None:
        """The game is over: the object is told if it wants to know."""
        if hasattr(self.made, "forget"):
            with blame_search(self.where):
                self.made.forget()


@contextmanager
def blame_search(where: str) -> Iterator[None]:
    """Turns an exception of a user's search into BadFile in one line; one of the game's rules stays as it is."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, (BadFile, KernelError)) or is_of_rules(error):
            raise
        plain = " ".join(f"{where}: {type(error).__name__}: {error}".split())
        raise BadFile(user_line(error) or plain) from error


def check_answer(answer: Any, here: State, where: str) -> Result:
    """The answer as a result; BadFile for what is no legal move, and for what is no number."""
    result = answer if isinstance(answer, Result) else Result(move=answer)
    try:
        after = here.play(result.move)
    except HarenaError as error:
        if isinstance(error, KernelError):
            raise
        raise BadFile(f"{where} gave {_shorten(answer)}, which is no legal move ({error})") from None
    assert after.last_move is not None
    move, value = int(after.last_move), _real(result.value, "value", where)
    numbers: dict[str, Any] = {key: _whole(getattr(result, key), key, where) for key in WHOLE}
    return replace(
        result,
        **numbers,
        move=move,
        value=value,
        nodes=_whole(result.nodes, "nodes", where) or 0,
        seconds=_real(result.seconds, "seconds", where) or 0.0,
        line=_line(result, after, where),
        root=_root(result, here, where) or (RootMove(move=move, value=value),),
        stopped=str(result.stopped or "chosen"),
    )


def _line(result: Result, after: State, where: str) -> tuple[int, ...]:
    """The line as far as it can be played: out of a table it often ends with a move of another position."""
    moves = _several(result.line, "line", where)
    assert after.last_move is not None and after.previous is not None
    line = [int(after.last_move)]
    try:
        if moves and after.previous.play(moves[0]).last_move != after.last_move:
            return tuple(line)
        for move in moves[1:]:
            after = after.play(move)
            assert after.last_move is not None
            line.append(int(after.last_move))
    except KernelError:
        raise
    except HarenaError:
        return tuple(line)
    return tuple(line)


def _root(result: Result, here: State, where: str) -> tuple[RootMove, ...]:
    moves = _several(result.root, "root", where)
    legal = {key: move for move in here.moves() for key in (int(move), str(move))} if moves else {}
    return tuple(_root_move(move, legal, where) for move in moves)


def _root_move(answer: Any, legal: dict[int | str, Any], where: str) -> RootMove:
    if not isinstance(answer, RootMove):
        raise BadFile(f"{where}: the root holds harena.RootMove(move=...), not {_shorten(answer)}")
    is_move = isinstance(answer.move, str) or hasattr(answer.move, "__index__")
    if not is_move or answer.move not in legal:
        raise BadFile(f"{where}: the root holds {_shorten(answer.move)}, which is no legal move")
    if answer.bound not in BOUNDS:
        raise BadFile(f"{where}: the bound of a root's move is =, <= or >=, not {_shorten(answer.bound)}")
    numbers: dict[str, Any] = {key: _whole(getattr(answer, key), key, where) for key in WHOLE_OF_ROOT}
    return replace(
        answer,
        **numbers,
        move=int(legal[answer.move]),
        value=_real(answer.value, "value", where),
        prior=_real(answer.prior, "prior", where),
    )


def _several(value: Any, name: str, where: str) -> tuple[Any, ...]:
    try:
        return () if value is None else tuple(value)
    except TypeError:
        raise BadFile(f"{where}: the {name} is a tuple, not {_shorten(value)}") from None


def _real(value: Any, name: str, where: str) -> float | None:
    """The number as Python's own; nan is none."""
    if value is None:
        return None
    try:
        number = float("nan" if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if number != number:  # noqa: PLR0124 (nan)
        raise BadFile(f"{where}: the {name} is a number, not {_shorten(value)}")
    return number


def _whole(value: Any, name: str, where: str) -> int | None:
    number = _real(value, name, where)
    if number is not None and not number.is_integer():
        raise BadFile(f"{where}: {name} is a whole number, not {_shorten(value)}")
    return None if number is None else int(number)


def _shorten(value: Any) -> str:
    return " ".join(repr(value).split())[:SHOWN]


def find_search_classes(source: str) -> list[str]:
    """The search classes of a Python file that was named as a program but speaks no protocol.

    A search class has `run(self, state, limits, turn)` or a method of `search`, as in docs/search/own.md. The source is
    only parsed. The list is empty if that fails, or if the file may speak the protocol.
    """
    if SPEAKS.search(source):
        return []
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    compiled = _classes_with_methods(tree)
    return [node.name for node in classes if node.name in compiled or any(map(_is_run, node.body))]


def _is_run(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name != "run":
        return False
    parameters = node.args
    return len(parameters.posonlyargs) + len(parameters.args) >= len(RUN) or parameters.vararg is not None


def _classes_with_methods(tree: ast.Module) -> set[str]:
    """The first classes named in `@search.method(...)`."""
    classes = set()
    for function in tree.body:
        for decorator in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
            if isinstance(decorator, ast.Call) and _dotted_name(decorator.func).endswith("search.method"):
                classes |= {_dotted_name(argument) for argument in decorator.args[:1]}
    return classes


def _dotted_name(node: ast.expr) -> str:
    """A name with its dots, `""` for any other expression; without recursion, which a file could exhaust."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""
