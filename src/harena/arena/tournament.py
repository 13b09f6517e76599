"""Many agents: which games a tournament still needs, given those it has, and what they say together.

What is to be played next follows from the plan and the results alone, for Swiss and knockout too: so an interrupted
tournament goes on exactly where it stopped.
"""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from math import ceil, log2
from typing import Any

from harena.arena import ratings
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.schedule import Pairing, gauntlet, knockout, round_robin, swiss
from harena.arena.scores import Pairs
from harena.arena.slot import Slot
from harena.errors import BadFile, BadOption, UnknownName
from harena.search.result import Limits
from harena.termination import Termination

LIMITS = tuple(one.name for one in fields(Limits))
TYPES = ("round-robin", "gauntlet", "swiss", "knockout")
KEYS: Mapping[str, tuple[type, ...]] = {  # of a file that describes a tournament
    "game": (str,),
    "agents": (list,),
    "games": (int,),
    "type": (str,),
    "rounds": (int,),
    "limits": (dict,),
    "clock": (str,),
    "size": (int, str),
    "setup": (str,),
    "openings": (str,),
    "seed": (int,),
    "margin": (int, float),
    "memory": (int, float),
    "concurrency": (int,),
    "sandbox": (str,),
}
Paired = dict[tuple[int, int], list[tuple[int, float]]]
KINDS = {str: "a text", list: "a list", int: "a whole number", dict: "a table", float: "a number"}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A tournament: how games are played, its type, pairs of games for each pairing, rounds of a Swiss one."""

    spec: Spec
    type: str = "round-robin"
    pairs: int = 1
    rounds: int | None = None

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise UnknownName("type of tournament", self.type, TYPES)
        if len(self.spec.agents) < 2:
            raise BadOption("a tournament needs at least two agents")
        for name, number in Counter(self.spec.agents).items():
            if number > 1:
                raise BadOption(f"{name} is there {number} times: an agent plays once")

    @property
    def swiss_rounds(self) -> int:
        """As many as tell a best of all, unless said otherwise."""
        return self.rounds or max(1, ceil(log2(len(self.spec.agents))))

    def as_dict(self) -> dict[str, Any]:
        """For the store."""
        return {"spec": self.spec.as_dict(), "type": self.type, "pairs": self.pairs, "rounds": self.rounds}


def plan_of(plain: Mapping[str, Any]) -> Plan:
    """The plan that a store has kept."""
    return Plan(spec=Spec(**plain["spec"]), type=plain["type"], pairs=plain["pairs"], rounds=plain["rounds"])


def from_toml(path: str) -> dict[str, Any]:
    """A tournament's description in a file; BadFile says what is wrong with it."""
    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"{path}: {error}") from None
    for key, value in found.items():
        if key not in KEYS:
            raise BadFile(f"{path}: {UnknownName('key', key, KEYS)}")
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise BadFile(f"{path}: {key} is {KINDS[KEYS[key][-1]]}, not {value!r}")
    if "game" not in found or "agents" not in found:
        raise BadFile(f'{path}: a tournament has at least: game = "isolation" and agents = ["random", "mm_open"]')
    for agent in found["agents"]:
        if not isinstance(agent, str):
            raise BadFile(f"{path}: agents are texts, and {agent!r} is none")
    for key in found.get("limits", {}):
        if key not in LIMITS:
            raise BadFile(f"{path}: {UnknownName('limit', key, LIMITS)}")
    return found


