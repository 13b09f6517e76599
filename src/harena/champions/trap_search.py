"""The search of Trap!'s champion: a half-turn, a walk with a throw, is one step of it.

All pairs of a walk and a cell aimed at are judged by the evaluation first; that is their order and, at the horizon,
their value. A throw that hits is searched on, while what its misses are worth is judged at once: so the window of the
hit is known, and no chance node needs a search of its own. Only for the throw that is decided at the root misses are
searched too.

    a value   -1 lost .. 1 won, for whoever is to walk; the evaluation stays within +-JUDGED, beyond it is decided
    a pair    64 * walk + target; a target that is the walk itself stands for a throw without effect
"""

from typing import NamedTuple

import numpy as np

from harena.champions.trap_evaluation import JUDGED, Odds, expected, spread
from harena.contract import key
from harena.games.trap import AIM, AIM_AT, HALF_TURNS, HITS, NEIGHBOURS, SQUARES, WALK, Trap
from harena.kernel.bits import ONE, ZERO, bit, entry, integer, lowest, mix, popcount
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.table import EXACT, NO_MOVE, bound_by, depth_of, find, move_of, settles, store
from harena.search.workspace import HORIZON, SLICE, STOPPED, TOP, WIN, Workspace, enter, search

LATER = 1e-4  # by so much a loss is better for every half-turn that it takes
SOON_OVER = 40  # half-turns before the draw from which on their number tells positions apart
FOREVER = 999  # the depth of what is decided
MOST_PAIRS = 8 * 48  # walks times cells
FROM_TABLE = 10.0  # added to the score of the pair that the table knows
DOUBT = 0.3  # how far the judgement of misses is expected to be off


class Turns(NamedTuple):
    """The algorithm as a value, with how it prunes."""

    windows: bool = True
    narrows: bool = True
    width: int = 24  # pairs of a half-turn that are searched
    reduced_from: int = 4  # pairs from this one on are first searched a half-turn less
    reduced_depth: int = 3  # where so many half-turns are left


class Means(NamedTuple):
    """What a search works with."""

    style: Turns
    odds: Odds
    board: np.uint64  # all its cells
    work: Workspace


@helper
def identity(blocked: np.uint64, mine: int, theirs: int, left: int) -> np.uint64:
    """The key of a position before a walk, with `left` half-turns to the draw."""
    return mix(mix(blocked) ^ np.uint64(mine | theirs << 6 | min(left, SOON_OVER) << 12))


@helper
def exits_of(blocked: np.uint64, cell: int, other: int) -> np.uint64:
    """The free neighbours of a player on a cell, the other player standing on the other."""
    return entry(NEIGHBOURS, cell) & ~(blocked | bit(other))


@helper
def chance_of_hit(mine: int, target: int) -> float:
    """Of a throw."""
    return integer(entry(HITS, mine << 6 | target)) * 0.05


@helper
def misses_of(board: np.uint64, mine: int, theirs: int, target: int) -> np.uint64:
    """Where a throw at a target may land when it misses."""
    return entry(NEIGHBOURS, target) & board & ~(bit(mine) | bit(theirs))


@helper
def judged_miss(means: Means, blocked: np.uint64, mine: int, theirs: int, target: int) -> float:
    """What a throw of the player on `mine` that misses is worth to him, by the evaluation."""
    cells = misses_of(means.board, mine, theirs, target)
    number, wasted = popcount(cells), popcount(cells & blocked)
    total = -wasted * expected(means.odds, blocked, theirs, mine) if wasted > 0 else 0.0
    cells &= ~blocked
    while cells:
        after = blocked | cells & (~cells + ONE)
        cells &= cells - ONE
        if exits_of(after, theirs, mine) == ZERO:
            total += 1.0
        else:
            total -= expected(means.odds, after, theirs, mine)
    return total / number


@helper
def list_throws(
    means: Means, blocked: np.uint64, walk: int, theirs: int, targets: np.uint64, enough: float, at: int
) -> int:
    """Write the pairs of a walk and each target, and one without effect, with their scores; return how many.

    It ends with a pair whose score is enough.
    """
    out, scores = means.work.out, means.work.chances
    exits = exits_of(blocked, theirs, walk)
    waste = -expected(means.odds, blocked, theirs, walk)
    out[at], scores[at] = walk << 6 | walk, waste
    count = 1
    while targets and scores[at + count - 1] < enough:
        target = lowest(targets)
        targets &= targets - ONE
        share, hit = chance_of_hit(walk, target), 1.0
        if exits != bit(target):
            if enter(means.work):
                break
            hit = -expected(means.odds, blocked | bit(target), theirs, walk)
        out[at + count], scores[at + count] = walk << 6 | target, share * hit + (1.0 - share) * waste
        count += 1
    return count


