"""Many games at once: workers that each keep their own agents' processes, and hand back records as they come.

A game's place in a contest is its slot: two agents, the number of the pair, and who sits first. Everything about a game
follows from its slot and the contest's specification, so an interrupted contest goes on exactly where it stopped.
"""

import os
import platform
import queue
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from harena import __version__
from harena.agents.contestant import Contestant, LocalContestant, ProcessContestant, is_file
from harena.agents.player import player
from harena.api import Game, State
from harena.arena.record import Record
from harena.arena.referee import Infrastructure, Referee
from harena.arena.schedule import start_seed
from harena.arena.stalls import StallProbe
from harena.errors import BadOption, HarenaError
from harena.find import game
from harena.search.result import Limits

MOST_REPLAYS = 20  # of one slot, when the machine is to blame


@dataclass(frozen=True, kw_only=True, order=True)
class Slot:
    """A game's place: agents by number, the lower one first; `swapped` puts the other into the first seat."""

    a: int
    b: int
    pair: int
    swapped: bool

    def __str__(self) -> str:
        return f"{self.a}-{self.b}/{self.pair}/{int(self.swapped)}"

    @property
    def seats(self) -> tuple[int, int]:
        """The agents by seat."""
        return (self.b, self.a) if self.swapped else (self.a, self.b)


def slot_of(text: str) -> Slot:
    """The slot of its text."""
    agents, pair, swapped = text.split("/")
    a, b = agents.split("-")
    return Slot(a=int(a), b=int(b), pair=int(pair), swapped=swapped == "1")


@dataclass(frozen=True, kw_only=True)
class Spec:
    """All that decides how the games of a contest are played; JSON-ready, kept with the run."""

    game: str
    variants: list[dict[str, Any]]  # options; the pairs take turns
    agents: list[str]
    limits: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    margin: float = 0.05  # seconds beyond the limit before an agent is stopped
    memory: float | None = None  # megabytes of resident memory an agent may use
    local: bool = False  # our players in this process
    openings: list[str] | None = None  # start positions in place of the game's own set-ups

    def as_dict(self) -> dict[str, Any]:
        """For the store."""
        return asdict(self)


class Contest:
    """A specification made ready to play."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.games: list[Game] = [game(spec.game, **variant) for variant in spec.variants]
        for number, text in enumerate(spec.openings or []):
            if self.games[number % len(self.games)].position(text).is_over:
                raise BadOption(f"opening {number + 1} is a game that is over: {text}")
        common = Limits(**spec.limits)
        self.limits = [self._limits(text, common) for text in spec.agents]
        self.probe = StallProbe()
        self.replays: Counter[str] = Counter()
        self.playing: set[ProcessContestant] = set()
        self.aborted = False

    def _limits(self, text: str, common: Limits) -> Limits:
        """Those of the agent's own text win."""
        return common if is_file(text) else player(text, self.games[0]).limits.over(common)

    @property
    def conditions(self) -> dict[str, Any]:
        """What is kept with every game."""
        return {
            "limits": dict(self.spec.limits),
            "margin": self.spec.margin,
            "memory": self.spec.memory,
            "harena": __version__,
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
            "processes": not self.spec.local,
        }

    def start_of(self, slot: Slot) -> tuple[int, State]:
        """The number of the variant and the start position: the same for both games of a pair, and for all agents."""
        number = slot.pair % len(self.games)
        if self.spec.openings:
            return number, self.games[number].position(self.spec.openings[slot.pair % len(self.spec.openings)])
        return number, self.games[number].initial(self.seed_of(slot))

    def seed_of(self, slot: Slot) -> int:
        """Of the start and of the dice: a pair's own."""
        return start_seed(self.spec.seed, slot.pair) % 2**31  # times the plies it stays exact in every language

    def contestant(self, number: int) -> Contestant:
        """A new contestant for a worker."""
        text = self.spec.agents[number]
        if self.spec.local and not is_file(text):
            return LocalContestant(text, self.spec.game)
        made = ProcessContestant(
            text, self.spec.game, self.spec.variants, margin=self.spec.margin, memory=self.spec.memory
        )
        self.playing.add(made)
        return made

    def abort(self) -> None:
        """End all agents at once; what they were playing is not recorded."""
        self.aborted = True
        for one in list(self.playing):
            if one.process is not None:
                one.process.signal_kill()

    def play(self, slot: Slot, contestants: dict[int, Contestant]) -> Record:
        """One game; again and again when the machine is to blame."""
        first, second = slot.seats
        number, start = self.start_of(slot)
        referee = Referee(
            game=self.games[number],
            options=self.spec.variants[number],
            limits=(self.limits[first], self.limits[second]),
            margin=self.spec.margin,
            conditions=self.conditions,
            probe=self.probe,
        )
        names = (self.spec.agents[first], self.spec.agents[second])
        for _ in range(MOST_REPLAYS):
            for one in (first, second):
                if one not in contestants:
                    contestants[one] = self.contestant(one)
            try:
                return referee.play(start, (contestants[first], contestants[second]), names, self.seed_of(slot))
            except Infrastructure:
                self.replays[str(slot)] += 1
        raise HarenaError(f"the machine stood still in all of {MOST_REPLAYS} attempts at one game: is it overloaded?")

    def run(self, slots: Iterable[Slot], concurrency: int, stop: threading.Event) -> Iterator[tuple[Slot, Record]]:
        """Play these games with so many workers; records come in the order in which games end."""
        todo: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        for slot in slots:
            todo.put(slot)
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        workers = [
            threading.Thread(target=self._work, args=(todo, done, stop), daemon=True) for _ in range(concurrency)
        ]
        for worker in workers:
            worker.start()
        try:
            working = len(workers)
            while working:
                found = done.get()
                if found is None:
                    working -= 1
                elif isinstance(found, BaseException):
                    raise found
                else:
                    yield found
        finally:
            stop.set()
            self.abort()
            for worker in workers:
                worker.join()
            self.probe.stop()

    def _work(self, todo: "queue.SimpleQueue[Slot]", done: "queue.SimpleQueue[Any]", stop: threading.Event) -> None:
        contestants: dict[int, Contestant] = {}
        try:
            while not stop.is_set():
                try:
                    slot = todo.get_nowait()
                except queue.Empty:
                    break
                for number in [one for one in contestants if one not in slot.seats]:
                    contestants.pop(number).close()
                record = self.play(slot, contestants)
                if not self.aborted:
                    done.put((slot, record))
        except BaseException as error:
            done.put(error)
        finally:
            for one in contestants.values():
                one.close()
            done.put(None)
