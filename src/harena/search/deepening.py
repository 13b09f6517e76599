"""Iterative deepening: depth 1, 2, 3 ... until a limit; only completed depths count.

Source: Slate & Atkin, "Chess 4.5" (1977). It stops early when the tree is exhausted (no leaf was judged by the
heuristic), when the game is decided, and, if `settled` is set, when the last three depths name the same move.
"""

import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from harena import calls
from harena.contract import CHANCE, RUNNING, Moves, Probabilities, key, mover, outcome, play
from harena.kernel.compile import kernel
from harena.kernel.generic import generic
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn
from harena.search.table import NO_MOVE, find, move_of
from harena.search.workspace import (
    DEEPEST,
    HORIZON,
    NEVER,
    NODE_LIMIT,
    NODES,
    SLICE,
    STOPPED,
    THROWN,
    WIN,
    Workspace,
    new_workspace,
    search,
)

DEEPEST_SEARCH = 60
SETTLED = 3


@kernel
def search_root(
    algorithm: Any,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    work: Workspace,
    root: Moves,
    values: Probabilities,
    exact: NDArray[np.bool_],
    full: bool,
) -> int:
    """Search each move of `root` in turn; write its value for `me`, and whether it is exact or only an upper bound.

    With `full` every value is exact; otherwise only those of moves that were the best so far, and after one that wins
    the others are not looked at, unless the algorithm does without windows. Returns how many moves it was done with
    before it had to stop.
    """
    best = -2 * WIN
    for index in range(len(root)):
        child = play(state, root[index])
        floor = -2 * WIN if full else best
        ceiling = floor + SLICE if algorithm.narrows and index > 0 and not full else 2 * WIN
        value = search(algorithm, child, me, heuristic, depth - 1, floor, ceiling, work, 1)
        if ceiling < 2 * WIN and value >= ceiling:
            value = max(value, search(algorithm, child, me, heuristic, depth - 1, value, 2 * WIN, work, 1))
        if work.counters[STOPPED] != 0:
            return index
        values[index] = value
        exact[index] = full or index == 0 or value > best or not algorithm.windows
        best = max(best, value)
        if best >= WIN and algorithm.windows and not full:
            values[index + 1 :] = -2 * WIN  # not known
            break
    return len(root)


@generic
def remembered(algorithm: Any, state: Any, work: Workspace) -> int:
    """The best move of a state, as far as the table knows it, or NO_MOVE."""


@remembered.method()
def _(algorithm: Any, state: Any, work: Workspace) -> int:
    return move_of(find(work.table, key(state)))


@kernel
def follow(algorithm: Any, state: Any, move: int, work: Workspace, line: Moves) -> int:
    """Write the line of best moves that the table knows after a move; at a chance node it ends."""
    length = 0
    while length < len(line):
        line[length] = move
        length += 1
        state = play(state, move)
        if outcome(state).result != RUNNING or mover(state) == CHANCE:
            break
        move = remembered(algorithm, state, work)
        if move == NO_MOVE:
            break
    return length


@dataclass(frozen=True, kw_only=True)
class Found:
    """The moves of the root after a completed depth (0: none was), with what is known of each."""

    root: Moves
    values: Probabilities
    exact: NDArray[np.bool_]
    depth: int = 0

    def sorted(self) -> "Found":
        """The best first; equal ones keep the order of the depth before: a lost game is lost as late as possible."""
        order = np.lexsort((np.arange(len(self.root)), ~self.exact, -self.values))
        return replace(self, root=self.root[order], values=self.values[order], exact=self.exact[order])

    def result(self, algorithm: Any, state: Any, work: Workspace, stopped: str, seconds: float) -> Result:
        """As a value for the caller."""
        line = np.empty(DEEPEST, np.int64)
        length = follow(algorithm, state, self.root[0], work, line)
        known, exact = self.values > -2 * WIN, self.exact | (self.values == -WIN)  # a bound that cannot be lower
        is_sure = stopped == "exhausted" and work.counters[THROWN] == 0  # no heuristic and no dice
        root = [
            RootMove(
                move=int(move),
                value=float(value) if is_known else None,
                bound="=" if is_exact else "<=",
                proven=proven(float(value), is_sure) if is_exact else None,
            )
            for move, value, is_exact, is_known in zip(self.root, self.values, exact, known, strict=True)
        ]
        return Result(
            move=root[0].move,
            value=root[0].value,
            depth=self.depth,
            nodes=int(work.counters[NODES]),
            seconds=seconds,
            line=tuple(line[:length].tolist()),
            root=tuple(root),
            proven=root[0].proven if self.values[0] == self.values.max() else None,  # else chosen by noise
            stopped=stopped,
        )


