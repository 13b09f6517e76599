"""A test that stops by itself: A is stronger by `elo1` (H1), or only by `elo0` (H0).

The generalised sequential probability ratio test of fishtest, on pairs of games: the log-likelihood ratio of the most
likely distributions over the five classes whose mean is fixed at H1 and at H0 (M. Van den Bergh, on fishtest's page).
It may be looked at after every pair. It decides, it does not measure: the Elo at the moment it stops is biased upwards.
"""

from dataclasses import dataclass
from math import ceil, exp, isfinite, log
from typing import Literal

from harena.arena.scores import Pairs, elo_of, score_of
from harena.errors import BadOption

PRESETS: dict[str, tuple[float, float]] = {"quick": (0, 100), "normal": (0, 50), "careful": (0, 20)}
EMPTY = 1e-3  # stands for a class without a pair
PATIENCE, MOST = 4, 200_000  # times the longest expected length, and games, after which a test is given up
FREE = 0.125  # variance of a pair of independent games between equals, without draws
Verdict = Literal["running", "H1", "H0"]


@dataclass(frozen=True, kw_only=True)
class State:
    """Where a test stands: `fraction` is -1 when H0 is accepted, 1 when H1 is, and what has been covered in between."""

    verdict: Verdict
    llr: float
    fraction: float
    games: int

    @property
    def over(self) -> bool:
        """Whether the test has decided."""
        return self.verdict != "running"


@dataclass(frozen=True, kw_only=True)
class Sprt:
    """The hypotheses, in logistic Elo, and the chances of the two errors."""

    elo0: float = 0
    elo1: float = 50
    alpha: float = 0.05  # H1 is accepted though H0 holds
    beta: float = 0.05  # H0 is accepted though H1 holds

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise BadOption(
                f"a test needs two Elo bounds, the lower first, within +-1000, not {self.elo0:g},{self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadOption(f"error chances lie between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")

    @property
    def lower(self) -> float:
        """H0 is accepted at this ratio: ln(beta / (1 - alpha)), -2.94 at 5 %."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted at this ratio: ln((1 - beta) / alpha), 2.94 at 5 %."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """The generalised log-likelihood ratio of H1 over H0."""
        if not pairs.units:
            return 0.0
        counts = [float(count) or EMPTY for count in pairs.counts]
        tilt0, tilt1 = (_tilts(counts, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * log(zero / one) for count, zero, one in zip(counts, tilt0, tilt1, strict=True))

    def state(self, pairs: Pairs) -> State:
        """Where the test stands after these pairs."""
        llr = self.llr(pairs)
        verdict: Verdict = "H1" if llr >= self.upper else "H0" if llr <= self.lower else "running"
        fraction = llr / self.upper if llr > 0 else -llr / self.lower
        return State(verdict=verdict, llr=llr, fraction=max(-1.0, min(1.0, fraction)), games=pairs.games)

    def expected_games(self, elo: float, variance: float = FREE) -> float:
        """About how many games it takes if A is `elo` stronger (Wald's formula for a drifting walk; no overshoot)."""
        zero, one, score = (score_of(value) for value in (self.elo0, self.elo1, elo))
        drift = (score - (zero + one) / 2) * (one - zero) / variance  # of the ratio, a pair
        spread = (one - zero) ** 2 / variance
        lean = 2 * drift / spread
        if abs(lean) < 1e-6:
            return 2 * -self.lower * self.upper / spread
        if lean < 0:  # the mirror image, so that no exponential overflows
            up, down, drift, lean = -self.lower, self.upper, -drift, -lean
        else:
            up, down = self.upper, -self.lower
        chance = (1 - exp(-lean * down)) / (1 - exp(-lean * (up + down)))
        return 2 * (chance * (up + down) - down) / drift

    @property
    def usual_games(self) -> tuple[float, float]:
        """About how many games it takes: if A is as strong as a bound says, and just between them, where it is longest.

        Fewer if the difference is larger, or draws are many.
        """
        between = elo_of((score_of(self.elo0) + score_of(self.elo1)) / 2)
        return min(map(self.expected_games, (self.elo0, self.elo1))), self.expected_games(between)

    @property
    def most_games(self) -> int:
        """A generous end, an even number: few tests take that long."""
        return min(MOST, 2 * ceil(PATIENCE * self.usual_games[1] / 2))


def parse(text: str) -> Sprt:
    """The test of a text: the name of a preset, or two Elo bounds such as "0,30"."""
    name = text.strip().lower()
    if name in PRESETS:
        elo0, elo1 = PRESETS[name]
        return Sprt(elo0=elo0, elo1=elo1)
    parts = name.strip("[]").split(",")
    try:
        bounds = [float(part) for part in parts]
    except ValueError:
        bounds = []
    if len(bounds) != 2 or not all(isfinite(bound) for bound in bounds):
        raise BadOption(f"a test is {', '.join(PRESETS)} or two Elo bounds such as 0,30, not {text[:40]!r}")
    return Sprt(elo0=bounds[0], elo1=bounds[1])


def _tilts(counts: list[float], mean: float) -> list[float]:
    """How the observed shares are divided to become the most likely distribution p_i = share_i / tilt_i with that mean.

    tilt_i = 1 + x (value_i - mean), where x solves sum share_i (value_i - mean) / tilt_i = 0: one root in an open
    interval on which the sum falls from infinity to minus infinity; found by halving it.
    """
    total = sum(counts)
    gaps = [index / 4 - mean for index in range(5)]
    low, high = -1 / gaps[-1], -1 / gaps[0]
    for _ in range(200):
        x = (low + high) / 2
        if x in (low, high):
            break
        slope = sum(count / total * gap / (1 + x * gap) for count, gap in zip(counts, gaps, strict=True))
        low, high = (x, high) if slope > 0 else (low, x)
    return [max(1 + x * gap, 1e-300) for gap in gaps]
