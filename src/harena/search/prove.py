"""The exact value of a position: alpha-beta to the end of the game with a table, and no heuristic.

Sources: Knuth & Moore, "An analysis of alpha-beta pruning" (1975), fail-soft; Ballard, "The *-minimax search procedure"
(1983) for chance nodes (Star1); Plaat et al., "Exploiting graph properties of game trees" (1996) for looking up the
children of a node before any is searched. Moves that leave the fewest replies come first, and among equals those that
cut most often (Schaeffer, "The history heuristic", 1983).

Games must end: a position more than LONGEST plies on stops the proof. Two positions with one 64-bit key would be taken
for each other, as in every table.
"""

from typing import Any, NamedTuple

from harena.contract import (
    CHANCE,
    DRAW,
    FIRST,
    RUNNING,
    Outcome,
    chances,
    key,
    mover,
    moves,
    outcome,
    play,
)
from harena.kernel.compile import kernel
from harena.kernel.generic import generic, helper
from harena.search.principal import FROM_TABLE, bring_best_forward
from harena.search.table import EXACT, NO_MOVE, bound_by, bound_of, find, is_known, move_of, settles, store, turned
from harena.search.workspace import NODES, REMEMBERED, STOPPED, THROWN, Workspace, enter

LONGEST = 600  # plies
TOO_LONG = 2  # in STOPPED, when a game is longer
MOST_CUTS = 7  # a counter that the workspace leaves free: the largest number in the history
UNKNOWN = 2.0  # the verdict of a shortcut that has none
MOST_EFFORT = 2**28  # positions below one, as the table counts them
ROUNDING = 1e-12  # sums of probabilities are off by less


class NoShortcut(NamedTuple):
    """Every position is searched."""

    pad: int = 0


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
            if high <= alpha:  # the average cannot come above alpha any more
                return min(whole(high), alpha)
            if low >= beta:
                return max(whole(low), beta)
            expected += share * value
        return whole(expected)
    sign = 1.0
    if who != FIRST:  # from here on everything is seen by the mover
        sign, alpha, beta = -1.0, -beta, -alpha
    table, position, before = work.table, key(state), work.counters[NODES]
    known = turned(find(table, position), sign)
    if settles(known, alpha, beta):
        return sign * known.value
    hint = move_of(known)
    verdict = shortcut(rule, state)
    if verdict != UNKNOWN:
        store(table, position, 1, EXACT, sign * verdict, NO_MOVE, True)
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
                known = turned(find(table, key(child)), sign)
                if settles(known, alpha, beta):
                    value = known.value
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
    bound = bound_by(best, alpha, beta, sign)
    known = find(table, position)
    if is_known(known) and known.value == sign * best and bound_of(known) != bound:
        bound = EXACT
    store(table, position, min(work.counters[NODES] - before, MOST_EFFORT), bound, sign * best, best_move, True)
    return sign * best
