"""The doors from Python to the rules: the words of the contract as kernels of their own."""

from typing import Any, NamedTuple

import numpy as np

from harena import contract
from harena.contract import Moves, Probabilities
from harena.kernel.clock import nanoseconds
from harena.kernel.compile import kernel
from harena.kernel.rng import Rng


@kernel
def start(setup: Any, rng: Rng) -> Any:
    """A start position."""
    return contract.initial(setup, rng)


class Look(NamedTuple):
    """What there is to know about a state at a glance."""

    mover: int
    result: int
    first_points: int
    second_points: int
    max_moves: int


@kernel
def look(state: Any) -> Look:
    """Who moves, the result with both players' points, and the bound on moves."""
    end = contract.outcome(state)
    return Look(contract.mover(state), end.result, end.first_points, end.second_points, contract.max_moves(state))


@kernel
def list_moves(state: Any, out: Moves, at: int) -> int:
    """Legal moves of a running state."""
    return contract.moves(state, out, at)


@kernel
def list_chances(state: Any, out: Moves, probabilities: Probabilities) -> int:
    """Outcomes of a chance node."""
    return contract.chances(state, out, probabilities, 0)


@kernel
def step(state: Any, move: int) -> Any:
    """The state after a legal move."""
    return contract.play(state, move)


@kernel
def pick(state: Any, rng: Rng) -> int:
    """A random move."""
    return contract.random_move(state, rng)


@kernel
def clock() -> int:
    """The time by the clock that kernels see, in nanoseconds."""
    return nanoseconds()


@kernel
def hash_of(state: Any) -> np.uint64:
    """The key of a state."""
    return contract.key(state)
