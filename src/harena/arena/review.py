"""A game gone over by a player, as chess players know it: what every decision cost, and what was better.

    found = review(record)                                  # by the champion, with a budget of nodes: always the same
    found.accuracy, found.marked, found.decided

First the end of the game is proven, from the last position backwards, as far as the solver reaches. Then the player
judges every decision that is not proven, again from the last one backwards: all legal moves in one search, so that the
move played and the best one are seen equally far. docs/review.md has the formulas.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from harena.agents.analysis import line, solver_for
from harena.agents.expected import OTHER, SCALES
from harena.agents.judging import Judge, is_fitted
from harena.agents.names import PLAYERS
from harena.agents.spec import player as find_player
from harena.api import Move, State
from harena.arena import judgement
from harena.arena.judgement import ROUNDING, Decision, Review, Throw, mark_of
from harena.arena.record import Record
from harena.arena.replay import states
from harena.contract import CHANCE, SECOND
from harena.errors import HarenaError
from harena.search.result import Limits
from harena.search.solver import Solution

CHAMPION, PLAYOUTS = "champion", "mcts"
NODES = 400_000  # of each search and of each proof
DEFAULT = Limits(nodes=NODES)
MEGABYTES = 32.0
GIVES_UP = 4  # proofs in a row that failed: earlier positions are harder still
SHORTER, FEWEST = 10, 1000  # so much shorter is the search of each landing of a throw, but so many nodes
LONGEST_LINE = 8  # plies of a better line that are kept
DIGITS = 4

Flag = NDArray[np.int64]  # one number: not 0 means stop
Step = Callable[[Flag], None]


class ReviewStopped(HarenaError):
    """Somebody set the flag."""


def review(
    record: Record,
    player: str | None = None,
    limits: Limits = DEFAULT,
    *,
    progress: Callable[[int, int], None] | None = None,
    flag: Flag | None = None,
) -> Review:
    """Go over a game; `progress` is told how many steps are done, and of how many.

    Where no player is named, `usual` names one. The limits are those of each search and of each proof. ReviewStopped
    once `flag` is set.
    """
    reviewer, flag = Reviewer(record, player, limits), np.zeros(1, np.int64) if flag is None else flag
    for number, step in enumerate(reviewer.steps(), 1):
        step(flag)
        if flag[0]:
            raise ReviewStopped("the review was stopped")
        if progress is not None:
            progress(number, reviewer.total)
    return reviewer.result()


def usual(game: str) -> str:
    """Who goes over a game where nobody is named: a game of one's own has no champion, and its playouts say scores."""
    return CHAMPION if game in PLAYERS else PLAYOUTS


