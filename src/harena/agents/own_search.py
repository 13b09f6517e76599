"""A search of one's own in a file, `mine.py:MySearch(width=4)`; docs/search/own.md shows both kinds.

* A class with `run(self, state, limits, turn)`, in plain Python: `state` is a `harena.State`, the answer a move or a
  `harena.Result`. What its constructor takes are the options of its text.
* An algorithm as a value, compiled: a NamedTuple with a method of `search`, as in `search/alphabeta.py`. Its fields are
  the options, and `Deepening` does the rest, as for ours.
"""

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import Parameter, Signature
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from harena.agents.algorithms import megabytes
from harena.agents.own_answer import blamed, checked
from harena.api import Game, State
from harena.errors import BadFile
from harena.heuristics.names import heuristic as read_heuristic
from harena.kernel.modules import OTHER_FILES, load_file
from harena.kernel.values import coerce, is_value_class
from harena.search.deepening import Deepening
from harena.search.reading import kind_of
from harena.search.result import NO_TURN, Limits, Result, Search, Turn
from harena.search.workspace import search

Build = Callable[..., Search]
PROMISES = ("windows", "narrows")  # fields of an algorithm that say what it does with alpha and beta
ENDED_BY = ("seconds", "nodes", "iterations")  # what ends `turn.rounds(limits)`
LIMITS = tuple(vars(Limits()))


def own_builder(name: str, game: Game) -> Build:
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
    """An algorithm, deepened by our own loop: its fields, and the options of `id`."""
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

    usual = [one for one in inspect.signature(build).parameters.values() if one.kind is one.KEYWORD_ONLY]
    own = [one for one in _options(path, kind) if one.name not in PROMISES]
    return _with_options(build, path, kind, [*own, *usual])


def _plain(path: str, kind: Any, game: Game) -> Build:
    """A search in plain Python: the parameters of its constructor."""

    def build(name: str, /, **options: Any) -> Search:
        with blamed(f"{path}: {kind.__qualname__}"):
            made = kind(**options)
        _check(path, kind, made)
        return PlainSearch(made=made, game=game, where=f"{path}: {kind.__qualname__}")

    return _with_options(build, path, kind, _options(path, kind))


def _check(path: str, kind: Any, made: Any) -> None:
    """BadFile for a search that could never be asked, or that would be told a limit which it does not mean."""
    name = kind.__qualname__
    try:
        inspect.signature(made.run).bind(None, None, None)
    except TypeError:
        raise BadFile(f"{path}: {name}.run takes other things: it must be run(self, state, limits, turn)") from None
    limits = getattr(made, "bounded_by", ENDED_BY)
    if not isinstance(limits, (tuple, list, set, frozenset)):
        raise BadFile(f'{path}: bounded_by of {name} is a tuple, as in ("seconds",), not {limits!r}')
    for one in limits:
        if one not in LIMITS:
            raise BadFile(f"{path}: bounded_by of {name} has {one!r}, which is no limit: those are {', '.join(LIMITS)}")


def _options(path: str, kind: Any) -> list[Parameter]:
    """The parameters of a class as options."""
    found = []
    for one in inspect.signature(kind).parameters.values():
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            continue
        if one.kind is one.POSITIONAL_ONLY:
            raise BadFile(f"{path}: {one.name} of {kind.__qualname__} cannot be given by its name: take the / away")
        taken = kind_of(one)
        if taken is None or one.default is one.empty:
            raise BadFile(
                f"{path}: {one.name} of {kind.__qualname__} must be a number, a word or true or false, "
                f"with a default, as in {one.name}: float = 1.0"
            )
        found.append(one.replace(kind=one.KEYWORD_ONLY, annotation=taken))
    return found


def _with_options(build: Build, path: str, kind: Any, options: list[Parameter]) -> Build:
    """The function, with these options to be seen from outside."""
    names = [one.name for one in options]
    for name in names:
        if name in LIMITS or names.count(name) > 1:
            raise BadFile(f"{path}: rename the option {name} of {kind.__qualname__}: every search has one of that name")
    build.__signature__ = Signature(options)  # type: ignore[attr-defined]
    return build


@dataclass(frozen=True, kw_only=True)
class PlainSearch:
    """A user's own object with `run`, asked as our searches are."""

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
        with blamed(self.where):
            given = self.made.run(here, limits, replace(turn, flag=flag))
        seconds = time.perf_counter() - begin
        found = checked(given, here, f"{self.where}.run")
        return replace(found, seconds=found.seconds or seconds)

    def forget(self) -> None:
        """The game is over: the object is told if it wants to know."""
        if hasattr(self.made, "forget"):
            with blamed(self.where):
                self.made.forget()
