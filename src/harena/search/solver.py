"""The exact value of a position: alpha-beta to the end of the game with a table, and no heuristic.

Sources: Knuth & Moore, "An analysis of alpha-beta pruning" (1975), fail-soft; Ballard, "The *-minimax search procedure"
(1983) for chance nodes (Star1); Plaat et al., "Exploiting graph properties of game trees" (1996) for looking up the
children of a node before any is searched. Moves that leave the fewest replies come first, and among equals those that
cut most often (Schaeffer, "The history heuristic", 1983).

The root is asked two questions, each with its window: "better than a draw?" (0, 1) and "better than a loss?" (-1, 0).
Games must end: a position more than LONGEST plies on stops the proof. Two positions with one 64-bit key would be taken
for each other, as in every table.
"""

import time
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from harena import calls
from harena.contract import (
    CHANCE,
    DRAW,
    FIRST,
    RUNNING,
    SECOND,
    Outcome,
    chances,
    key,
    mover,
    moves,
    outcome,
    play,
    without_points,
)
from harena.kernel.compile import kernel
from harena.kernel.generic import generic, helper
from harena.kernel.values import coerce
from harena.search.deepening import room_for, why_stopped
from harena.search.principal import FROM_TABLE, bring_best_forward
from harena.search.result import Limits, RootMove
from harena.search.table import EXACT, LOWER, NO_MOVE, NOT_FOUND, UPPER, Table, bound_at, find, move_at, store
from harena.search.workspace import NEVER, NODES, REMEMBERED, STOPPED, THROWN, Workspace, enter, new_workspace

LONGEST = 600  # plies
TOO_LONG = 2  # in STOPPED, when a game is longer
MOST_CUTS = 7  # a counter that the workspace leaves free: the largest number in the history
UNKNOWN = 2.0  # the verdict of a shortcut that has none
MOST_EFFORT = 2**28  # positions below one, as the table counts them
ROUNDING = 1e-12  # sums of probabilities are off by less
MARGIN = 1e-9  # values that differ by less are the same
QUESTIONS = ((0.0, 1.0), (-1.0, 0.0))


class NoShortcut(NamedTuple):
    """Every position is searched."""

    pad: int = 0


NO_SHORTCUT = NoShortcut()


@generic
def shortcut(rule: Any, state: Any) -> float:
    """The value of a running state for the player to move, if it can be told without a search, or UNKNOWN."""


@shortcut.method()
def _(rule: Any, state: Any) -> float:
    return UNKNOWN


@helper
def decided(end: Outcome) -> float:
    """The value of a finished game for FIRST."""
    if end.result == DRAW:
        return 0.0
    return 1.0 if end.result == FIRST else -1.0


@helper
def whole(value: float) -> float:
    """A sum of probabilities; -1, 0 or 1 if all but its rounding errors is."""
    nearest = 1.0 if value > 0.5 else (-1.0 if value < -0.5 else 0.0)
    return nearest if abs(value - nearest) < ROUNDING else value


@helper
def known(table: Table, place: int, sign: float, alpha: float, beta: float) -> bool:
    """Whether the entry at a place answers a question of the player with this sign (1 for FIRST, -1 for the other)."""
    bound, value = bound_at(table, place), sign * table.values[place]
    lower, upper = (LOWER, UPPER) if sign > 0 else (UPPER, LOWER)
    return bound == EXACT or (bound == lower and value >= beta) or (bound == upper and value <= alpha)


