"""A user's heuristic that cannot be compiled is run as plain Python, and that is said."""

import logging
from dataclasses import fields, is_dataclass, replace
from typing import Any

from harena.api import Game
from harena.errors import CompileError
from harena.heuristics.own import in_python, is_own
from harena.kernel.compile import kernel
from harena.kernel.values import is_value
from harena.search.result import Search
from harena.search.workspace import evaluate

log = logging.getLogger("harena")


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
        try:
            score(value, game.initial().value, 0)
        except CompileError as error:
            log.warning("%s; it runs as plain Python instead, with the same values but many times slower", error)
            return in_python(value)
        return value
    return type(value)(*(_plain(part, game) if is_value(part) else part for part in value))
