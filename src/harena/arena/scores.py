"""What the results of a match say about two players: score, Elo, intervals, and how sure one may be.

The unit is the *pair* of games: one start, seats swapped. Its five classes are 0, 1/2, 1, 3/2 and 2 points for A, its
score is points/2. Two games from one start are not independent, pairs are: means and variances are taken over pairs
(the pentanomial model of fishtest; M. Van den Bergh, "Comments on normalised Elo").

Intervals are made on the score and then mapped to Elo. Every number here is finite, also at 0 %, at 100 % and
without any game. They hold for a number of games fixed beforehand: who stops at a lucky moment wants `sprt`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from math import log, log10, sqrt
from statistics import NormalDist
from typing import ClassVar, Literal, Self

from harena.errors import BadOption

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # 1.96
WIDEST = 1 / (1 + 10 ** (-1200 / 400))  # ends of an interval stay within +-1200 Elo, unless the games reach further
MOST_GAMES = 10_000_000  # more than this many games are none that anybody plays
NONE: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)


def elo_of(score: float) -> float:
    """Elo(s) = -400 log10(1/s - 1), for a score between 0 and 1, both excluded."""
    return -400 * log10(1 / score - 1) + 0.0  # and no negative zero


def score_of(elo: float) -> float:
    """The expected score of a player who is that much stronger."""
    return float(1 / (1 + 10 ** (-max(-4000.0, min(4000.0, elo)) / 400)))


def margin(games: int) -> float:
    """Half the width of the interval of an even match without draws: what that many games are worth, as a score."""
    return min(0.5, Z * 0.5 / sqrt(games)) if games > 0 else 0.5


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number in Elo and its 95 % interval; `bound` says that A won (lost) all: at least `low` (at most `high`)."""

    value: float
    low: float
    high: float
    bound: Literal["", "at least", "at most"] = ""

    @property
    def sign(self) -> int:
        """1 if A is stronger, -1 if B is, 0 if the interval cannot tell."""
        return (self.low > 0) - (self.high < 0)


class _Result:
    """What pairs and single games have in common: classes of results from 0 to 1, equally spaced, and their counts."""

    __slots__ = ()
    each: ClassVar[int]  # games of a unit

    @property
    def _classes(self) -> tuple[int, ...]:
        raise NotImplementedError

    def _interval(self, units: int) -> tuple[float, float]:
        """The 95 % interval if so many units had this score and variance."""
        raise NotImplementedError

    @property
    def units(self) -> int:
        """Number of independent observations: pairs, or single games."""
        return sum(self._classes)

    @property
    def games(self) -> int:
        """Number of games played."""
        return self.each * self.units

    @property
    def score(self) -> float:
        """Mean score of A, 0 to 1; 0.5 before the first game."""
        return _moments(self._classes)[0]

    @property
    def variance(self) -> float:
        """Variance of a unit's score over those played (divided by n, as in fishtest); exactly 0 if all are equal."""
        return _moments(self._classes)[1]

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score, within 0 and 1."""
        return self._interval(self.units) if self.units else (0.0, 1.0)

    @property
    def standard_error(self) -> float:
        """Of the score: sqrt(variance / units). 0 without variance, which tells of few games and not of certainty."""
        return sqrt(self.variance / self.units) if self.units else 0.0

    @property
    def los(self) -> float:
        """Likelihood of superiority, Phi((s - 0.5) / SE). If all n units were equal: 1 - 2^-(n+1) (a uniform prior)."""
        if self.standard_error > 0:
            return NormalDist().cdf((self.score - 0.5) / self.standard_error)
        unsure = 0.5 ** (self.units + 1)
        return 0.5 if self.score == 0.5 else 1 - unsure if self.score > 0.5 else unsure

    @property
    def elo(self) -> Estimate:
        """Elo of A over B. A full score counts as half a point lost in one game more; no end is infinite."""
        half = 0.5 / (self.games + 1)
        edge = min(1 - WIDEST, half)
        low, high = (elo_of(min(max(end, edge), 1 - edge)) for end in self.interval)
        value = elo_of(min(max(self.score, half), 1 - half))
        if self.score == 1:
            return Estimate(value=value, low=low, high=high, bound="at least")
        return Estimate(value=value, low=low, high=high, bound="at most" if self.score == 0 else "")


@dataclass(frozen=True, kw_only=True)
class Pairs(_Result):
    """Pairs of games, counted by class: 0, 1/2, 1, 3/2 and 2 points for A."""

    each: ClassVar[int] = 2
    counts: tuple[int, int, int, int, int] = NONE

    def __post_init__(self) -> None:
        if len(self.counts) != 5 or min(self.counts) < 0:
            raise BadOption(f"pairs are five counts, of 0, 1/2, 1, 3/2 and 2 points, not {self.counts}")

    @classmethod
    def of(cls, points: Iterable[float]) -> Self:
        """Count pairs by A's points in each."""
        return reduce(cls.add, points, cls())

    def add(self, points: float) -> Self:
        """One pair more, with 0, 0.5, 1, 1.5 or 2 points for A."""
        if points not in (0, 0.5, 1, 1.5, 2):
            raise BadOption(f"a pair gives 0, 0.5, 1, 1.5 or 2 points, not {points}")
        a, b, c, d, e = (count + (index == 2 * points) for index, count in enumerate(self.counts))
        return replace(self, counts=(a, b, c, d, e))

    def flipped(self) -> Self:
        """The same as B sees it."""
        a, b, c, d, e = self.counts
        return replace(self, counts=(e, d, c, b, a))

    @property
    def _classes(self) -> tuple[int, ...]:
        return self.counts

    @property
    def los(self) -> float:
        """Likelihood of superiority: Phi((s - 0.5) / SE) when there are many pairs.

        For few it follows the interval's own rules, so that it passes 97.5 % just when the interval leaves 50 % out.
        """
        if not self.units or self.score == 0.5:
            return 0.5
        lead = abs(self.score - 0.5)
        chance = (0.5 / (0.5 + lead)) ** self.units  # of a class not yet seen that undoes the lead
        if self.variance > 0:
            chance = max(chance, _tail(self.units - 1, lead / sqrt(self.variance / (self.units - 1))))
        return 1 - min(chance, 0.5) if self.score > 0.5 else min(chance, 0.5)

    @property
    def normalised_elo(self) -> float | None:
        """(s - 0.5) / sqrt(2 variance) * 800 / ln 10; None where all pairs ended alike: nothing to measure by."""
        if self.variance == 0:
            return None
        return (self.score - 0.5) / sqrt(2 * self.variance) * 800 / log(10)

    def _interval(self, units: int) -> tuple[float, float]:
        """Student's interval; and never less than what a class not yet seen could change (exact rule of three).

        An unseen class can have a probability up to q = 1 - 0.025^(1/n); if it is all losses, the score is s (1 - q).
        With nothing but won pairs that is the bound of Clopper and Pearson.
        """
        unseen = 1 - ((1 - CONFIDENCE) / 2) ** (1 / units)
        half = _student(units - 1) * sqrt(self.variance / (units - 1)) if units > 1 else 0.0
        low = min(self.score - half, self.score * (1 - unseen))
        high = max(self.score + half, self.score + (1 - self.score) * unseen)
        return max(0.0, low), min(1.0, high)