@kernel
def prove(state: Any, rule: Any, alpha: float, beta: float, work: Workspace, ply: int, at: int) -> float:
    """The value v of a state for FIRST, between -1 and 1.

    v itself if alpha < v < beta, else a bound r with v <= r <= alpha or beta <= r <= v; worthless once it had to stop.
    """
    if enter(work):
        return 0.0
    end = outcome(state)
    if end.result != RUNNING:
        return decided(end)
    if ply >= LONGEST:
        work.counters[STOPPED] = TOO_LONG
        return 0.0
    who = mover(state)
    if who == CHANCE:
        work.counters[THROWN] = 1
        count = chances(state, work.out, work.chances, at)
        low, high, expected = -1.0, 1.0, 0.0
        for index in range(at, at + count):
            share = work.chances[index]
            floor, ceiling = 1.0 - (high - alpha) / share, (beta - low) / share - 1.0
            child = play(state, work.out[index])
            value = prove(child, rule, max(floor, -1.0), min(ceiling, 1.0), work, ply + 1, at + count)
            low += share * (value + 1.0)
            high += share * (value - 1.0)
            if value <= floor and floor > -1.0:
                return min(whole(high), alpha)
            if value >= ceiling and ceiling < 1.0:
                return max(whole(low), beta)
            expected += share * value
        return whole(expected)
    sign = 1.0
    if who != FIRST:  # from here on everything is seen by the mover
        sign, alpha, beta = -1.0, -beta, -alpha
    table, position, before = work.table, key(state), work.counters[NODES]
    hint, place = NO_MOVE, find(table, position)
    if place != NOT_FOUND:
        hint = move_at(table, place)
        if known(table, place, sign, alpha, beta):
            return table.values[place]
    verdict = shortcut(rule, state)
    if verdict != UNKNOWN:
        store(table, position, 1, EXACT, sign * verdict, NO_MOVE)
        return sign * verdict
    count = moves(state, work.out, at)
    behind = at + count
    best, best_move, last = -2.0, NO_MOVE, at
    for index in range(at, behind):  # finished games are settled here, the others get a score
        move = work.out[index]
        child = play(state, move)
        end = outcome(child)
        value, score = -2.0, 0.0
        if end.result != RUNNING:
            value = sign * decided(end)
        else:
            reply = mover(child)
            if reply != CHANCE:
                place = find(table, key(child))
                if place != NOT_FOUND and known(table, place, sign, alpha, beta):
                    value = sign * table.values[place]
                else:
                    score = -float(moves(child, work.out, behind))
        if value > best:
            best, best_move = value, move
            if best >= beta:
                break
        if value == -2.0:  # not known yet
            score += work.order.history[who * REMEMBERED + move % REMEMBERED] / (work.counters[MOST_CUTS] + 1)
            work.out[last], work.chances[last] = move, FROM_TABLE if move == hint else score
            last += 1
    floor = max(alpha, best)
    if floor < beta:
        for index in range(at, last):
            bring_best_forward(work, index, last)
            move = work.out[index]
            child = play(state, move)
            low, high = (floor, beta) if who == FIRST else (-beta, -floor)
            value = sign * prove(child, rule, low, high, work, ply + 1, last)
            if work.counters[STOPPED] != 0:
                return 0.0
            if value > best:
                best, best_move = value, move
            floor = max(floor, best)
            if floor >= beta:
                cuts = work.order.history[who * REMEMBERED + move % REMEMBERED] + 1
                work.order.history[who * REMEMBERED + move % REMEMBERED] = cuts
                work.counters[MOST_CUTS] = max(work.counters[MOST_CUTS], cuts)
                break
    bound = LOWER if best >= beta else (UPPER if best <= alpha else EXACT)
    if who != FIRST and bound != EXACT:
        bound = LOWER + UPPER - bound
    place = find(table, position)
    if place != NOT_FOUND and table.values[place] == sign * best and bound_at(table, place) != bound:
        bound = EXACT
    store(table, position, min(work.counters[NODES] - before, MOST_EFFORT), bound, sign * best, best_move)
    return sign * best


@dataclass(frozen=True, kw_only=True)
class Solution:
    """What was proven: values are those of the player to move, or of player 1 at a chance node."""

    value: float | None = None  # 1 won, 0 drawn, -1 lost; an expectation where chance plays; None: not proven
    low: float = -1.0
    high: float = 1.0
    line: tuple[int, ...] = ()  # moves that keep the value, to the end, a chance node or the limit
    positions: int = 0
    root: tuple[RootMove, ...] = ()  # those moves of which something is known; "=" and `proven` if all is
    seconds: float = 0.0
    stopped: str = ""  # "proven", "over" (nothing to do), "seconds", "nodes", "interrupted" or "too long"


@dataclass
class Branch:
    """A move of the root, the state after it, and what is proven of that state for the player with this sign."""

    move: int
    state: Any
    sign: float
    share: float = 1.0  # its probability at a chance node
    low: float = -1.0
    high: float = 1.0

    def ask(self, rule: Any, alpha: float, beta: float, work: Workspace) -> None:
        """Learn the value if it lies in the window, else on which side; nothing once the search had to stop."""
        alpha, beta = max(alpha, self.low), min(beta, self.high)
        if alpha >= beta:
            return
        low, high = (alpha, beta) if self.sign > 0 else (-beta, -alpha)
        value = self.sign * prove(self.state, rule, low, high, work, 1, 0) + 0.0  # no negative zero
        if work.counters[STOPPED] != 0:
            return
        if value < beta:
            self.high = max(value, self.low)
        if value > alpha:
            self.low = min(value, self.high)

    def known(self, chanced: bool) -> RootMove | None:
        """As a value for the caller, or None if nothing is known."""
        if self.low == self.high:
            sure = not chanced or abs(self.low) == 1.0
            return RootMove(move=self.move, value=self.low, proven=int(self.low) if sure else None)
        if self.high < 1.0:
            return RootMove(move=self.move, value=self.high, bound="<=")
        return RootMove(move=self.move, value=self.low, bound=">=") if self.low > -1.0 else None


