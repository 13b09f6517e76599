"""What a search is told, what it is allowed, and what it returns."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import count
from math import isfinite
from typing import Any, Protocol, runtime_checkable

from harena.errors import BadOption

MOST = 10**9  # of anything: more than anyone waits for


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Any combination; None is no limit. A search stops at whichever comes first."""

    seconds: float | None = None
    nodes: int | None = None
    iterations: int | None = None  # of MCTS: playouts
    depth: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            kind = (int, float) if field.name == "seconds" else (int,)
            if value is not None and (isinstance(value, bool) or not isinstance(value, kind) or not isfinite(value)):
                wanted = "a number" if field.name == "seconds" else "a whole number"
                raise BadOption(f"a limit of {field.name} is {wanted}, not {value!r}")
            if value is not None and value <= 0:
                raise BadOption(f"a limit of {field.name} is more than 0, not {value!r}")
            if value is not None and value > MOST:
                raise BadOption(f"a limit of {field.name} is at most {MOST:g}, not {value:g}")

    def over(self, other: "Limits") -> "Limits":
        """These limits, and where they are silent those of the other."""
        return replace(
            other,
            **{
                field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name) is not None
            },
        )

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What a search may want to know besides the position."""

    seed: int = 0  # for searches that draw at random
    flag: Any = None  # an array of one int64: not 0 means stop, set from another thread
    ply: int = 0  # of the game: other draws at every move
    path: tuple[int, ...] | None = None  # the moves since the state of the search before; None: another game
    turn_seconds: float | None = None  # left for all decisions of a turn (Trap!'s walk and aim); None: each has its own

    def rounds(self, limits: Limits) -> Iterator[int]:
        """0, 1, 2 ... for a search in plain Python: once, and then until a limit but depth, or until it is stopped."""
        end = None if limits.seconds is None else time.perf_counter() + limits.seconds
        most = min(one for one in (limits.nodes, limits.iterations, MOST) if one is not None)
        for number in count():
            is_late = end is not None and time.perf_counter() >= end
            is_stopped = self.flag is not None and self.flag[0] != 0
            if number and (number >= most or is_late or is_stopped):
                return
            yield number


NO_TURN = Turn()


@dataclass(frozen=True, kw_only=True)
class RootMove:
    """What was found about one move: its value for the mover (or only a bound on it), how often it was tried."""

    move: int
    value: float | None = None
    bound: str = "="  # "=", "<=" or ">="
    visits: int | None = None
    won: int | None = None  # playouts, for MCTS
    lost: int | None = None
    drawn: int | None = None
    proven: int | None = None  # 1 won, 0 drawn, -1 lost with best play, None not known
    prior: float | None = None


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a search found: the move, its value for the mover, and how it came to it."""

    move: int
    value: float | None = None
    depth: int | None = None  # the last completed one
    nodes: int = 0
    iterations: int | None = None
    seconds: float = 0.0
    line: tuple[int, ...] = ()  # the moves that both sides are expected to play, the first included
    root: tuple[RootMove, ...] = ()  # the best first
    proven: int | None = None  # 1 won, 0 drawn, -1 lost with best play, None not known
    stopped: str = ""  # why the search ended: "depth", "seconds", "nodes", "exhausted", "settled", "interrupted" ...


@runtime_checkable
class Keeper(Protocol):
    """A search that keeps something from move to move of a game."""

    def forget(self) -> None:
        """Give back what was kept for a game."""


class Search(Protocol):
    """An algorithm with its options."""

    @property
    def bounded_by(self) -> tuple[str, ...]:
        """The limits of which it needs at least one to come to an end."""

    def run(self, state: Any, limits: Limits, turn: Turn = ...) -> Result:
        """Search a running state in which a player decides."""