def proven(value: float, is_sure: bool) -> int | None:
    """1 or -1 for the value of a decided game; 0 for a draw, if no heuristic and no dice had a say; else None."""
    return int(value / WIN) if abs(value) == WIN or (is_sure and value == 0.0) else None


def why_stopped(work: Workspace) -> str:
    """Which limit it was."""
    if work.flag[0]:
        return "interrupted"
    return "nodes" if work.counters[NODES] > work.counters[NODE_LIMIT] else "seconds"


def room_for(limits: Limits) -> float:
    """Megabytes of table that a search can fill: fresh memory is dear, and a short search has no use for more."""
    by_nodes = NEVER if limits.nodes is None else limits.nodes * 32e-6
    by_seconds = NEVER if limits.seconds is None else limits.seconds * 128
    return max(1.0, min(by_nodes, by_seconds))


@dataclass(frozen=True, kw_only=True)
class Deepening:
    """A search that deepens: the algorithm for each depth, the heuristic at its horizon, and when to be content."""

    bounded_by: ClassVar[tuple[str, ...]] = ("seconds", "nodes", "depth")
    algorithm: Any
    heuristic: Any
    fixed: bool = False  # only the limit's depth, without the ones before it; where there is none it deepens
    settled: bool = False  # stop when three depths in a row name the same move
    full: bool = False  # the exact value of every move of the root, not only of the best
    megabytes: float = 32.0  # for the table, where the algorithm has one

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        begin = time.perf_counter()
        deadline = NEVER if limits.seconds is None else int(calls.clock() + limits.seconds * 1e9)
        me, _, _, _, bound = calls.look(state)
        nodes = NEVER if limits.nodes is None else limits.nodes
        megabytes = min(self.megabytes, room_for(limits)) if self.algorithm.narrows else 0.0
        work = new_workspace(bound, nodes=nodes, deadline=deadline, megabytes=megabytes, flag=turn.flag)
        out = np.empty(bound, np.int64)
        root = out[: calls.list_moves(state, out, 0)].copy()
        deepest = min(limits.depth or DEEPEST_SEARCH, DEEPEST_SEARCH)
        stopped = "depth"
        names: list[int] = []
        for depth in range(deepest if self.fixed and limits.depth else 1, deepest + 1):
            work.counters[HORIZON] = 0
            values, exact = np.zeros(len(root)), np.zeros(len(root), np.bool_)
            done = search_root(self.algorithm, state, me, self.heuristic, depth, work, root, values, exact, self.full)
            if done < len(root):
                stopped = why_stopped(work)
                if not names:  # not even the first depth: what is known of it is all there is
                    found = Found(
                        root=root, values=np.where(np.arange(len(root)) < done, values, -2 * WIN), exact=exact
                    )
                    found = found.sorted()
                break
            found = Found(root=root, values=values, exact=exact, depth=depth).sorted()
            root = found.root
            names.append(int(root[0]))
            if work.counters[HORIZON] == 0:
                stopped = "exhausted"
                break
            if abs(found.values[0]) == WIN:
                stopped = "decided"
                break
            if self.settled and len(names) >= SETTLED and len(set(names[-SETTLED:])) == 1:
                stopped = "settled"
                break
        return found.result(self.algorithm, state, work, stopped, time.perf_counter() - begin)
