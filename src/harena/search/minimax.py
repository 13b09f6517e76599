"""Minimax, depth-limited; expectation at chance nodes, so that it is expectiminimax in games with dice.

Source: Russell & Norvig, Artificial Intelligence, "minimax search" and "stochastic games". The plain text that every
other search is compared with in the tests.
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


class Minimax(NamedTuple):
    """The algorithm as a value."""

    windows: bool = False  # whether it cuts by alpha and beta
    narrows: bool = False  # whether it is first asked if a move is better at all


@kernel
def minimax(state: Any, me: int, heuristic: Any, depth: int, work: Workspace, at: int) -> float:
    """The value of a state for `me` when both play best for `depth` more decisions and the heuristic judges then.

    Depth counts the decisions of players: a throw that is in the air always lands.
    """
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
            expected += work.chances[index] * minimax(child, me, heuristic, depth, work, at + count)
        return snapped(expected)
    if depth == 0 or is_too_deep(work, at):
        work.counters[HORIZON] += 1
        return leaf_value(heuristic, state, me)
    count = moves(state, work.out, at)
    best = -2 * WIN if who == me else 2 * WIN
    for index in range(at, at + count):
        value = minimax(play(state, work.out[index]), me, heuristic, depth - 1, work, at + count)
        best = max(best, value) if who == me else min(best, value)
    return best


@search.method(Minimax)
def _(
    algorithm: Minimax,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    return minimax(state, me, heuristic, depth, work, TOP)
