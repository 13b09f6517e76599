"""A player who judges: what it says of each move, as the score its mover can expect (0 lost, 1/2 drawn, 1 won)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp
from typing import Any

from harena.agents.analysis import analyst
from harena.agents.player import Player
from harena.agents.spec import CHAMPION, parse_agent
from harena.api import State
from harena.heuristics.squashed import Squashed
from harena.search.deepening import Deepening
from harena.search.mastery import Mastery
from harena.search.mcts import Mcts
from harena.search.result import Limits, Result, RootMove
from harena.search.workspace import WIN


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A search, the score of every move of which it says one, and those whose score is proven."""

    result: Result
    scores: dict[int, float]  # the best first, by the search's last depth
    sure: set[int]


class Judge:
    """A player's values on one scale; `slope` says how steep the logistic curve for its heuristic is in a position.

    With `dice` the curve is applied where the heuristic is, below the throws, so that averages are of expected scores,
    and is as steep as at the start all the time; the champion's values are expected scores there already. The noise of
    a level is for choosing: who judges says what he sees.
    """

    def __init__(self, player: Player, slope: Callable[[State], float], *, dice: bool) -> None:
        self.player = steady(analyst(player))
        self.slope = slope
        search = self.player.search
        self.is_squashed = dice and isinstance(search, Deepening)
        if self.is_squashed and not is_champion(player):
            assert isinstance(search, Deepening)
            squashed = replace(search, heuristic=Squashed(search.heuristic, slope(player.game.initial(0))))
            self.player = Player(player.text, player.game, squashed, player.limits, player.usual)

    def judge(self, state: State, limits: Limits, flag: Any = None) -> "Judgement":
        """What it finds in a position, by itself: nothing is carried over from one to another.

        A search that deepens swings between odd and even depths, since whoever has the last move looks better; the
        score of a move is the mean of the last two.
        """
        result, slope = self._thought(state, limits, flag), self.slope(state)
        scores = {one.move: score for one in result.root if (score := self.score(one, slope)) is not None}
        sure = {one.move for one in result.root if one.proven is not None}
        if isinstance(self.player.search, Deepening) and (result.depth or 0) > 1 and result.proven is None:
            before = self._thought(state, replace(limits, depth=(result.depth or 0) - 1), flag)
            for one in before.root:
                score = self.score(one, slope)
                if score is not None and one.move in scores and one.move not in sure:
                    scores[one.move] = (scores[one.move] + score) / 2
        return Judgement(result=result, scores=scores, sure=sure)

    def _thought(self, state: State, limits: Limits, flag: Any) -> Result:
        self.player.forget()
        return self.player.think(state, limits, flag=flag)

    def score(self, move: RootMove, slope: float) -> float | None:
        """The score that this move lets its mover expect by such a curve; None where the search does not say."""
        if move.proven is not None:
            return (1 + move.proven) / 2
        if move.value is None or move.bound != "=":
            return None
        search = self.player.search
        if isinstance(search, Mcts):
            return share(search, move.value)
        if self.is_squashed:
            return (1 + move.value / WIN) / 2
        return logistic(slope * move.value)


def steady(player: Player) -> Player:
    """The same without noise on its values."""
    search = player.search
    if not isinstance(search, Mastery) or not search.handicap.noise:
        return player
    search = replace(search, handicap=replace(search.handicap, noise=0.0))
    return Player(player.text, player.game, search, player.limits, player.usual)


def share(search: Mcts, value: float) -> float:
    """Where a mean reward of playouts is between a loss (0) and a win (1)."""
    options = search.options
    return min(max((value - options.loss) / (options.win - options.loss), 0.0), 1.0)


def logistic(value: float) -> float:
    """1 / (1 + exp(-value)), for any value."""
    return 1 / (1 + exp(-value)) if value > -700 else 0.0


def is_fitted(player: Player) -> bool:
    """Whether its values are of the kind that the curves were fitted to, or shares of wins, which need none."""
    return isinstance(player.search, Mcts) or is_champion(player)


def is_champion(player: Player) -> bool:
    """Whether it is the champion of its game, at any level."""
    algorithm = parse_agent(player.text).resolve(player.game.name)
    return algorithm is not None and algorithm[0] == CHAMPION
