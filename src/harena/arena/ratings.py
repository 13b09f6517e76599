"""Ratings of many players at once, from all their games.

One joint fit, in which the order of the games plays no part: Bradley and Terry's model with Davidson's draws (1970)
and an advantage of the first seat (Davidson and Beaver 1977). With d = strength of first - strength of second + seat,

    P(first wins) : P(second wins) : P(draw)  =  exp(d/2) : exp(-d/2) : nu.

Strengths and seat have a normal prior round 0 with a standard deviation of 600 Elo, and ln nu one of 1, so that a
player who won everything has a finite rating and the minimum is unique: the negative log-posterior is convex.
Intervals come from its Hessian, for the distance to the mean of a player's group. Games count as independent; those
of a pair are rather opposed, so intervals are on the wide side.

Elo here is strength * 400/ln 10 * 2/(2 + nu), which makes a small difference mean the same expected score as it does in
a match (BayesElo's scale); without draws it is the usual one.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp, log
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from harena.arena.scores import Z
from harena.errors import BadOption

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

NATURAL = 400 / log(10)  # Elo of one unit of strength
PRIOR_ELO = 600.0
Played = tuple[str, str, float]  # first, second, and 1, 0.5 or 0 for the first


@dataclass(frozen=True, kw_only=True)
class Rating:
    """A player's Elo over the mean of its group, the 95 % interval, and what it rests on."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    score: float
    group: int


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """Ratings, best first within a group, larger groups first.

    `better[i][j]` is the confidence, 0 to 1, that row i is stronger than row j; 0.5 for players of different groups,
    between whom there is no chain of games: their Elo must not be compared.
    """

    rows: tuple[Rating, ...]
    better: tuple[tuple[float, ...], ...]
    seat: float  # Elo that the first seat is worth
    seat_error: float  # its standard error
    draws: float  # share of draws between equals, without seat advantage: nu / (2 + nu)
    groups: tuple[tuple[str, ...], ...]

    def __getitem__(self, name: str) -> Rating:
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    def confidence(self, one: str, other: str) -> float:
        """That the one player is stronger than the other."""
        names = [row.name for row in self.rows]
        return self.better[names.index(one)][names.index(other)]


def fit(
    games: Iterable[Played], *, players: Iterable[str] = (), seat: bool = True, prior_elo: float = PRIOR_ELO
) -> Ratings:
    """The ratings of all who played, and of `players` who may not have yet (each of these a group of its own)."""
    import numpy as np
    from scipy.linalg import cho_factor, cho_solve
    from scipy.optimize import minimize

    table = _counted(games)
    names = sorted({name for first, second, _ in table for name in (first, second)} | set(players))
    groups = _groups(names, table)
    if not names:
        return Ratings(rows=(), better=(), seat=0.0, seat_error=0.0, draws=0.0, groups=())
    draws = any(result == 0.5 for _, _, result in table)
    problem = _Posterior(names, table, seat=seat, draws=draws, precision=(NATURAL / prior_elo) ** 2)
    found = minimize(
        problem.value,
        np.zeros(len(names) + 2),
        jac=problem.gradient,
        hess=problem.hessian,
        method="trust-exact",
        options={"gtol": 1e-9, "maxiter": 500, "initial_trust_radius": 5.0, "max_trust_radius": 100.0},
    )
    best = np.asarray(found.x)
    covariance = cho_solve(cho_factor(problem.hessian(best)), np.eye(len(best)))
    nu = exp(best[-1]) if draws else 0.0
    scale = NATURAL * 2 / (2 + nu)

    count, where = len(names), {name: g for g, group in enumerate(groups) for name in group}
    group_of = np.array([where[name] for name in names])
    same = group_of[:, None] == group_of[None, :]
    centre = np.eye(count) - same / same.sum(1)  # subtracts the mean of one's group
    strength = centre @ best[:count]
    spread = centre @ covariance[:count, :count] @ centre.T
    own = np.diag(spread)
    gap = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * spread, 1e-300))
    error = scale * np.sqrt(np.maximum(own, 0))
    order = sorted(range(count), key=lambda i: (group_of[i], -round(strength[i], 6), names[i]))  # equals by name
    total, points = _totals(table)
    normal = NormalDist()
    return Ratings(
        rows=tuple(
            Rating(
                name=names[i],
                elo=float(scale * strength[i]) + 0.0,
                low=float(scale * strength[i] - Z * error[i]),
                high=float(scale * strength[i] + Z * error[i]),
                games=total[names[i]],
                score=points[names[i]] / total[names[i]] if total[names[i]] else 0.5,
                group=int(group_of[i]),
            )
            for i in order
        ),
        better=tuple(
            tuple(
                normal.cdf(float((strength[i] - strength[j]) / gap[i, j])) if same[i, j] and i != j else 0.5
                for j in order
            )
            for i in order
        ),
        seat=float(scale * best[-2]),
        seat_error=float(scale * covariance[-2, -2] ** 0.5) if seat else 0.0,
        draws=nu / (2 + nu),
        groups=groups,
    )


