"""A match: two agents, many pairs of games, the score as it grows, and the moment to stop.

A pair counts when both its games are in, and pairs count in their order: so the result of a run that was interrupted,
or played by more workers, is that of one that was not.

Two agents that leave nothing to chance play the same pair from the same start whenever they are asked to. Where most
pairs repeat an earlier one move for move, only those that differ are evidence.
"""

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any, ClassVar, Self

from harena.agents.spec import parse_agent
from harena.arena import words
from harena.arena.conditions import conditions
from harena.arena.contest import Spec
from harena.arena.machine import where
from harena.arena.record import Record
from harena.arena.repetition import moves_of
from harena.arena.runs.kind import ResultPlace, RunKind, evidence_dict
from harena.arena.runs.presentation import INTERVAL, Block, Facts, Line, PageTable, Rated, ReportPart, Summary, labels
from harena.arena.runs.results import MatchResult
from harena.arena.scores import Pairs
from harena.arena.slot import Slot
from harena.arena.sprt import Sprt, State, parse
from harena.termination import Termination

Games = tuple[str, ...]  # the starts and moves of a pair
TEST = {"H1": ", test passed", "H0": ", test failed"}
POINTS = ("0", "½", "1", "1½", "2")  # of a pair


@dataclass(kw_only=True)
class Match(RunKind):
    """Two agents: how their games are played, how many pairs, the test that may end it sooner, and the games so far."""

    kind: ClassVar[str] = "match"
    needs_all: ClassVar[bool] = True

    spec: Spec
    pairs: int
    sprt: str | None = None
    records: dict[Slot, Record] = field(default_factory=dict, init=False)
    scores: Pairs = field(default_factory=Pairs, init=False)  # of A, the first agent
    counted: int = field(default=0, init=False)  # pairs, from the first on without a gap
    different: dict[Games, float] = field(default_factory=dict, init=False)  # pairs unlike all before: A's points
    state: State | None = field(default=None, init=False)  # of the test
    times: tuple["array[float]", "array[float]"] = field(
        default_factory=lambda: (array("d"), array("d")), init=False, repr=False
    )

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The match of a stored form, without games."""
        return cls(spec=Spec(**plain["spec"]), pairs=plain["pairs"], sprt=plain["sprt"])

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        return {"spec": self.spec.as_dict(), "pairs": self.pairs, "sprt": self.sprt}

    # The games

    def slots(self) -> list[Slot]:
        """All games, both of a pair one after the other."""
        return [Slot(a=0, b=1, pair=pair, swapped=swapped) for pair in range(self.pairs) for swapped in (False, True)]

    def needed(self) -> list[Slot]:
        """All games, or none once the test has decided."""
        return [] if self.ends_early else self.slots()

    @property
    def test(self) -> Sprt | None:
        """The test, if there is one."""
        return parse(self.sprt) if self.sprt else None

    def add(self, slot: Slot, record: Record) -> None:
        """Take a game in."""
        self.records[slot] = record
        test = self.test
        while not self.is_decided and all(self._slot(self.counted, seat) in self.records for seat in (False, True)):
            both = [(swapped, self.records[self._slot(self.counted, swapped)]) for swapped in (False, True)]
            points = sum(one.points(int(swapped)) for swapped, one in both)
            self.scores = self.scores.add(points)
            self.different.setdefault(self._moves([one for _, one in both]), points)
            for swapped, one in both:
                self._time(one, swapped)
            self.counted += 1
            self.state = test.state(self.evidence) if test else None

    @staticmethod
    def _slot(pair: int, swapped: bool) -> Slot:
        return Slot(a=0, b=1, pair=pair, swapped=swapped)

    def _moves(self, both: list[Record]) -> Games:
        """What tells a pair from others; where the moves are not known, its number."""
        if not any(record.plies for record in both):
            return (str(self.counted),)
        return tuple(map(moves_of, both))

    def _time(self, record: Record, swapped: bool) -> None:
        for ply in record.plies:
            if ply.seconds is not None:
                self.times[ply.by ^ swapped].append(ply.seconds)

    @property
    def ends_early(self) -> bool:
        """Whether the test has decided."""
        return self.state is not None and self.state.over

    @property
    def is_decided(self) -> bool:
        """Whether nothing more is to be played."""
        return self.counted == self.pairs or self.ends_early

    @property
    def planned(self) -> int | None:
        """The games in all; None once a test has ended the match sooner."""
        return None if self.ends_early else 2 * self.pairs

    # What the games say of A

    @property
    def evidence(self) -> Pairs:
        """The pairs that tell something: all, or those that differ where most do not."""
        return Pairs.of(self.different.values()) if self.repeats_itself else self.scores

    @property
    def repeats_itself(self) -> bool:
        """Whether most pairs were played before, move for move."""
        return 2 * len(self.different) < self.counted

    @property
    def games(self) -> list[tuple[bool, Record]]:
        """The games that count, each with whether its seats were swapped."""
        return [
            (swapped, self.records[self._slot(pair, swapped)])
            for pair in range(self.counted)
            for swapped in (False, True)
        ]

    @property
    def results(self) -> tuple[int, int, int]:
        """How many of the games that count A won, drew and lost."""
        points = Counter(record.points(int(swapped)) for swapped, record in self.games)
        return points[1.0], points[0.5], points[0.0]

    @property
    def reasons(self) -> Counter[str]:
        """How the games ended."""
        return Counter(record.reason for _, record in self.games)

    def faults_of(self, agent: int) -> Counter[str]:
        """The faults of an agent in the games that count."""
        return Counter(record.reason for record in self._lost_by_faults_of(agent))

    def first_fault(self, agent: int) -> str:
        """The words about the first of them, or its reason where there are none."""
        return next((record.detail or record.reason for record in self._lost_by_faults_of(agent)), "")

    def _lost_by_faults_of(self, agent: int) -> list[Record]:
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

    def sentences(self, a: str = "A", b: str = "B") -> list[str]:
        """What the result does and does not show."""
        lines = []
        if self.games and all(record.reason != Termination.RULES for _, record in self.games):
            lines.append("every game ended by a fault: that says nothing about who is stronger")
        else:
            lines.append(words.verdict(a, b, self.evidence))
            if few := words.few_games(self.evidence):
                lines.append(few)
        if self.repeats_itself:
            lines.append(words.repeated(len(self.different), self.counted))
        if self.state is not None and self.test is not None:
            lines.append(words.sequential(a, b, self.test, self.state))
        return lines

    # How it presents itself

    def summary(self) -> Summary:
        """Agents, games, and the score of the leader."""
        pairs, result = self.scores, ""
        if pairs.games:
            leader, lead = ("the first", pairs) if pairs.score > 0.5 else ("the second", pairs.flipped())
            result = "even" if pairs.score == 0.5 else f"{words.percent(lead.score)} for {leader}"
            result += TEST.get(self.state.verdict, "") if self.state else ""
        return Summary(game=self.spec.game, agents=self.spec.agents, planned=self.planned, result=result)

    @property
    def has_end(self) -> bool:
        """Whether it can be told how long it takes: a test may end it at any time."""
        return self.test is None

    def progress(self) -> tuple[int, int | None]:
        """Games of all that may be played."""
        return len(self.records), 2 * self.pairs

    def progress_notes(self) -> list[str]:
        """The score, and which agents are not ready yet."""
        return [f"{words.percent(self.scores.score)} for A" if self.scores.games else "", self._starting()]

    def _starting(self) -> str:
        """Which agents are not ready yet."""
        texts = [text for text, number in self.play.starting.copy().items() if number] if self.play else []
        if not texts:
            return ""
        is_compiled = any(parse_agent(text).is_trusted for text in texts)
        compiles = " (the first start compiles it; what is compiled is kept)" if is_compiled else ""
        return f"waiting for {', '.join(texts)}{compiles}"

    def live(self) -> list[Block]:
        """The numbers so far."""
        rows = [*self._facts(), *self._details()]
        if self.counted and (waiting := self._starting()):
            rows.append(("", waiting))
        return [Facts(rows)]

    def _facts(self) -> list[tuple[str, str]]:
        """What the numbers are so far."""
        pairs = self.scores
        if not pairs.games:
            return [("", self._starting())]
        lines = [
            ("score", f"{words.percent(pairs.score)} of {words.count(pairs.games, 'game')} for A"),
            ("Elo", words.interval(self.evidence.elo)),
            ("A is better", words.superiority(self.evidence)),
        ]
        if self.state is not None and self.test is not None:
            bounds = f"bounds {self.test.lower:+.2f} and {self.test.upper:+.2f}"
            lines.append(("SPRT", f"LLR {self.state.llr:+.2f}, {bounds}"))
        for name, times in zip("AB", self.times, strict=True):
            if times:
                middle, worst = 1000 * median(times), 1000 * max(times)
                lines.append((f"time of {name}", f"median {middle:,.1f} ms, longest {worst:,.1f} ms a move"))
        return lines

    def _details(self) -> list[tuple[str, str]]:
        """The numbers for readers who know the statistics of pairs, and the stalls of the machine."""
        if not self.scores.games:
            return []
        counts = zip(POINTS, self.scores.counts, strict=True)
        normalised = self.evidence.normalised_elo
        return [
            ("pairs", "  ".join(f"{points}: {number:,}" for points, number in counts)),
            ("nElo", "not known, as all pairs ended alike" if normalised is None else words.elo(normalised)),
            ("longest stall", f"{1000 * self._longest_stall():,.1f} ms of this machine"),
        ]

    def _longest_stall(self) -> float:
        return self.play.longest_stall() if self.play else 0.0

    def report(self, run: str, option: str, numbers: Mapping[str, int]) -> list[Block]:
        """The result, its conditions, and what it does and does not show."""
        short = words.short_names(self.spec.agents)
        a, b = (short[text] for text in self.spec.agents)
        blocks: list[Block] = [Line(words.outcome(a, b, self.results), "bold")]
        blocks += map(Line, self.sentences(*((a, b) if a != b else ("A", "B"))))
        names = [("game", self.spec.game), ("A", a), ("B", b)]
        blocks += [Line(), Facts([*names, *self._facts(), *self._conduct(run), *self._details()])]
        notes = self.describe_outputs()
        if any(reason != Termination.RULES for reason in self.reasons):
            listing = f"`harena records list --run {run}{option}` shows each"
            notes.insert(0, f"games lost by faults count as losses: {listing}")
        return [*blocks, *([Line()] if notes else []), *(Line(note, "dim", is_whole=True) for note in notes)]

    def _conduct(self, run: str) -> list[tuple[str, str]]:
        """How the games ended and were played."""
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in self.reasons.most_common())
        rows = [("ends", reasons or "none")]
        for number, name in enumerate("AB"):
            if faults := self.faults_of(number):
                counts = ", ".join(f"{reason} {count:,}" for reason, count in faults.most_common())
                rows.append((f"faults of {name}", f"{counts}; the first: {self.first_fault(number)}"))
        if self.counted:
            rows.append(("first seat", f"{words.percent(self.first_seat)} of the points"))
        if self.play and self.play.replays:
            rows.append(("played again", f"{sum(self.play.replays.values()):,} because the machine stood still"))
        rows.append(("conditions", conditions(self.spec)))
        if place := where(record for _, record in self.games):
            rows.append(("machine", place))
        return [*rows, ("run", run)]

    def describe_outputs(self) -> list[str]:
        """Where what agents printed is to be found, where that was asked for."""
        if self.outputs is None:
            return []
        files = ", ".join(str(file) for file in self.outputs.files)
        return [f"what agents printed: {files}" if files else "no agent printed anything to standard error"]

    def result_dict(self, run: str) -> dict[str, Any]:
        """The result, for the first agent."""
        evidence, test, state = self.evidence, self.test, self.state
        wins, draws, losses = self.results
        faults = [{"counts": dict(self.faults_of(one)), "first": self.first_fault(one) or None} for one in (0, 1)]
        return {
            **self.common_result(run),
            "games": len(self.games),
            "planned": 2 * self.pairs,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "score": self.scores.score,
            "pairs": list(self.scores.counts),
            **evidence_dict(evidence),
            "los": evidence.los,
            "normalised_elo": evidence.normalised_elo,
            "different_pairs": len(self.different),
            "sprt": None if test is None else {**asdict(test), **({} if state is None else asdict(state))},
            "first_seat": self.first_seat,
            "ends": dict(self.reasons),
            "faults": faults,
            "seconds": [{"median": median(one), "longest": max(one)} if one else None for one in self.times],
            "longest_stall": self._longest_stall(),
            "output_files": [str(file) for file in self.outputs.files] if self.outputs else [],
            "machine": where(record for _, record in self.games),
            "verdict": words.verdict("A", "B", evidence),
        }

    def to_result(self, place: ResultPlace) -> MatchResult:
        """The result, for the first agent."""
        wins, draws, losses = self.results
        evidence = self.evidence
        return MatchResult(
            **self.common_fields(place),
            wins=wins,
            draws=draws,
            losses=losses,
            score=self.scores.score,
            interval=evidence.interval,
            elo=evidence.elo,
            normalised_elo=evidence.normalised_elo,
            los=evidence.los,
            pairs=self.scores,
            sprt=self.state,
            verdict=words.verdict("A", "B", evidence),
        )

    def report_part(self) -> ReportPart:
        """Both sides, each with its Elo over the other."""
        names, pairs = labels(self.spec.agents, "AB"), self.evidence
        verdict = [words.verdict("A", "B", pairs)]
        if self.state is not None and self.test is not None:
            verdict.append(words.sequential("A", "B", self.test, self.state))
        if self.repeats_itself:
            verdict.append(words.repeated(len(self.different), self.counted))
        short = words.short_names(self.spec.agents)
        sides = zip(names, (pairs, pairs.flipped()), strict=True)
        return ReportPart(
            title=f"{self.spec.game}: {' against '.join(short[text] for text in self.spec.agents)}",
            names=names,
            unit="Elo",
            ratings=[_rated(name, side) for name, side in sides] if pairs.games else [],
            about="Elo over the other, from complete pairs of games",
            verdict=verdict,
            columns=[0, 1],
            rows=[0, 1],
            planned=self.planned,
        )

    def page(self, names: Mapping[str, str], *, hidden: bool) -> dict[str, Any]:
        """The score and Elo of both."""
        a, b = (names[agent] for agent in self.spec.agents)
        rows = []
        for name, pairs in zip((a, b), (self.scores, self.scores.flipped()), strict=True):
            estimate = pairs.elo
            span = f"{words.elo(estimate.low)} to {words.elo(estimate.high)}" if pairs.games else ""
            rating = words.elo(estimate.value) if pairs.games else ""
            rows.append([name, words.percent(pairs.score) if pairs.games else "", str(pairs.games), rating, span])
        sentences = [words.verdict(a, b, self.scores)]
        if self.state is not None and self.test is not None:
            sentences.append(words.sequential(a, b, self.test, self.state))
        is_even = not self.scores.games or self.scores.score == 0.5
        table = PageTable(
            headings=["Agent", "Score", "Games", "Elo", INTERVAL],
            rows=rows,
            numbers=[1, 2, 3, 4],
            leaders=[] if is_even else [int(self.scores.score < 0.5)],
        )
        return {"table": table.as_dict(), "words": sentences if self.scores.games else []}


def describe_test(match: Match) -> list[str]:
    """How many games the test of a match takes, and where it is given up; nothing without a test."""
    if match.test is None:
        return []
    few, many = map(words.about, match.test.usual_games)
    enough = "" if 2 * match.pairs >= match.test.usual_games[1] else ", which may not be enough"
    usual = f"the test takes about {few} to {many} games, fewer if A and B differ much"
    return [f"{usual}; at most {2 * match.pairs:,} are played{enough}"]


def _rated(name: str, pairs: Pairs) -> Rated:
    elo = pairs.elo
    return Rated(
        name=name,
        value=elo.value,
        low=elo.low,
        high=elo.high,
        games=pairs.games,
        score=pairs.score,
        open_low=elo.bound == "at most" or round(elo.low) <= -words.FURTHEST,
        open_high=elo.bound == "at least" or round(elo.high) >= words.FURTHEST,
        normalised=pairs.normalised_elo,
    )
