"""What a search of one's own answers, as ours would: numbers are Python's own, moves are legal; else one plain line.

Numbers of numpy cannot be told to another process, and a process tells its answer as JSON.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from harena.api import State
from harena.errors import BadFile, HarenaError, KernelError
from harena.kernel.modules import is_of_rules, user_line
from harena.search.result import Result, RootMove

SHOWN = 60  # letters of an answer
WHOLE = ("depth", "iterations", "proven")  # fields of a result
WHOLE_OF_ROOT = ("visits", "won", "lost", "drawn", "proven")
BOUNDS = ("=", "<=", ">=")


@contextmanager
def blamed(where: str) -> Iterator[None]:
    """Whatever a user's search lets through is its own fault, in one line; that of the game's rules is theirs."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, (BadFile, KernelError)) or is_of_rules(error):
            raise
        said = " ".join(f"{where}: {type(error).__name__}: {error}".split())
        raise BadFile(user_line(error) or said) from error


def checked(given: Any, here: State, where: str) -> Result:
    """The answer as a result; BadFile for what is no legal move, and for what is no number."""
    found = given if isinstance(given, Result) else Result(move=given)
    try:
        after = here.play(found.move)
    except HarenaError as error:
        if isinstance(error, KernelError):
            raise
        raise BadFile(f"{where} gave {_shown(given)}, which is no legal move ({error})") from None
    assert after.last_move is not None
    move, value = int(after.last_move), _real(found.value, "value", where)
    numbers: dict[str, Any] = {key: _whole(getattr(found, key), key, where) for key in WHOLE}
    return replace(
        found,
        **numbers,
        move=move,
        value=value,
        nodes=_whole(found.nodes, "nodes", where) or 0,
        seconds=_real(found.seconds, "seconds", where) or 0.0,
        line=_line(found, after, where),
        root=_root(found, here, where) or (RootMove(move=move, value=value),),
        stopped=str(found.stopped or "chosen"),
    )


def _line(found: Result, after: State, where: str) -> tuple[int, ...]:
    """The line as far as it can be played: out of a table it often ends with a move of another position."""
    given = _several(found.line, "line", where)
    assert after.last_move is not None and after.previous is not None
    line = [int(after.last_move)]
    try:
        if given and after.previous.play(given[0]).last_move != after.last_move:
            return tuple(line)
        for move in given[1:]:
            after = after.play(move)
            assert after.last_move is not None
            line.append(int(after.last_move))
    except KernelError:
        raise
    except HarenaError:
        return tuple(line)
    return tuple(line)


def _root(found: Result, here: State, where: str) -> tuple[RootMove, ...]:
    given = _several(found.root, "root", where)
    legal = {key: move for move in here.moves() for key in (int(move), str(move))} if given else {}
    return tuple(_root_move(one, legal, where) for one in given)


def _root_move(one: Any, legal: dict[int | str, Any], where: str) -> RootMove:
    if not isinstance(one, RootMove):
        raise BadFile(f"{where}: the root holds harena.RootMove(move=...), not {_shown(one)}")
    is_move = isinstance(one.move, str) or hasattr(one.move, "__index__")
    if not is_move or one.move not in legal:
        raise BadFile(f"{where}: the root holds {_shown(one.move)}, which is no legal move")
    if one.bound not in BOUNDS:
        raise BadFile(f"{where}: the bound of a root's move is =, <= or >=, not {_shown(one.bound)}")
    numbers: dict[str, Any] = {key: _whole(getattr(one, key), key, where) for key in WHOLE_OF_ROOT}
    return replace(
        one,
        **numbers,
        move=int(legal[one.move]),
        value=_real(one.value, "value", where),
        prior=_real(one.prior, "prior", where),
    )


def _several(given: Any, name: str, where: str) -> tuple[Any, ...]:
    try:
        return () if given is None else tuple(given)
    except TypeError:
        raise BadFile(f"{where}: the {name} is a tuple, not {_shown(given)}") from None


def _real(given: Any, name: str, where: str) -> float | None:
    """The number as Python's own; nan is none."""
    if given is None:
        return None
    try:
        found = float("nan" if isinstance(given, (str, bytes)) else given)
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if found != found:  # noqa: PLR0124 (nan)
        raise BadFile(f"{where}: the {name} is a number, not {_shown(given)}")
    return found


def _whole(given: Any, name: str, where: str) -> int | None:
    number = _real(given, name, where)
    if number is not None and not number.is_integer():
        raise BadFile(f"{where}: {name} is a whole number, not {_shown(given)}")
    return None if number is None else int(number)


def _shown(given: Any) -> str:
    return " ".join(repr(given).split())[:SHOWN]
