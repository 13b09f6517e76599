"""Principal variation search: alpha-beta with a transposition table, killer moves and history; Star1 at chance nodes.

Sources: Marsland & Campbell, "Parallel search of strongly ordered game trees" (1982); Schaeffer, "The history
heuristic" (1983); Akl & Newborn (1977) for killers. Written for iterative deepening (`deepening.py`), which orders the
moves of the root and keeps the table between depths.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.contract import CHANCE, RUNNING, chances, key, mover, moves, outcome, play
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.table import (
    NO_MOVE,
    NOTHING,
    bound_by,
    find,
    move_of,
    store,
    turned,
)
from harena.search.workspace import (
    HORIZON,
    PLIES,
    REMEMBERED,
    SLICE,
    STOPPED,
    THROWN,
    TOP,
    WIN,
    Ordering,
    Workspace,
    answers,
    enter,
    final_value,
    foresees_win,
    is_too_deep,
    leaf_value,
    search,
    snapped,
)

PICKED = 12  # moves that are chosen by their score; the rest follows in the game's own order
REMEMBERED_FROM = 3  # the depth below which the way to the table's memory costs more than searching again; but after
# a throw the table serves at any depth, since many throws lead to one position
REDUCED_FROM = 3  # the depth from which on late moves may be reduced
UNKNOWN = 4 * WIN
FROM_TABLE, KILLER = 1e18, 1e15


class Principal(NamedTuple):
    """The algorithm as a value."""

    windows: bool = True  # whether it cuts by alpha and beta
    narrows: bool = True  # whether it is first asked if a move is better at all


@helper
def score_moves(work: Workspace, who: int, ply: int, hint: int, at: int, count: int) -> None:
    """Write a score for each move beside it."""
    order = work.order
    first, second = order.killers[2 * ply], order.killers[2 * ply + 1]
    for index in range(at, at + count):
        move = work.out[index]
        score = float(order.history[who * REMEMBERED + move % REMEMBERED])
        if move == hint:
            score = FROM_TABLE
        elif move in (first, second):
            score = KILLER
        work.chances[index] = score


@helper
def bring_best_forward(work: Workspace, index: int, end: int) -> None:
    """Swap the move with the highest score among those from `index` on to `index`; the earliest of equals."""
    best = index
    for other in range(index + 1, end):
        if work.chances[other] > work.chances[best]:
            best = other
    move, score = work.out[best], work.chances[best]
    while best > index:  # shift, so that equals keep their order
        work.out[best], work.chances[best] = work.out[best - 1], work.chances[best - 1]
        best -= 1
    work.out[index], work.chances[index] = move, score


@helper
def reward_cut(order: Ordering, who: int, ply: int, depth: int, move: int) -> None:
    """Remember a move that cut."""
    if order.killers[2 * ply] != move:
        order.killers[2 * ply + 1] = order.killers[2 * ply]
        order.killers[2 * ply] = move
    order.history[who * REMEMBERED + move % REMEMBERED] += depth * depth


@helper
def less_deep(depth: int, number: int, late: int, very_late: int) -> int:
    """How many plies less deep a late move is searched at first, by its number among its siblings; none near leaves."""
    if depth < REDUCED_FROM or number < late:
        return 0
    return 2 if number >= very_late and depth > REDUCED_FROM else 1


@helper
def judge(counters: NDArray[np.int64], state: Any, me: int, heuristic: Any, alpha: float, beta: float) -> float:
    """The value of a state at the horizon, as `search`: a win that is foreseen counts.

    It is only looked for where it matters, since the mover's opponent would be content with what the heuristic says.
    """
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    value = leaf_value(heuristic, state, me)
    if mover(state) == me:
        if value < beta and foresees_win(heuristic, state):
            return WIN
    elif value > alpha and foresees_win(heuristic, state):
        return -WIN
    counters[HORIZON] += 1
    return value


@helper
def best_leaf(
    state: Any, me: int, heuristic: Any, sign: float, alpha: float, beta: float, work: Workspace, ply: int, at: int
) -> float:
    """The best of the children for the mover (or one that cuts); UNKNOWN where one of them is a chance node.

    Leaves are cheaper to judge than to order or to remember: only the last move that cut at this ply goes first.
    """
    out, killers, counters = work.out, work.order.killers, work.counters
    count = moves(state, out, at)
    killer = killers[2 * ply]
    for index in range(at + 1, at + count):
        if out[index] == killer:
            out[at], out[index] = killer, out[at]
    best = -2 * WIN
    for index in range(at, at + count):
        child = play(state, out[index])
        if mover(child) == CHANCE:
            return UNKNOWN
        if enter(work):
            return 0.0
        floor = max(alpha, best)
        low, high = (floor, beta) if sign > 0 else (-beta, -floor)
        best = max(best, sign * judge(counters, child, me, heuristic, low, high))
        if best >= beta:
            killers[2 * ply] = out[index]
            break
    return best


@kernel
def principal(
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
    """As `search`, with the value of `minimax`; entries of the table count when they are as deep, or proven."""
    if enter(work):
        return 0.0
    who = mover(state)
    if (depth == 0 and who != CHANCE) or is_too_deep(work, at) or ply >= PLIES:
        return judge(work.counters, state, me, heuristic, alpha, beta)
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    if who == CHANCE:  # Star1
        work.counters[THROWN] = 1
        count = chances(state, work.out, work.chances, at)
        low, high, expected = -WIN, WIN, 0.0
        if high <= alpha or low >= beta:  # nothing can lie inside the window
            return high if high <= alpha else low
        for index in range(at, at + count):
            share = work.chances[index]
            floor, ceiling = WIN - (high - alpha) / share, (beta - low) / share - WIN
            child = play(state, work.out[index])
            value = principal(
                child, me, heuristic, depth, max(floor, -WIN), min(ceiling, WIN), work, ply + 1, at + count
            )
            low += share * (value + WIN)
            high += share * (value - WIN)
            if high <= alpha:  # the average cannot come above alpha any more
                return snapped(high)
            if low >= beta:
                return snapped(low)
            expected += share * value
        return snapped(expected)
    sign = 1.0 if who == me else -1.0
    if who != me:  # from here on everything is seen by the mover
        alpha, beta = -beta, -alpha
    remembers = depth >= REMEMBERED_FROM or work.counters[THROWN] != 0
    if depth == 1 and not remembers:
        best = best_leaf(state, me, heuristic, sign, alpha, beta, work, ply, at)
        if best != UNKNOWN:
            return sign * best
    position, before = key(state), work.counters[HORIZON]
    known = turned(find(work.table, position), sign) if remembers else NOTHING
    if answers(work, known, depth, alpha, beta):
        return sign * known.value
    count = moves(state, work.out, at)
    score_moves(work, who, ply, move_of(known), at, count)
    best, best_move, floor = -2 * WIN, NO_MOVE, alpha
    for index in range(at, at + count):
        if index < at + PICKED:
            bring_best_forward(work, index, at + count)
        move = work.out[index]
        child = play(state, move)
        ceiling = beta if index == at else min(beta, floor + SLICE)
        low, high = (floor, ceiling) if who == me else (-ceiling, -floor)
        value = sign * principal(child, me, heuristic, depth - 1, low, high, work, ply + 1, at + count)
        if ceiling <= value < beta:
            low, high = (value, beta) if who == me else (-beta, -value)
            deeper = sign * principal(child, me, heuristic, depth - 1, low, high, work, ply + 1, at + count)
            value = max(value, deeper)
        if value > best:
            best, best_move = value, move
        floor = max(floor, best)
        if floor >= beta:
            reward_cut(work.order, who, ply, depth, move)
            break
    if work.counters[STOPPED] == 0 and remembers:
        bound = bound_by(best, alpha, beta, sign)
        store(work.table, position, depth, bound, sign * best, best_move, work.counters[HORIZON] == before)
    return sign * best


@search.method(Principal)
def _(
    algorithm: Principal,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    return principal(state, me, heuristic, depth, alpha, beta, work, ply, TOP)
