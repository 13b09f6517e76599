"""Focused alpha-beta, for games with hundreds of moves: the heuristic sorts them, and the later ones get less depth.

At every inner node all moves are judged one ply ahead by the heuristic, and searched from the best to the worst with a
depth that shrinks with the place in that order (late-move reductions); a move that turns out better than it looked is
searched again at the full depth. A move whose depth shrinks to nothing counts by the heuristic alone, and since the
moves are sorted by it, the first of those that is no better than what there is ends the node. So no move is ever left
out unseen: a position counts as lost only if every move was followed to the end, and proven values stay proven.
"""

from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena import calls
from harena.contract import RUNNING, key, mover, moves, outcome
from harena.kernel.compile import kernel
from harena.kernel.generic import generic, helper, routine
from harena.search.principal import SLICE, reward_cut
from harena.search.table import (
    NO_MOVE,
    bound_by,
    depth_of,
    find,
    is_complete,
    move_of,
    settles,
    store,
    turned,
)
from harena.search.workspace import (
    HORIZON,
    PLIES,
    STOPPED,
    TOP,
    WIN,
    Workspace,
    enter,
    final_value,
    is_too_deep,
    leaf_value,
    search,
)

FROM_TABLE = 2 * WIN  # the score of the table's move, above all others


class Focused(NamedTuple):
    """The algorithm as a value."""

    windows: bool = True  # whether it cuts by alpha and beta
    narrows: bool = True  # whether it is first asked if a move is better at all
    first: float = 4.0  # so many moves get the full depth
    growth: float = 3.0  # beyond, each time their number grows by this factor the depth shrinks by one
    eager: float = 0.2  # a move that looks so much better than needed is tried before all others are judged
    tries: int = 2  # so many of them


@helper
def to_front(work: Workspace, move: int, index: int, end: int) -> bool:
    """Swap the move to `index` if it is among those from there to the end."""
    for other in range(index, end):
        if work.out[other] == move:
            work.out[other] = work.out[index]
            work.out[index] = move
            return True
    return False


@routine
def swap_best(work: Workspace, index: int, end: int) -> None:
    """Swap the move with the highest score among those from `index` on to `index`."""
    out, scores = work.out, work.chances
    best = index
    for other in range(index + 1, end):
        if scores[other] > scores[best]:
            best = other
    out[index], out[best] = out[best], out[index]
    scores[index], scores[best] = scores[best], scores[index]


@generic
def foresee(heuristic: Any, state: Any) -> bool:
    """Whether the mover of a running state is known to win, by what the heuristic's author knows of the game."""


@foresee.method()
def _(heuristic: Any, state: Any) -> bool:
    return False


@routine
def judge(counters: NDArray[np.int64], state: Any, me: int, heuristic: Any) -> float:
    """The value of a state at the horizon."""
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    if foresee(heuristic, state):
        return WIN if mover(state) == me else -WIN
    counters[HORIZON] += 1
    return leaf_value(heuristic, state, me)


@routine
def judge_move(counters: NDArray[np.int64], state: Any, move: int, me: int, heuristic: Any) -> float:
    """What the heuristic says after a move."""
    return judge(counters, calls.step(state, move), me, heuristic)


@helper
def remember(
    work: Workspace, position: Any, depth: int, alpha: float, beta: float, best: float, move: int, sign: float
) -> None:
    """Store what was found about a position, by its mover's window; values in the table are for the searcher."""
    store(work.table, position, depth, bound_by(best, alpha, beta, sign), sign * best, move, abs(best) == WIN)


@helper
def reduction(options: Focused, number: int) -> int:
    """By how much the depth shrinks for the move with this place in the order."""
    return 0 if number < options.first else 1 + int(log((number + 1) / options.first) / log(options.growth))


@kernel
def focused(
    options: Focused,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
    at: int,
) -> float:
    """As `search`, for games without chance."""
    if enter(work):
        return 0.0
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    if depth <= 0 or is_too_deep(work, at) or ply >= PLIES:
        return judge(work.counters, state, me, heuristic)
    who = mover(state)
    sign = 1.0 if who == me else -1.0
    if who != me:  # from here on everything is seen by the mover
        alpha, beta = -beta, -alpha
    position = key(state)
    known = turned(find(work.table, position), sign)
    if (depth_of(known) >= depth or is_complete(known)) and settles(known, alpha, beta):
        work.counters[HORIZON] += abs(known.value) != WIN
        return sign * known.value
    if alpha >= WIN or beta <= -WIN:  # nothing can lie inside the window
        return sign * (WIN if alpha >= WIN else -WIN)
    hint = move_of(known)
    index, stop = at, at + moves(state, work.out, at)
    judged, tries = at, options.tries  # up to where moves have been judged
    best, best_move, floor = -2 * WIN, NO_MOVE, alpha
    if hint != NO_MOVE and depth > 1 and to_front(work, hint, at, stop):
        work.chances[at] = FROM_TABLE
        judged = at + 1
    if to_front(work, work.order.killers[2 * ply], judged, stop):
        to_front(work, work.order.killers[2 * ply + 1], judged + 1, stop)
    while index < stop and floor < min(beta, WIN):
        trying = False
        if index > at or judged == at:  # not while the table's move is at hand
            while judged < stop:
                if enter(work):
                    return 0.0
                value = sign * judge_move(work.counters, state, work.out[judged], me, heuristic)
                work.chances[judged] = value
                judged += 1
                if depth == 1:
                    if value > best:
                        best, best_move = value, work.out[judged - 1]
                        if best >= beta:
                            break
                elif value == WIN or (tries > 0 and value >= beta + options.eager):
                    trying = True
                    break
            if depth == 1:
                floor = max(floor, best)
                break
        spot = judged - 1 if trying else index
        if not trying:
            swap_best(work, index, stop)
        number = index - at
        move, value = work.out[spot], work.chances[spot]
        less = 0 if trying else reduction(options, number)
        if abs(value) != WIN:
            if less >= depth - 1:
                if value <= floor:
                    best = max(best, value)
                    break
                less = 0
            child = calls.step(state, move)
            ceiling = beta if best == -2 * WIN and not trying else min(beta, floor + SLICE)
            if trying:
                tries -= 1
            low, high = (floor, ceiling) if who == me else (-ceiling, -floor)
            value = sign * focused(options, child, me, heuristic, depth - 1 - less, low, high, work, ply + 1, stop)
            if less > 0 and value > floor:
                value = sign * focused(options, child, me, heuristic, depth - 1, low, high, work, ply + 1, stop)
            if ceiling <= value < beta:
                low, high = (value, beta) if who == me else (-beta, -value)
                deeper = sign * focused(options, child, me, heuristic, depth - 1, low, high, work, ply + 1, stop)
                value = max(value, deeper)
        if value > best:
            best, best_move = value, move
        floor = max(floor, best)
        work.out[spot], work.chances[spot] = work.out[index], work.chances[index]
        work.out[index], work.chances[index] = move, value
        index += 1
    if work.counters[STOPPED] != 0:
        return 0.0
    if floor >= beta:
        reward_cut(work.order, who, ply, depth, best_move)
    remember(work, position, depth, alpha, beta, best, best_move, sign)
    return sign * best


@search.method(Focused)
def _(
    algorithm: Focused,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    return focused(algorithm, state, me, heuristic, depth, alpha, beta, work, ply, TOP)
