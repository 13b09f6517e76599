"""What a running search works with: its counters, its scratch space, and the moment it has to stop.

A kernel calls `enter` once a node; it counts, and every few hundred nodes looks at the clock and at the stop flag. Once
it says stop, every value still on its way up is worthless and the callers drop it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.contract import DRAW, Outcome
from harena.kernel.clock import nanoseconds
from harena.kernel.generic import generic, helper
from harena.search.table import Entry, Table, depth_of, is_complete, is_known, new_table, settles

NODES, NODE_LIMIT, NEXT_LOOK, DEADLINE, STOPPED, HORIZON, THROWN = 0, 1, 2, 3, 4, 5, 6  # 7 is the solver's
LAST_PLACE, LAST_LOOK, INTERVAL = 8, 9, 10
LOOK_EVERY = 256  # nodes between two looks at the clock, at most
SOON, LATE = (
    200_000,
    2_000_000,
)  # nanoseconds: looks that are closer than the one are rarer, farther than the other oftener
NEVER = 2**62
REMEMBERED = 1024  # moves told apart by history
DEEPEST = 100  # nodes with all their moves that a path has room for; beyond it the heuristic judges
PLIES = 500  # and so it does below so many

TOP: Any = np.int64(0)  # where a search begins to use `out`: a literal 0 would make code that cannot be kept on disk
ROUNDING = 1e-6
SLICE = 1e-6  # the width of a null window; any will do, since what falls inside is exact
WIN = 10_000.0  # of a game that is won; every heuristic stays below it


class Ordering(NamedTuple):
    """What earlier nodes teach about the order of moves."""

    killers: NDArray[np.int64]  # two a ply: the last moves that cut there
    history: NDArray[np.int64]  # for each player and move: how much it has cut


class Workspace(NamedTuple):
    """Arrays that live as long as one search; the last two serve only the searches that learn from earlier nodes."""

    counters: NDArray[
        np.int64
    ]  # NODES ... HORIZON (leaves that the heuristic judged), THROWN (whether chance moves) ...
    flag: NDArray[np.int64]  # not 0: stop, set from another thread
    out: NDArray[np.int64]  # moves of the nodes on the path, one after the other
    chances: NDArray[
        np.float64
    ]  # beside `out`: probabilities and bounds at chance nodes, scores for ordering elsewhere
    table: Table
    order: Ordering


@generic
def search(
    algorithm: Any,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    """The value of a state for `me`, by this algorithm, when `depth` more decisions are looked ahead.

    With v that value: v itself if alpha < v < beta, else a bound r with v <= r <= alpha or beta <= r <= v.
    """


@generic
def evaluate(heuristic: Any, state: Any, me: int) -> float:
    """How good a running state is for the player `me`, between -WIN and WIN."""


@generic
def foresees_win(heuristic: Any, state: Any) -> bool:
    """Whether the mover of a running state surely wins, as far as the heuristic knows without a search."""


@foresees_win.method()
def _(heuristic: Any, state: Any) -> bool:
    return False


@helper
def final_value(end: Outcome, me: int) -> float:
    """The value of a finished game for `me`."""
    if end.result == DRAW:
        return 0.0
    return WIN if end.result == me else -WIN


@helper
def enter(work: Workspace) -> bool:
    """Count a node; True when the search has to stop."""
    counters = work.counters
    if counters[STOPPED] != 0:
        return True
    counters[NODES] += 1
    if counters[NODES] >= counters[NEXT_LOOK]:
        now = nanoseconds()
        if now - counters[LAST_LOOK] > LATE:  # a heuristic in plain Python, perhaps
            counters[INTERVAL] = max(1, counters[INTERVAL] // 8)
        elif now - counters[LAST_LOOK] < SOON:
            counters[INTERVAL] = min(LOOK_EVERY, counters[INTERVAL] * 2)
        counters[LAST_LOOK] = now
        counters[NEXT_LOOK] = min(counters[NODES] + counters[INTERVAL], max(counters[NODES], counters[NODE_LIMIT]) + 1)
        if counters[NODES] > counters[NODE_LIMIT] or now > counters[DEADLINE] or work.flag[0] != 0:
            counters[STOPPED] = 1
    return counters[STOPPED] != 0


@helper
def answers(work: Workspace, known: Entry, depth: int, alpha: float, beta: float) -> bool:
    """Whether what the table knows stands for a search to this depth; if a heuristic had a say in it, that is noted."""
    counts = depth_of(known) >= depth or is_complete(known) or abs(known.value) == WIN
    if not (is_known(known) and counts and settles(known, alpha, beta)):
        return False
    work.counters[HORIZON] += not is_complete(known)
    return True


@helper
def leaf_value(heuristic: Any, state: Any, me: int) -> float:
    """What the heuristic says of a running state, less than a win and more than a loss whatever it says."""
    value = evaluate(heuristic, state, me)
    if not abs(value) < WIN:  # nor a number at all
        return 0.0 if value != value else (WIN - 1.0 if value > 0.0 else 1.0 - WIN)  # noqa: PLR0124
    return value


@helper
def snapped(value: float) -> float:
    """A sum of probabilities; a certain win or loss if all but its rounding errors is."""
    return WIN if value > WIN - ROUNDING else (-WIN if value < ROUNDING - WIN else value)


@helper
def is_too_deep(work: Workspace, at: int) -> bool:
    """Whether there is no room for another node's moves on the path."""
    return at > work.counters[LAST_PLACE]


def new_workspace(
    max_moves: int, *, nodes: int = NEVER, deadline: int = NEVER, megabytes: float = 0.0, flag: Any = None
) -> Workspace:
    """A workspace for a game with at most so many moves, the limits of one search, and a table of this size."""
    counters = np.zeros(16, np.int64)
    counters[NODE_LIMIT], counters[DEADLINE] = nodes, deadline
    counters[NEXT_LOOK], counters[INTERVAL] = 1, 1
    room = 3 * (max_moves + 1) * DEEPEST
    counters[LAST_PLACE] = room - 3 * (max_moves + 1)
    order = Ordering(np.full(2 * PLIES + 2, -1, np.int64), np.zeros(2 * REMEMBERED, np.int64))
    flag = np.zeros(1, np.int64) if flag is None else flag
    out, chances = np.zeros(room, np.int64), np.zeros(room, np.float64)
    return Workspace(counters, flag, out, chances, new_table(megabytes), order)