@helper
def list_pairs(means: Means, blocked: np.uint64, mine: int, theirs: int, depth: int, beta: float, at: int) -> int:
    """Write the pairs that are worth a thought, with their scores; return how many, or 0 after a walk that wins.

    In the last half-turn throws are at neighbours of the opponent, and the list ends with a pair that is good enough.
    """
    walks, count = exits_of(blocked, mine, theirs), 0
    enough = beta if depth == 1 else 2.0
    while walks and (count == 0 or means.work.chances[at + count - 1] < enough):
        walk = lowest(walks)
        walks &= walks - ONE
        targets = exits_of(blocked, theirs, walk)
        if targets == ZERO:
            means.work.out[at] = walk << 6 | walk
            return 0
        if depth > 1:
            targets = spread(targets) & ~(blocked | bit(walk) | bit(theirs))
        count += list_throws(means, blocked, walk, theirs, targets, enough, at + count)
    return count


@helper
def bring_best(work: Workspace, index: int, end: int) -> int:
    """Swap the pair with the highest score among those from `index` on to `index`, and return it."""
    out, scores = work.out, work.chances
    top = index
    for other in range(index + 1, end):
        if scores[other] > scores[top]:
            top = other
    out[index], out[top] = out[top], out[index]
    scores[index], scores[top] = scores[top], scores[index]
    return out[index]


@kernel
def turn_value(
    means: Means,
    blocked: np.uint64,
    mine: int,
    theirs: int,
    left: int,
    depth: int,
    alpha: float,
    beta: float,
    at: int,
) -> float:
    """The value of a position for the player on `mine`, who is to walk and can, `depth` half-turns ahead.

    It is a bound if it is not between alpha and beta, and worthless once the search had to stop.
    """
    work, table, style = means.work, means.work.table, means.style
    if enter(work) or left <= 0:
        return 0.0
    if depth <= 0 or at + MOST_PAIRS > len(work.out):
        return expected(means.odds, blocked, mine, theirs)
    position = identity(blocked, mine, theirs, left)
    known = find(table, position)
    if depth_of(known) >= depth and settles(known, alpha, beta):
        return known.value
    hint = move_of(known)
    count = list_pairs(means, blocked, mine, theirs, depth, beta, at)
    if count == 0:
        store(table, position, FOREVER, EXACT, 1.0, work.out[at], True)
        return 1.0
    for index in range(at, at + count):
        if work.out[index] == hint and depth > 1:
            work.chances[index] += FROM_TABLE
    best, best_move, floor = -2.0, NO_MOVE, alpha
    for number in range(min(count, style.width)):
        move = bring_best(work, at + number, at + count)
        if depth == 1:
            best, best_move = work.chances[at], move
            break
        walk, target = move >> 6, move & 63
        after, share, rest = blocked, 1.0, 0.0
        if walk != target:
            after, share = blocked | bit(target), chance_of_hit(walk, target)
            if share < 1.0:
                rest = (1.0 - share) * judged_miss(means, blocked, walk, theirs, target)
        low, high = (floor - rest) / share, (beta - rest) / share
        value = 1.0
        if high <= -1.0:
            value = -1.0
        elif low < 1.0 and exits_of(after, theirs, walk) != ZERO:
            ceiling = high if number == 0 else min(high, low + SLICE)
            less = 1 if depth >= style.reduced_depth and number >= style.reduced_from else 0
            behind = at + count
            value = -turn_value(means, after, theirs, walk, left - 1, depth - 1 - less, -ceiling, -low, behind)
            if less > 0 and value > low:
                value = -turn_value(means, after, theirs, walk, left - 1, depth - 1, -ceiling, -low, behind)
            if ceiling <= value < high:
                value = -turn_value(means, after, theirs, walk, left - 1, depth - 1, -high, -low, behind)
        value = share * value + rest
        if work.counters[STOPPED] != 0:
            return 0.0
        if value > best:
            best, best_move = value, move
        floor = max(floor, best)
        if floor >= beta:
            break
    if work.counters[STOPPED] != 0:
        return 0.0
    if best < -JUDGED:
        best += LATER
    bound = bound_by(best, alpha, beta, 1.0)
    store(table, position, depth, bound, best, best_move, False)
    return best


