"""How a champion uses its time: iterative deepening that wastes nothing of what it found.

Beyond `deepening.py`, where only completed depths count: the table is kept from move to move of a game; a depth that
was cut short still counts for the moves that it completed, unless all values are to be of one depth (`full`); a forced
move is played at once; the search ends early when the next depth is out of reach and the move has stood for three
depths; and a second thread may fill the same table from the other end of the list of moves (Lazy SMP). A handicap
makes it weaker on purpose: fewer nodes, and noise on the values of the moves it chooses from.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harena import calls
from harena.contract import Probabilities
from harena.search.deepening import (
    DEEPEST_SEARCH,
    SETTLED,
    Deepening,
    Found,
    room_for,
    search_root,
    why_stopped,
)
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn
from harena.search.table import Table
from harena.search.workspace import HORIZON, NEVER, NEXT_LOOK, NODE_LIMIT, NODES, WIN, Workspace, new_workspace

LATE = 0.6  # the share of the time after which another depth is only begun while the choice wavers
PATIENCE = 1e-3  # seconds for which the other thread is waited for
SPARE, MOST_SPARE = 0.2, 0.015  # the share of the time, and seconds at most, that are left for coming home


@dataclass(frozen=True)
class Handicap:
    """What makes a champion weaker: a bound on its nodes, and noise on the values of its moves."""

    nodes: int | None = None  # in all, but the first depth is completed: it gives every move a value
    noise: float = 0.0  # its spread, in the heuristic's units
    sure: float | None = None  # how much better than all others a sure win seems: noise can hide it; None: it cannot
    width: int | None = None  # it errs among so many of its best moves; None: among all


NO_HANDICAP = Handicap()


@dataclass
class Kept:
    """What is kept from move to move of one game: the table, for whom its values are, and the last result."""

    table: Table | None = None
    me: int = 0
    megabytes: float = 0.0
    last: Result | None = None


@dataclass(frozen=True, kw_only=True)
class Mastery(Deepening):
    """The deepening search of a champion."""

    threads: int = 1
    spare: float = SPARE
    handicap: Handicap = NO_HANDICAP
    kept: Kept = field(default_factory=Kept, init=False, compare=False, repr=False)

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        return self._search(state, self._own(limits), turn)

    def _search(self, state: Any, limits: Limits, turn: Turn) -> Result:
        """As `run`, within limits of its own."""
        begin = time.perf_counter()
        look = calls.look(state)
        out = np.empty(look.max_moves, np.int64)
        root = out[: calls.list_moves(state, out, 0)].copy()
        work = self._workspace(look.mover, look.max_moves, limits, turn)
        if len(root) == 1 and not self.full:
            self.kept.last = only_move(int(root[0]), self.kept.last, turn)
            return self.kept.last
        with self._company(state, root, work, look.max_moves):
            found, stopped = self._deepen(state, root, work, limits, begin)
        if self.handicap.noise:
            found = self._shaken(found, turn)
        self.kept.last = found.result(self.algorithm, state, work, stopped, time.perf_counter() - begin)
        return self.kept.last

    def forget(self) -> None:
        """Give back what was kept for a game."""
        self.kept.table = self.kept.last = None

    def _own(self, limits: Limits) -> Limits:
        """Less time than it is given, since it has to come home too."""
        if limits.seconds is None:
            return limits
        return replace(limits, seconds=limits.seconds - min(self.spare * limits.seconds, MOST_SPARE))

    def _workspace(self, me: int, max_moves: int, limits: Limits, turn: Turn) -> Workspace:
        """New counters, on the table of the move before if the game goes on."""
        deadline = NEVER if limits.seconds is None else int(calls.clock() + limits.seconds * 1e9)
        nodes = NEVER if limits.nodes is None else limits.nodes
        kept, megabytes = self.kept, min(self.megabytes, room_for(limits))
        if self.handicap.nodes is not None:
            megabytes = min(megabytes, room_for(Limits(nodes=self.handicap.nodes)))
        if turn.path is None or kept.table is None or kept.me != me or 2 * kept.megabytes <= megabytes:
            kept.table = None  # given back before another is made
            work = new_workspace(max_moves, nodes=nodes, deadline=deadline, megabytes=megabytes, flag=turn.flag)
            kept.table, kept.me, kept.megabytes = work.table, me, megabytes
            return work
        work = new_workspace(max_moves, nodes=nodes, deadline=deadline, flag=turn.flag)
        return work._replace(table=kept.table)

    def _deepen(self, state: Any, root: Any, work: Workspace, limits: Limits, begin: float) -> tuple[Found, str]:
        """What is known of the moves of the root when the limits end it, and which did."""
        me = calls.look(state).mover
        full = self.full or self.handicap.noise > 0
        found = Found(root=root, values=np.full(len(root), -2 * WIN), exact=np.zeros(len(root), np.bool_))
        names: list[int] = []
        for depth in range(1, min(limits.depth or DEEPEST_SEARCH, DEEPEST_SEARCH) + 1):
            work.counters[HORIZON] = 0
            root, values, exact = found.root, np.zeros(len(root)), np.zeros(len(root), np.bool_)
            done = search_root(self.algorithm, state, me, self.heuristic, depth, work, root, values, exact, full)
            if done < len(root):
                if not (full and found.depth):
                    found = _with_part(found, values, exact, int(done))
                return found, why_stopped(work)
            found = Found(root=root, values=values, exact=exact, depth=depth).sorted()
            names.append(int(found.root[0]))
            if depth == 1 and self.handicap.nodes is not None:
                _restrict(work, self.handicap.nodes)
            if work.counters[HORIZON] == 0:
                return found, "exhausted"
            if abs(found.values[0]) == WIN:
                return found, "decided"
            stands = len(set(names[-SETTLED:])) == 1 and len(names) >= SETTLED
            if limits.seconds and stands and time.perf_counter() - begin > LATE * limits.seconds and not self.full:
                return found, "settled"
        return found, "depth"

    @contextmanager
    def _company(self, state: Any, root: Any, work: Workspace, max_moves: int) -> Iterator[None]:
        """A second thread, if there is to be one, that searches the same position into the same table."""
        if self.threads == 1:
            yield
            return
        flag = np.zeros(1, np.int64)
        own = new_workspace(max_moves, flag=flag)._replace(table=work.table)
        other = threading.Thread(target=self._accompany, args=(state, root.copy(), own), daemon=True)
        other.start()
        try:
            yield
        finally:
            flag[0] = 1
            other.join(PATIENCE)  # on a busy machine it may come late; it writes into the table and nowhere else

    def _accompany(self, state: Any, root: Any, work: Workspace) -> None:
        """Search the moves of the root from the other end, so that what comes last in `_deepen` is known by then."""
        me = calls.look(state).mover
        for depth in range(2, DEEPEST_SEARCH + 1):
            order = from_the_end(len(root))
            values, exact = np.zeros(len(root)), np.zeros(len(root), np.bool_)
            turned = root[order]
            done = search_root(self.algorithm, state, me, self.heuristic, depth, work, turned, values, exact, False)
            if done < len(root):
                return
            back = np.argsort(order)
            root = Found(root=root, values=values[back], exact=exact[back]).sorted().root

    def _shaken(self, found: Found, turn: Turn) -> Found:
        """The moves in the order of their values with noise; what is won or lost for sure stays so, unless hidden."""
        noise = np.random.default_rng([turn.seed % 2**63, turn.ply]).normal(0.0, self.handicap.noise, len(found.root))
        values = found.values if self.handicap.sure is None else _unsure(found.values, self.handicap.sure)
        shaken = np.where(np.abs(values) < WIN, np.clip(values + noise, 1 - WIN, WIN - 1), values)
        shaken[np.argsort(-values, kind="stable")[self.handicap.width or len(values) :]] -= 4 * WIN
        order = np.argsort(-shaken, kind="stable")
        return replace(found, root=found.root[order], values=found.values[order], exact=found.exact[order])


def from_the_end(moves: int) -> NDArray[np.int64]:
    """The order of a second thread: backwards, but the second best first, for the others to be compared with."""
    return np.r_[1:2, moves - 1 : 1 : -1, 0:1][-moves:]


def only_move(move: int, last: Result | None, turn: Turn) -> Result:
    """The answer where there is no other: its value is that of the last result, if that move was played.

    What was won then still is, if nobody but the opponent has moved since; what was lost may have been let slip.
    """
    path = turn.path or ()
    value, proven = None, None
    if last is not None and path[:1] == (last.move,):
        proven = 1 if last.proven == 1 and len(path) <= 2 else None
        is_open = last.value is not None and abs(last.value) < WIN
        value = last.value if is_open or proven is not None else None
    only = RootMove(move=move, value=value, proven=proven)
    return Result(move=move, value=value, line=(move,), root=(only,), proven=proven, stopped="only move")


def _unsure(values: Probabilities, more: float) -> Probabilities:
    """The same values, but what is won or lost for sure is only so much better or worse than all others."""
    others = values[np.abs(values) < WIN]
    best, worst = (float(others.max()), float(others.min())) if len(others) else (0.0, 0.0)
    return np.where(values >= WIN, best + more, np.where(values <= -WIN, worst - more, values))


def _restrict(work: Workspace, nodes: int) -> None:
    """Let it have no more nodes than these, from now on."""
    counters = work.counters
    counters[NODE_LIMIT] = min(counters[NODE_LIMIT], max(nodes, counters[NODES]))
    counters[NEXT_LOOK] = counters[NODES] + 1


def _with_part(before: Found, values: Any, exact: Any, done: int) -> Found:
    """The depth before, with what a cut depth says of the moves that it completed: the best of them comes first.

    The first of them is the best of the depth before, so a move that beats it is the better choice; and if it turned
    out to lose, any that is not known to lose is.
    """
    if not done:
        return before.sorted() if not before.depth else before
    best = int(np.argmax(np.where(exact[:done], values[:done], -3 * WIN)))
    known, sure = before.values.copy(), before.exact.copy()
    is_settled = exact[:done] | (values[:done] == -WIN)  # a bound that cannot be lower
    known[:done] = np.where(is_settled, values[:done], known[:done])
    sure[:done] |= is_settled
    if known[best] == -WIN and np.any(known != -WIN):  # then one of which that is not known
        best = int(np.argmax(known != -WIN))
    order = np.r_[best, np.delete(np.arange(len(known)), best)]
    return replace(before, root=before.root[order], values=known[order], exact=sure[order])
