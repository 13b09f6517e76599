"""What to play where a loss is proven: lines on which somebody who looks only a few jumps ahead goes wrong.

Against the best reply all moves of a lost position are alike. So the replies are taken to be those of players who look
3, 5, 7 or 9 jumps ahead and count moves, and a line counts if it leads to a win that is proven. Nothing is risked: who
plays better than that wins anyway.
"""

from typing import Any, NamedTuple

import numpy as np

from harena.champions.isolation_proof import SURE, Notes, look_for_proof, numbers_of
from harena.contract import Moves, Probabilities
from harena.games.isolation import JUMPS, Isolation
from harena.kernel.bits import ONE, ZERO, bit, entry, lowest, popcount
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.workspace import NEXT_LOOK, NODE_LIMIT, NODES, STOPPED, Workspace, enter

ENDED = 1000  # the value of a finished game, beside counts of moves
SHALLOWEST, DEEPEST = 3, 9
MORE_JUMPS = 2  # of mine after the first, at most
BUDGET = 400  # positions for the proof at the end of a line


class Reply(NamedTuple):
    """What a player who looks so far ahead would answer, and its value for him."""

    move: int
    value: int


@kernel
def count_ahead(free: np.uint64, mine: int, theirs: int, depth: int, alpha: int, beta: int, work: Workspace) -> int:
    """My moves less the other's after so many jumps of best play, for the player to move."""
    if enter(work):
        return 0
    targets = entry(JUMPS, mine) & free
    if targets == ZERO:
        return -ENDED
    if depth <= 0:
        return popcount(targets) - popcount(entry(JUMPS, theirs) & free)
    best = -2 * ENDED
    while targets and best < beta:
        move = lowest(targets)
        targets &= targets - ONE
        value = -count_ahead(free & ~bit(move), theirs, move, depth - 1, -beta, -max(alpha, best), work)
        best = max(best, value)
    return best


@helper
def expected_reply(free: np.uint64, mine: int, theirs: int, depth: int, work: Workspace) -> Reply:
    """The reply of a player who looks so many jumps ahead; the first of equals; there is a move."""
    targets = entry(JUMPS, mine) & free
    best, chosen = -2 * ENDED, 0
    while targets:
        move = lowest(targets)
        targets &= targets - ONE
        value = -count_ahead(free & ~bit(move), theirs, move, depth - 1, -2 * ENDED, -best, work)
        if value > best:
            best, chosen = value, move
    return Reply(chosen, best)


@helper
def is_won(free: np.uint64, mine: int, theirs: int, budget: int, notes: Notes, work: Workspace) -> bool:
    """Whether so much work proves that the player to move wins."""
    counters = work.counters
    most: Any = np.int64(SURE)  # a literal would keep the kernel from the disk cache
    begin, limit = counters[NODES], counters[NODE_LIMIT]
    counters[NODE_LIMIT], counters[NEXT_LOOK] = min(limit, begin + budget), begin
    look_for_proof(free, mine, theirs, most, most, notes, work)
    if counters[NODES] <= limit:  # only its own budget was used up; the clock is looked at again at once
        counters[STOPPED] = 0
    counters[NODE_LIMIT], counters[NEXT_LOOK] = limit, counters[NODES]
    return numbers_of(notes, free, mine, theirs).win == 0


@kernel
def leads_to_win(
    free: np.uint64, mine: int, theirs: int, depth: int, more: int, budget: int, notes: Notes, work: Workspace
) -> bool:
    """Whether the player who has just jumped to `theirs` can win against such a player, who is to move."""
    if entry(JUMPS, mine) & free == ZERO:
        return True
    reply = expected_reply(free, mine, theirs, depth, work)
    if reply.value >= ENDED or enter(work):
        return False
    free &= ~bit(reply.move)
    if is_won(free, theirs, reply.move, budget, notes, work):
        return True
    targets = entry(JUMPS, theirs) & free
    while targets and more > 0 and work.counters[STOPPED] == 0:
        move = lowest(targets)
        targets &= targets - ONE
        if leads_to_win(free & ~bit(move), reply.move, move, depth, more - 1, budget, notes, work):
            return True
    return False


@kernel
def count_traps(
    state: Isolation, more: int, budget: int, notes: Notes, work: Workspace, root: Moves, found: Probabilities
) -> bool:
    """Add to each move of the root the depths of the players who lose after it within so many more jumps of mine.

    Who looks deeper falls for less, and counts more. False if it had to stop.
    """
    for index in range(len(root)):
        free = ~state.blocked & ~bit(root[index])
        for depth in range(SHALLOWEST, DEEPEST + 1, 2):
            if leads_to_win(free, state.theirs, root[index], depth, more, budget, notes, work):
                found[index] += depth
            if work.counters[STOPPED] != 0:
                return False
    return True


def traps(
    state: Isolation, root: Moves, notes: Notes, work: Workspace, *, most: int = MORE_JUMPS, budget: int = BUDGET
) -> Probabilities:
    """How good each move is as a trap, 0 for none: what is found with fewer jumps counts more."""
    total = np.zeros(len(root))
    for more in range(most + 1):
        found = np.zeros(len(root))
        is_complete = count_traps(state, more, budget, notes, work, root, found)
        total += found / (more + 1)
        if not is_complete:
            break
    return total
