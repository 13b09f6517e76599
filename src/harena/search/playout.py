"""Games played to the end by uniformly random moves: the yardstick of a game's speed, and the heart of plain MCTS."""

from typing import Any

from harena.contract import RUNNING, outcome, play, random_move
from harena.kernel.compile import kernel
from harena.kernel.rng import Rng


@kernel
def playouts(state: Any, rng: Rng, count: int) -> tuple[int, int, int, int]:
    """Play many random games; how many were won by the first player, by the second, drawn, and all plies together."""
    first = second = drawn = plies = 0
    for _ in range(count):
        current = state
        end = outcome(current)
        while end.result == RUNNING:
            current = play(current, random_move(current, rng))
            end = outcome(current)
            plies += 1
        first += end.result == 0
        second += end.result == 1
        drawn += end.result == 2
    return first, second, drawn, plies
