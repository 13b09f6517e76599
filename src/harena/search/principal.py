"""Principal variation search: alpha-beta with a transposition table, killer moves and history; Star1 at chance nodes.

Sources: Marsland & Campbell, "Parallel search of strongly ordered game trees" (1982); Schaeffer, "The history
heuristic" (1983); Akl & Newborn (1977) for killers. Written for iterative deepening (`deepening.py`), which orders the
moves of the root and keeps the table between depths.
"""

from typing import Any, NamedTuple

from harena.contract import CHANCE, RUNNING, chances, key, mover, moves, outcome, play
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.table import (
    EXACT,
    LOWER,
    NO_MOVE,
    NOT_FOUND,
    UPPER,
    bound_at,
    depth_at,
    find,
    move_at,
    store,
)
from harena.search.workspace import (
    HORIZON,
    REMEMBERED,
    STOPPED,
    WIN,
    Ordering,
    Workspace,
    enter,
    evaluate,
    final_value,
    search,
)

SLICE = 1e-6  # the width of a null window; any will do, since what falls inside is exact
PICKED = 12  # moves that are chosen by their score; the rest follows in the game's own order
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
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    who = mover(state)
    if who == CHANCE:  # Star1
        count = chances(state, work.out, work.chances, at)
        low, high, expected = -WIN, WIN, 0.0
        for index in range(at, at + count):
            share = work.chances[index]
            floor, ceiling = WIN - (high - alpha) / share, (beta - low) / share - WIN
            child = play(state, work.out[index])
            value = principal(
                child, me, heuristic, depth, max(floor, -WIN), min(ceiling, WIN), work, ply + 1, at + count
            )
            low += share * (value + WIN)
            high += share * (value - WIN)
            if value <= floor and floor > -WIN:
                return high
            if value >= ceiling and ceiling < WIN:
                return low
            expected += share * value
        return expected
    if depth == 0:
        work.counters[HORIZON] += 1
        return evaluate(heuristic, state, me)
    sign = 1.0 if who == me else -1.0
    if who != me:  # from here on everything is seen by the mover
        alpha, beta = -beta, -alpha
    position = key(state)
    hint = NO_MOVE
    place = find(work.table, position)
    if place != NOT_FOUND:
        hint = move_at(work.table, place)
        value, bound = sign * work.table.values[place], bound_at(work.table, place)
        if who != me and bound != EXACT:
            bound = LOWER + UPPER - bound
        counts = depth_at(work.table, place) >= depth or abs(value) == WIN
        cuts = (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        if counts and (bound == EXACT or cuts):
            return sign * value
    count = moves(state, work.out, at)
    score_moves(work, who, ply, hint, at, count)
    best, best_move, floor = -2 * WIN, NO_MOVE, alpha
    for index in range(at, at + count):
        if index < at + PICKED:
            bring_best_forward(work, index, at + count)
        move = work.out[index]
        child = play(state, move)
        value = best
        ceiling = beta if index == at else min(beta, floor + SLICE)
        low, high = (floor, ceiling) if who == me else (-ceiling, -floor)
        value = sign * principal(child, me, heuristic, depth - 1, low, high, work, ply + 1, at + count)
        if ceiling < beta and value >= ceiling:
            low, high = (value, beta) if who == me else (-beta, -value)
            deeper = sign * principal(child, me, heuristic, depth - 1, low, high, work, ply + 1, at + count)
            value = max(value, deeper)
        if value > best:
            best, best_move = value, move
        floor = max(floor, best)
        if floor >= beta:
            reward_cut(work.order, who, ply, depth, move)
            break
    if work.counters[STOPPED] == 0:
        bound = LOWER if best >= beta else (UPPER if best <= alpha else EXACT)
        if who != me and bound != EXACT:
            bound = LOWER + UPPER - bound
        store(work.table, position, depth, bound, sign * best, best_move)
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
    return principal(state, me, heuristic, depth, alpha, beta, work, ply, 0)
