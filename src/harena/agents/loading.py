"""What an agent may take before its first move: seconds to load, in all of a run, and seconds for its constructor."""

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from harena.agents.fault import AgentFault
from harena.agents.process import AgentProcess
from harena.termination import Termination

FURTHER_SECONDS = 60.0  # for all loads of an agent after the first, in a run
GAME_SECONDS = 10.0  # and for each game that it plays
CONSTRUCTOR_SECONDS = 1.0  # to make the instance that plays a game
CONSTRUCTOR_MARGIN = 0.5  # seconds more until it is stopped, at least


class SlowConstructor(AgentFault):
    """The fault of an agent whose constructor takes longer than CONSTRUCTOR_SECONDS."""

    def __init__(self, *, is_stall: bool = False, seconds: float = 0.0) -> None:
        detail = f"its constructor took longer than {CONSTRUCTOR_SECONDS:g} s"
        super().__init__(Termination.TIME, detail, is_stall=is_stall, seconds=seconds)


def make_instance(process: AgentProcess, number: int, seed: int, margin: float, *, stubborn: bool = False) -> float:
    """Let a host make the instance that plays the next game; the seconds that took. SlowConstructor if it is late.

    The message holds nothing of the game: what is not in the process cannot be found by the constructor.
    """
    message = {"type": "make", "id": number, "seed": seed}
    try:
        margin = max(margin, CONSTRUCTOR_MARGIN)
        return process.ask(message, "made", CONSTRUCTOR_SECONDS, margin=margin, stubborn=stubborn).seconds
    except AgentFault as fault:
        if fault.reason != Termination.TIME:
            raise
        raise SlowConstructor(is_stall=fault.is_stall, seconds=fault.seconds) from None


class LoadBudget:
    """The seconds that agents may load in a run, each in all its processes together. Shared by the run's workers.

    The first load of an agent is free (and one for each further game that is played at once): only the limit of a
    single load holds for it. All other loads share FURTHER_SECONDS, and GAME_SECONDS for each game it has begun.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self.workers = 1  # games that are played at once
        self._lock = threading.Lock()
        self._loads: Counter[str] = Counter()
        self._games: Counter[str] = Counter()
        self._total: defaultdict[str, float] = defaultdict(float)  # seconds of all loads
        self._charged: defaultdict[str, float] = defaultdict(float)  # seconds of those that are not free

    def count_game(self, agent: str) -> None:
        """An agent begins a game."""
        with self._lock:
            self._games[agent] += 1

    def check(self, agent: str) -> None:
        """AgentFault if an agent has used up its budget: it is not loaded again in this run."""
        with self._lock:
            total, charged, limit = self._total[agent], self._charged[agent], self._limit(agent)
        if charged >= limit:
            limit += total - charged
            raise AgentFault(Termination.LOAD, f"loading took {total:.0f} s in total; limit {limit:.0f} s")

    def _limit(self, agent: str) -> float:
        return FURTHER_SECONDS + GAME_SECONDS * self._games[agent]

    @contextmanager
    def measure(self, agent: str, longest: float) -> Iterator[float]:
        """Count the time of a load, whether it succeeds or not; yields the seconds that it may take.

        That is `longest`, or what is left of the agent's budget if that is less.
        """
        with self._lock:
            is_free = self._loads[agent] < self.workers
            left = longest if is_free else min(longest, self._limit(agent) - self._charged[agent])
            self._loads[agent] += 1
        begin = self.clock()
        try:
            yield left
        finally:
            seconds = self.clock() - begin
            with self._lock:
                self._total[agent] += seconds
                self._charged[agent] += 0.0 if is_free else seconds
