"""What a player's search is told besides the position, where a whole turn of several decisions has one clock."""

from dataclasses import dataclass

from harena.search.result import Turn


@dataclass(frozen=True, kw_only=True)
class TimedTurn(Turn):
    """A turn, with the seconds that are left for all its decisions (Trap!'s walk and aim); None: each has its own."""

    turn_seconds: float | None = None