def branches(state: Any) -> list[Branch]:
    """All moves of a running state, those that leave the fewest replies first."""
    look = calls.look(state)
    sign = -1.0 if look.mover == SECOND else 1.0
    out, shares = np.zeros(look.max_moves, np.int64), np.ones(look.max_moves)
    is_chance = look.mover == CHANCE
    count = calls.list_chances(state, out, shares) if is_chance else calls.list_moves(state, out, 0)
    made = [
        Branch(move, coerce(calls.step(state, move)), sign, share)
        for move, share in zip(out[:count].tolist(), shares[:count].tolist(), strict=True)
    ]
    return sorted(made, key=lambda branch: _replies(branch.state))


def _replies(state: Any) -> int:
    look = calls.look(state)
    return int(calls.list_moves(state, np.zeros(look.max_moves, np.int64), 0)) if look.result == RUNNING else 0


@dataclass(frozen=True)
class Solver:
    """The prover with its shortcut, the size of its table, and whether every move of the root is to be settled."""

    shortcut: Any = NO_SHORTCUT
    megabytes: float = 256.0
    complete: bool = False

    def run(self, value: Any, limits: Limits, *, flag: Any = None) -> Solution:
        """Prove the value of any state; limits of seconds and nodes count."""
        begin = time.perf_counter()
        look = calls.look(value)
        if look.result != RUNNING:
            end = decided(without_points(look.result)) * (-1.0 if look.mover == SECOND else 1.0) + 0.0
            return Solution(value=end, low=end, high=end, stopped="over")
        work = self.workspace(look.max_moves, limits, flag)
        root = branches(value)
        if look.mover == CHANCE:
            work.counters[THROWN] = 1
            for branch in root:
                branch.ask(self.shortcut, -1.0, 1.0, work)
            low, high = (
                whole(sum(one.share * end for one, end in zip(root, ends, strict=True))) for ends in _ends(root)
            )
        else:
            for floor, ceiling in QUESTIONS:
                for branch in root:
                    branch.ask(self.shortcut, max(floor, *_ends(root)[0]), ceiling, work)
            for branch, question in product(root if self.complete else [], QUESTIONS):
                branch.ask(self.shortcut, *question, work)
            low, high = map(max, _ends(root))
        known = [one for one in (branch.known(work.counters[THROWN] != 0) for branch in root) if one is not None]
        line = self.line(root, low, work) if low == high and look.mover != CHANCE else []
        return Solution(
            value=low if low == high else None,
            low=low,
            high=high,
            line=tuple(line),
            positions=int(work.counters[NODES]),
            root=tuple(sorted(known, key=lambda one: (-(one.value or 0.0), one.bound != "="))),
            seconds=time.perf_counter() - begin,
            stopped=self.why(work, limits),
        )

    def workspace(self, max_moves: int, limits: Limits, flag: Any) -> Workspace:
        """Room for the longest game."""
        deadline = NEVER if limits.seconds is None else int(calls.clock() + limits.seconds * 1e9)
        nodes = NEVER if limits.nodes is None else limits.nodes
        work = new_workspace(max_moves, nodes=nodes, deadline=deadline, megabytes=min(self.megabytes, room_for(limits)), flag=flag)
        room = max_moves * (LONGEST + 2)
        return work._replace(out=np.zeros(room, np.int64), chances=np.zeros(room, np.float64))

    def line(self, options: list[Branch], value: float, work: Workspace) -> list[int]:
        """Moves that keep a proven value, from a state with these options on."""
        line: list[int] = []
        while True:
            for branch in options:
                branch.ask(self.shortcut, value - 2 * MARGIN, value - MARGIN, work)
                if branch.low >= value - MARGIN:
                    break
            else:
                return line
            line.append(branch.move)
            look = calls.look(branch.state)
            if look.result != RUNNING or look.mover == CHANCE:
                return line
            options = branches(branch.state)
            value *= branch.sign * options[0].sign

    def why(self, work: Workspace, limits: Limits) -> str:
        """Why it ended."""
        if work.counters[STOPPED] == 0:
            return "proven"
        return "too long" if work.counters[STOPPED] == TOO_LONG else why_stopped(work, limits)


def _ends(root: list[Branch]) -> tuple[list[float], list[float]]:
    return [branch.low for branch in root], [branch.high for branch in root]
