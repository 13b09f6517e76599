"""How isolation's champion finds its move: by symmetry or what is solved, then a proof, then a search, then traps.

Proof numbers decide a position long before alpha-beta does, and say nothing about one that they do not decide. Who is
hunted has lost against best play from almost every opening, so he lives on what others overlook.
"""

import time
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np

from harena import calls
from harena.champions.isolation_openings import is_hunter, opening, solved
from harena.champions.isolation_proof import Notes, new_notes, proof_of, winning_move
from harena.champions.isolation_symmetry import is_mirrored, mirroring_move
from harena.champions.isolation_traps import traps
from harena.games.isolation import NOWHERE, Isolation, targets
from harena.search.mastery import MOST_SPARE, SPARE, Mastery, only_move
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn
from harena.search.workspace import NEVER, NODES, STOPPED, WIN, Workspace, new_workspace

MEGABYTES_A_NODE = 64e-6
PROOF_OF_HUNTER, PROOF_OF_HUNTED = 0.6, 0.3  # the share of the limits after which proofs end
SEARCH_OF_LOSER = 0.6  # and after which the search does where a loss is proven: the rest is for traps


@dataclass
class Kept:
    """What is kept from move to move of one game: the table of proofs, and the last result."""

    notes: Notes | None = None
    megabytes: float = 0.0
    last: Result | None = None


@dataclass(frozen=True, kw_only=True)
class Master:
    """The champion: the search that it falls back on, and the memory for proofs."""

    bounded_by: ClassVar[tuple[str, ...]] = ("seconds", "nodes", "depth")
    search: Mastery
    megabytes: float = 16.0
    kept: Kept = field(default_factory=Kept, init=False, compare=False, repr=False)

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        begin = time.perf_counter()
        load()
        found, openings = self._answer(state, Budget(limits, turn, begin)), solved(state.rows, state.columns)
        if found.proven is None and (is_mirrored(state) or (openings is not None and openings.is_lost(state))):
            found = lost(found)
        self.kept.last = found
        return found

    def _answer(self, state: Isolation, budget: "Budget") -> Result:
        limits, turn, begin = budget.limits, budget.turn, budget.begin
        openings = solved(state.rows, state.columns)
        known = mirroring_move(state)
        if known is None and openings is not None:
            known = openings.move(state)
        if known is not None:
            return won(known)
        is_placed = NOWHERE not in (state.mine, state.theirs)
        if is_placed and int(targets(state)).bit_count() == 1:
            return only_move(int(targets(state)).bit_length() - 1, self.kept.last, turn)
        if not is_placed or not (limits.seconds or limits.nodes):
            return self.search.run(state, budget.rest(1.0), turn)
        notes = self.notes(limits, turn)
        work = budget.work(PROOF_OF_HUNTER if is_hunter(state) else PROOF_OF_HUNTED)
        verdict = int(proof_of(state, notes, work))
        budget.nodes += int(work.counters[NODES])
        move = int(winning_move(state, notes)) if verdict > 0 else -1
        if move >= 0:
            return replace(won(move), nodes=budget.nodes, seconds=time.perf_counter() - begin)
        found = self.search.run(state, budget.rest(SEARCH_OF_LOSER if verdict < 0 else 1.0), turn)
        budget.nodes += found.nodes
        if verdict < 0 or found.proven == -1:
            work = budget.work(1.0)
            found = tempting(lost(found), state, notes, work)
            budget.nodes += int(work.counters[NODES])
        return replace(found, nodes=budget.nodes, seconds=time.perf_counter() - begin)

    def forget(self) -> None:
        """Give back what was kept for a game."""
        self.kept.notes = self.kept.last = None
        self.search.forget()

    def notes(self, limits: Limits, turn: Turn) -> Notes:
        """The table of the move before if the game goes on, or a new one as large as the limits can fill."""
        by_nodes = NEVER if limits.nodes is None else 4 * limits.nodes * MEGABYTES_A_NODE
        by_seconds = NEVER if limits.seconds is None else 256 * limits.seconds
        wanted = min(self.megabytes, max(1.0, min(by_nodes, by_seconds)))
        if turn.path is None or self.kept.notes is None or 2 * self.kept.megabytes <= wanted:
            self.kept.notes = None  # given back before another is made
            self.kept.notes, self.kept.megabytes = new_notes(wanted), wanted
        return self.kept.notes


@dataclass
class Budget:
    """What is left of the limits of one move."""

    limits: Limits
    turn: Turn
    begin: float
    nodes: int = 0  # used so far

    def left(self, share: float) -> tuple[float | None, int | None]:
        """Seconds and nodes until this share of the limits is used up; of the time a little is left for coming home."""
        seconds = self.limits.seconds
        if seconds is not None:
            seconds = share * (seconds - min(SPARE * seconds, MOST_SPARE)) - (time.perf_counter() - self.begin)
        nodes = self.limits.nodes
        return seconds, None if nodes is None else max(1, int(share * nodes) - self.nodes)

    def work(self, share: float) -> Workspace:
        """A workspace that ends there."""
        seconds, nodes = self.left(share)
        deadline = NEVER if seconds is None else int(calls.clock() + seconds * 1e9)
        return new_workspace(1, nodes=NEVER if nodes is None else nodes, deadline=deadline, flag=self.turn.flag)

    def rest(self, share: float) -> Limits:
        """The same as limits."""
        seconds, nodes = self.left(share)
        return replace(self.limits, seconds=None if seconds is None else max(seconds, 1e-3), nodes=nodes)


def tempting(found: Result, state: Isolation, notes: Notes, work: Workspace) -> Result:
    """The same with the best trap first, if there is one."""
    root = np.array([one.move for one in found.root])
    good = traps(state, root, notes, work)
    if not good.max():
        return found
    best = found.root[int(np.argmax(good))]
    if best.move == found.move:
        return found
    others = tuple(one for one in found.root if one is not best)
    return replace(found, move=best.move, line=(best.move,), root=(best, *others))


def lost(found: Result) -> Result:
    """The same of a position that is proven to be lost, and so after every move."""
    root = tuple(replace(one, value=-WIN, bound="=", proven=-1) for one in found.root)
    return replace(found, value=-WIN, proven=-1, root=root)


def won(move: int) -> Result:
    """A move that wins for sure."""
    only = RootMove(move=move, value=WIN, proven=1)
    return Result(move=move, value=WIN, line=(move,), root=(only,), proven=1, stopped="decided")


@cache
def load() -> None:
    """Call every kernel once without letting it work: none is loaded while a later move is thought about."""
    state, notes, work = opening(5, 5, 0, 18), new_notes(0.0), new_workspace(1)
    work.counters[STOPPED] = 1
    proof_of(state, notes, work)
    winning_move(state, notes)
    traps(state, np.array([8, 9]), notes, work)
