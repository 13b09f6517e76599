"""Alpha-beta for two knights: principal variations, a table, and what is lost or won within two jumps seen at once.

Values are those of the player to move. WIN and -WIN are always proven, whatever was reduced on the way.
"""

from typing import Any, NamedTuple

import numpy as np

from harena.champions.isolation_evaluation import Domains, Judgement, divided, weighed
from harena.games.isolation import JUMPS, Isolation
from harena.heuristics.separated import longest, most_jumps
from harena.kernel.bits import ONE, ZERO, bit, entry, lowest, mix, popcount
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.deepening import remembered
from harena.search.principal import FROM_TABLE, KILLER, bring_best_forward, reward_cut
from harena.search.table import NO_MOVE, bound_by, depth_of, find, move_of, settles, store
from harena.search.workspace import HORIZON, REMEMBERED, SLICE, STOPPED, TOP, WIN, Workspace, enter, search

UNKNOWN = 2 * WIN  # no value of a position
ROOM = 1e3  # what a jump more or less counts in the order of moves
REMEMBERED_FROM = 2  # the depth from which the table is worth its way
REDUCED_FROM = 3  # the depth from which moves behind the first are first tried one jump less deep
EFFORT_OF_SEARCH = 200  # jumps tried for the longest paths of knights that are apart


class Knights(NamedTuple):
    """The algorithm as a value."""

    windows: bool = True
    narrows: bool = True


class Remembered(NamedTuple):
    """What the table says: a value that counts or UNKNOWN, and the move that was best."""

    value: float
    move: int


@helper
def race(mine: int, theirs: int, ground: Domains, effort: int) -> float:
    """The value of a position in which the knights are apart, or UNKNOWN if it takes more effort."""
    none: Any = np.int64(0)  # a literal would keep `longest` from the disk cache
    mine_at_most, theirs_at_most = most_jumps(mine, ground.mine), most_jumps(theirs, ground.theirs)
    if mine_at_most <= theirs_at_most:
        own = longest(mine, ground.mine, none, none - 1, mine_at_most, effort)
        if own.effort < 0:
            return UNKNOWN
        other = longest(theirs, ground.theirs, none, none - 1, own.jumps, own.effort)
        if other.jumps >= own.jumps:
            return -WIN
        return UNKNOWN if other.effort < 0 else WIN
    other = longest(theirs, ground.theirs, none, none - 1, theirs_at_most, effort)
    if other.effort < 0:
        return UNKNOWN
    own = longest(mine, ground.mine, none, none - 1, other.jumps + 1, other.effort)
    if own.jumps > other.jumps:
        return WIN
    return UNKNOWN if own.effort < 0 else -WIN


@helper
def is_safe(free: np.uint64, target: int, left: np.uint64) -> bool:
    """Whether a jump to a target does not lose at once: `left` are the other's cells then."""
    onward = entry(JUMPS, target) & free
    return onward & (onward - ONE) != ZERO or (onward != ZERO and onward & left == ZERO)


@helper
def list_safe(
    free: np.uint64, targets: np.uint64, replies: np.uint64, hint: int, work: Workspace, ply: int, at: int
) -> int:
    """Write the safe targets with a score each, and return how many there are.

    Jumps that leave me more room than the other come first.
    """
    count, base = at, REMEMBERED * (ply & 1)
    first, second = work.order.killers[2 * ply], work.order.killers[2 * ply + 1]
    while targets:
        target = lowest(targets)
        left = replies & ~bit(target)
        targets &= targets - ONE
        if not is_safe(free, target, left):
            continue
        score = ROOM * (popcount(entry(JUMPS, target) & free) - popcount(left))
        score += float(work.order.history[base + target])
        if target == hint:
            score = FROM_TABLE
        elif target in (first, second):
            score += KILLER
        work.out[count], work.chances[count] = target, score
        count += 1
    return count - at


@helper
def position_key(free: np.uint64, mine: int, theirs: int) -> np.uint64:
    """The table's key."""
    return mix(mix(free) ^ np.uint64(mine << 8 | theirs))


@helper
def recall(work: Workspace, position: np.uint64, depth: int, alpha: float, beta: float) -> Remembered:
    """What the table knows; only what is as deep, or proven, counts."""
    known = find(work.table, position)
    counts = depth_of(known) >= depth or abs(known.value) == WIN
    return Remembered(known.value if counts and settles(known, alpha, beta) else UNKNOWN, move_of(known))


@kernel
def knights(
    free: np.uint64,
    mine: int,
    theirs: int,
    judgement: Judgement,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
    at: int,
) -> float:
    """As `search`, but for the player to move."""
    if enter(work):
        return 0.0
    targets, replies = entry(JUMPS, mine) & free, entry(JUMPS, theirs) & free
    if targets == ZERO or beta <= -WIN:
        return -WIN
    if replies == ZERO or (replies & (replies - ONE) == ZERO and replies & targets) or alpha >= WIN:
        return WIN
    remembers, position, known = depth >= REMEMBERED_FROM, ZERO, Remembered(UNKNOWN, NO_MOVE)
    if remembers:
        position = position_key(free, mine, theirs)
        known = recall(work, position, depth, alpha, beta)
        if known.value != UNKNOWN:
            work.counters[HORIZON] += abs(known.value) != WIN
            return known.value
    count = list_safe(free, targets, replies, known.move, work, ply, at)
    if count == 0:
        return -WIN
    if (count > 1 and depth <= 0) or (remembers and known.move == NO_MOVE):  # a forced move is never the horizon
        ground = divided(free, targets, replies)
        value = race(mine, theirs, ground, EFFORT_OF_SEARCH) if ground.apart else UNKNOWN
        if value != UNKNOWN:
            return value
        if depth <= 0:
            work.counters[HORIZON] += 1
            return weighed(judgement, free, mine, theirs, targets, replies, ground)
    best, best_move, floor = -2 * WIN, NO_MOVE, alpha
    for index in range(at, at + count):
        bring_best_forward(work, index, at + count)
        move = work.out[index]
        rest, end, value = free & ~bit(move), at + count, UNKNOWN
        less = depth - 1 if count > 1 else depth
        if index > at:
            reduced = less - 1 if depth >= REDUCED_FROM else less
            value = -knights(rest, theirs, move, judgement, reduced, -floor - SLICE, -floor, work, ply + 1, end)
            if value > floor and reduced < less:
                value = -knights(rest, theirs, move, judgement, less, -floor - SLICE, -floor, work, ply + 1, end)
        if index == at or floor + SLICE <= value < beta:
            value = -knights(rest, theirs, move, judgement, less, -beta, -floor, work, ply + 1, end)
        if work.counters[STOPPED] != 0:
            return 0.0
        if value > best:
            best, best_move, floor = value, move, max(floor, value)
            if floor >= beta:
                reward_cut(work.order, ply & 1, ply, depth, move)
                break
    if remembers:
        bound = bound_by(best, alpha, beta, 1.0)
        store(work.table, position, depth, bound, best, best_move, abs(best) == WIN)
    return best


@remembered.method(Knights, Isolation)
def _(algorithm: Knights, state: Isolation, work: Workspace) -> int:
    return move_of(find(work.table, position_key(~state.blocked, state.mine, state.theirs)))


@search.method(Knights, Isolation)
def _(
    algorithm: Knights,
    state: Isolation,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    free, mine, theirs = ~state.blocked, state.mine, state.theirs
    if state.player == me:
        return knights(free, mine, theirs, heuristic, depth, alpha, beta, work, ply, TOP)
    return -knights(free, mine, theirs, heuristic, depth, -beta, -alpha, work, ply, TOP)
