"""A user's heuristic that cannot be compiled is run as plain Python, and that is said; so are values that are cut."""

import logging
import sys
import time
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from harena.api import Game, State
from harena.contract import CHANCE
from harena.errors import BadFile, CompileError
from harena.heuristics.own import asked, in_python, is_own
from harena.kernel.compile import kernel
from harena.kernel.modules import user_line
from harena.kernel.rng import generator
from harena.kernel.values import is_value
from harena.search.result import Search
from harena.search.workspace import WIN, evaluate

log = logging.getLogger("harena")
TRIED = 12  # plies of a random game
GAMES, PLIES = 4, 40  # random games that are looked through for values that are too large
LOOK = 0.5  # seconds for that: it is plain Python, also where the heuristic compiles
CUT: set[str] = set()  # heuristics of which that is said
FINE: set[tuple[type, str, type, Game]] = set()  # those that were looked through, with their weights, and in which game


@kernel
def score(heuristic: Any, state: Any, me: int) -> float:
    """A heuristic's value."""
    return evaluate(heuristic, state, me)


def with_plain_python(search: Search, game: Game) -> Search:
    """The same search, with those own heuristics that do not compile for this game handed to Python."""
    assert is_dataclass(search) and not isinstance(search, type)
    parts = {field.name: getattr(search, field.name) for field in fields(search)}
    changed = {name: _plain(part, game) for name, part in parts.items() if is_value(part)}
    for part in parts.values():
        if is_value(part) and (own := _own_part(part)) is not None:
            _warn_of_size(part, own, game)
    return replace(search, **changed)


def _own_part(value: Any) -> Any:
    """The first part of a heuristic that is a user's own, if there is one."""
    if is_own(value):
        return value
    return next((own for part in value if is_value(part) and (own := _own_part(part)) is not None), None)


def _warn_of_size(whole: Any, own: Any, game: Game) -> None:
    """Say once that a heuristic is cut, if it is in some random position; in plain Python, before anything is timed."""
    where, seen = _where(own), (type(own), repr(whole), type(game.face), game)
    if where in CUT or seen in FINE:
        return
    spent = 0.0
    states = (state.value for seed in range(GAMES) for state in _some_states(game, seed, PLIES))
    for state, me in ((state, me) for state in states for me in (0, 1)):
        if spent > LOOK:
            break
        begin = time.perf_counter()
        try:
            with np.errstate(all="ignore"):
                found = evaluate(whole, state, me)
        except Exception as error:  # in this position; what fails everywhere is said in `_try`
            log.debug("%r", error)
            continue
        finally:
            spent += time.perf_counter() - begin
        if abs(found) >= WIN:
            CUT.add(where)
            log.warning(
                "%s: in a random position the heuristic is %s, and a won game only %s: what is larger counts as %s, so "
                "such positions look alike",
                *(where, f"{found:,.0f}", f"{WIN:,.0f}", f"{WIN - 1:,.0f}"),
            )
            return
    FINE.add(seen)


def _where(own: Any) -> str:
    return f"{sys.modules[type(own).__module__].__file__}: {type(own).own_function.__name__}"


def _plain(value: Any, game: Game) -> Any:
    if is_own(value):
        states = [state.value for state in _some_states(game)]
        _try(value, states)
        try:
            score(value, states[-1], 0)
        except CompileError as error:
            _say_once(f"{error}; it runs as plain Python instead, with the same values but many times slower")
            return in_python(value)
        except Exception as error:  # in this position; there may be others
            log.debug("%r", error)
        return value
    return type(value)(*(_plain(part, game) if is_value(part) else part for part in value))


@cache
def _say_once(line: str) -> None:
    log.warning(line)


def _some_states(game: Game, seed: int = 1, plies: int = TRIED) -> list[State]:
    """A few positions in which a player decides, the start among them."""
    state, rng = game.initial(), generator(seed)
    found = [state]
    for _ in range(plies):
        if state.is_over:
            break
        state = state.play(state.random_move(rng))
        if not state.is_over and state.mover != CHANCE:
            found.append(state)
    return found


def _try(value: Any, states: list[Any]) -> None:
    """Complain about a function that gives no number, or that fails everywhere."""
    where = _where(value)
    errors: list[Exception] = []
    for state, me in product(states, (0, 1)):
        try:
            with np.errstate(all="ignore"):
                found = asked(value, state, me)
        except Exception as error:
            errors.append(error)
            continue
        if isinstance(found, (str, bytes)) or not isinstance(found, (int, float, np.number)) or not np.isfinite(found):
            raise BadFile(f"{where} must return a number, not {found!r}")
    if len(errors) == 2 * len(states):
        raise BadFile(user_line(errors[-1]) or f"{where}: {errors[-1]}")