class Reviewer:
    """The work in steps, for whoever wants to do something between them; each is one search at most."""

    def __init__(self, record: Record, player: str | None = None, limits: Limits = DEFAULT) -> None:
        player = usual(record.game) if player is None else player
        self.record, self.limits = record, limits
        self.states = list(states(record))
        game = self.states[0].game
        self.scale = SCALES.get(game.name, OTHER)
        dice = self.scale.dice or any(ply.by == CHANCE for ply in record.plies)
        found = find_player(player, game)
        self.text, self.is_fitted = player, is_fitted(found)
        self.judge = Judge(found, self.scale.slope, dice=dice)
        self.solver = solver_for(game.name, False, MEGABYTES)
        self.solutions: dict[int, Solution] = {}
        self.decisions: dict[int, Decision] = {}
        self.throws: dict[int, Throw] = {}
        self._failed = 0

    @property
    def total(self) -> int:
        """How many steps there are."""
        return 1 + len(self.states) + len(self.record.plies)

    def steps(self) -> Iterator[Step]:
        """What is to be done, in this order."""
        yield self._prepare
        for place in reversed(range(len(self.states))):
            yield partial(self._prove, place)
        for place in reversed(range(len(self.record.plies))):
            yield partial(self._land if self.record.plies[place].by == CHANCE else self._decide, place)

    def _prepare(self, flag: Flag) -> None:
        """Compile everything, so that limits of time are for thinking."""
        if self.decidable:
            self.judge.player.ready()
            self.solver.run(self.states[0].value, Limits(nodes=2))

    @property
    def decidable(self) -> bool:
        """Whether there is anything to go over."""
        return any(ply.by != CHANCE for ply in self.record.plies)

    def _prove(self, place: int, flag: Flag) -> None:
        state = self.states[place]
        if not state.is_over and (self._failed >= GIVES_UP or not self.decidable):
            return
        limits = Limits(nodes=self.limits.nodes, seconds=self.limits.seconds)
        found = self.solver.run(state.value, limits, flag=flag)
        self._failed = 0 if found.value is not None else self._failed + 1
        if found.value is not None:
            self.solutions[place] = found

    def _proven(self, place: int, seat: int) -> float | None:
        """The score of a position for a player, if the solver or a search has proven it."""
        found, judged = self.solutions.get(place), self.decisions.get(place)
        if judged is not None and judged.exact_best:
            return judged.best if judged.by == seat else 1 - judged.best
        if found is None or found.value is None:
            return None
        is_his = (self.states[place].mover == SECOND) == (seat == SECOND)  # a chance node's value is player 1's
        return (1 + (found.value if is_his else -found.value)) / 2

    def _decide(self, place: int, flag: Flag) -> None:
        """Judge a decision; by proofs alone where they say all."""
        state, move = self.states[place], self._played(place)
        best, played = self._proven(place, state.mover), self._proven(place + 1, state.mover)
        if best is None or (played is None and best > 0 and len(state.moves()) > 1):
            self._judge(place, best, played, flag)
            return
        if played is None or best == 0 or len(state.moves()) == 1:
            played = best
        solution = self.solutions[place]
        better = line(state, solution) if played < best - ROUNDING else [move]
        self._keep(place, best, played, better, (True, True))

    def _judge(self, place: int, best: float | None, played: float | None, flag: Flag) -> None:
        """Judge a decision by a search; what is proven of it counts."""
        state, move = self.states[place], self._played(place)
        found = self.judge.judge(state, self.limits, flag)
        if flag[0]:
            return
        result, scores, sure = found.result, found.scores, found.sure
        if played is not None:
            scores[move] = played
            sure.add(move)
        elif move not in scores:
            scores[move] = self._expected(self.states[place + 1], state.mover, self.limits, flag)
        choice = max(scores, key=lambda key: scores[key])
        top, is_sure = scores[choice], result.proven is not None or (choice in sure and scores[choice] == 1)
        better = line(state, result) if choice == result.move else [state.named(choice)]
        if best is not None:
            top, is_sure, better = best, True, line(state, self.solutions[place]) or better
        if is_sure and top == 0:
            sure.add(move)
        left = min(scores[move], top) if top > 0 else 0.0
        if result.proven is not None and choice == move == result.move:
            sure.add(move)
        self._keep(place, top, left, better, (is_sure, move in sure))

    def _played(self, place: int) -> Move:
        move = self.states[place + 1].last_move
        assert move is not None
        return move

    def _expected(self, state: State, seat: int, limits: Limits, flag: Flag) -> float:
        """The score of a position for a player, by searches of its own."""
        if state.outcome is not None:
            winner = state.outcome.winner
            return 0.5 if winner is None else float(winner == seat)
        if state.mover == CHANCE:
            landings = ((state.play(landing), share) for landing, share in state.chances())
            return sum(share * self._expected(after, seat, limits, flag) for after, share in landings)
        scores = {} if flag[0] else self.judge.judge(state, limits, flag).scores
        if flag[0]:
            return 0.5  # nobody will see it
        if not scores:
            raise HarenaError(
                f"{self.text} says no value of {state.text!r}: it judges no positions, or needs more nodes"
            )
        score = max(scores.values())
        return score if state.mover == seat else 1 - score

    def _keep(self, place: int, best: float, played: float, better: list[Move], exact: tuple[bool, bool]) -> None:
        state, move = self.states[place], self._played(place)
        best, played = round(best, DIGITS), round(played, DIGITS)
        loss = round(max(best - played, 0.0), DIGITS)
        is_better = loss > 0 and bool(better) and better[0] != move
        self.decisions[place] = Decision(
            ply=place + 1,
            by=state.mover,
            move=str(move),
            best=best,
            played=played,
            loss=loss,
            mark=mark_of(loss),
            better=str(better[0]) if is_better else None,
            line=tuple(str(one) for one in better[:LONGEST_LINE]) if is_better else (),
            exact_best=exact[0],
            exact_played=exact[1],
            forced=len(state.moves()) == 1,
        )

    def result(self) -> Review:
        """What all the steps have found; ReviewStopped where one was stopped before it had found anything."""
        if len(self.decisions) + len(self.throws) < len(self.record.plies):
            raise ReviewStopped("a search of the review took too long and was stopped")
        chart, exact = self._chart()
        decisions = tuple(self.decisions[place] for place in sorted(self.decisions))
        throws = tuple(self.throws[place] for place in sorted(self.throws))
        first, second = ([one for one in decisions if one.by == seat] for seat in (0, 1))
        return Review(
            game=self.record.game,
            player=self.text,
            nodes=self.limits.nodes,
            seconds=self.limits.seconds,
            is_fitted=self.is_fitted,
            chart=chart,
            exact=exact,
            decisions=decisions,
            throws=throws,
            accuracy=(judgement.accuracy(first), judgement.accuracy(second)),
            decided=judgement.decided(self.record, chart),
            proven_from=judgement.proven_from(self.record, chart, exact),
            swing=judgement.swing(decisions, throws),
        )

    def _chart(self) -> tuple[tuple[float, ...], tuple[bool, ...]]:
        """Player 1's score at the start and after each ply, and which are proven."""
        chart: list[float] = []
        exact: list[bool] = []
        for place in range(len(self.states)):
            here, before = self.decisions.get(place), self.decisions.get(place - 1)
            proven = self._proven(place, 0)
            if proven is not None:
                score, sure = proven, True
            elif here is not None:
                score, sure = here.best if here.by == 0 else 1 - here.best, here.exact_best
            elif before is not None:
                score, sure = before.played if before.by == 0 else 1 - before.played, before.exact_played
            else:
                score, sure = chart[-1] if chart else 0.5, False
            chart.append(round(score, DIGITS))
            exact.append(sure)
        return tuple(chart), tuple(exact)

    def _land(self, place: int, flag: Flag) -> None:
        """What a landing was worth to whoever threw: all that were possible are judged alike, by short searches."""
        state, landing = self.states[place], self._played(place)
        thrower = next((one.by for one in reversed(self.record.plies[:place]) if one.by != CHANCE), 0)
        before, after = self._proven(place, thrower), self._proven(place + 1, thrower)
        chances = state.chances()
        if before is None or after is None:
            limits = self._short()
            scores = {move: self._expected(state.play(move), thrower, limits, flag) for move, _ in chances}
            before, after = sum(share * scores[move] for move, share in chances), scores[landing]
        if flag[0]:
            return
        self.throws[place] = Throw(
            ply=place + 1,
            by=thrower,
            move=str(landing),
            chance=round(sum(share for move, share in chances if move == landing), DIGITS),
            before=round(before, DIGITS),
            after=round(after, DIGITS),
            gain=round(after - before, DIGITS),
        )

    def _short(self) -> Limits:
        """For each of many landings."""
        nodes, seconds = self.limits.nodes, self.limits.seconds
        return Limits(
            nodes=nodes and max(nodes // SHORTER, FEWEST),
            seconds=seconds and seconds / SHORTER,
            depth=self.limits.depth,
        )