@dataclass(frozen=True, kw_only=True)
class Tally(_Result):
    """Single games that are not paired: wins, draws and losses of A."""

    each: ClassVar[int] = 1
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0:
            raise BadOption("a tally counts wins, draws and losses: none is negative")

    def add(self, result: float) -> Self:
        """One game more: 1, 0.5 or 0 for A."""
        if result not in (0, 0.5, 1):
            raise BadOption(f"a game gives 0, 0.5 or 1 point, not {result}")
        name = {1: "wins", 0.5: "draws", 0: "losses"}[result]
        return replace(self, **{name: getattr(self, name) + 1})

    def flipped(self) -> Self:
        """The same as B sees it."""
        return replace(self, wins=self.losses, losses=self.wins)

    @property
    def _classes(self) -> tuple[int, ...]:
        return (self.losses, self.draws, self.wins)

    def _interval(self, units: int) -> tuple[float, float]:
        """Wilson's interval, with the variance that draws leave for s (1 - s); without draws it is exactly his."""
        centre = (units * self.score + Z * Z / 2) / (units + Z * Z)
        half = Z * sqrt(units * self.variance + Z * Z / 4) / (units + Z * Z)
        return max(0.0, centre - half), min(1.0, centre + half)


def games_needed(result: Pairs | Tally) -> int | None:
    """About how many more games until the interval excludes zero, if score and variance stay as they are.

    0 if it does already; None if the score is even or no number of games that can be played would do. A guess: a score
    that is not yet told apart from 50 % is itself uncertain.
    """
    if not result.units or result.score == 0.5:
        return None

    def told(units: int) -> bool:
        low, high = result._interval(units)
        return low > 0.5 or high < 0.5

    few, many = result.units - 1, result.units
    while not told(many):
        few, many = many, 2 * many
        if result.each * many > MOST_GAMES:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if told(middle) else (middle, many)
    return result.each * (many - result.units)


def _moments(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of classes equally spaced from 0 to 1; exact for whole numbers until the division."""
    total, last = sum(counts), len(counts) - 1
    if not total:
        return 0.5, 0.0
    first = sum(i * c for i, c in enumerate(counts))
    second = sum(i * i * c for i, c in enumerate(counts))
    return first / (last * total), (total * second - first * first) / (last * total) ** 2


def _tail(freedom: int, t: float) -> float:
    """How likely Student's variable is beyond t."""
    from scipy.special import stdtr

    return float(stdtr(freedom, -t))


@lru_cache(maxsize=1024)
def _student(freedom: int) -> float:
    """The 97.5 % point of Student's distribution."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
