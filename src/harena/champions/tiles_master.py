"""How the champion of tiles thinks: it proves what can be proven, and searches what cannot.

Most balanced positions are drawn with best play, so a proof alone is not enough to win: among the moves that keep the
result it takes the one after which the other goes wrong most likely.
"""

from dataclasses import dataclass, field
from math import log2
from typing import Any

import numpy as np

from harena import calls
from harena.champions.tiles_proof import promise, settle_moves
from harena.contract import Moves
from harena.search.deepening import Found, room_for
from harena.search.mastery import Mastery
from harena.search.result import NO_TURN, Limits, Result, Turn
from harena.search.workspace import DEADLINE, NEVER, NODES, STOPPED, TOP, WIN, Workspace, new_workspace

SHARE = 0.5  # of the time or the nodes that a proof may take
NODES_A_SECOND = 700_000  # of a proof, about
DOUBLING, FEWEST = 2.0, 5.0  # a proof of 2 * log2(nodes) + 5 tiles is worth trying
LEAST_NODES = 64


@dataclass
class Proofs:
    """The table of what was proven in this game."""

    work: Workspace | None = None
    megabytes: float = 0.0


@dataclass(frozen=True, kw_only=True)
class TilesMastery(Mastery):
    """The search of the champion, with proofs unless `proves` is off; they have a table of the same size."""

    proves: bool = True
    proofs: Proofs = field(default_factory=Proofs, init=False, compare=False, repr=False)

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        if turn.path is None:
            self.proofs.work = None
        return super().run(state, limits, turn)

    def forget(self) -> None:
        """Give back what was kept for a game."""
        super().forget()
        self.proofs.work = None

    def _deepen(self, state: Any, root: Any, work: Workspace, limits: Limits, begin: float) -> tuple[Found, str]:
        if not self.proves or self.full or not (limits.seconds or limits.nodes):  # a depth does not end a proof
            return super()._deepen(state, root, work, limits, begin)
        is_first, budget = self.proofs.work is None, proof_nodes(limits)
        is_near = tiles_of(state) <= DOUBLING * log2(budget) + FEWEST
        proof = self._proof_workspace(work, limits, budget)
        low, high = np.full(len(root), -1, np.int64), np.full(len(root), 1, np.int64)
        if is_first:  # whatever a later move needs is loaded at the first
            load(state, self.heuristic, root, proof)
        if is_near and settle_moves(state, self.heuristic, root, low, high, proof):
            found = self._proven(state, root, low, high, proof)
            work.counters[NODES] += proof.counters[NODES]
            return found, "exhausted"
        work.counters[NODES] += proof.counters[NODES]
        if low.max() == high.max() == 0:  # drawn, though not every move is settled: one that is known to keep it
            return self._drawn(state, root[low == 0], work, limits, begin), "exhausted"
        kept = root[high > -1]  # a move that is known to lose is not played while another is not
        if len(kept) == 1:
            return Found(root=kept, values=np.full(1, -2 * WIN), exact=np.zeros(1, np.bool_)), "only move"
        return super()._deepen(state, kept, work, limits, begin)

    def _drawn(self, state: Any, root: Moves, work: Workspace, limits: Limits, begin: float) -> Found:
        """Moves that are proven to draw, those first after which the search hopes for most."""
        if len(root) > 1:
            root = super()._deepen(state, root, work, limits, begin)[0].root
        return Found(root=root, values=np.zeros(len(root)), exact=np.ones(len(root), np.bool_), depth=tiles_of(state))

    def _proof_workspace(self, work: Workspace, limits: Limits, budget: int) -> Workspace:
        """New counters, in the scratch space of the search, on the table of the moves before."""
        now, seconds = int(calls.clock()), limits.seconds
        deadline = NEVER if seconds is None else min(int(now + SHARE * seconds * 1e9), int(work.counters[DEADLINE]))
        nodes = NEVER if limits.nodes is None else budget
        kept, megabytes = self.proofs, min(self.megabytes, room_for(limits))
        if kept.work is None or 2 * kept.megabytes <= megabytes:
            kept.work = None  # given back before another is made
            new = new_workspace(0, nodes=nodes, deadline=deadline, megabytes=megabytes, flag=work.flag)
            kept.megabytes = megabytes
        else:
            new = new_workspace(0, nodes=nodes, deadline=deadline, flag=work.flag)._replace(table=kept.work.table)
        kept.work = new._replace(out=work.out, chances=work.chances)
        return kept.work

    def _proven(self, state: Any, root: Moves, low: Moves, high: Moves, work: Workspace) -> Found:
        """The moves by their proven values, those that promise most first."""
        value = int(low.max())
        hopes = np.zeros(len(root))
        for index in np.flatnonzero((low == value) | (high == value)):
            if value < 1 and work.counters[STOPPED] == 0:
                hope = promise(state, root[index], self.heuristic, work, TOP)
                hopes[index] = hope if work.counters[STOPPED] == 0 else 0.0  # else half of the replies were not seen
        known = np.where(low == 1, 1, high)
        exact = (low == high) | (low == 1)
        order = np.lexsort((-hopes, -known, ~exact))
        return Found(
            root=root[order], values=(known * WIN)[order].astype(np.float64), exact=exact[order], depth=tiles_of(state)
        )


def load(state: Any, heuristic: Any, root: Moves, proof: Workspace) -> None:
    """Call the kernels of a proof without letting them work."""
    limits = proof.counters.copy()
    proof.counters[STOPPED] = 1
    settle_moves(state, heuristic, root, np.zeros_like(root), np.zeros_like(root), proof)
    promise(state, root[0], heuristic, proof, TOP)
    proof.counters[:] = limits


def proof_nodes(limits: Limits) -> int:
    """The nodes that a proof may take."""
    by_nodes = NEVER if limits.nodes is None else int(SHARE * limits.nodes)
    by_seconds = NEVER if limits.seconds is None else int(SHARE * limits.seconds * NODES_A_SECOND)
    return max(LEAST_NODES, min(by_nodes, by_seconds))


def tiles_of(state: Any) -> int:
    """How many tiles are left."""
    return sum(int(word).bit_count() for board in (state.mine, state.theirs) for word in board)
