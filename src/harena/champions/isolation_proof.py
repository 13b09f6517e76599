"""Who wins, by proof numbers: how many positions would have to be decided at least to show it, either way.

Source: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002), with thresholds that grow by
half (after Pawlewicz & Lew, 2007). Numbers begin with the cells that each player reaches in one jump, times those in
two, so lines that leave a knight little room are looked at first: on 7x7 that is about three times faster than ones.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.champions.isolation_evaluation import divided
from harena.champions.isolation_search import UNKNOWN, is_safe, position_key, race
from harena.games.isolation import JUMPS, Isolation
from harena.heuristics.separated import jumps_from
from harena.kernel.bits import ONE, ZERO, bit, entry, integer, lowest, popcount
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.search.workspace import NODES, STOPPED, Workspace, enter

SURE = 2**28 - 1  # the number of what cannot be shown
LINE = 8  # words: four entries of a key and a note
EFFORT_OF_PROOF = 2_000  # jumps tried for the longest paths of knights that are apart


class Numbers(NamedTuple):
    """To win: positions that have to be won to show that the player to move wins. To lose: likewise."""

    win: int
    lose: int


class Notes(NamedTuple):
    """The table: lines of four entries, each a key and a note (numbers, and the logarithm of the work behind them)."""

    words: NDArray[np.uint64]


def new_notes(megabytes: float) -> Notes:
    """The largest table that fits."""
    words = LINE
    while 2 * words * 8 <= megabytes * 2**20:
        words *= 2
    return Notes(np.zeros(words, np.uint64))


@helper
def key_of(free: np.uint64, mine: int, theirs: int) -> np.uint64:
    """Of the free cells and where the knights stand; never 0, which means an empty entry."""
    return position_key(free, mine, theirs) | ONE


@helper
def noted(notes: Notes, key: np.uint64) -> np.uint64:
    """The note of a key, or 0."""
    place = integer((key >> np.uint64(8)) & np.uint64(len(notes.words) - LINE))
    for index in range(place, place + LINE, 2):
        if notes.words[index] == key:
            return notes.words[index + 1]
    return ZERO


@helper
def note(notes: Notes, key: np.uint64, win: int, lose: int, effort: int) -> None:
    """Write the numbers of a key in the place of its old ones, or of those with the least work behind them."""
    place = integer((key >> np.uint64(8)) & np.uint64(len(notes.words) - LINE))
    size = 1
    while effort > 1:
        effort >>= 1
        size += 1
    least, chosen = np.uint64(2**63), place
    for index in range(place, place + LINE, 2):
        if notes.words[index] == key or notes.words[index] == ZERO:
            chosen = index
            break
        behind = notes.words[index + 1] >> np.uint64(56)
        if behind < least:
            least, chosen = behind, index
    notes.words[chosen] = key
    notes.words[chosen + 1] = np.uint64(win) | np.uint64(lose) << np.uint64(28) | np.uint64(size) << np.uint64(56)


@helper
def begun(free: np.uint64, mine: int, theirs: int) -> Numbers:
    """The numbers of a position that was not looked at: who wins at once, or how many moves there are."""
    targets, replies = entry(JUMPS, mine) & free, entry(JUMPS, theirs) & free
    if targets == ZERO:
        return Numbers(SURE, 0)
    if replies == ZERO or (replies & (replies - ONE) == ZERO and replies & targets):
        return Numbers(0, SURE)
    safe, rest = 0, targets
    while rest:
        target = lowest(rest)
        rest &= rest - ONE
        safe += is_safe(free, target, replies & ~bit(target))
    if safe == 0:
        return Numbers(SURE, 0)
    room, other_room = popcount(jumps_from(targets) & free), popcount(jumps_from(replies) & free)
    return Numbers(popcount(replies) * other_room, safe * room)


@helper
def numbers_of(notes: Notes, free: np.uint64, mine: int, theirs: int) -> Numbers:
    """What is known of a position."""
    found = noted(notes, key_of(free, mine, theirs))
    if found == ZERO:
        return begun(free, mine, theirs)
    return Numbers(integer(found & np.uint64(SURE)), integer((found >> np.uint64(28)) & np.uint64(SURE)))


@helper
def settled(free: np.uint64, mine: int, theirs: int) -> Numbers:
    """The numbers of a position in which the knights are apart, or (1, 1)."""
    targets, replies = entry(JUMPS, mine) & free, entry(JUMPS, theirs) & free
    ground = divided(free, targets, replies)
    if ground.apart:
        value = race(mine, theirs, ground, EFFORT_OF_PROOF)
        if value != UNKNOWN:
            return Numbers(0, SURE) if value > 0 else Numbers(SURE, 0)
    return Numbers(1, 1)


@kernel
def look_for_proof(
    free: np.uint64, mine: int, theirs: int, most_win: int, most_lose: int, notes: Notes, work: Workspace
) -> int:
    """Work on a position until one of its numbers reaches its bound; returns 0 (its numbers are in the table)."""
    if enter(work):
        return 0
    begin = work.counters[NODES]
    key = key_of(free, mine, theirs)
    if noted(notes, key) == ZERO:
        at_once = settled(free, mine, theirs)
        if at_once.win == 0 or at_once.lose == 0:
            note(notes, key, at_once.win, at_once.lose, 1)
            return 0
    while True:
        win, second, lose = SURE, SURE, 0
        best, best_numbers = -1, Numbers(0, 0)
        targets = entry(JUMPS, mine) & free
        while targets:
            move = lowest(targets)
            targets &= targets - ONE
            numbers = numbers_of(notes, free & ~bit(move), theirs, move)
            lose = SURE if numbers.win >= SURE else min(lose + numbers.win, SURE - 1) if lose < SURE else SURE
            if numbers.lose < win or best < 0:
                win, second, best, best_numbers = numbers.lose, win, move, numbers
            elif numbers.lose < second:
                second = numbers.lose
        if win == 0:
            lose = SURE
        if win >= SURE:
            lose = 0
        if win >= most_win or lose >= most_lose or win == 0 or lose == 0:
            note(notes, key, win, lose, work.counters[NODES] - begin)
            return 0
        bound_lose = min(most_win, max(second + 1, second + second // 2))
        bound_win = min(most_lose - lose + best_numbers.win, SURE)
        look_for_proof(free & ~bit(best), theirs, best, bound_win, bound_lose, notes, work)
        if work.counters[STOPPED] != 0:
            return 0


@kernel
def proof_of(state: Isolation, notes: Notes, work: Workspace) -> int:
    """1 if the player to move is proven to win, -1 if to lose, 0 if the search had to stop before."""
    free = ~state.blocked
    all_of_them: Any = np.int64(SURE)  # a literal would keep the kernel from the disk cache
    look_for_proof(free, state.mine, state.theirs, all_of_them, all_of_them, notes, work)
    numbers = numbers_of(notes, free, state.mine, state.theirs)
    return 1 if numbers.win == 0 else (-1 if numbers.lose == 0 else 0)


@kernel
def winning_move(state: Isolation, notes: Notes) -> int:
    """A move after which the other is known to lose, or -1."""
    free = ~state.blocked
    targets = entry(JUMPS, state.mine) & free
    while targets:
        move = lowest(targets)
        targets &= targets - ONE
        rest = free & ~bit(move)
        if numbers_of(notes, rest, state.theirs, move).lose == 0 or settled(rest, state.theirs, move).lose == 0:
            return move
    return -1
