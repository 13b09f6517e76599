"""A seedable generator for kernels: splitmix64, one word of state in an array that is passed along.

The same seed gives the same numbers on every machine, compiled or not. Source: G. Steele, D. Lea, C. Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014; bounded draws after D. Lemire, "Fast random integer
generation in an interval", ACM TOMACS 2019.
"""

import numpy as np
from numpy.typing import NDArray

from harena.errors import BadOption
from harena.kernel.bits import integer, mix
from harena.kernel.generic import helper

Rng = NDArray[np.uint64]

STEP = np.uint64(0x9E3779B97F4A7C15)
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def generator(seed: int, *keys: int) -> Rng:
    """A fresh generator; further keys (a game's number, a ply ...) give independent streams of one seed."""
    for number in (seed, *keys):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
            raise BadOption(f"a seed is a whole number, not {number!r}")
    with np.errstate(over="ignore"):
        state = np.uint64(int(seed) % 2**64)
        for key in keys:
            state = mix(state + STEP) ^ np.uint64(int(key) % 2**64)
        return np.array([mix(state + STEP)], np.uint64)


@helper
def draw(rng: Rng) -> np.uint64:
    """The next 64 random bits."""
    rng[0] += STEP
    return mix(rng[0])


@helper
def below(rng: Rng, limit: int) -> int:
    """A uniform integer in 0..limit-1 (exactly uniform: the rare biased draw is repeated); limit below 2**32."""
    bound = np.uint64(limit)
    product = (draw(rng) >> HALF) * bound
    if (product & LOW_HALF) < bound:
        threshold = (LOW_HALF + np.uint64(1) - bound) % bound
        while (product & LOW_HALF) < threshold:
            product = (draw(rng) >> HALF) * bound
    return integer(product >> HALF)


@helper
def uniform(rng: Rng) -> float:
    """A uniform number in [0, 1) with 53 random bits."""
    return float(integer(draw(rng) >> np.uint64(11))) * (1.0 / 9007199254740992.0)