@dataclass
class Table:
    """All results so far; games are only ever added."""

    plan: Plan
    records: dict[Slot, Record] = field(default_factory=dict)
    _paired: tuple[int, Paired] = field(default=(-1, {}), repr=False, compare=False)  # of how many games, and the pairs

    def pairs_of(self) -> Paired:
        """For each two agents their complete pairs of games: number, and the points of the lower one."""
        if self._paired[0] != len(self.records):
            self._paired = len(self.records), self._found_pairs()
        return self._paired[1]

    def _found_pairs(self) -> Paired:
        points: dict[tuple[int, int, int], list[float]] = defaultdict(list)
        for slot, record in self.records.items():
            points[slot.a, slot.b, slot.pair].append(record.points(int(slot.swapped)))
        found: Paired = defaultdict(list)
        for (a, b, number), both in sorted(points.items()):
            if len(both) == 2:
                found[a, b].append((number, sum(both)))
        return found

    def result(self, a: int, b: int) -> Pairs:
        """What a made against b."""
        pairs = self.pairs_of()
        made = Pairs.of(points for _, points in pairs.get((min(a, b), max(a, b)), []))
        return made if a < b else made.flipped()

    def standings(self) -> dict[str, float]:
        """Points by agent, in the order of the agents."""
        points = dict.fromkeys(self.plan.spec.agents, 0.0)
        for slot, record in self.records.items():
            for seat, agent in enumerate(slot.seats):
                points[self.plan.spec.agents[agent]] += record.points(seat)
        return points

    def ratings(self) -> ratings.Ratings:
        """One joint fit over all games."""
        agents = self.plan.spec.agents
        games = [
            (agents[slot.seats[0]], agents[slot.seats[1]], record.points(0)) for slot, record in self.records.items()
        ]
        return ratings.fit(games, players=agents)

    def faults(self) -> dict[str, Counter[str]]:
        """What each agent did wrong."""
        found: dict[str, Counter[str]] = {agent: Counter() for agent in self.plan.spec.agents}
        for agent, record in self._lost_by_faults():
            found[agent][record.reason] += 1
        return found

    def first_fault(self, agent: str) -> str:
        """The words about the first of them, or its reason where there are none."""
        return next((record.detail or record.reason for one, record in self._lost_by_faults() if one == agent), "")

    def _lost_by_faults(self) -> Iterator[tuple[str, Record]]:
        for slot, record in sorted(self.records.items()):
            if record.reason != Termination.RULES and record.winner is not None:
                yield self.plan.spec.agents[slot.seats[1 - record.winner]], record

    def needed(self) -> list[Slot]:
        """The games to be played next, those already played included; nothing is missing when it is over."""
        plan, agents = self.plan, self.plan.spec.agents
        if plan.type == "round-robin":
            return self._slots(round_robin(agents, plan.pairs))
        if plan.type == "gauntlet":
            return self._slots(gauntlet(agents[0], agents[1:], plan.pairs))
        if plan.type == "knockout":
            played = [
                (agents[a], agents[b], number, points)
                for (a, b), pairs in self.pairs_of().items()
                for number, points in pairs
            ]
            return self._slots(knockout(agents, played, plan.pairs).todo)
        return self._swiss()

    def _swiss(self) -> list[Slot]:
        """Round by round, as far as the results go."""
        agents = self.plan.spec.agents
        standings, history = dict.fromkeys(agents, 0.0), list[tuple[str, str | None]]()
        slots: list[Slot] = []
        for _ in range(self.plan.swiss_rounds):
            paired = swiss(standings, history, self.plan.pairs)
            slots = self._slots(paired.pairings)
            if any(slot not in self.records for slot in slots):
                return slots
            for slot in slots:
                for seat, agent in enumerate(slot.seats):
                    standings[agents[agent]] += self.records[slot].points(seat)
            history += sorted({(one.a, one.b) for one in paired.pairings})
            if paired.bye is not None:
                standings[paired.bye] += 2 * self.plan.pairs
                history.append((paired.bye, None))
        return slots

    def _slots(self, pairings: Iterable[Pairing]) -> list[Slot]:
        number = {agent: index for index, agent in enumerate(self.plan.spec.agents)}
        return [
            Slot(
                a=min(number[one.a], number[one.b]),
                b=max(number[one.a], number[one.b]),
                pair=one.number,
                swapped=swapped,
            )
            for one in pairings
            for swapped in (False, True)
        ]

    @property
    def total(self) -> int | None:
        """How many games there will be, if that is known."""
        agents, pairs = len(self.plan.spec.agents), self.plan.pairs
        if self.plan.type == "knockout":
            return None
        tables = {"round-robin": agents * (agents - 1) // 2, "gauntlet": agents - 1}
        return 2 * pairs * tables.get(self.plan.type, self.plan.swiss_rounds * (agents // 2))
