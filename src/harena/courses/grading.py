"""The grades of a folder of submissions: which games are needed, and what they say of each submission.

Levels are the first agents of the contest, submissions the others. A submission that was refused (a broken zip) plays
nothing; one that does not load loses all its games at once, by one attempt to start it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

from harena.arena import ratings
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.scores import Pairs
from harena.arena.slot import Slot
from harena.courses.catalogue import COURSES
from harena.courses.levels import GRADINGS, Level
from harena.errors import printable
from harena.termination import Termination

GRADED, UNFINISHED, REFUSED = "graded", "not finished", "refused"
WAITED = re.compile(r"after (\d+) ms")  # in the detail of a fault of time
PSEUDONYMS = "pseudonyms"  # the note of a run whose submissions are shown under other names


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What was handed in: a name of its own, the agent's text, and a digest of its files; or why it was refused."""

    name: str
    agent: str = ""
    digest: str = ""
    refused: str = ""
    file: str = ""  # as it was handed in
    rules: str = field(default="", compare=False)  # of the course that it breaks, as far as its text shows


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How submissions are graded."""

    course: str
    spec: Spec
    pairs: int  # against each level
    submissions: tuple[Submission, ...]
    everybody: bool = False  # all against all, too
    rounds: int = 1  # pairs of games of each against each, then
    secrets: Mapping[str, str] = field(default_factory=dict)  # digests of the secrets of its rounds, by number

    def as_dict(self) -> dict[str, Any]:
        """For the store."""
        return {
            "course": self.course,
            "spec": self.spec.as_dict(),
            "pairs": self.pairs,
            "submissions": [asdict(one) for one in self.submissions],
            "everybody": self.everybody,
            "rounds": self.rounds,
            "secrets": dict(self.secrets),
        }

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Whom each submission meets."""
        names = self.spec.agents[: len(self.spec.agents) - len(self.playing)]
        needed = {level.player: level.needed for level in GRADINGS[self.course].levels}
        games = GRADINGS[self.course].games
        return tuple(Level(player=name, needed=_scaled(needed.get(name), 2 * self.pairs, games)) for name in names)

    @cached_property
    def playing(self) -> list[Submission]:
        """Those that were not refused, in their order."""
        return [one for one in self.submissions if not one.refused]

    def number(self, submission: Submission) -> int:
        """Of the agent in the contest."""
        return self._numbers[submission.agent]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {agent: number for number, agent in enumerate(self.spec.agents)}

    def round_for(self, submission: Submission) -> int:
        """The round in which a submission plays against the levels; 0 in a grading by version 0.1.0."""
        return self.spec.rounds.get(submission.agent, self.spec.round)

    def round_of(self, slot: Slot) -> int:
        """The round in which a game is played."""
        if slot.a >= len(self.levels):
            return self.spec.round
        return self.spec.rounds.get(self.spec.agents[slot.b], self.spec.round)

    def spec_for(self, submission: Submission) -> Spec:
        """How the games of a submission are played: version 0.1.0 kept processes over all games."""
        return self.spec if self.round_for(submission) else replace(self.spec, fresh=False)

    def slots_of(self, submission: Submission) -> list[Slot]:
        """The games of a submission against the levels."""
        if submission.refused:
            return []
        me = self.number(submission)
        return [
            Slot(a=level, b=me, pair=pair, swapped=swapped)
            for level in range(len(self.levels))
            for pair in range(self.pairs)
            for swapped in (False, True)
        ]

    def slots(self) -> list[Slot]:
        """All games: one submission after the other, then all against all."""
        found = [slot for one in self.submissions for slot in self.slots_of(one)]
        if self.everybody:
            first = len(self.levels)
            found += [
                Slot(a=a, b=b, pair=pair, swapped=swapped)
                for pair in range(self.rounds)
                for a in range(first, len(self.spec.agents))
                for b in range(a + 1, len(self.spec.agents))
                for swapped in (False, True)
            ]
        return found


