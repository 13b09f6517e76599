"""Proofs in tiles: is a position won, or at least not lost, for the player to move? By search to the end of the game.

Each question has a yes or a no, so every node is cut by the first move that answers it. The value of a position depends
on its connected groups of tiles only, wherever they lie: the key is a sum over groups, each moved into a corner. What
is proven stays true for the whole game, and so does the table.
"""

from typing import Any

import numpy as np

from harena.champions.tiles_search import RUNNING_VALUE, decided_race, ended, list_moves
from harena.contract import DRAW, RUNNING, Moves, moves, outcome, play
from harena.games.tiles import Tiles, around
from harena.kernel.bits import ZERO, integer, lowest, mix
from harena.kernel.boards import FULL, Medium, Small, board_key, both, count, either, is_empty, minus, nth_cell, single
from harena.kernel.compile import kernel
from harena.kernel.generic import generic, helper, routine
from harena.search.principal import bring_best_forward
from harena.search.table import EXACT, NO_MOVE, Entry, Table, find, is_known, store
from harena.search.workspace import NODES, TOP, WIN, Workspace, enter, evaluate

WON, NOT_LOST = 1, 0  # questions: is the value at least this?
YES, NO, STOP = 1, 0, -1
LONE_MINE, LONE_THEIRS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
HALF_BYTES, QUARTERS, EIGHTHS = np.uint64(32), np.uint64(16), np.uint64(8)
FLOOR = 0.02  # the least weight of a reply
FEW = 10  # tiles: with fewer the order of moves is not worth an evaluation
MOST_EFFORT = 2**28


@generic
def cornered(board: Any, group: Any) -> Any:
    """A part of a group as it lies when the group is moved up and to the left as far as it goes."""


