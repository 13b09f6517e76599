"""A user's heuristic that cannot be compiled is run as plain Python, and that is said."""

import logging
import sys
from dataclasses import fields, is_dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from harena.api import Game, State
from harena.contract import CHANCE
from harena.errors import BadFile, CompileError
from harena.heuristics.own import in_python, is_own
from harena.kernel.compile import kernel
from harena.kernel.modules import user_line
from harena.kernel.rng import generator
from harena.kernel.values import is_value
from harena.search.result import Search
from harena.search.workspace import evaluate

log = logging.getLogger("harena")
TRIED = 12  # plies of a random game


@kernel
def score(heuristic: Any, state: Any, me: int) -> float:
    """A heuristic's value."""
    return evaluate(heuristic, state, me)


def with_plain_python(search: Search, game: Game) -> Search:
    """The same search, with those own heuristics that do not compile for this game handed to Python."""
    assert is_dataclass(search) and not isinstance(search, type)
    parts = {field.name: getattr(search, field.name) for field in fields(search)}
    changed = {name: _plain(part, game) for name, part in parts.items() if is_value(part)}
    return replace(search, **changed)


def _plain(value: Any, game: Game) -> Any:
    if is_own(value):
        states = [state.value for state in _some_states(game)]
        _try(value, states)
        try:
            score(value, states[-1], 0)
        except CompileError as error:
            log.warning("%s; it runs as plain Python instead, with the same values but many times slower", error)
            return in_python(value)
        except Exception as error:  # in this position; there may be others
            log.debug("%r", error)
        return value
    return type(value)(*(_plain(part, game) if is_value(part) else part for part in value))


def _some_states(game: Game) -> list[State]:
    """A few positions in which a player decides, the start among them."""
    state, rng = game.initial(), generator(1)
    found = [state]
    for _ in range(TRIED):
        if state.is_over:
            break
        state = state.play(state.random_move(rng))
        if not state.is_over and state.mover != CHANCE:
            found.append(state)
    return found


def _try(value: Any, states: list[Any]) -> None:
    """Complain about a function that gives no number, or that fails everywhere."""
    function = type(value).own_function
    where = f"{sys.modules[type(value).__module__].__file__}: {function.__name__}"
    errors: list[Exception] = []
    for state, me in product(states, (0, 1)):
        try:
            with np.errstate(all="ignore"):
                found = function(state, me)
        except Exception as error:
            errors.append(error)
            continue
        if isinstance(found, (str, bytes)) or not isinstance(found, (int, float, np.number)) or not np.isfinite(found):
            raise BadFile(f"{where} must return a number, not {found!r}")
    if len(errors) == 2 * len(states):
        raise BadFile(user_line(errors[-1]) or f"{where}: {errors[-1]}")