def ordered(plan: Plan, seed: int) -> Plan:
    """The plan with a seed, and with its submissions in an order that only the seed tells: it gives no name away."""
    submissions = tuple(sorted(plan.submissions, key=lambda one: drawn(seed, one.name)))
    agents = [*(level.player for level in plan.levels), *(one.agent for one in submissions if not one.refused)]
    return replace(plan, submissions=submissions, spec=replace(plan.spec, seed=seed, agents=agents))


def drawn(seed: int, name: str) -> int:
    """A number that a name has by the seed, whatever other names there are."""
    return int.from_bytes(blake2b(f"{seed}/{name}".encode(), digest_size=8).digest(), "big")


def plan_of(plain: Mapping[str, Any]) -> Plan:
    """The plan that a store has kept."""
    given = dict(plain)
    given["spec"] = Spec(**given["spec"])
    given["submissions"] = tuple(Submission(**one) for one in given["submissions"])
    return Plan(**given)


def conditions_of(plan: Plan) -> tuple[object, ...]:
    """What must be the same for a game to hold in another grading, beside its board and its process."""
    spec = plan.spec
    levels = spec.agents[: len(plan.levels)]
    hosts = {course: (one["versions"], one["digest"]) for course, one in spec.environments.items()}
    return plan.course, spec.seed, spec.limits, spec.memory, spec.margin, spec.clock, spec.sandbox, hosts, levels


def have_same_boards(plan: Plan, old: Plan) -> bool:
    """Whether pairs of one number are played on one board; either may have more pairs, or boards that none gets."""
    number = range(min(max(one.pairs, one.rounds) for one in (plan, old)))
    now, before = ([one.spec.variants[pair % len(one.spec.variants)] for pair in number] for one in (plan, old))
    return now == before


def have_same_processes(plan: Plan, old: Plan) -> bool:
    """Whether agents are started as often; games of version 0.1.0, which always kept processes, count nevertheless."""
    return plan.spec.fresh == old.spec.fresh or not old.spec.round


def can_share_games(plan: Plan, old: Plan) -> bool:
    """Whether games of an earlier grading hold in this one, for submissions that have not changed."""
    return conditions_of(old) == conditions_of(plan) and have_same_boards(plan, old) and have_same_processes(plan, old)


def _scaled(needed: int | None, games: int, usual: int) -> int | None:
    """Wins that are enough, where another number of games is played than the course does."""
    return None if needed is None else max(1, round(needed * games / usual))