@cornered.method(Small, Small)
def _(board: Any, group: Any) -> Any:
    columns = group.a | group.a >> HALF_BYTES
    columns |= columns >> QUARTERS
    columns |= columns >> EIGHTHS
    first = lowest(columns & np.uint64(255))
    return Small(board.a >> np.uint64(lowest(group.a) // 8 * 8 + first))


@cornered.method(Medium, Medium)
def _(board: Any, group: Any) -> Any:
    columns = group.a | group.b
    columns |= columns >> np.uint64(24) | columns >> np.uint64(48)
    columns |= columns >> np.uint64(12)
    first = np.uint64(lowest(columns & np.uint64(4095)))
    below = group.a == ZERO
    rows = np.uint64(lowest(group.b if below else group.a) // 12 * 12)
    upper, lower = (board.b, ZERO) if below else (board.a, board.b)
    moved = upper >> rows
    if rows:
        moved |= (lower << (np.uint64(60) - rows)) & FULL
    return Medium(moved >> first, lower >> rows >> first)


@routine
def shape_key(state: Tiles) -> np.uint64:
    """The same for positions whose groups are the same, wherever they lie."""
    occupied = either(state.mine, state.theirs)
    exposed = around(state.gaps)
    lone = minus(occupied, around(occupied))
    total = np.uint64(count(both(lone, state.mine))) * LONE_MINE
    total += np.uint64(count(both(lone, state.theirs))) * LONE_THEIRS
    rest = minus(occupied, lone)
    while not is_empty(rest):
        group = single(rest, nth_cell(rest, 0))
        wider = both(either(group, around(group)), rest)
        while count(wider) != count(group):
            group = wider
            wider = both(either(group, around(group)), rest)
        mine = board_key(cornered(both(group, state.mine), group))
        theirs = board_key(cornered(both(group, state.theirs), group))
        open_ones = board_key(cornered(both(group, exposed), group))
        total += mix(mix(mine ^ LONE_MINE) + mix(theirs ^ LONE_THEIRS) + open_ones)
        rest = minus(rest, group)
    return mix(total)


@helper
def answer_by(entry: Entry, level: int) -> int:
    """What an entry says to a question: YES, NO or STOP (nothing)."""
    if not is_known(entry):
        return STOP
    bounds = integer(np.uint64(entry.value))  # 3 * low + high, each one more than the value
    if bounds // 3 - 1 >= level:
        return YES
    return NO if bounds % 3 - 1 < level else STOP


@helper
def remember(table: Table, position: np.uint64, level: int, answer: int, effort: int) -> None:
    """Add an answer to what is known; no move, since the groups may lie elsewhere the next time."""
    low, high, before = -1, 1, find(table, position)
    if is_known(before):
        bounds = integer(np.uint64(before.value))
        low, high = bounds // 3 - 1, bounds % 3 - 1
    if answer == YES:
        low = max(low, level)
    else:
        high = min(high, level - 1)
    store(table, position, min(effort, MOST_EFFORT), EXACT, float(3 * (low + 1) + high + 1), NO_MOVE, True)


@helper
def known_of(state: Tiles, level: int, table: Table) -> int:
    """The answer, if it needs no search."""
    value = ended(state)
    if value == RUNNING_VALUE:
        value = decided_race(state)
    if value != RUNNING_VALUE:
        return YES if value >= level * WIN else NO
    return answer_by(find(table, shape_key(state)), level)


@kernel
def settle(state: Tiles, heuristic: Any, level: int, work: Workspace, ply: int, at: int) -> int:
    """YES if the value of a running position for the player to move is at least `level`, else NO; STOP at a limit."""
    if enter(work):
        return STOP
    position, before = shape_key(state), work.counters[NODES]
    end, last = at + list_moves(state, ply, NO_MOVE, work, at), at
    judges = count(state.mine) + count(state.theirs) >= FEW
    answer = NO
    for index in range(at, end):  # what is known already is settled here, the others get a score
        move, score = work.out[index], work.chances[index]
        child = play(state, move)
        known = known_of(child, 1 - level, work.table)
        if known == NO:
            answer = YES
            break
        if known == STOP:
            if judges:
                score = -evaluate(heuristic, child, child.player) - count(child.mine)
            work.out[last], work.chances[last] = move, score
            last += 1
    if answer == NO:
        for index in range(at, last):
            bring_best_forward(work, index, last)
            reply = settle(play(state, work.out[index]), heuristic, 1 - level, work, ply + 1, last)
            if reply == STOP:
                return STOP
            if reply == NO:
                answer = YES
                break
    remember(work.table, position, level, answer, work.counters[NODES] - before)
    return answer


@helper
def answer_of(state: Tiles, heuristic: Any, level: int, work: Workspace, at: int) -> int:
    """As `settle`, also of finished games and of what is known."""
    known = known_of(state, level, work.table)
    return known if known != STOP else settle(state, heuristic, level, work, TOP + 1, at)


@kernel
def settle_moves(state: Tiles, heuristic: Any, root: Moves, low: Moves, high: Moves, work: Workspace) -> bool:
    """Write bounds on the value of each move for the mover; False if a limit came first.

    A won move ends it. Otherwise all moves are known to be drawn or lost.
    """
    for index in range(len(root)):
        answer = answer_of(play(state, root[index]), heuristic, NOT_LOST, work, TOP)
        if answer == STOP:
            return False
        if answer == NO:
            low[index] = 1
            return True
        high[index] = 0
    for index in range(len(root)):
        answer = answer_of(play(state, root[index]), heuristic, WON, work, TOP)
        if answer == STOP:
            return False
        if answer == NO:
            low[index] = 0
        else:
            high[index] = -1
    return True


@kernel
def promise(state: Tiles, move: int, heuristic: Any, work: Workspace, at: int) -> float:
    """The expected score of a move that does not win, 0 to 1, against somebody who errs as the evaluation does.

    What is proven of a position after the reply comes first: won ones count 1, others by what the evaluation hopes for.
    """
    child = play(state, move)
    result = outcome(child).result
    if result != RUNNING:
        return 0.5 if result == DRAW else 0.0
    end = at + moves(child, work.out, at)
    total, weights = 0.0, 0.0
    for index in range(at, end):
        after = play(child, work.out[index])
        hope, score = 0.5, 0.0
        if outcome(after).result == RUNNING:
            hope = 1.0 / (1.0 + np.exp(-evaluate(heuristic, after, after.player)))
        if answer_of(after, heuristic, WON, work, end) == YES:
            score = 1.0
        elif answer_of(after, heuristic, NOT_LOST, work, end) == YES:
            score = 0.25 + 0.5 * hope
        weight = (1.0 - hope) * (1.0 - hope) + FLOOR
        total += weight * score
        weights += weight
    return total / weights
