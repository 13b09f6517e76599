"""The solver: what is proven of a position (`prove.py`), of each of its moves, and a line of best play.

The root is asked two questions, each with its window: "better than a draw?" (0, 1) and "better than a loss?" (-1, 0).
"""

import time
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from harena import calls
from harena.contract import CHANCE, RUNNING, SECOND, without_points
from harena.kernel.values import coerce
from harena.search.deepening import room_for, why_stopped
from harena.search.prove import LONGEST, TOO_LONG, NoShortcut, decided, prove, whole
from harena.search.result import Limits, RootMove
from harena.search.workspace import NEVER, NODES, STOPPED, THROWN, Workspace, new_workspace

MARGIN = 1e-9  # values that differ by less are the same
QUESTIONS = ((0.0, 1.0), (-1.0, 0.0))
NO_SHORTCUT = NoShortcut()
SMALL_TABLE, FEW_NODES = 8.0, 200_000


@dataclass(frozen=True, kw_only=True)
class Solution:
    """What was proven: values are those of the player to move, or of player 1 at a chance node."""

    value: float | None = None  # 1 won, 0 drawn, -1 lost; an expectation where chance plays; None: not proven
    low: float = -1.0
    high: float = 1.0
    line: tuple[int, ...] = ()  # moves that keep the value, to the end, a chance node or the limit
    positions: int = 0
    root: tuple[RootMove, ...] = ()  # those moves of which something is known; "=" and `proven` if all is
    seconds: float = 0.0
    stopped: str = ""  # "proven", "over" (nothing to do), "seconds", "nodes", "interrupted" or "too long"


@dataclass
class Branch:
    """A move of the root, the state after it, and what is proven of that state for the player with this sign."""

    move: int
    state: Any
    sign: float
    share: float = 1.0  # its probability at a chance node
    low: float = -1.0
    high: float = 1.0

    def ask(self, rule: Any, alpha: float, beta: float, work: Workspace) -> None:
        """Learn the value if it lies in the window, else on which side; nothing once the search had to stop."""
        alpha, beta = max(alpha, self.low), min(beta, self.high)
        if alpha >= beta:
            return
        low, high = (alpha, beta) if self.sign > 0 else (-beta, -alpha)
        value = self.sign * prove(self.state, rule, low, high, work, 1, 0) + 0.0  # no negative zero
        if work.counters[STOPPED] != 0:
            return
        if value < beta:
            self.high = max(value, self.low)
        if value > alpha:
            self.low = min(value, self.high)

    def known(self, chanced: bool) -> RootMove | None:
        """As a value for the caller, or None if nothing is known."""
        if self.low == self.high:
            sure = not chanced or abs(self.low) == 1.0
            return RootMove(move=self.move, value=self.low, proven=int(self.low) if sure else None)
        if self.high < 1.0:
            return RootMove(move=self.move, value=self.high, bound="<=")
        return RootMove(move=self.move, value=self.low, bound=">=") if self.low > -1.0 else None


def branches(state: Any) -> list[Branch]:
    """All moves of a running state, those that leave the fewest replies first."""
    look = calls.look(state)
    sign = -1.0 if look.mover == SECOND else 1.0
    out, shares = np.zeros(look.max_moves, np.int64), np.ones(look.max_moves)
    is_chance = look.mover == CHANCE
    count = calls.list_chances(state, out, shares) if is_chance else calls.list_moves(state, out, 0)
    made = [
        Branch(move, coerce(calls.step(state, move)), sign, share)
        for move, share in zip(out[:count].tolist(), shares[:count].tolist(), strict=True)
    ]
    return sorted(made, key=lambda branch: _replies(branch.state))


def _replies(state: Any) -> int:
    look = calls.look(state)
    return int(calls.list_moves(state, np.zeros(look.max_moves, np.int64), 0)) if look.result == RUNNING else 0