@dataclass(frozen=True, kw_only=True)
class LevelResult:
    """A submission against one level."""

    level: Level
    wins: int
    draws: int
    losses: int
    pairs: Pairs

    @property
    def games(self) -> int:
        """Played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A draw is half a point."""
        return self.wins + self.draws / 2

    @property
    def passed(self) -> bool | None:
        """Whether the wins are enough; None where the course does not say how many are."""
        return None if self.level.needed is None else self.wins >= self.level.needed


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A game that a submission lost by a fault of its own."""

    slot: Slot
    opponent: str
    reason: str
    detail: str
    traceback: str = ""


class SlowMove(NamedTuple):
    """A move that took long: `is_cut_off` if the agent was still thinking after so many seconds, and lost by that."""

    seconds: float
    slot: Slot
    ply: int
    is_cut_off: bool = False

    def text(self, digits: int) -> str:
        """The time as a table shows it."""
        return f"{'over ' if self.is_cut_off else ''}{self.seconds:.{digits}f} s"


@dataclass(frozen=True, kw_only=True)
class Result:
    """All there is to say of one submission."""

    submission: Submission
    levels: tuple[LevelResult, ...] = ()
    faults: tuple[Fault, ...] = ()
    slowest: tuple["SlowMove", ...] = ()
    late: int = 0  # moves beyond the limit, within its margin
    forgiven: int = 0  # moves beyond that too, in games by version 0.1.0: the machine stood still
    sandbox: str = ""  # the walls it ran behind
    beaten: int | None = None  # other submissions, of all against all
    others: int = 0  # whom it meets there
    is_complete: bool = True
    round: int | None = None  # in which it played against the levels

    @property
    def verdict(self) -> str:
        """In a few words: refused, did not load, or graded, with its faults."""
        if self.submission.refused:
            return f"{self.kind}: {printable(self.submission.refused)}"
        if self.never_loaded:
            return f"{self.kind}: {printable(self.faults[0].detail)}"
        has_rules = self.submission.rules and self.is_complete
        rules = f"; against the course's rules: {printable(self.submission.rules)}" if has_rules else ""
        return f"{self.kind}{rules}"

    @property
    def kind(self) -> str:
        """The verdict without any text that comes from the submission: what it says may tell whose it is."""
        if self.submission.refused:
            return REFUSED
        if self.never_loaded:
            return Termination.LOAD
        if not self.is_complete:
            return UNFINISHED
        counted = Counter(fault.reason for fault in self.faults)
        listed = ", ".join(f"{reason} {number}" for reason, number in counted.most_common())
        return f"{GRADED}; faults: {listed}" if listed else GRADED

    @property
    def never_loaded(self) -> bool:
        """Whether every game was lost because it did not load."""
        lost = [fault for fault in self.faults if fault.reason == Termination.LOAD]
        return bool(lost) and len(lost) == len(self.faults) and len(lost) >= self.games

    @property
    def games(self) -> int:
        """Against the levels."""
        return sum(one.games for one in self.levels)

    @property
    def score(self) -> float:
        """Share of the points against the levels, 0 to 1."""
        return sum(one.points for one in self.levels) / self.games if self.games else 0.0

    @property
    def passed(self) -> int:
        """Levels passed."""
        return sum(one.passed is True for one in self.levels)

    @property
    def has_rank(self) -> bool:
        """Whether it has played all its games: what was refused has played none."""
        return self.is_complete and not self.submission.refused

    @property
    def place(self) -> tuple[int, float, int]:
        """Less is better; equal for those who share a rank."""
        return -self.passed, -self.score, -(self.beaten or 0)

    @property
    def order(self) -> tuple[bool, bool, int, float, int]:
        """Less comes first: those with a rank, then what is not finished, then what was refused."""
        return not self.has_rank, bool(self.submission.refused), *self.place


class Book:
    """The games so far, and what they say."""

    def __init__(self, plan: Plan, records: Mapping[Slot, Record] | None = None) -> None:
        self.plan = plan
        self.records: dict[Slot, Record] = {}
        self._of: dict[int, dict[Slot, Record]] = defaultdict(dict)  # by agent
        self._known: dict[str, Result] = {}  # by submission, until another game of it comes
        self._names = {one.agent: one.name for one in plan.submissions if not one.refused}
        for slot, record in (records or {}).items():
            self.add(slot, record)

    def add(self, slot: Slot, record: Record) -> None:
        """Take a game in."""
        self.records[slot] = record
        for agent in (slot.a, slot.b):
            self._of[agent][slot] = record
            self._known.pop(self.plan.spec.agents[agent], None)

    def completed_by(self, slot: Slot) -> list[Submission]:
        """The submissions of a game whose games against the levels are all there."""
        played = {self.plan.spec.agents[slot.a], self.plan.spec.agents[slot.b]}
        return [one for one in self.plan.playing if one.agent in played and self.is_complete(one)]

    def is_complete(self, submission: Submission) -> bool:
        """Whether all games of a submission against the levels are there."""
        mine = {} if submission.refused else self._of[self.plan.number(submission)]
        return all(slot in mine for slot in self.plan.slots_of(submission))

    def results(self) -> list[Result]:
        """Of all submissions: those that are finished, the best first, then the others, what was refused last."""
        found = [self.result(one) for one in self.plan.submissions]
        return sorted(found, key=lambda one: (*one.order, one.submission.name.lower()))

    def result(self, submission: Submission) -> Result:
        """Of one submission."""
        if submission.refused:
            return Result(submission=submission)
        if submission.agent not in self._known:
            self._known[submission.agent] = self._result(submission)
        return self._known[submission.agent]

    def _result(self, submission: Submission) -> Result:
        me = self.plan.number(submission)
        mine = self._of[me]
        late, forgiven = self._late(mine, me)
        return Result(
            submission=submission,
            levels=tuple(_level(number, level, me, mine) for number, level in enumerate(self.plan.levels)),
            faults=tuple(self._faults(mine, me)),
            slowest=tuple(_slowest(mine, me)),
            late=late,
            forgiven=forgiven,
            sandbox=next((one.conditions.get("sandbox", {}).get(submission.agent, "") for one in mine.values()), ""),
            beaten=_beaten(mine, me, len(self.plan.levels)) if self.plan.everybody else None,
            others=len(self.plan.playing) - 1 if self.plan.everybody else 0,
            is_complete=self.is_complete(submission),
            round=self.plan.round_for(submission),
        )

    def _late(self, mine: Mapping[Slot, Record], me: int) -> tuple[int, int]:
        """Moves that took longer than the limit, within its margin and beyond; a turn's clock is not looked at."""
        clock, given = COURSES[self.plan.course].clock, self.plan.spec.limits.get("seconds")
        allowed = given or clock.seconds
        if allowed is None or clock.by_turn:
            return 0, 0
        games = [[ply.seconds or 0.0 for ply in one.plies if ply.by == _seat(slot, me)] for slot, one in mine.items()]
        first = allowed if given else clock.first or allowed
        over = [seconds - (allowed if number else first) for game in games for number, seconds in enumerate(game)]
        beyond = sum(one > self.plan.spec.margin for one in over)
        return sum(one > 0 for one in over) - beyond, beyond

    def _faults(self, mine: Mapping[Slot, Record], me: int) -> Iterator[Fault]:
        for slot, record in sorted(mine.items()):
            if record.reason != Termination.RULES and record.winner == 1 - _seat(slot, me):
                opponent = self.plan.spec.agents[slot.a if slot.b == me else slot.b]
                yield Fault(
                    slot=slot,
                    opponent=self.name_of(opponent),
                    reason=record.reason,
                    detail=record.detail,
                    traceback=record.traceback,
                )

    def name_of(self, agent: str) -> str:
        """A submission's name, or the text of a level."""
        return self._names.get(agent, agent)

    def submission_name(self, agent: str) -> str | None:
        """The name of the submission whose agent this is; None of a level."""
        return self._names.get(agent)

    def ratings(self) -> ratings.Ratings | None:
        """All games in one fit, by the texts of agents, if submissions met each other."""
        if not self.plan.everybody or not self.records:
            return None
        names = self.plan.spec.agents
        games = [
            (names[slot.seats[0]], names[slot.seats[1]], record.points(0)) for slot, record in self.records.items()
        ]
        return ratings.fit(games, players=names)