@helper
def landed(means: Means, state: Trap, cell: int, depth: int, alpha: float, beta: float, at: int) -> float:
    """The value for the thrower when his throw lands on a cell, `depth` half-turns ahead."""
    blocked, left = state.blocked | bit(cell), HALF_TURNS - 1 - state.half_turns
    if exits_of(blocked, state.theirs, state.mine) == ZERO:
        return 1.0
    return -turn_value(means, blocked, state.theirs, state.mine, left, depth, -beta, -alpha, at)


@kernel
def throw_value(
    means: Means, state: Trap, target: int, depth: int, alpha: float, beta: float, exact: bool, at: int
) -> float:
    """The value for the thrower of a throw at a target: the hit is searched `depth` half-turns ahead.

    Misses are judged; if `exact`, and they might matter, they are searched too, two half-turns less deep.
    """
    share, rest, doubt = chance_of_hit(state.mine, target), 0.0, 0.0
    if share < 1.0:
        rest = (1.0 - share) * judged_miss(means, state.blocked, state.mine, state.theirs, target)
        doubt = DOUBT * (1.0 - share) if exact else 0.0
    low, high = (alpha - doubt - rest) / share, (beta + doubt - rest) / share
    if low >= 1.0 or high <= -1.0:
        return share + rest if low >= 1.0 else rest - share
    hit = landed(means, state, target, depth, low, high, at)
    if doubt == 0.0 or hit <= low or hit >= high:
        return share * hit + rest
    cells, rest = misses_of(means.board, state.mine, state.theirs, target), 0.0
    each = (1.0 - share) / popcount(cells)
    while cells:
        rest += each * landed(means, state, lowest(cells), depth - 2, -2.0, 2.0, at)
        cells &= cells - ONE
    return share * hit + rest


@kernel
def aim_value(means: Means, state: Trap, depth: int, alpha: float, beta: float) -> float:
    """The value of a position for the player who is to throw: the best of all that may matter."""
    work, style = means.work, means.style
    exits = exits_of(state.blocked, state.theirs, state.mine)
    if exits == ZERO:
        return 1.0
    free = ~(state.blocked | bit(state.mine) | bit(state.theirs))
    targets = spread(spread(exits) & free) & free
    count = list_throws(means, state.blocked, state.mine, state.theirs, targets, 2.0, 0)
    left, best, best_target, floor = HALF_TURNS - 1 - state.half_turns, -2.0, state.mine, alpha
    for index in range(count):
        target = bring_best(work, index, count) & 63
        if target == state.mine:  # without effect
            value = -turn_value(means, state.blocked, state.theirs, state.mine, left, depth, -beta, -floor, count)
        else:
            ceiling = beta if index == 0 else min(beta, floor + SLICE)
            less = 1 if index >= style.reduced_from and depth > 1 else 0
            value = throw_value(means, state, target, depth - less, floor, ceiling, False, count)
            if less > 0 and value > floor:
                value = throw_value(means, state, target, depth, floor, ceiling, False, count)
            if ceiling <= value < beta:
                value = throw_value(means, state, target, depth, floor, beta, False, count)
        if work.counters[STOPPED] != 0:
            return 0.0
        if value > best:
            best, best_target = value, target
        floor = max(floor, best)
        if floor >= beta:
            break
    move = NO_MOVE if best_target == state.mine else AIM_AT + best_target
    store(work.table, key(state), depth, bound_by(best, alpha, beta, 1.0), best, move, False)  # for the line only
    return best


@helper
def root_value(means: Means, state: Trap, me: int, depth: int, alpha: float, beta: float) -> float:
    """As `search`: the value of a state at any stage, for a player, in the units of a win."""
    work, style = means.work, means.style
    sign = WIN if state.player == me else -WIN
    low, high = (alpha / WIN, beta / WIN) if state.player == me else (-beta / WIN, -alpha / WIN)
    if state.stage == WALK:
        left = HALF_TURNS - state.half_turns
        value = turn_value(means, state.blocked, state.mine, state.theirs, left, depth, low, high, TOP)
    elif state.stage == AIM:
        value = aim_value(means, state, depth, low, high)
    else:
        value = low
        if high - low < 2 * SLICE and depth >= style.reduced_depth:  # one of many: a shallow look first
            value = throw_value(means, state, state.target, depth - 1, low, high, True, TOP)
        if value >= low:
            value = throw_value(means, state, state.target, depth, low, high, True, TOP)
    if abs(value) < 1.0:
        work.counters[HORIZON] += 1
    return sign * value


@search.method(Turns, Trap, None, Odds)
def _(
    algorithm: Turns,
    state: Trap,
    me: int,
    heuristic: Odds,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    means = Means(algorithm, heuristic, entry(SQUARES, state.size), work)
    return root_value(means, state, me, depth, alpha, beta)
