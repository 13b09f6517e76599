"""A kernel that calls a recursive one: its machine code stands beside that of others under a name of its own."""

from typing import Any

from harena.contract import max_moves
from harena.kernel.compile import kernel


@kernel
def deeper(state: Any, depth: int) -> int:
    """The bound of a state, added up so many times."""
    if depth == 0:
        return 0
    return max_moves(state) + deeper(state, depth - 1)


@kernel
def deep(state: Any, depth: int) -> int:
    """The same, from another kernel."""
    return deeper(state, depth)
