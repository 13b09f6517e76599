"""Alpha-beta, depth-limited: the value of minimax with fewer nodes.

Source: Knuth & Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975), in its fail-soft form. At
chance nodes nothing is pruned: see `expectiminimax` for that.
"""

from typing import Any, NamedTuple

from harena.contract import CHANCE, RUNNING, chances, mover, moves, outcome, play
from harena.kernel.compile import kernel
from harena.search.workspace import (
    HORIZON,
    THROWN,
    TOP,
    WIN,
    Workspace,
    enter,
    final_value,
    is_too_deep,
    leaf_value,
    search,
    snapped,
)


class AlphaBeta(NamedTuple):
    """The algorithm as a value."""

    windows: bool = True  # whether it cuts by alpha and beta
    narrows: bool = False  # whether it is first asked if a move is better at all


@kernel
def alphabeta(
    state: Any, me: int, heuristic: Any, depth: int, alpha: float, beta: float, work: Workspace, at: int
) -> float:
    """As `search`, with the value of `minimax`."""
    if enter(work):
        return 0.0
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    who = mover(state)
    if who == CHANCE and not is_too_deep(work, at):
        work.counters[THROWN] = 1
        count = chances(state, work.out, work.chances, at)
        expected = 0.0
        for index in range(at, at + count):
            child = play(state, work.out[index])
            expected += work.chances[index] * alphabeta(
                child, me, heuristic, depth, -2 * WIN, 2 * WIN, work, at + count
            )
        return snapped(expected)
    if depth == 0 or is_too_deep(work, at):
        work.counters[HORIZON] += 1
        return leaf_value(heuristic, state, me)
    count = moves(state, work.out, at)
    best = -2 * WIN if who == me else 2 * WIN
    for index in range(at, at + count):
        value = alphabeta(play(state, work.out[index]), me, heuristic, depth - 1, alpha, beta, work, at + count)
        if who == me:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best


@search.method(AlphaBeta)
def _(
    algorithm: AlphaBeta,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    return alphabeta(state, me, heuristic, depth, alpha, beta, work, TOP)