def _level(number: int, level: Level, me: int, mine: Mapping[Slot, Record]) -> LevelResult:
    points = {slot: record.points(_seat(slot, me)) for slot, record in mine.items() if slot.a == number}
    both = [
        points[slot] + points[other]
        for slot in points
        if not slot.swapped and (other := Slot(a=slot.a, b=slot.b, pair=slot.pair, swapped=True)) in points
    ]
    values = Counter(points.values())
    return LevelResult(level=level, wins=values[1.0], draws=values[0.5], losses=values[0.0], pairs=Pairs.of(both))


def _beaten(mine: Mapping[Slot, Record], me: int, levels: int) -> int:
    """How many other submissions made fewer points against it than it against them."""
    lead: Counter[int] = Counter()
    for slot, record in mine.items():
        if slot.a >= levels:
            lead[slot.a + slot.b - me] += int(4 * record.points(_seat(slot, me)) - 2)
    return sum(value > 0 for value in lead.values())


def _seat(slot: Slot, agent: int) -> int:
    return slot.seats.index(agent)


def _slowest(mine: Mapping[Slot, Record], me: int, most: int = 5) -> list[SlowMove]:
    """The moves that took longest, with those that were never answered."""
    moves = [
        SlowMove(ply.seconds, slot, number)
        for slot, record in mine.items()
        for number, ply in enumerate(record.plies, 1)
        if ply.by == _seat(slot, me) and ply.seconds is not None
    ]
    for slot, record in mine.items():
        if (
            record.reason == Termination.TIME
            and record.winner == 1 - _seat(slot, me)
            and (waited := WAITED.search(record.detail))
        ):
            moves.append(SlowMove(int(waited[1]) / 1000, slot, len(record.plies) + 1, is_cut_off=True))
    return sorted(moves, key=lambda move: -move.seconds)[:most]
