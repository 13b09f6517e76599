"""The courses' own limits, by name: time for a move, for the first move, or for all decisions of a turn together."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What an agent may use; None is no limit."""

    seconds: float | None = None  # a move; with `by_turn` for all decisions of a turn together (walk and aim)
    first: float | None = None  # the first move of a game, where it is another
    by_turn: bool = False
    iterations: int | None = None
    memory: float | None = None  # megabytes of resident memory
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
