"""A search of one's own at native speed: `--agent "examples/my_algorithm.py:Forced(free=6, heuristic=improved)"`.

Alpha-beta in which a forced move costs no depth: where a player has only one move, there is nothing to decide. The
algorithm is a value, and its `search` a method chosen by its class; Harena deepens it, times it and lists the root's
moves. See docs/search/own.md; `src/harena/search/alphabeta.py` is the same without the idea.
"""

from typing import NamedTuple

from harena.contract import CHANCE, RUNNING, chances, mover, moves, outcome, play
from harena.kernel.compile import kernel
from harena.search.workspace import HORIZON, THROWN, TOP, WIN, enter, final_value, is_too_deep, leaf_value, search


class Forced(NamedTuple):
    """The algorithm as a value; its fields are the options of the player's text."""

    windows: bool = True  # whether it cuts by alpha and beta
    narrows: bool = False  # whether it can be asked first if a move is better at all; needs a table to be worth it
    free: int = 8  # forced moves on one line that cost nothing


@kernel
def forced(state, me, heuristic, depth, free, alpha, beta, work, at):
    """The value for `me`; `work.out[at:]` is free for the moves of this node."""
    if enter(work):  # counts the node; True once time or nodes are used up: then no value matters any more
        return 0.0
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    who = mover(state)
    if who == CHANCE and not is_too_deep(work, at):
        work.counters[THROWN] = 1  # what is found here is an expectation, and proves nothing
        count, expected = chances(state, work.out, work.chances, at), 0.0
        for index in range(at, at + count):
            child, chance = play(state, work.out[index]), work.chances[index]
            expected += chance * forced(child, me, heuristic, depth, free, -2 * WIN, 2 * WIN, work, at + count)
        return expected
    if depth <= 0 or is_too_deep(work, at):
        work.counters[HORIZON] += 1  # without any of these the whole tree was searched
        return leaf_value(heuristic, state, me)
    count = moves(state, work.out, at)
    is_free = count == 1 and free > 0  # the idea
    best = -2 * WIN if who == me else 2 * WIN
    for index in range(at, at + count):
        child = play(state, work.out[index])
        deep, left = (depth, free - 1) if is_free else (depth - 1, free)
        value = forced(child, me, heuristic, deep, left, alpha, beta, work, at + count)
        if who == me:
            best, alpha = max(best, value), max(alpha, value)
        else:
            best, beta = min(best, value), min(beta, value)
        if alpha >= beta:
            break
    return best


@search.method(Forced)
def _(algorithm, state, me, heuristic, depth, alpha, beta, work, ply):
    return forced(state, me, heuristic, depth, algorithm.free, alpha, beta, work, TOP)
