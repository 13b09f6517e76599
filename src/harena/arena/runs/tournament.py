"""A tournament: which games it still needs, given those it has, and what they say together.

What is to be played next follows from the specification and the results alone, for Swiss and knockout too: so an
interrupted tournament goes on exactly where it stopped.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from math import ceil, log2
from typing import Any, ClassVar, Self

from harena.arena import ratings, words
from harena.arena.bracket import rows as bracket_rows
from harena.arena.bracket import winner
from harena.arena.contest import Spec
from harena.arena.machine import where
from harena.arena.ratings import Ratings
from harena.arena.record import Record
from harena.arena.repetition import warning
from harena.arena.runs.kind import ResultPlace, RunKind
from harena.arena.runs.presentation import (
    INTERVAL,
    Block,
    Facts,
    Line,
    PageTable,
    Rated,
    ReportPart,
    Summary,
    TextTable,
    labels,
)
from harena.arena.runs.results import TournamentResult
from harena.arena.schedule import Knockout, Pairing, gauntlet, knockout, round_robin, swiss
from harena.arena.scores import Pairs
from harena.arena.slot import Slot
from harena.errors import BadOption, UnknownName

TYPES = ("round-robin", "gauntlet", "swiss", "knockout")
MOST_CROSS = 40  # agents beyond which a crosstable is no help on a page
MOST_LIVE = 12  # agents in a live display
Paired = dict[tuple[int, int], list[tuple[int, float]]]


@dataclass(kw_only=True)
class Tournament(RunKind):
    """Many agents: how games are played, the type, pairs of games for each pairing, rounds of a Swiss one, the games.

    Games are only ever added.
    """

    kind: ClassVar[str] = "tournament"

    spec: Spec
    type: str = "round-robin"
    pairs: int = 1
    rounds: int | None = None
    records: dict[Slot, Record] = field(default_factory=dict, init=False)
    _paired: tuple[int, Paired] = field(default=(-1, {}), init=False, repr=False, compare=False)  # of so many games
    _fitted: tuple[int, Ratings] | None = field(default=None, init=False, repr=False, compare=False)  # the same

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise UnknownName("type of tournament", self.type, TYPES)
        if len(self.spec.agents) < 2:
            raise BadOption("a tournament needs at least two agents")
        for name, number in Counter(self.spec.agents).items():
            if number > 1:
                raise BadOption(f"{name} is there {number} times: an agent plays once")

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The tournament of a stored form, without games."""
        return cls(spec=Spec(**plain["spec"]), type=plain["type"], pairs=plain["pairs"], rounds=plain["rounds"])

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        return {"spec": self.spec.as_dict(), "type": self.type, "pairs": self.pairs, "rounds": self.rounds}

    # The games

    @property
    def swiss_rounds(self) -> int:
        """As many as tell a best of all, unless said otherwise."""
        return self.rounds or max(1, ceil(log2(len(self.spec.agents))))

    def needed(self) -> list[Slot]:
        """The games of the present round, those already played included."""
        agents = self.spec.agents
        if self.type == "round-robin":
            return self._slots(round_robin(agents, self.pairs))
        if self.type == "gauntlet":
            return self._slots(gauntlet(agents[0], agents[1:], self.pairs))
        if self.type == "knockout":
            return self._slots(self.bracket().todo)
        return self._swiss()

    def bracket(self) -> Knockout:
        """All rounds of a knockout, as far as the games go."""
        agents = self.spec.agents
        played = [
            (agents[a], agents[b], number, points)
            for (a, b), pairs in self.pairs_of().items()
            for number, points in pairs
        ]
        return knockout(agents, played, self.pairs)

    def _swiss(self) -> list[Slot]:
        """Round by round, as far as the results go."""
        agents = self.spec.agents
        standings, history = dict.fromkeys(agents, 0.0), list[tuple[str, str | None]]()
        slots: list[Slot] = []
        for _ in range(self.swiss_rounds):
            paired = swiss(standings, history, self.pairs)
            slots = self._slots(paired.pairings)
            if any(slot not in self.records for slot in slots):
                return slots
            for slot in slots:
                for seat, agent in enumerate(slot.seats):
                    standings[agents[agent]] += self.records[slot].points(seat)
            history += sorted({(one.a, one.b) for one in paired.pairings})
            if paired.bye is not None:
                standings[paired.bye] += 2 * self.pairs
                history.append((paired.bye, None))
        return slots

    def _slots(self, pairings: Iterable[Pairing]) -> list[Slot]:
        number = {agent: index for index, agent in enumerate(self.spec.agents)}
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
    def planned(self) -> int | None:
        """How many games there will be, if that is known."""
        agents, pairs = len(self.spec.agents), self.pairs
        if self.type == "knockout":
            return None
        tables = {"round-robin": agents * (agents - 1) // 2, "gauntlet": agents - 1}
        return 2 * pairs * tables.get(self.type, self.swiss_rounds * (agents // 2))

    # What the games say

    def pairs_of(self) -> Paired:
        """For each two agents their complete pairs of games: number, and the points of the lower one."""
        if self._paired[0] != len(self.records):
            self._paired = len(self.records), self._complete_pairs()
        return self._paired[1]

    def _complete_pairs(self) -> Paired:
        points: dict[tuple[int, int, int], list[float]] = defaultdict(list)
        for slot, record in self.records.items():
            points[slot.a, slot.b, slot.pair].append(record.points(int(slot.swapped)))
        pairs: Paired = defaultdict(list)
        for (a, b, number), both in sorted(points.items()):
            if len(both) == 2:
                pairs[a, b].append((number, sum(both)))
        return pairs

    def score(self, a: int, b: int) -> Pairs:
        """What a made against b."""
        pairs = Pairs.of(points for _, points in self.pairs_of().get((min(a, b), max(a, b)), []))
        return pairs if a < b else pairs.flipped()

    def standings(self) -> dict[str, float]:
        """Points by agent, in the order of the agents."""
        points = dict.fromkeys(self.spec.agents, 0.0)
        for slot, record in self.records.items():
            for seat, agent in enumerate(slot.seats):
                points[self.spec.agents[agent]] += record.points(seat)
        return points

    def ratings(self) -> Ratings:
        """One joint fit over all games."""
        agents = self.spec.agents
        if self._fitted is None or self._fitted[0] != len(self.records):
            games = [
                (agents[slot.seats[0]], agents[slot.seats[1]], record.points(0))
                for slot, record in self.records.items()
            ]
            self._fitted = len(self.records), ratings.fit(games, players=agents)
        return self._fitted[1]

    def first_fault(self, agent: str) -> str:
        """The words about the first fault of an agent, or its reason where there are none."""
        return next((record.detail or record.reason for loser, record in self.lost_by_faults() if loser == agent), "")

    def sentences(self, names: Mapping[str, str] | None = None) -> list[str]:
        """What the ratings do not show, and whether games repeat others."""
        fitted = words.ratings(self.ratings(), names) if self.records else []
        return [*fitted, *warning(self.records.values())]

    # How it presents itself

    def summary(self) -> Summary:
        """Agents, games, and who leads."""
        names, result = words.short_names(self.spec.agents), ""
        if self.type == "knockout":
            won = self.bracket().winner
            result = f"{names[won]} won" if won else ""
        elif self.records:
            points = self.standings()
            most = max(points.values())
            leaders = [names[name] for name, made in points.items() if made == most]
            result = f"{leaders[0]} has most points" if len(leaders) == 1 else f"{len(leaders)} share the lead"
        return Summary(game=self.spec.game, agents=self.spec.agents, planned=self.planned, result=result)

    @property
    def has_end(self) -> bool:
        """Whether it can be told how long it takes: games between strong agents take longer than others."""
        return False

    def progress_notes(self) -> list[str]:
        """Who leads."""
        if not self.records:
            return []
        leader, points = max(self.standings().items(), key=lambda item: item[1])
        return [f"{words.short_names(self.spec.agents)[leader]} leads with {points:g} points"]

    def live(self) -> list[Block]:
        """The standings."""
        standings = sorted(self.standings().items(), key=lambda item: -item[1])
        names = words.short_names([name for name, _ in standings])
        return [Facts([(names[name], f"{points:g}") for name, points in standings[:MOST_LIVE]])]

    def report(self, run: str, option: str, numbers: Mapping[str, int]) -> list[Block]:
        """Ratings, crosstable, confidence, faults, and what they do and do not show."""
        blocks: list[Block] = [Line(f"{self.spec.game}: {self.type}, {words.count(len(self.records), 'game')}", "bold")]
        if not self.records:
            return blocks
        blocks += self.bracket_blocks()
        fitted = self.ratings()
        agents = [row.name for row in fitted.rows]
        names = words.short_names(agents)
        blocks += [ratings_table(fitted), Line(), Line("score of the row against the column, by rank")]
        blocks += [self._crosstable(agents), Line()]
        blocks += [Line("confidence that the row is better than the column, in %"), confidence_table(fitted)]
        for agent, faults in self.faults().items():
            if faults:
                counts = ", ".join(f"{reason} {number:,}" for reason, number in faults.most_common())
                blocks.append(Line(f"faults of {names[agent]}: {counts}; the first: {self.first_fault(agent)}"))
        return [*blocks, Line(), *map(Line, self.sentences(names)), self.place_line(run)]

    def bracket_blocks(self) -> list[Block]:
        """Of a knockout a line a match, round by round, and then the winner; nothing of other tournaments."""
        if self.type != "knockout":
            return []
        bracket, names = self.bracket(), words.short_names(self.spec.agents)
        rows, before = [], ""
        for name, *rest in bracket_rows(bracket, names):
            rows.append(["" if name == before else name, *rest])
            before = name
        table = TextTable(("round", "", "points", "", ""), rows, left=(0, 1, 3, 4), is_tight=True)
        return [table, Line(), Line(winner(bracket, names), "bold"), Line()]

    def _crosstable(self, agents: list[str]) -> TextTable:
        """Scores of the row against the column, by rank."""
        number = {name: index for index, name in enumerate(self.spec.agents)}
        rows = []
        for index, name in enumerate(agents, 1):
            cells = []
            for other in agents:
                score = self.score(number[name], number[other]) if other != name else None
                cells.append("·" if score is None else f"{100 * score.score:.0f} %" if score.games else "")
            rows.append([str(index), *cells])
        return TextTable(["", *map(str, range(1, len(agents) + 1))], rows, left=(0,), overflow="ellipsis")

    def result_dict(self, run: str) -> dict[str, Any]:
        """Agents by rating, and their results against each other."""
        agents, faults, standings = self.spec.agents, self.faults(), self.standings()
        fitted = self.ratings() if self.records else None
        results = []
        for a, b in sorted(self.pairs_of()):
            pairs = self.score(a, b)
            results.append({"a": agents[a], "b": agents[b], "games": pairs.games, "score": pairs.score})
        players = [
            {**asdict(row), "points": standings[row.name], "faults": dict(faults[row.name])}
            for row in (fitted.rows if fitted else ())
        ]
        return {
            **self.common_result(run),
            "type": self.type,
            "games": len(self.records),
            "planned": self.planned,
            "players": players,
            "results": results,
            "better": [list(row) for row in fitted.better] if fitted else [],
            "first_seat": {"elo": fitted.seat, "error": fitted.seat_error} if fitted else None,
            "winner": self.bracket().winner if self.type == "knockout" else None,
            "machine": where(self.records.values()),
            "sentences": self.sentences(),
        }

    def to_result(self, place: ResultPlace) -> TournamentResult:
        """All agents by rating."""
        return TournamentResult(
            **self.common_fields(place),
            type=self.type,
            ratings=tuple(self.ratings().rows) if self.records else (),
            points=self.standings(),
            winner=self.bracket().winner if self.type == "knockout" else None,
        )

    def report_part(self) -> ReportPart:
        """All agents by rating."""
        agents = self.spec.agents
        names = labels(agents)
        called = dict(zip(agents, names, strict=True))
        fitted = self.ratings() if self.records else None
        order = {name: index for index, name in enumerate(agents)}
        everyone = [order[row.name] for row in fitted.rows] if fitted else list(order.values())
        is_knockout = self.type == "knockout"
        return ReportPart(
            title=f"{self.spec.game}: {self.type} of {len(agents)} agents",
            names=names,
            unit="Elo",
            ratings=[
                Rated(
                    name=called[row.name], value=row.elo, low=row.low, high=row.high, games=row.games, score=row.score
                )
                for row in (fitted.rows if fitted else ())
            ],
            about="Elo over the mean of all, from one fit over all games",
            verdict=[self._leaders(fitted, called), *words.ratings(fitted, called)] if fitted else [],
            columns=everyone,
            rows=everyone,
            planned=self.planned,
            bracket=bracket_rows(self.bracket(), called) if is_knockout else None,
        )

    def _leaders(self, fitted: Ratings, names: Mapping[str, str]) -> str:
        """Who has won a knockout, or is rated highest."""
        if self.type == "knockout":
            return winner(self.bracket(), names)
        first = fitted.rows[0]
        elo, span = words.elo(first.elo), f"{words.elo(first.low)} to {words.elo(first.high)}"
        best = [names[row.name] for row in fitted.rows if words.elo(row.elo) == elo]
        return f"{' and '.join(best)} {'is' if len(best) == 1 else 'are'} rated highest: {elo} Elo (95 %: {span})"

    def page(self, names: Mapping[str, str], *, hidden: bool) -> dict[str, Any]:
        """Standings by rating, crosstable, bracket and sentences."""
        fitted, points = self.ratings(), self.standings()
        rows = [
            [
                str(rank) if row.games else "",
                names[row.name],
                words.percent(row.score) if row.games else "",
                f"{points[row.name]:g}",
                str(row.games),
                *((words.elo(row.elo), f"{words.elo(row.low)} to {words.elo(row.high)}") if row.games else ("", "")),
            ]
            for rank, row in enumerate(fitted.rows, 1)
        ]
        table = PageTable(
            headings=["#", "Agent", "Score", "Points", "Games", "Elo", INTERVAL],
            rows=rows,
            numbers=[0, 2, 3, 4, 5, 6],
            leaders=[0] if fitted.rows and fitted.rows[0].games else [],
        )
        sentences, rounds = words.ratings(fitted, names) if self.records else [], list[list[str]]()
        if self.type == "knockout":
            bracket = self.bracket()
            rounds = [list(row) for row in bracket_rows(bracket, names)]
            sentences = [winner(bracket, names), *sentences] if self.records else sentences
        cross = self._page_cross(fitted, names)
        return {"table": table.as_dict(), "cross": cross, "bracket": rounds, "words": sentences}

    def _page_cross(self, fitted: Ratings, names: Mapping[str, str]) -> dict[str, Any] | None:
        """Who made how much against whom, by rank."""
        order = [row.name for row in fitted.rows]
        if len(order) > MOST_CROSS:
            return None
        number = {name: index for index, name in enumerate(self.spec.agents)}
        rows: list[list[float | None]] = []
        for name in order:
            scores = [None if name == other else self.score(number[name], number[other]) for other in order]
            rows.append([round(one.score, 4) if one is not None and one.games else None for one in scores])
        return {"names": [names[name] for name in order], "numbers": [number[name] for name in order], "rows": rows}


def ratings_table(fitted: Ratings, names: Mapping[str, str] | None = None) -> TextTable:
    """The ratings, best first; `names` are what agents are called, in place of `short_names`."""
    called = names or words.short_names([row.name for row in fitted.rows])
    rows = [
        [
            str(number),
            called[row.name],
            words.elo(row.elo),
            f"{words.elo(row.low)} to {words.elo(row.high)}",
            f"{row.games:,}",
            words.percent(row.score),
        ]
        for number, row in enumerate(fitted.rows, 1)
    ]
    return TextTable(("", "agent", "Elo", "95 %", "games", "score"), rows, left=(1,))


def confidence_table(fitted: Ratings) -> TextTable:
    """How sure it is that the row is better than the column, by rank."""
    rows = [
        [str(number), *("·" if number == other else f"{100 * chance:.0f}" for other, chance in enumerate(row, 1))]
        for number, row in enumerate(fitted.better, 1)
    ]
    return TextTable(["", *map(str, range(1, len(fitted.rows) + 1))], rows, overflow="ellipsis")