class _Posterior:
    """The negative log-posterior of (strengths, seat, ln nu) and its derivatives; the prior holds unused ones at 0."""

    def __init__(
        self, names: Sequence[str], table: Counter[Played], *, seat: bool, draws: bool, precision: float
    ) -> None:
        import numpy as np

        index = {name: i for i, name in enumerate(names)}
        wins = {1.0: 0, 0.0: 1, 0.5: 2}
        met: dict[tuple[int, int], list[int]] = {}
        for (first, second, result), number in sorted(table.items()):
            met.setdefault((index[first], index[second]), [0, 0, 0])[wins[result]] += number
        self.first = np.array([pair[0] for pair in met], dtype=np.intp)
        self.second = np.array([pair[1] for pair in met], dtype=np.intp)
        self.counts = np.array(list(met.values()), dtype=np.float64).reshape(-1, 3)  # first wins, second wins, draw
        self.total = self.counts.sum(1)
        self.size, self.seat, self.draws = len(names), float(seat), draws
        self.precision = np.append(np.full(len(names) + 1, precision), 1.0)

    def _logits(self, x: "Array") -> "Array":
        import numpy as np

        half = (x[self.first] - x[self.second] + self.seat * x[-2]) / 2
        draw = np.full_like(half, x[-1] if self.draws else -np.inf)
        return np.stack([half, -half, draw], axis=1)

    def _shares(self, x: "Array") -> "Array":
        import numpy as np

        logits = self._logits(x)
        raw = np.exp(logits - logits.max(1, keepdims=True))
        return np.asarray(raw / raw.sum(1, keepdims=True))

    def value(self, x: "Array") -> float:
        import numpy as np

        logits = self._logits(x)
        known = self.counts * np.where(self.counts > 0, logits, 0)
        likelihood = known.sum() - (self.total * np.logaddexp.reduce(logits, axis=1)).sum()
        return float(x @ (self.precision * x) / 2 - likelihood)

    def gradient(self, x: "Array") -> "Array":
        import numpy as np

        off = self.total[:, None] * self._shares(x) - self.counts  # expected minus observed
        slope = (off[:, 0] - off[:, 1]) / 2
        out = self.precision * x
        out[: self.size] += np.bincount(self.first, slope, self.size) - np.bincount(self.second, slope, self.size)
        out[-2] += self.seat * slope.sum()
        out[-1] += off[:, 2].sum()
        return np.asarray(out)

    def hessian(self, x: "Array") -> "Array":
        import numpy as np

        shares = self._shares(x)
        win, loss, draw = shares.T
        bend = self.total * ((win + loss) - (win - loss) ** 2) / 4  # variance of the slope
        cross = self.total * -draw * (win - loss) / 2  # covariance of slope and draw
        out = np.diag(self.precision)
        ends = ((self.first, 1), (self.second, -1))
        for (i, one), (j, other) in product(ends, ends):
            np.add.at(out, (i, j), one * other * bend)
        for column, values in ((-2, self.seat * bend), (-1, cross)):
            edge = np.bincount(self.first, values, self.size) - np.bincount(self.second, values, self.size)
            out[: self.size, column] += edge
            out[column, : self.size] += edge
        out[-2, -2] += self.seat * bend.sum()
        out[-1, -1] += (self.total * draw * (1 - draw)).sum()
        out[-2, -1] += self.seat * cross.sum()
        out[-1, -2] += self.seat * cross.sum()
        return out


def _counted(games: Iterable[Played]) -> Counter[Played]:
    table = Counter((first, second, float(result)) for first, second, result in games)
    for first, second, result in table:
        if result not in (0, 0.5, 1):
            raise BadOption(f"a game gives 0, 0.5 or 1 point, not {result:g} ({first} against {second})")
        if first == second:
            raise BadOption(f"{first} against itself says nothing of its rating")
    return table


def _totals(table: Counter[Played]) -> tuple[Counter[str], dict[str, float]]:
    total: Counter[str] = Counter()
    points: dict[str, float] = {}
    for (first, second, result), number in sorted(table.items()):
        for name, gain in ((first, result), (second, 1 - result)):
            total[name] += number
            points[name] = points.get(name, 0.0) + gain * number
    return total, points


def _groups(names: Sequence[str], table: Counter[Played]) -> tuple[tuple[str, ...], ...]:
    """The players between whom there is a chain of games; largest group first."""
    root = {name: name for name in names}

    def top(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for first, second, _ in table:
        root[top(first)] = top(second)
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(top(name), []).append(name)
    return tuple(sorted((tuple(group) for group in found.values()), key=lambda group: (-len(group), group)))
