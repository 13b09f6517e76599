"""From a heuristic's value to the score that the mover can expect: a logistic curve a game, fitted to played games.

`score = 1 / (1 + exp(-slope * value))`: 1 is a win, 1/2 a draw, 0 a loss. How the slopes were found, and with what
result, is in docs/review.md; `scripts/fit_expected_score.py` finds them again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, isclose, log
from statistics import mean
from typing import NamedTuple

from harena import calls
from harena.agents.judging import is_champion, logistic, share
from harena.agents.player import Player
from harena.api import State
from harena.search.mcts import Mcts
from harena.search.workspace import WIN

SURE = 1e-6  # no score is surer than that when surprise is measured


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The curve of the champion's heuristic in a game: its slope on boards of up to so many cells.

    Where walls fill the board a lead says more and more: `steeper` is the exponent by which the slope grows from a
    board without walls to one with a wall at every side.
    """

    slopes: tuple[tuple[int, float], ...]
    steeper: float = 0.0
    dice: bool = False  # the curve is for other players, below the throws: the champion's values are scores already

    def slope(self, state: State) -> float:
        """For what is said of this position; the last slope where there is no board to see."""
        picture = state.picture
        cells = picture.rows * picture.columns if picture else self.slopes[-1][0]
        slope = next((slope for most, slope in self.slopes if cells <= most), self.slopes[-1][1])
        return slope * exp(self.steeper * walled(state)) if self.steeper else slope


SCALES: Mapping[str, Scale] = {
    "isolation": Scale(slopes=((64, 1.0),)),
    "colosseum": Scale(slopes=((36, 0.1), (64, 0.1), (100, 0.1), (144, 0.1)), steeper=5.0),
    "tiles": Scale(slopes=((64, 1.6), (100, 1.1))),
    "trap": Scale(slopes=((64, 1.2),), dice=True),
}
OTHER = Scale(slopes=((0, 0.2),))  # of a user's own game: a guess, and said to be one


def walled(state: State) -> float:
    """Of colosseum: how many of the sides within the board are walls, as a share."""
    size = int(state.value.size)
    return 1 - calls.look(state.value).max_moves / (4 * size * (size - 1))  # a side is open to two moves


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
    walled: float = 0.0

    def score(self, slope: float, steeper: float = 0.0) -> float:
        """What its mover could expect, by such a curve: the mean of what was said."""
        return mean(logistic(slope * exp(steeper * self.walled) * value) for value in self.said)


def fit(judged: Sequence[Judged], *, walls: bool = False) -> tuple[float, float]:
    """The slope, and with walls how much steeper it gets by them, that are least surprised by these games."""
    from scipy.optimize import minimize

    def cost(found: Sequence[float]) -> float:
        slope, steeper = exp(found[0]), found[1] if walls else 0.0
        return surprise([(one.score(slope, steeper), one.points) for one in judged])

    found = minimize(cost, [-1.0, 1.0] if walls else [-1.0], method="Nelder-Mead", options={"xatol": 1e-3}).x
    return exp(found[0]), float(found[1]) if walls else 0.0
