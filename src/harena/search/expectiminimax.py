"""Expectiminimax with alpha-beta bounds at chance nodes: Star1 and Star2.

Source: B. Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence 21
(1983); T. Hauk, M. Buro, J. Schaeffer, "Rediscovering *-minimax search" (2004). Values lie between -WIN and WIN, so an
average is bounded before all its parts are known. Star2 first looks at a single reply to each outcome, which bounds
that outcome from one side, before it searches any of them in full.
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

PLAIN, STAR1, STAR2 = 0, 1, 2


class Expectiminimax(NamedTuple):
    """The algorithm as a value."""

    star: int = STAR2  # how chance nodes are cut
    windows: bool = True  # whether it cuts by alpha and beta
    narrows: bool = False  # whether it is first asked if a move is better at all


@kernel
def expectiminimax(
    state: Any, me: int, heuristic: Any, depth: int, alpha: float, beta: float, star: int, work: Workspace, at: int
) -> float:
    """As `search`, with the value of `minimax`.

    `star` chooses how chance nodes are cut: PLAIN not at all, STAR1 by the bounds of what is left, STAR2 by probing.
    """
    if enter(work):
        return 0.0
    end = outcome(state)
    if end.result != RUNNING:
        return final_value(end, me)
    who = mover(state)
    if is_too_deep(work, at) or (depth == 0 and who != CHANCE):
        work.counters[HORIZON] += 1
        return leaf_value(heuristic, state, me)
    if who != CHANCE:
        count = moves(state, work.out, at)
        best = -2 * WIN if who == me else 2 * WIN
        for index in range(at, at + count):
            child = play(state, work.out[index])
            value = expectiminimax(child, me, heuristic, depth - 1, alpha, beta, star, work, at + count)
            if who == me:
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best
    # A chance node. Each outcome's value lies between lows[index] and highs[index], the average between low and high.
    work.counters[THROWN] = 1
    count = chances(state, work.out, work.chances, at)
    share, lows, highs = work.chances[at:], work.chances[at + count :], work.chances[at + 2 * count :]
    behind = at + 3 * count
    low, high = -WIN, WIN
    if star != PLAIN and (high <= alpha or low >= beta):  # nothing can lie inside the window
        return high if high <= alpha else low
    for index in range(count):
        lows[index], highs[index] = -WIN, WIN
    if star == STAR2 and depth > 0:
        for index in range(count):
            child = play(state, work.out[at + index])
            if outcome(child).result == RUNNING and mover(child) != CHANCE:
                moves(child, work.out, behind)
                reply = play(child, work.out[behind])
                if mover(child) == me:  # any reply is a lower bound
                    ceiling = lows[index] + (beta - low) / share[index]
                    value = expectiminimax(
                        reply, me, heuristic, depth - 1, lows[index], min(ceiling, WIN), star, work, behind
                    )
                    low += share[index] * (value - lows[index])
                    lows[index] = value
                else:  # any reply is an upper bound
                    floor = highs[index] - (high - alpha) / share[index]
                    value = expectiminimax(
                        reply, me, heuristic, depth - 1, max(floor, -WIN), highs[index], star, work, behind
                    )
                    high += share[index] * (value - highs[index])
                    highs[index] = value
                if low >= beta:
                    return low
                if high <= alpha:
                    return high
    expected = 0.0
    for index in range(count):
        floor, ceiling = -2 * WIN, 2 * WIN
        if star != PLAIN:
            floor = highs[index] - (high - alpha) / share[index]
            ceiling = lows[index] + (beta - low) / share[index]
        child = play(state, work.out[at + index])
        if lows[index] >= highs[index]:  # the probe has told all
            value = lows[index]
        else:
            value = expectiminimax(
                child, me, heuristic, depth, max(floor, lows[index]), min(ceiling, highs[index]), star, work, behind
            )
        low += share[index] * (value - lows[index])
        high += share[index] * (value - highs[index])
        if star != PLAIN and high <= alpha:
            return snapped(high)  # the average cannot come above alpha any more
        if star != PLAIN and low >= beta:
            return snapped(low)  # nor below beta
        expected += share[index] * value
    return snapped(expected)


@search.method(Expectiminimax)
def _(
    algorithm: Expectiminimax,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    return expectiminimax(state, me, heuristic, depth, alpha, beta, algorithm.star, work, TOP)
