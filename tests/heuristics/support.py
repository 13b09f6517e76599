"""What the tests of the heuristics share: one door to their values, and random positions."""

from typing import Any

import harena
from harena import State
from harena.heuristics.names import heuristic
from harena.kernel.compile import kernel
from harena.search.workspace import evaluate


@kernel
def score(heuristic: Any, state: Any, me: int) -> float:
    return evaluate(heuristic, state, me)


def value(text: str, state: State, me: int) -> float:
    """The value of a heuristic's text for a player."""
    return float(score(heuristic(state.game.name, text), state.value, me))


def at(game: str, text: str, **options: Any) -> State:
    """The position of a text."""
    return harena.game(game, **options).position(text)


def random_positions(game: str, number: int, longest: int, **options: Any) -> list[State]:
    """Running positions after 0 to `longest` random plies, the same in every run."""
    found: list[State] = []
    rng = harena.generator(17)
    for seed in range(number):
        state = harena.game(game, **options).initial(seed)
        for _ in range(seed * longest // max(1, number - 1)):
            after = state.play(state.random_move(rng))
            if after.is_over:
                break
            state = after
        found.append(state)
    return found
