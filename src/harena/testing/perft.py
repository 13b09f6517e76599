"""Perft: how many sequences of moves of a given length there are. The classic proof that rules are right, and fast."""

from typing import Any

import numpy as np

from harena.api import Move, State
from harena.calls import look
from harena.contract import RUNNING, Moves, moves, outcome, play
from harena.errors import BadOption
from harena.kernel.compile import kernel

DEEPEST = 64


@kernel
def count_sequences(state: Any, depth: int, out: Moves, at: int) -> int:
    """Sequences of exactly this many plies, chance outcomes counted as moves; out needs max_moves * depth places."""
    if depth == 0:
        return 1
    if outcome(state).result != RUNNING:
        return 0
    count = moves(state, out, at)
    if depth == 1:
        return count
    total = 0
    for index in range(at, at + count):
        total += count_sequences(play(state, out[index]), depth - 1, out, at + count)
    return total


def check_depth(depth: int) -> None:
    """Complain about a depth that makes no sense."""
    if not 0 <= depth <= DEEPEST:
        raise BadOption(f"the depth of perft is 0 to {DEEPEST}, not {depth}")


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` plies from this state; those that end the game earlier do not count."""
    check_depth(depth)
    out = np.empty(max(1, depth * look(state.value).max_moves), np.int64)
    return int(count_sequences(state.value, depth, out, 0))


def divide(state: State, depth: int) -> dict[Move, int]:
    """The same number, split by the first move: finds the move after which two programs disagree."""
    if depth < 1:
        raise BadOption(f"divide needs a depth of 1 or more, not {depth}")
    return {move: perft(state.play(move), depth - 1) for move in state.moves()}
