"""The games that are still to be played, handed out so that agents that already run are used again.

A game's slot decides everything about it, so the order in which games are played changes no result. Starting an agent
takes longer than many a game: a worker that takes the games of the agents it has plays ten times as many.
"""

import threading
from collections import deque
from collections.abc import Collection, Iterable
from itertools import combinations

from harena.arena.slot import Slot


class Backlog:
    """Shared by the workers of a contest."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._by_agents: dict[tuple[int, int], deque[Slot]] = {}
        for slot in slots:
            self._by_agents.setdefault((slot.a, slot.b), deque()).append(slot)
        self._lock = threading.Lock()

    def take(self, running: Collection[int]) -> Slot | None:
        """The next game for a worker that has these agents: of two of them, else of one, else any.

        Among equals the first of the schedule; None if all are taken.
        """
        with self._lock:
            agents = self._choose(running)
            if agents is None:
                return None
            slots = self._by_agents[agents]
            slot = slots.popleft()
            if not slots:
                del self._by_agents[agents]
            return slot

    def peek(self, running: Collection[int]) -> Slot | None:
        """The game that `take` would return now; another worker may take it first."""
        with self._lock:
            agents = self._choose(running)
            return None if agents is None else self._by_agents[agents][0]

    def _choose(self, running: Collection[int]) -> tuple[int, int] | None:
        both = [pair for pair in combinations(sorted(running), 2) if pair in self._by_agents]
        if both:
            return min(both)
        one = (pair for pair in self._by_agents if pair[0] in running or pair[1] in running)
        return next(one, None) or next(iter(self._by_agents), None)
