"""One parameter, several values, each a match of its own against the same opponent.

Every value is an agent and the opponent is the last one. A pair of games has the same start and seed for every value:
values are compared by the differences of their scores pair by pair, and what a start favours cancels out.

Which values can still be the best follows S. Gupta (1965) and J. Hsu (1984, comparisons with the best): a value is out
if the one that scored best beats it in a one-sided paired test at 5 % divided by the number of the others (Bonferroni).
With 95 % confidence the true best of the values is then among those that are left, although the best was chosen by
looking at the results.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, isfinite, sqrt
from typing import Any, ClassVar, Self

from harena.arena import words
from harena.arena.contest import Spec
from harena.arena.machine import where
from harena.arena.record import Record
from harena.arena.repetition import warning
from harena.arena.runs.kind import ResultPlace, RunKind, evidence_dict
from harena.arena.runs.output_files import plot_format, plotting
from harena.arena.runs.presentation import INTERVAL, Block, Line, PageTable, Rated, ReportPart, Summary, TextTable
from harena.arena.runs.results import SweepPoint, SweepResult
from harena.arena.scores import CONFIDENCE, MOST_GAMES, Pairs
from harena.arena.slot import Slot
from harena.errors import BadOption
from harena.render import plot, spreadsheet

HOLE = re.compile(r"\{(\w*)\}")
NAME = re.compile(r"[A-Za-z_]\w*")
ROUNDING = 1e-9
MOST_VALUES = 200  # of a range
BAR = 24  # letters of a bar from 0 to 100 %
BLOCK = 10  # pairs that a value plays in a row: agents are not started anew for every game


def holes(template: str) -> list[str]:
    """The names in braces, each once; BadOption if braces hold anything else."""
    found = HOLE.findall(template)
    if any(not NAME.fullmatch(name) for name in found) or re.search(r"[{}]", HOLE.sub("", template)):
        raise BadOption(f"{template!r}: braces hold the name of a parameter, as in mcts(c={{c}})")
    return list(dict.fromkeys(found))


def fill(template: str, values: Mapping[str, str]) -> str:
    """The agent with these values in place of the names in braces."""
    return HOLE.sub(lambda hole: values[hole[1]], template)


def number(text: str, what: str) -> float:
    """A finite number, or BadOption."""
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if not isfinite(found) or "_" in text:
        raise BadOption(f"{what}: {text.strip()!r} is no number")
    return found


def expand_range(text: str, what: str) -> list[str]:
    """`0.1:0.5:0.2` as 0.1, 0.3 and 0.5, exactly; without a step it is 1. Any other text by itself."""
    parts = text.split(":")
    if len(parts) == 1:
        return [text]
    if len(parts) > 3:
        raise BadOption(f"{what}: a range is FIRST:LAST:STEP, as in 0.1:2:0.1, not {text!r}")
    for part in parts:
        number(part, what)
    first, last, step = (Decimal(part.strip()) for part in [*parts, "1"][:3])
    if step <= 0 or last < first:
        raise BadOption(f"{what}: {text!r} has no values: a range goes up, by a step above 0, as in 0.1:2:0.1")
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise BadOption(f"{what}: {text!r} has {count:,} values; at most {MOST_VALUES} are played: take a larger step")
    return [f"{first + index * step:f}" for index in range(count)]


def values_of(text: str, template: str) -> tuple[str, list[str]]:
    """`c=0.1,0.3,1` as the name and its values, ascending, as they were written; the agent must have such a name.

    Among the values may be ranges: `c=0.1:2:0.1`.
    """
    name, equals, listed = (part.strip() for part in text.partition("="))
    if not equals or not NAME.fullmatch(name):
        raise BadOption(f"--over is a parameter and its values, as in c=0.1,0.3,1 or c=0.1:2:0.1, not {text!r}")
    wanted = holes(template)
    if name not in wanted:
        raise BadOption(f"{template!r} has no {{{name}}}: put it where the value belongs, as in mcts(c={{{name}}})")
    if len(wanted) > 1:
        others = ", ".join(f"{{{one}}}" for one in wanted if one != name)
        raise BadOption(f"a sweep varies one parameter: nothing is said about {others}")
    values = [value for part in listed.split(",") for value in expand_range(part.strip(), f"--over {name}")]
    by_number = {number(value, f"--over {name}"): value for value in values}
    if len(by_number) < len(values):
        raise BadOption(f"--over {name}: a value is there twice")
    if len(values) < 2:
        raise BadOption(
            f"--over {name}: a sweep needs at least two values, with commas between them, or a range as 0.1:2:0.1"
        )
    return name, [value for _, value in sorted(by_number.items())]


@dataclass(frozen=True, kw_only=True)
class Point:
    """What one value made against the opponent."""

    value: str
    agent: str
    pairs: Pairs
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, kw_only=True)
class Gap:
    """How far one value is over another: the mean difference of score, the lower end, and games that would tell."""

    mean: float
    low: float
    needed: int | None  # games of each value, if the difference stays

    @property
    def told(self) -> bool:
        """Whether it is more than noise."""
        return self.low > 0


@dataclass(kw_only=True)
class Sweep(RunKind):
    """How games are played, the parameter and its values, where drawings go, and the games so far.

    A pair counts when both its games are in.
    """

    kind: ClassVar[str] = "sweep"
    writes_files: ClassVar[bool] = True

    spec: Spec  # its agents: one for each value, then the opponent
    template: str
    name: str
    values: list[str]
    pairs: int
    plot: str | None = None
    csv: str | None = None
    records: dict[Slot, Record] = field(default_factory=dict, init=False)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The sweep of a stored form, without games."""
        return cls(**{**plain, "spec": Spec(**plain["spec"])})

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        keys = ("template", "name", "values", "pairs", "plot", "csv")
        return {"spec": self.spec.as_dict(), **{key: getattr(self, key) for key in keys}}

    @property
    def opponent(self) -> str:
        """The agent that all values play against."""
        return self.spec.agents[-1]

    def needed(self) -> list[Slot]:
        """All games, some pairs of each value in turn, so that a sweep that is stopped has some of every value."""
        last = len(self.values)
        return [
            Slot(a=value, b=last, pair=pair, swapped=swapped)
            for first in range(0, self.pairs, BLOCK)
            for value in range(last)
            for pair in range(first, min(first + BLOCK, self.pairs))
            for swapped in (False, True)
        ]

    @property
    def planned(self) -> int:
        """The games of all values."""
        return 2 * self.pairs * len(self.values)

    def scores(self) -> list[dict[int, float]]:
        """For each value the scores, 0 to 1, of its complete pairs by number."""
        points: dict[tuple[int, int], list[float]] = defaultdict(list)
        for slot, record in sorted(self.records.items()):
            points[slot.a, slot.pair].append(record.points(int(slot.swapped)))
        found: list[dict[int, float]] = [{} for _ in self.values]
        for (value, pair), both in points.items():
            if len(both) == 2:
                found[value][pair] = sum(both) / 2
        return found

    def points(self) -> list[Point]:
        """The results by value."""
        found = []
        for index, scores in enumerate(self.scores()):
            results = Counter(
                self.records[Slot(a=index, b=len(self.values), pair=pair, swapped=swapped)].points(int(swapped))
                for pair in scores
                for swapped in (False, True)
            )
            point = Point(
                value=self.values[index],
                agent=self.spec.agents[index],
                pairs=Pairs.of(2 * score for score in scores.values()),
                wins=results[1.0],
                draws=results[0.5],
                losses=results[0.0],
            )
            found.append(point)
        return found

    def verdict(self) -> list[str]:
        """In sentences: which value scored best, and from which others it is really told apart."""
        scores, name, values = self.scores(), self.name, self.values
        if not all(scores):
            return ["not every value has a complete pair of games yet: nothing can be told"]
        means = [sum(one.values()) / len(one) for one in scores]
        if are_alike(means):
            return [f"all values scored alike, {words.percent(means[0])}: {_why_alike(means[0])}"]
        best = max(range(len(values)), key=lambda index: means[index])
        others = sorted((index for index in range(len(values)) if index != best), key=lambda index: -means[index])
        gaps = {index: gap(scores[best], scores[index], len(others)) for index in others}
        near = [index for index in others if not gaps[index].told]
        far = [index for index in others if gaps[index].told]
        top = f"{name}={values[best]}"
        out = []
        if not near:
            second = f"{name}={values[others[0]]}"
            over = f"{words.percent(means[best])}, and the next, {second}, {words.percent(means[others[0]])}"
            out.append(f"{top} is the best of these values, told apart from all others (95 %): it scored {over}")
        else:
            out.append(
                f"{top} scored best ({words.percent(means[best])}), but cannot be told apart from "
                f"{_listed(name, [values[index] for index in sorted(near)])}"
            )
            if far:
                out.append(f"not the best (95 %): {_listed(name, [values[index] for index in sorted(far)])}")
            needed = gaps[near[0]].needed
            other = f"{name}={values[near[0]]}"
            out.append(
                f"to tell it from {other} about {words.about(needed)} games a value would be needed, if it stays so"
                if needed is not None
                else f"no number of games that can be played would tell it from {other}, if it stays so"
            )
        if best in (0, len(values) - 1) and len(values) > 2:
            out.append(f"{top} is at the end of the range: the best may lie beyond it")
        return out

    def sentences(self) -> list[str]:
        """The verdict, and whether games repeat others."""
        return [*self.verdict(), *warning(self.records.values(), words.swept)]

    # How it presents itself

    def summary(self) -> Summary:
        """The agent, games, and the best value."""
        points = [point for point in self.points() if point.pairs.games]
        best = max(points, key=lambda point: point.pairs.score, default=None)
        result = ""
        if best is not None:
            is_even = are_alike([point.pairs.score for point in points])
            result = f"{'all scored alike' if is_even else f'{self.name}={best.value} scored best'}, "
            result += words.percent(best.pairs.score)
        agents = [self.template, self.opponent]
        return Summary(game=self.spec.game, agents=agents, planned=self.planned, result=result)

    def live(self) -> list[Block]:
        """The scores so far."""
        return [self._score_table()]

    def _score_table(self) -> TextTable:
        """A line for each value: score, interval, and the same as a bar from 0 to 100 %."""
        rows = []
        for point in self.points():
            pairs = point.pairs
            if not pairs.games:
                rows.append([point.value, "", "", "", "0", ""])
                continue
            low, high = pairs.interval
            span = f"{100 * low:.1f} to {100 * high:.1f} %"
            cells = (words.percent(pairs.score), span, words.elo(pairs.elo.value), f"{pairs.games:,}")
            rows.append([point.value, *cells, interval_bar(pairs.score, low, high)])
        headings = (self.name, "score", "95 %", "Elo", "games", f"0 %{'50 %':^{BAR - 8}}100 %")
        return TextTable(headings, rows, left=(5,), overflow="", is_tight=True)

    def report(self, run: str, option: str, numbers: Mapping[str, int]) -> list[Block]:
        """The table, what it does and does not show, and its conditions."""
        title = f"{self.spec.game}: {self.template} against {self.opponent}"
        blocks: list[Block] = [Line(title, "bold"), self._score_table()]
        for name, faults in self.faults().items():
            if faults:
                counts = ", ".join(f"{reason} {number}" for reason, number in faults.most_common())
                blocks.append(Line(f"faults of {name}: {counts}"))
        return [*blocks, Line(), *map(Line, self.sentences()), self.place_line(run)]

    def result_dict(self, run: str) -> dict[str, Any]:
        """A point for each value, ascending."""
        points = [
            {
                "value": float(point.value),
                "agent": point.agent,
                "games": point.pairs.games,
                "wins": point.wins,
                "draws": point.draws,
                "losses": point.losses,
                "score": point.pairs.score,
                **evidence_dict(point.pairs),
            }
            for point in self.points()
        ]
        return {
            **self.common_result(run),
            "template": self.template,
            "opponent": self.opponent,
            "parameter": self.name,
            "games": len(self.records),
            "planned": self.planned,
            "points": points,
            "faults": {agent: dict(faults) for agent, faults in self.faults().items() if faults},
            "machine": where(self.records.values()),
            "sentences": self.sentences(),
        }

    def to_result(self, place: ResultPlace) -> SweepResult:
        """The score of each value."""
        points = [
            SweepPoint(
                value=float(point.value),
                agent=point.agent,
                games=point.pairs.games,
                score=point.pairs.score,
                interval=point.pairs.interval,
                elo=point.pairs.elo,
            )
            for point in self.points()
        ]
        fields = self.common_fields(place)
        return SweepResult(**fields, parameter=self.name, opponent=self.opponent, points=tuple(points))

    def report_part(self) -> ReportPart:
        """The score of each value."""
        names = [f"{self.name}={value}" for value in self.values]
        rated = []
        for name, point in zip(names, self.points(), strict=True):
            if games := point.pairs.games:
                score, (low, high) = point.pairs.score, point.pairs.interval
                rated.append(
                    Rated(name=name, value=100 * score, low=100 * low, high=100 * high, games=games, score=score)
                )
        return ReportPart(
            title=f"{self.spec.game}: {self.template} over {self.name}",
            names=[*names, "opponent"],
            unit="%",
            ratings=rated,
            about=f"score against {self.opponent} in %, draws half",
            verdict=self.sentences(),
            columns=[len(names)],
            rows=list(range(len(names))),
            planned=self.planned,
        )

    def page(self, names: Mapping[str, str], *, hidden: bool) -> dict[str, Any]:
        """The score of each value."""
        rows = []
        for point in self.points():
            low, high = point.pairs.interval
            score, span = words.percent(point.pairs.score), f"{100 * low:.1f} to {100 * high:.1f} %"
            results = f"{point.wins} / {point.draws} / {point.losses}"
            cells = (score, span) if point.pairs.games else ("", "")
            rows.append([point.value, *cells, results, str(point.pairs.games)])
        headings = [self.name, "Score", INTERVAL, "Won / drawn / lost", "Games"]
        table = PageTable(headings=headings, rows=rows, numbers=[1, 2, 3, 4])
        return {"table": table.as_dict(), "words": [f"{self.template} against {names[self.opponent]}"]}

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The table and the plot that were asked for."""
        if self.csv:
            yield self.csv, self.csv_text().encode()
        if self.plot:
            yield self.plot, self.drawing(plot_format(self.plot))

    def drawing(self, form: str) -> bytes:
        """The score over the values, as the bytes of a PNG or SVG file."""
        points = [(float(point.value), point.pairs.score, *point.pairs.interval) for point in self.points()]
        title = f"{self.spec.game}: {self.template}, {words.count(2 * self.pairs, 'game')} a value"
        with plotting():
            return plot.sweep(points, name=self.name, title=title, against=self.opponent, form=form)

    def csv_text(self) -> str:
        """One line for each value; scores from 0 to 1."""
        headings = "games,wins,draws,losses,score,score_low,score_high,elo,elo_low,elo_high,agent,opponent"
        rows: list[Sequence[object]] = [[self.name, *headings.split(",")]]
        for point in self.points():
            pairs, elo = point.pairs, point.pairs.elo
            numbers = [f"{number:.6f}" for number in (pairs.score, *pairs.interval)]
            elos = [f"{number:.1f}" for number in (elo.value, elo.low, elo.high)]
            results = (pairs.games, point.wins, point.draws, point.losses)
            rows.append([point.value, *results, *numbers, *elos, point.agent, self.opponent])
        return spreadsheet.csv_text(rows)


def interval_bar(score: float, low: float, high: float) -> str:
    """The interval as a line with its score on it, and half of the points as a dot."""
    place, first, last = (round((BAR - 1) * share) for share in (score, low, high))
    letters = ["·" if index == round((BAR - 1) / 2) else " " for index in range(BAR)]
    for index in range(first, last + 1):
        letters[index] = "─"
    letters[first], letters[last] = "├", "┤"
    letters[place] = "●"
    return "".join(letters)


def are_alike(scores: Sequence[float]) -> bool:
    """Whether several values have one and the same score."""
    return len(scores) > 1 and max(scores) - min(scores) < ROUNDING


def _why_alike(score: float) -> str:
    """What to do where all values have this score."""
    if score >= 1 - ROUNDING:
        return "this opponent is too weak to tell them apart; take a stronger one"
    if score <= ROUNDING:
        return "this opponent is too strong to tell them apart; take a weaker one"
    return "these games show no difference between them; play more, or try values further apart"


def _listed(name: str, values: Sequence[str]) -> str:
    return f"{name}={', '.join(values)}"


def gap(one: Mapping[int, float], other: Mapping[int, float], comparisons: int) -> Gap:
    """The one-sided test of paired differences, at 5 % over so many comparisons, on the pairs that both have.

    As in `scores.Pairs`, the lower end is never more than what a difference not yet seen could change: one of -1 may
    have a probability up to 1 - alpha^(1/n).
    """
    from scipy.special import stdtrit

    alpha: float = (1 - CONFIDENCE) / comparisons
    differences = [one[pair] - other[pair] for pair in sorted(set(one) & set(other))]
    count = len(differences)
    if not count:
        return Gap(mean=0.0, low=-1.0, needed=None)
    mean = sum(differences) / count
    spread = sqrt(sum((each - mean) ** 2 for each in differences) / (count - 1)) if count > 1 else 0.0

    def low(pairs: int) -> float:
        unseen = 1 - float(alpha ** (1 / pairs))
        half = float(stdtrit(pairs - 1, 1 - alpha)) * spread / sqrt(pairs) if pairs > 1 else 1.0
        return min(mean - half, mean * (1 - unseen) - unseen)

    needed = None
    if mean > 0:
        few, many = 1, max(2, count)
        while low(many) <= 0 and 2 * many <= MOST_GAMES:
            few, many = many, 2 * many
        while many - few > 1:
            middle = ceil((few + many) / 2)
            few, many = (few, middle) if low(middle) > 0 else (middle, many)
        needed = 2 * many if low(many) > 0 else None
    return Gap(mean=mean, low=low(count), needed=needed)
