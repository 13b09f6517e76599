"""Games of Trap! inside one kernel, for the programs beside this one: by nodes, from starts that both seats repeat."""

from typing import Any, NamedTuple

import numpy as np

from harena.champions.trap_evaluation import Odds
from harena.champions.trap_search import Means, Turns, exits_of, identity, turn_value
from harena.games.trap import HALF_TURNS, HITS, NEIGHBOURS, SQUARES
from harena.kernel.bits import ZERO, bit, entry, integer, nth, popcount
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.kernel.rng import Rng, below
from harena.search.table import find, is_known, move_of
from harena.search.workspace import NEXT_LOOK, NODE_LIMIT, NODES, STOPPED, Workspace, new_workspace

DEEPEST, LONGEST = 20, HALF_TURNS
LEAST_NODES = 400  # more than the first depth takes
SEEN = 5  # numbers recorded of a position: blocked cells, the mover's cell, the other's, the mover's engine, its value
MILLION = 1_000_000  # of such parts of a value, from -1 on, is the value recorded


class Engine(NamedTuple):
    """One of the two players of a game."""

    style: Turns
    odds: Odds
    nodes: int
    work: Workspace


def engine(odds: Odds, nodes: int, style: Turns | None = None, megabytes: float = 8.0) -> Engine:
    """With a workspace of its own."""
    return Engine(style or Turns(), odds, nodes, new_workspace(64, megabytes=megabytes))


@helper
def landing(mine: int, theirs: int, target: int, board: np.uint64, rng: Rng) -> int:
    """Where a throw lands."""
    if below(rng, 20) < integer(entry(HITS, mine << 6 | target)):
        return target
    cells = entry(NEIGHBOURS, target) & board & ~(bit(mine) | bit(theirs))
    return nth(cells, below(rng, popcount(cells)))


@helper
def think(one: Engine, board: np.uint64, blocked: np.uint64, mine: int, theirs: int, left: int) -> tuple[int, float]:
    """The best pair by deepening within the nodes, and its value."""
    counters, means = one.work.counters, Means(one.style, one.odds, board, one.work)
    counters[NODES], counters[STOPPED], counters[NODE_LIMIT], counters[NEXT_LOOK] = 0, 0, one.nodes, 1
    position, pair, value = identity(blocked, mine, theirs, left), -1, 0.0
    for depth in range(1, DEEPEST + 1):
        turn_value(means, blocked, mine, theirs, left, depth, -2.0, 2.0, np.int64(0))
        if counters[STOPPED] != 0 and depth > 1:
            break
        known = find(one.work.table, position)
        if is_known(known):
            pair, value = move_of(known), known.value
    return pair, value


@kernel
def game(one: Engine, other: Engine, size: int, randoms: int, seat: int, start: Rng, rng: Rng, record: Any) -> int:
    """Play a game in which the first engine has this seat, after so many random half-turns (from `start`).

    Returns 1000 * (0 or 1, the engine that won, or 2) + the number of positions in `record`.
    """
    board = entry(SQUARES, size)
    blocked, mine, theirs = ~board, size // 2, 8 * (size - 1) + size // 2
    recorded, turn = 0, seat  # whose turn it is: 0 the first engine's
    for half in range(HALF_TURNS):
        walks = exits_of(blocked, mine, theirs)
        if walks == ZERO:
            return (1 - turn) * 1000 + recorded
        dice = start if half < randoms else rng
        if half < randoms:
            walk = nth(walks, below(start, popcount(walks)))
            free = ~(blocked | bit(walk) | bit(theirs))
            target = nth(free, below(start, popcount(free)))
        else:
            record[recorded, 0], record[recorded, 1] = blocked, np.uint64(mine)
            record[recorded, 2], record[recorded, 3] = np.uint64(theirs), np.uint64(turn)
            chosen = one if turn == 0 else other
            pair, value = think(chosen, board, blocked, mine, theirs, HALF_TURNS - half)
            walk, target = pair >> 6, pair & 63
            record[recorded, 4] = np.uint64((value + 1.0) * MILLION)
            recorded += 1
        if exits_of(blocked, theirs, walk) == ZERO:
            return turn * 1000 + recorded
        if walk == target:
            traps = blocked & board
            beside = traps & entry(NEIGHBOURS, walk)
            target = nth(beside if beside else traps, 0) if traps else nth(exits_of(blocked, theirs, walk), 0)
        blocked |= bit(landing(walk, theirs, target, board, dice))
        if exits_of(blocked, theirs, walk) == ZERO:
            return turn * 1000 + recorded
        mine, theirs, turn = theirs, walk, 1 - turn
    return 2000 + recorded
