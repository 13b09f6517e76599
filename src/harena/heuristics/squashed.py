"""A heuristic as an expected score: the logistic curve of another one, between a sure loss and a sure win.

Where dice average values, a heuristic in cells or moves is drowned by a small chance of a win; as an expected score
both are of one kind.
"""

from math import tanh
from typing import Any, NamedTuple

from harena.search.workspace import WIN, evaluate


class Squashed(NamedTuple):
    """`WIN * (2 s - 1)` with the expected score `s = 1 / (1 + exp(-slope * inner))`."""

    inner: Any
    slope: float


@evaluate.method(Squashed)
def _(heuristic: Squashed, state: Any, me: int) -> float:
    return WIN * tanh(0.5 * heuristic.slope * evaluate(heuristic.inner, state, me))
