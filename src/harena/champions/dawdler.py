"""A player who uses every millisecond, whether he needs it or not."""

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from harena.search.deepening import Deepening
from harena.search.result import NO_TURN, Limits, Result, Search, Turn

NEARLY_ALL = 0.93  # of the limit: the rest is the way home


@dataclass(frozen=True)
class Dawdler:
    """Another search that answers at the last moment; where other limits than the time end it, at once."""

    bounded_by: ClassVar[tuple[str, ...]] = Deepening.bounded_by
    search: Search

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search, then wait."""
        begin = time.perf_counter()
        found = self.search.run(state, limits, turn)
        if limits.seconds is not None and limits.nodes is None and limits.depth is None:
            time.sleep(max(0.0, NEARLY_ALL * limits.seconds - (time.perf_counter() - begin)))
        return found
