"""From a heuristic's value to the score that the mover can expect: one logistic curve a game, fitted to played games.

`score = 1 / (1 + exp(-slope * value))`: 1 is a win, 1/2 a draw, 0 a loss. How the slopes were found, and with what
result, is in docs/review.md; `scripts/fit_expected_score.py` finds them again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose, log
from statistics import mean

from harena.agents.judging import is_champion, logistic, share
from harena.agents.player import Player
from harena.api import State
from harena.search.mcts import Mcts
from harena.search.workspace import WIN

SURE = 1e-6  # no score is surer than that when surprise is measured


@dataclass(frozen=True, kw_only=True)
class Scale:
    """The curve of the champion's heuristic in a game: its slope on boards of up to so many cells."""

    slopes: tuple[tuple[int, float], ...]
    dice: bool = False  # the curve is for other players, below the throws: the champion's values are scores already

    def slope(self, cells: int) -> float:
        """On a board of so many cells."""
        return next((slope for most, slope in self.slopes if cells <= most), self.slopes[-1][1])


SCALES: Mapping[str, Scale] = {
    "isolation": Scale(slopes=((64, 1.0),)),
    "colosseum": Scale(slopes=((36, 1.0), (64, 0.4), (100, 0.25), (144, 0.16))),
    "tiles": Scale(slopes=((64, 1.6), (100, 1.1))),
    "trap": Scale(slopes=((64, 1.2),), dice=True),
}
OTHER = Scale(slopes=((0, 0.2),))  # of a user's own game: a guess, and said to be one


def expected_score(game: str, cells: int, value: float) -> float:
    """The score that a champion's value lets its mover expect on a board of so many cells."""
    scale = SCALES[game]
    return (1 + value / WIN) / 2 if scale.dice else logistic(scale.slope(cells) * value)


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
    """The score that a champion's value of a position lets its mover expect; None where there is no board to see."""
    picture = state.picture
    if value is None or picture is None:
        return None
    return expected_score(state.game.name, picture.rows * picture.columns, value)


def surprise(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean log loss of (expected score, points) pairs: what a curve is fitted by; 0.693 is knowing nothing."""
    total = 0.0
    for expected, points in pairs:
        sure = min(max(expected, SURE), 1 - SURE)
        total -= points * log(sure) + (1 - points) * log(1 - sure)
    return total / len(pairs)


def fit(judged: Sequence[tuple[Sequence[float], float]]) -> float:
    """The slope that is least surprised by these games.

    Each entry has what the last two depths of a search said of a position, whose scores are averaged, and the points
    that its mover got in the end.
    """
    from scipy.optimize import minimize_scalar

    def cost(slope: float) -> float:
        return surprise([(mean(logistic(slope * value) for value in values), points) for values, points in judged])

    return float(minimize_scalar(cost, bounds=(1e-3, 5.0), method="bounded").x)
