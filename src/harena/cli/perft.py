"""`harena perft`: sequences of moves, counted."""

import time
from typing import Any

from harena.cli.compiling import announced
from harena.cli.start import find_state
from harena.kernel import patience
from harena.testing.perft import check_depth, perft
from harena.testing.perft import divide as divided


def count(name: str, depth: int, options: dict[str, Any], seed: int, position: str | None, divide: bool) -> None:
    """Print the number for every depth up to the given one, or split by the first move."""
    with announced():
        _count(name, depth, options, seed, position, divide)


def _count(name: str, depth: int, options: dict[str, Any], seed: int, position: str | None, divide: bool) -> None:
    state = patience.run(find_state, name, options, seed, position)
    check_depth(depth)
    patience.run(state.moves)  # tells whether max_moves holds, before compiled code trusts it
    if divide:
        numbers = patience.run(divided, state, depth)
        for move, number in numbers.items():
            print(f"{move!s:>5}  {number:>20,}")
        print(f"total  {sum(numbers.values()):>20,}")
        return
    perft(state, 0)  # compiles, so that the times below are of counting only
    for plies in range(min(depth, 1), depth + 1):
        begin = time.perf_counter()
        number = patience.run(perft, state, plies)
        seconds = time.perf_counter() - begin
        rate = f"{number / seconds / 1e6:8.1f} M/s" if seconds > 0.01 else ""
        print(f"depth {plies:>2}  {number:>20,}  {seconds:8.3f} s  {rate}".rstrip(), flush=True)
        if number == 0:
            break  # and 0 for ever after
