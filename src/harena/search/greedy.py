"""Greedy best-first search: one move ahead, the one the heuristic likes best. And no search at all: random.

Source: Russell & Norvig, Artificial Intelligence, "greedy best-first search". All legal moves are judged, in the game's
order; the first of equals wins. A throw of dice after the move counts by its expectation.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harena import calls
from harena.contract import CHANCE, RUNNING, Moves, Probabilities, chances, mover, outcome
from harena.kernel.compile import kernel
from harena.kernel.generic import routine
from harena.kernel.rng import generator
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn
from harena.search.workspace import TOP, WIN, Workspace, final_value, leaf_value, new_workspace, snapped


@routine
def judge(heuristic: Any, state: Any, me: int) -> float:
    """The value of any state by the heuristic alone, as one function for all who ask."""
    end = outcome(state)
    return leaf_value(heuristic, state, me) if end.result == RUNNING else final_value(end, me)


@routine
def judge_move(heuristic: Any, state: Any, move: int, me: int, work: Workspace, at: int) -> float:
    """The value after a move, in expectation where chance decides; out[at:] of the workspace is free."""
    child = calls.step(state, move)
    if mover(child) != CHANCE or outcome(child).result != RUNNING:
        return judge(heuristic, child, me)
    expected = 0.0
    count = chances(child, work.out, work.chances, at)
    for index in range(at, at + count):
        expected += work.chances[index] * judge(heuristic, calls.step(child, work.out[index]), me)
    return snapped(expected)


@kernel
def best_move(heuristic: Any, state: Any, work: Workspace) -> int:
    """The move the heuristic likes best, the first of equals."""
    me = mover(state)
    count = calls.list_moves(state, work.out, TOP)
    best, best_found = -2 * WIN, work.out[0]
    for index in range(count):
        value = judge_move(heuristic, state, work.out[index], me, work, count)
        if value > best:
            best, best_found = value, work.out[index]
    return best_found


@kernel
def judge_moves(heuristic: Any, state: Any, moves: Moves, values: Probabilities, work: Workspace) -> None:
    """Write the value of each move."""
    for index in range(len(moves)):
        values[index] = judge_move(heuristic, state, moves[index], mover(state), work, TOP)


def legal_moves(state: Any) -> Moves:
    """The moves of a running state."""
    out = np.empty(calls.look(state).max_moves, np.int64)
    return out[: calls.list_moves(state, out, 0)].copy()


@dataclass(frozen=True, kw_only=True)
class Greedy:
    """One move ahead; `moves` lists them in the order in which the first of equals is found."""

    bounded_by: ClassVar[tuple[str, ...]] = ()
    heuristic: Any
    moves: Callable[[Any], Moves] = legal_moves

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Judge every move; limits do not matter."""
        begin = time.perf_counter()
        moves = self.moves(state)
        values = np.zeros(len(moves))
        judge_moves(self.heuristic, state, moves, values, new_workspace(calls.look(state).max_moves))
        order = np.argsort(-values, kind="stable")
        root = tuple(RootMove(move=int(moves[at]), value=float(values[at])) for at in order)
        seconds = time.perf_counter() - begin
        return Result(
            move=root[0].move,
            value=root[0].value,
            depth=1,
            nodes=len(moves),
            seconds=seconds,
            line=(root[0].move,),
            root=root,
            stopped="depth",
        )


@dataclass(frozen=True, kw_only=True)
class RandomChoice:
    """Any legal move, all equally likely."""

    bounded_by: ClassVar[tuple[str, ...]] = ()

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Draw by the turn's seed."""
        move = int(calls.pick(state, generator(turn.seed, turn.ply)))
        return Result(move=move, line=(move,), root=(RootMove(move=move),), stopped="random")