@dataclass(frozen=True)
class Solver:
    """The prover with its shortcut, the size of its table, and whether every move of the root is to be settled."""

    shortcut: Any = NO_SHORTCUT
    megabytes: float = 256.0
    complete: bool = False

    def run(self, value: Any, limits: Limits, *, flag: Any = None) -> Solution:
        """Prove the value of any state; limits of seconds and nodes count.

        A small table is tried first: most positions need no more, and the memory of a large one is dear to fetch.
        """
        if self.megabytes <= SMALL_TABLE or (limits.nodes or NEVER) <= FEW_NODES:
            return self.attempt(value, limits, flag=flag)
        found = replace(self, megabytes=SMALL_TABLE).attempt(value, replace(limits, nodes=FEW_NODES), flag=flag)
        if found.stopped != "nodes":
            return found
        seconds = None if limits.seconds is None else max(limits.seconds - found.seconds, 1e-3)
        nodes = None if limits.nodes is None else limits.nodes - FEW_NODES
        rest = self.attempt(value, Limits(seconds=seconds, nodes=nodes), flag=flag)
        return replace(rest, seconds=rest.seconds + found.seconds, positions=rest.positions + found.positions)

    def attempt(self, value: Any, limits: Limits, *, flag: Any = None) -> Solution:
        """The same with this table from the start."""
        begin = time.perf_counter()
        look = calls.look(value)
        if look.result != RUNNING:
            end = decided(without_points(look.result)) * (-1.0 if look.mover == SECOND else 1.0) + 0.0
            return Solution(value=end, low=end, high=end, stopped="over")
        work = self.workspace(look.max_moves, limits, flag)
        root = branches(value)
        if look.mover == CHANCE:
            work.counters[THROWN] = 1
            for branch in root:
                branch.ask(self.shortcut, -1.0, 1.0, work)
            low, high = (
                whole(sum(one.share * end for one, end in zip(root, ends, strict=True))) for ends in _ends(root)
            )
        else:
            for floor, ceiling in QUESTIONS:
                for branch in root:
                    branch.ask(self.shortcut, max(floor, *_ends(root)[0]), ceiling, work)
            for branch, question in product(root if self.complete else [], QUESTIONS):
                branch.ask(self.shortcut, *question, work)
            low, high = map(max, _ends(root))
        known = [one for one in (branch.known(work.counters[THROWN] != 0) for branch in root) if one is not None]
        stopped = "proven" if low == high else self.why(work)
        line = self.line(root, low, work) if low == high and look.mover != CHANCE else []
        return Solution(
            value=low if low == high else None,
            low=low,
            high=high,
            line=tuple(line),
            positions=int(work.counters[NODES]),
            root=tuple(sorted(known, key=lambda one: (-(one.value or 0.0), one.bound != "="))),
            seconds=time.perf_counter() - begin,
            stopped=stopped,
        )

    def workspace(self, max_moves: int, limits: Limits, flag: Any) -> Workspace:
        """Room for the longest game."""
        deadline = NEVER if limits.seconds is None else int(calls.clock() + limits.seconds * 1e9)
        nodes = NEVER if limits.nodes is None else limits.nodes
        work = new_workspace(
            max_moves, nodes=nodes, deadline=deadline, megabytes=min(self.megabytes, room_for(limits)), flag=flag
        )
        room = max_moves * (LONGEST + 2)
        return work._replace(out=np.zeros(room, np.int64), chances=np.zeros(room, np.float64))

    def line(self, options: list[Branch], value: float, work: Workspace) -> list[int]:
        """Moves that keep a proven value, from a state with these options on."""
        line: list[int] = []
        while True:
            for branch in options:
                branch.ask(self.shortcut, value - 2 * MARGIN, value - MARGIN, work)
                if branch.low >= value - MARGIN:
                    break
            else:
                return line
            line.append(branch.move)
            look = calls.look(branch.state)
            if look.result != RUNNING or look.mover == CHANCE:
                return line
            options = branches(branch.state)
            value *= branch.sign * options[0].sign

    def why(self, work: Workspace) -> str:
        """Why it ended."""
        return "too long" if work.counters[STOPPED] == TOO_LONG else why_stopped(work)


def _ends(root: list[Branch]) -> tuple[list[float], list[float]]:
    return [branch.low for branch in root], [branch.high for branch in root]
