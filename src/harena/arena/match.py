"""Two agents, many pairs of games: the plan, the score as it grows, and the moment to stop.

A pair counts when both its games are in, and pairs count in their order: so the result of a run that was interrupted,
or played by more workers, is that of one that was not.

Two agents that leave nothing to chance play the same pair from the same start whenever they are asked to. Where most
pairs repeat an earlier one move for move, only those that differ are evidence.
"""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.repetition import moves_of
from harena.arena.scores import Pairs
from harena.arena.slot import Slot
from harena.arena.sprt import Sprt, State, parse
from harena.termination import Termination

Games = tuple[str, ...]  # the starts and moves of a pair
DEFAULT_SETUPS = {"isolation": "random-placements", "tiles": "random"}  # starts that differ from pair to pair


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A match: how its games are played, how many there are, and the test that may end it sooner."""

    spec: Spec
    pairs: int
    sprt: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For the store."""
        return {"spec": self.spec.as_dict(), "pairs": self.pairs, "sprt": self.sprt}

    def slots(self) -> list[Slot]:
        """All games, both of a pair one after the other."""
        return [Slot(a=0, b=1, pair=pair, swapped=swapped) for pair in range(self.pairs) for swapped in (False, True)]

    @property
    def test(self) -> Sprt | None:
        """The test, if there is one."""
        return parse(self.sprt) if self.sprt else None


def plan_of(plain: dict[str, Any]) -> Plan:
    """The plan that a store has kept."""
    return Plan(spec=Spec(**plain["spec"]), pairs=plain["pairs"], sprt=plain["sprt"])


@dataclass
class Standing:
    """What the games so far say about A, the first agent."""

    plan: Plan
    records: dict[tuple[int, bool], Record] = field(default_factory=dict)
    pairs: Pairs = field(default_factory=Pairs)
    counted: int = 0  # pairs, from the first on without a gap
    different: dict[Games, float] = field(default_factory=dict)  # pairs that differ from all before, with A's points
    state: State | None = None  # of the test
    times: tuple["array[float]", "array[float]"] = field(default_factory=lambda: (array("d"), array("d")))

    def add(self, slot: Slot, record: Record) -> None:
        """Take a game in."""
        self.records[slot.pair, slot.swapped] = record
        test = self.plan.test
        while not self.is_decided and all((self.counted, seat) in self.records for seat in (False, True)):
            points = sum(self.points(self.counted, seat) for seat in (False, True))
            self.pairs = self.pairs.add(points)
            self.different.setdefault(self._moves(self.counted), points)
            for swapped in (False, True):
                self._time(self.records[self.counted, swapped], swapped)
            self.counted += 1
            self.state = test.state(self.evidence) if test else None

    @property
    def evidence(self) -> Pairs:
        """The pairs that tell something: all, or those that differ where most do not."""
        return Pairs.of(self.different.values()) if self.repeats_itself else self.pairs

    @property
    def repeats_itself(self) -> bool:
        """Whether most pairs were played before, move for move."""
        return 2 * len(self.different) < self.counted

    def _moves(self, pair: int) -> Games:
        """What tells a pair from others; where the moves are not known, its number."""
        both = [self.records[pair, swapped] for swapped in (False, True)]
        if not any(record.plies for record in both):
            return (str(pair),)
        return tuple(map(moves_of, both))

    def points(self, pair: int, swapped: bool) -> float:
        """A's points in a game."""
        return self.records[pair, swapped].points(int(swapped))

    @property
    def is_decided(self) -> bool:
        """Whether nothing more is to be played."""
        return self.counted == self.plan.pairs or (self.state is not None and self.state.over)

    @property
    def planned(self) -> int | None:
        """The games in all; None once a test has ended the match sooner."""
        return None if self.state is not None and self.state.over else 2 * self.plan.pairs

    def _time(self, record: Record, swapped: bool) -> None:
        for ply in record.plies:
            if ply.seconds is not None:
                self.times[ply.by ^ swapped].append(ply.seconds)

    @property
    def games(self) -> list[tuple[bool, Record]]:
        """The games that count, each with whether its seats were swapped."""
        return [(swapped, self.records[pair, swapped]) for pair in range(self.counted) for swapped in (False, True)]

    @property
    def results(self) -> tuple[int, int, int]:
        """How many of the games that count A won, drew and lost."""
        points = Counter(record.points(int(swapped)) for swapped, record in self.games)
        return points[1.0], points[0.5], points[0.0]

    @property
    def reasons(self) -> Counter[str]:
        """How the games ended."""
        return Counter(record.reason for _, record in self.games)

    def faults(self, agent: int) -> Counter[str]:
        """What an agent did wrong."""
        return Counter(record.reason for record in self._lost_by_faults(agent))

    def first_fault(self, agent: int) -> str:
        """The words about the first of them, or its reason where there are none."""
        return next((record.detail or record.reason for record in self._lost_by_faults(agent)), "")

    def _lost_by_faults(self, agent: int) -> list[Record]:
        winner = {swapped: 0 if (agent == 0) == swapped else 1 for swapped in (False, True)}
        return [
            record
            for swapped, record in self.games
            if record.reason != Termination.RULES and record.winner == winner[swapped]
        ]

    @property
    def first_seat(self) -> float:
        """The share of points that the first seat made."""
        return sum(record.points(0) for _, record in self.games) / max(1, len(self.games))
