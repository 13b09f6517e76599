"""The courses' own limits, by name: time for a move, for the first move, or for all decisions of a turn together.

A clock is of one of two kinds, fixed when a run starts. A `wall` clock counts the time that passes, without what the
machine took; a `cpu` clock counts the processor time of the agent's processes, so that a busy machine costs nobody
anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from harena.agents.fault import CLOCK_KINDS, WALL
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


CLOCKS: Mapping[str, Clock] = {
    "comp424": Clock(seconds=2.0, memory=500.0, about="COMP 424 (2023): 2 s a move, 500 MB"),
    "comp424-2022": Clock(
        seconds=2.0, first=30.0, memory=500.0, about="COMP 424 (2022): 30 s, then 2 s a move, 500 MB"
    ),
    "w4701": Clock(seconds=5.0, by_turn=True, about="W4701: 5 s for walk and aim together"),
    "aind": Clock(seconds=0.15, about="AIND: 150 ms a move"),
    "tiles": Clock(iterations=1000, about="tiles: 1000 iterations of MCTS a move"),
}


def parse_clock(text: str | None) -> tuple[Clock | None, str]:
    """The clock and the kind of a text: `comp424`, `cpu`, or both (`comp424,cpu`); else the clock's own kind."""
    found, kind = None, ""
    for word in (text or "").split(",") if text is not None else []:
        if word in CLOCK_KINDS and not kind:
            kind = word
        elif word in CLOCKS and found is None:
            found = CLOCKS[word]
        elif word in CLOCKS or word in CLOCK_KINDS:
            raise BadOption(f"--clock {text}: give one clock and one kind, as comp424,cpu")
        else:
            raise UnknownName("clock", word, [*CLOCKS, *CLOCK_KINDS])
    return found, kind or (found.kind if found is not None else WALL)
