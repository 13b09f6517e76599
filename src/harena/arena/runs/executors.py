"""Where the games of a run are played: processes of this machine now, another engine by the same interface later.

An executor is given a batch: a specification, which decides everything about a game besides its slot. The unit that may
travel is the pair of games with seats swapped: both have one start, and their slots differ in `swapped` only.
"""

import threading
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from harena.api import State
from harena.arena.contest import Contest, Notice, Spec
from harena.arena.outputs import Outputs
from harena.arena.slot import Slot
from harena.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What decides how games are played that are needed at one time."""

    spec: Spec
    needs_all: bool = False  # an agent that cannot be started ends the run
    secret: bytes = b""  # that chance is derived from, of a grading
    replays: Mapping[str, int] = field(default_factory=dict)  # games that the machine interrupted before, by slot
    outputs: Outputs | None = None  # where what agents print is to go
    objects: Mapping[str, object] = field(default_factory=dict)  # agents that are objects of this process, by text


class Play(Protocol):
    """A batch made ready to play; `Contest` is one."""

    outputs: Outputs | None
    now: dict[str, State]  # the games that are being played, by slot
    starting: Counter[str]  # agents whose processes are not ready yet
    replays: Counter[str]  # games played again because the machine was overloaded, by slot

    def follow(self, slots: Sequence[Slot], concurrency: int, stop: threading.Event) -> Generator[Notice, None, None]:
        """Play these games, so many at once, and tell what happens as it happens."""
        ...

    def abort(self) -> None:
        """End all agents at once; the games that they were playing are not recorded."""
        ...

    def longest_stall(self) -> float:
        """The seconds of the longest stall of the machine."""
        ...


class Executor(Protocol):
    """Makes batches ready to play."""

    @property
    def concurrency(self) -> int:
        """The number of games at once."""
        ...

    def prepare(self, batch: Batch) -> Play:
        """Make a batch ready; HarenaError says what makes no sense about it."""
        ...


@dataclass(frozen=True)
class LocalExecutor:
    """Plays games in processes of this machine (players in this process where the specification says so)."""

    concurrency: int = 1

    def prepare(self, batch: Batch) -> Contest:
        """A contest that is ready to play."""
        if batch.objects and self.concurrency != 1:
            raise UsageError(f"{', '.join(batch.objects)}: an object of this process plays one game at a time")
        contest = Contest(batch.spec, needs_all=batch.needs_all, secret=batch.secret, objects=batch.objects)
        contest.outputs = batch.outputs
        contest.replays.update(batch.replays)
        return contest
