"""From a heuristic's value to the score that the mover can expect: one logistic curve a game, fitted to played games.

`score = 1 / (1 + exp(-slope * value))`: 1 is a win, 1/2 a draw, 0 a loss. How the slopes were found, and with what
result, is in docs/review.md; `scripts/fit_expected_score.py` finds them again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from harena.agents.judging import logistic

SURE = 1e-6  # no score is surer than that when surprise is measured


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The curve of the champion's heuristic in a game."""

    slope: float
    dice: bool = False  # the curve is applied below the throws, so that what they average are expected scores


SCALES: Mapping[str, Scale] = {
    "isolation": Scale(slope=0.3),
    "colosseum": Scale(slope=0.1),
    "tiles": Scale(slope=0.3),
    "trap": Scale(slope=0.3, dice=True),
}
OTHER = Scale(slope=0.2)  # of a user's own game: a guess, and said to be one


def surprise(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean log loss of (expected score, points) pairs: what a curve is fitted by; 0.693 is knowing nothing."""
    total = 0.0
    for expected, points in pairs:
        sure = min(max(expected, SURE), 1 - SURE)
        total -= points * log(sure) + (1 - points) * log(1 - sure)
    return total / len(pairs)


def fit(pairs: Sequence[tuple[float, float]]) -> float:
    """The slope that is least surprised by these (value, points) pairs, both from the mover's point of view."""
    from scipy.optimize import minimize_scalar

    def cost(slope: float) -> float:
        return surprise([(logistic(slope * value), points) for value, points in pairs])

    return float(minimize_scalar(cost, bounds=(1e-3, 5.0), method="bounded").x)
