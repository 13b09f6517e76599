"""From a heuristic's value to the score that the mover can expect: a logistic curve a game, fitted to played games.

`score = 1 / (1 + exp(-slope * value))`: 1 is a win, 1/2 a draw, 0 a loss. How the slopes were found, and with what
result, is in docs/review.md; `scripts/fit_expected_score.py` finds them again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, isclose, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.agents.judging import is_champion, logistic, share
from harena.agents.player import Player
from harena.api import State
from harena.champions import colosseum
from harena.search.mcts import Mcts
from harena.search.workspace import WIN

SURE = 1e-6  # no score is surer than that when surprise is measured


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The curve of the champion's heuristic in a game: its slope on boards of up to so many cells.

    Where a lead says more and more, `phase` tells how far a game has come, from 0 to 1, and `steeper` is the exponent
    by which the slope grows meanwhile.
    """

    slopes: tuple[tuple[int, float], ...]
    by_area: bool = False  # the slopes are divided by the number of cells: a lead says less on a larger board
    phase: Callable[[Any], float] = lambda _: 0.0
    steeper: float = 0.0
    dice: bool = False  # the curve is for other players, below the throws: the champion's values are scores already

    def slope(self, state: State) -> float:
        """For what is said of this position; the last slope where there is no board to see."""
        picture = state.picture
        cells = picture.rows * picture.columns if picture else self.slopes[-1][0]
        slope = next((slope for most, slope in self.slopes if cells <= most), self.slopes[-1][1])
        return slope / (cells if self.by_area else 1) * exp(self.steeper * self.phase(state.value))


SCALES: Mapping[str, Scale] = {
    "isolation": Scale(slopes=((64, 1.0),)),
    "colosseum": Scale(slopes=((144, 1.3),), by_area=True, phase=colosseum.phase, steeper=4.6),
    "tiles": Scale(slopes=((64, 1.6), (100, 1.1))),
    "trap": Scale(slopes=((64, 1.2),), dice=True),
}
OTHER = Scale(slopes=((0, 0.2),))  # of a user's own game: a guess, and said to be one


def score_of(player: Player, state: State, value: float | None) -> float | None:
    """The score that a player's value of a position lets its mover expect; None where that is not known.

    It is known of champions, and of playouts that reward a draw with half of what a win is above a loss.
    """
    search = player.search
    if value is None:
        return None
    if isinstance(search, Mcts):
        win, draw, loss = search.options.win, search.options.draw, search.options.loss
        return share(search, value) if win > loss and isclose(2 * draw, win + loss) else None
    return champions_score(state, value) if is_champion(player) else None


def champions_score(state: State, value: float | None) -> float | None:
    """The score that a champion's value of a position lets its mover expect; None where it said none."""
    if value is None:
        return None
    scale = SCALES[state.game.name]
    return (1 + value / WIN) / 2 if scale.dice else logistic(scale.slope(state) * value)


def surprise(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean log loss of (expected score, points) pairs: what a curve is fitted by; 0.693 is knowing nothing."""
    total = 0.0
    for expected, points in pairs:
        sure = min(max(expected, SURE), 1 - SURE)
        total -= points * log(sure) + (1 - points) * log(1 - sure)
    return total / len(pairs)


class Judged(NamedTuple):
    """A position of a game: what the last depths of a search said of it, and the points of its mover in the end."""

    said: Sequence[float]
    points: float
    phase: float = 0.0


def fit(groups: Sequence[Sequence[Judged]], *, steepens: bool = False) -> tuple[list[float], float]:
    """A slope for each group of positions, and one `steeper` for all, that are least surprised by how games ended."""
    from scipy.optimize import minimize

    every = [one for group in groups for one in group]
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    said = np.array([(one.said[0], one.said[-1]) for one in every])
    points, phases = np.array([one.points for one in every]), np.array([one.phase for one in every])

    def cost(found: NDArray[np.float64]) -> float:
        slopes = np.exp(found[group_of] + (found[-1] * phases if steepens else 0.0))
        expected = (1 / (1 + np.exp(-np.clip(slopes[:, None] * said, -30, 30)))).mean(1).clip(SURE, 1 - SURE)
        return -float((points * np.log(expected) + (1 - points) * np.log(1 - expected)).mean())

    found = minimize(cost, np.zeros(len(groups) + steepens), method="Powell").x
    return np.exp(found[: len(groups)]).tolist(), float(found[-1]) if steepens else 0.0
