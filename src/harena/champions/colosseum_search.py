"""The champion's search of colosseum: principal variation search that looks less deep where little is to be expected.

A board has a hundred moves and more, and most of them are hardly worth a thought. In each inner node the moves that
were good elsewhere go first; if none of them is good enough, all others are judged as they stand and follow in that
order: late ones are searched less deep at first, and those that fall short by more than a margin not at all. A loss is
only said to be one when every move was searched, so what is proven stays proven. Values are seen by the player to move.
"""

from typing import Any, NamedTuple

from harena.contract import key, moves, outcome, play
from harena.games.colosseum import Colosseum
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.principal import best_leaf, bring_best_forward, judge, less_deep, reward_cut
from harena.search.table import NO_MOVE, bound_by, find, move_of, store
from harena.search.workspace import (
    HORIZON,
    PLIES,
    SLICE,
    STOPPED,
    TOP,
    WIN,
    Workspace,
    answers,
    enter,
    final_value,
    foresees_win,
    is_too_deep,
    leaf_value,
    search,
)

MARGIN, MARGIN_A_PLY = 0.5, 0.2  # by which a move may fall short, in the units of the evaluation: a cell is 0.1
LATE, VERY_LATE = 10, 30  # moves from which on it looks less deep


class Enclosure(NamedTuple):
    """The algorithm as a value."""

    windows: bool = True
    narrows: bool = True


@helper
def bring_known_forward(work: Workspace, ply: int, hint: int, at: int, end: int) -> int:
    """The table's move and the last two that cut at this ply go first, where they are legal; returns where they end."""
    out, killers = work.out, work.order.killers
    place = at
    for number in range(3):
        wanted = hint if number == 0 else killers[2 * ply + number - 1]
        for index in range(place, end):
            if out[index] == wanted:
                out[index], out[place] = out[place], wanted
                place += 1
                break
    return place


@helper
def score_by_judgement(state: Colosseum, heuristic: Any, work: Workspace, at: int, end: int) -> bool:
    """Write beside each move what the state after it is worth as it stands; False if the search has to stop."""
    for index in range(at, end):
        if enter(work):
            return False
        child = play(state, work.out[index])
        if child.separated:
            work.chances[index] = final_value(outcome(child), state.player)
        else:
            work.chances[index] = leaf_value(heuristic, child, state.player)
    return True


@kernel
def enclose(
    state: Colosseum,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
    at: int,
) -> float:
    """As `search`, for the player to move, but for the moves that are left out."""
    if enter(work):
        return 0.0
    who, counters = state.player, work.counters
    if state.separated:
        return final_value(outcome(state), who)
    if depth <= 0 or is_too_deep(work, at) or ply >= PLIES:
        return judge(counters, state, who, heuristic, alpha, beta)
    if depth == 1:
        return best_leaf(state, who, heuristic, 1.0, alpha, beta, work, ply, at)
    position, before = key(state), counters[HORIZON]
    known = find(work.table, position)
    if answers(work, known, depth, alpha, beta):
        return known.value
    if foresees_win(heuristic, state):
        return WIN
    end = at + moves(state, work.out, at)
    judged = bring_known_forward(work, ply, move_of(known), at, end)
    margin = MARGIN + MARGIN_A_PLY * (depth - 1)
    best, best_move, floor = -2 * WIN, NO_MOVE, alpha
    for index in range(at, end):
        if index == judged and not score_by_judgement(state, heuristic, work, judged, end):
            return 0.0
        if index >= judged:
            bring_best_forward(work, index, end)
            hoped_for = work.chances[index] + margin
            if hoped_for <= floor and best > -WIN:  # while all lose, none is left out: then the loss is proven
                counters[HORIZON] += 1
                best = max(best, hoped_for)
                break
        child, less = play(state, work.out[index]), less_deep(depth, index - at, LATE, VERY_LATE)
        ceiling = beta if index == at else min(beta, floor + SLICE)
        value = -enclose(child, heuristic, depth - 1 - less, -ceiling, -floor, work, ply + 1, end)
        if less > 0 and value > floor:
            value = -enclose(child, heuristic, depth - 1, -ceiling, -floor, work, ply + 1, end)
        if ceiling <= value < beta:
            value = max(value, -enclose(child, heuristic, depth - 1, -beta, -value, work, ply + 1, end))
        if counters[STOPPED] != 0:
            return 0.0
        if value > best:
            best, best_move = value, work.out[index]
        floor = max(floor, best)
        if floor >= beta:
            reward_cut(work.order, who, ply, depth, best_move)
            break
    store(work.table, position, depth, bound_by(best, alpha, beta, 1.0), best, best_move, counters[HORIZON] == before)
    return best


@search.method(Enclosure)
def _(
    algorithm: Enclosure,
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
        return enclose(state, heuristic, depth, alpha, beta, work, ply, TOP)
    return -enclose(state, heuristic, depth, -beta, -alpha, work, ply, TOP)
