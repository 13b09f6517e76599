"""The champion's search of tiles: principal variation search with late-move reductions, ordered by what falls.

Values are seen by the player to move. A tile without neighbours is like any other such tile of its colour: only one of
them is tried.
"""

from typing import Any, NamedTuple

from harena.contract import key, play
from harena.games.tiles import Tiles, around
from harena.kernel.boards import both, count, either, is_empty, minus, nth_cell, single
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.principal import FROM_TABLE, bring_best_forward, less_deep, reward_cut
from harena.search.table import NO_MOVE, NOTHING, bound_by, find, move_of, store
from harena.search.workspace import (
    HORIZON,
    PLIES,
    REMEMBERED,
    SLICE,
    STOPPED,
    TOP,
    WIN,
    Workspace,
    answers,
    enter,
    is_too_deep,
    leaf_value,
    search,
)

PER_TILE, KILLED = 1000.0, 1000.0
MOST_HISTORY = 100_000
RUNNING_VALUE = 2 * WIN  # of `ended` where the game goes on
LATE, VERY_LATE = 3, 10  # moves from which on it looks less deep
MARGIN = 24.0  # divided by the tiles left: what one ply hardly ever adds to the evaluation (99 % of quiet moves)
HOPELESS = 0.5  # of it less for each tile that a move loses
JUDGED_TO = 3  # the depth up to which a position far above the window is taken as it stands


class Removal(NamedTuple):
    """The algorithm as a value."""

    windows: bool = True
    narrows: bool = True


@helper
def ended(state: Tiles) -> float:
    """What a finished game is worth to the player to move; RUNNING_VALUE of one that goes on."""
    if is_empty(state.mine):
        return 0.0 if is_empty(state.theirs) else WIN
    return -WIN if is_empty(state.theirs) else RUNNING_VALUE


@helper
def decided_race(state: Tiles) -> float:
    """Who wins for sure, since the other has more lone tiles than he has tiles: each takes a turn of its owner."""
    near = around(either(state.mine, state.theirs))
    if count(state.mine) <= count(minus(state.theirs, near)):
        return WIN
    return -WIN if count(minus(state.mine, near)) > count(state.theirs) else RUNNING_VALUE


@helper
def list_moves(state: Tiles, ply: int, hint: int, work: Workspace, at: int) -> int:
    """Write the moves that differ, and their scores: those of the mover's tiles that fall, less those of the other."""
    occupied = either(state.mine, state.theirs)
    exposed = around(state.gaps)
    mine, theirs = both(state.mine, exposed), both(state.theirs, exposed)
    lone = minus(state.mine, around(occupied))
    rest = minus(state.mine, lone)
    number = count(rest)
    killers, history, own = work.order.killers, work.order.history, state.player * REMEMBERED
    first, second = killers[2 * ply], killers[2 * ply + 1]
    for index in range(number):
        move = nth_cell(rest, index)
        near = around(single(state.gaps, move))
        score = PER_TILE * (count(both(near, mine)) - count(both(near, theirs))) + history[own + move]
        if move == hint:
            score = FROM_TABLE
        elif move in (first, second):
            score += KILLED
        work.out[at + index], work.chances[at + index] = move, score
    if not is_empty(lone):
        move = nth_cell(lone, 0)
        work.out[at + number] = move
        work.chances[at + number] = FROM_TABLE if hint == move else float(history[own + move])
        number += 1
    return number


@helper
def reward(work: Workspace, who: int, ply: int, depth: int, move: int) -> None:
    """Remember a move that cut; of what was long ago less and less."""
    reward_cut(work.order, who, ply, depth, move)
    history = work.order.history
    if history[who * REMEMBERED + move] > MOST_HISTORY:
        for index in range(2 * REMEMBERED):
            history[index] //= 2


@kernel
def remove(
    state: Tiles,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
    at: int,
) -> float:
    """As `search`, for the player to move."""
    if enter(work):
        return 0.0
    value = ended(state)
    if value != RUNNING_VALUE:
        return value
    if depth <= 0 or is_too_deep(work, at) or ply >= PLIES:
        work.counters[HORIZON] += 1
        return leaf_value(heuristic, state, state.player)
    value = decided_race(state)
    if value != RUNNING_VALUE:
        return value
    who, position, before = state.player, key(state), work.counters[HORIZON]
    known = find(work.table, position) if depth > 1 else NOTHING
    if answers(work, known, depth, alpha, beta):
        return known.value
    limit, margin = 2 * WIN, MARGIN / (count(state.mine) + count(state.theirs))
    if depth <= JUDGED_TO and beta - alpha < 2 * SLICE:
        standing = leaf_value(heuristic, state, who)
        if standing - margin * depth >= beta:
            work.counters[HORIZON] += 1
            return standing
        if depth == 1:
            limit = standing + margin
    number = list_moves(state, ply, move_of(known), work, at)
    end = at + number
    best, best_move, floor = -2 * WIN, NO_MOVE, alpha
    for index in range(at, end):
        bring_best_forward(work, index, end)
        move = work.out[index]
        child = play(state, move)
        late = index - at
        if limit <= alpha and late > 0 and not is_empty(child.theirs):
            lost = count(state.theirs) - count(child.mine) - (count(state.mine) - count(child.theirs) - 1)
            if limit - HOPELESS * margin * max(lost, 0) <= alpha:
                work.counters[HORIZON] += 1
                best = max(best, limit)
                continue
        less = less_deep(depth, late, LATE, VERY_LATE)
        ceiling = beta if index == at else min(beta, floor + SLICE)
        value = -remove(child, heuristic, depth - 1 - less, -ceiling, -floor, work, ply + 1, end)
        if less > 0 and value > floor:
            value = -remove(child, heuristic, depth - 1, -ceiling, -floor, work, ply + 1, end)
        if ceiling <= value < beta:
            value = max(value, -remove(child, heuristic, depth - 1, -beta, -value, work, ply + 1, end))
        if work.counters[STOPPED] != 0:
            return 0.0
        if value > best:
            best, best_move = value, move
        floor = max(floor, best)
        if floor >= beta:
            reward(work, who, ply, depth, move)
            break
    if depth > 1:
        bound = bound_by(best, alpha, beta, 1.0)
        store(work.table, position, depth, bound, best, best_move, work.counters[HORIZON] == before)
    return best


@search.method(Removal)
def _(
    algorithm: Removal,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    if state.player == me:
        return remove(state, heuristic, depth, alpha, beta, work, ply, TOP)
    return -remove(state, heuristic, depth, -beta, -alpha, work, ply, TOP)
