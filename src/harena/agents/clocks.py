"""A clock: time for a move, for the first move, or for all decisions of a turn together. Courses name theirs.

A clock is of one of two kinds, fixed when a run starts. A `wall` clock counts the time that passes, without what the
machine took; a `cpu` clock counts the processor time of the agent's processes, so that a busy machine costs no agent
anything.
"""

from dataclasses import dataclass

from harena.agents.fault import CLOCK_KINDS, WALL
from harena.agents.registry import clocks
from harena.errors import BadOption, UnknownName


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What an agent may use; None is no limit."""

    seconds: float | None = None  # a move; with `by_turn` for all decisions of a turn together (walk and aim)
    first: float | None = None  # the first move of a game, where it is another
    by_turn: bool = False
    iterations: int | None = None
    memory: float | None = None  # megabytes of resident memory
    kind: str = WALL
    about: str


def parse_clock(text: str | None) -> tuple[Clock | None, str]:
    """The clock and the kind of a text: `comp424`, `cpu`, or both (`comp424,cpu`); else the clock's own kind."""
    if text is None:
        return None, WALL
    known, clock, kind = clocks(), None, ""
    for word in text.split(","):
        if word in CLOCK_KINDS and not kind:
            kind = word
        elif word in known and clock is None:
            clock = known[word]
        elif word in known or word in CLOCK_KINDS:
            raise BadOption(f"--clock {text}: give one clock and one kind, as comp424,cpu")
        else:
            raise UnknownName("clock", word, [*known, *CLOCK_KINDS])
    return clock, kind or (clock.kind if clock is not None else WALL)
