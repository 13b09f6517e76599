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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, isfinite, sqrt
from typing import Any

from harena.arena import words
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.scores import CONFIDENCE, MOST_GAMES, Pairs
from harena.arena.slot import Slot
from harena.errors import BadOption
from harena.termination import Termination

HOLE = re.compile(r"\{(\w*)\}")
NAME = re.compile(r"[A-Za-z_]\w*")
ROUNDING = 1e-9
MOST_VALUES = 200  # of a range
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
class Plan:
    """A sweep: how its games are played, the parameter and its values, and where drawings go."""

    spec: Spec  # its agents: one for each value, then the opponent
    template: str
    name: str
    values: list[str]
    pairs: int
    plot: str | None = None
    csv: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For the store."""
        return {**vars(self), "spec": self.spec.as_dict()}

    @property
    def opponent(self) -> str:
        """Against whom all play."""
        return self.spec.agents[-1]

    def slots(self) -> list[Slot]:
        """All games, some pairs of each value in turn, so that a sweep that is stopped has some of every value."""
        last = len(self.values)
        return [
            Slot(a=value, b=last, pair=pair, swapped=swapped)
            for first in range(0, self.pairs, BLOCK)
            for value in range(last)
            for pair in range(first, min(first + BLOCK, self.pairs))
            for swapped in (False, True)
        ]


def plan_of(plain: Mapping[str, Any]) -> Plan:
    """The plan that a store has kept."""
    return Plan(**{**plain, "spec": Spec(**plain["spec"])})


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


@dataclass
class Table:
    """All results so far; a pair counts when both its games are in."""

    plan: Plan
    records: dict[Slot, Record] = field(default_factory=dict)

    def scores(self) -> list[dict[int, float]]:
        """For each value the scores, 0 to 1, of its complete pairs by number."""
        points: dict[tuple[int, int], list[float]] = defaultdict(list)
        for slot, record in sorted(self.records.items()):
            points[slot.a, slot.pair].append(record.points(int(slot.swapped)))
        found: list[dict[int, float]] = [{} for _ in self.plan.values]
        for (value, pair), both in points.items():
            if len(both) == 2:
                found[value][pair] = sum(both) / 2
        return found

    def points(self) -> list[Point]:
        """The results by value."""
        found = []
        for index, scores in enumerate(self.scores()):
            results = Counter(
                self.records[Slot(a=index, b=len(self.plan.values), pair=pair, swapped=swapped)].points(int(swapped))
                for pair in scores
                for swapped in (False, True)
            )
            point = Point(
                value=self.plan.values[index],
                agent=self.plan.spec.agents[index],
                pairs=Pairs.of(2 * score for score in scores.values()),
                wins=results[1.0],
                draws=results[0.5],
                losses=results[0.0],
            )
            found.append(point)
        return found

    def faults(self) -> dict[str, Counter[str]]:
        """What each agent did wrong."""
        found: dict[str, Counter[str]] = {agent: Counter() for agent in self.plan.spec.agents}
        for slot, record in self.records.items():
            if record.reason != Termination.RULES and record.winner is not None:
                found[self.plan.spec.agents[slot.seats[1 - record.winner]]][record.reason] += 1
        return found

    def verdict(self) -> list[str]:
        """In sentences: which value scored best, and from which others it is really told apart."""
        scores, name, values = self.scores(), self.plan.name, self.plan.values
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
