"""The generator: published numbers, uniform draws, independent streams, the same compiled and as plain Python."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harena.kernel.compile import kernel
from harena.kernel.rng import Rng, below, draw, generator, uniform

seeds = st.integers(-(2**70), 2**70)

# https://prng.di.unimi.it/splitmix64.c started from 1234567
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


@kernel
def words(rng: Rng, out: Any) -> None:
    for index in range(len(out)):
        out[index] = draw(rng)


@kernel
def integers(rng: Rng, limit: int, out: Any) -> None:
    for index in range(len(out)):
        out[index] = below(rng, limit)


@kernel
def numbers(rng: Rng, out: Any) -> None:
    for index in range(len(out)):
        out[index] = uniform(rng)


def filled(function: Any, rng: Rng, *arguments: Any, count: int, kind: Any) -> list[Any]:
    """What a kernel draws, which must be what the same code draws as plain Python, to the same end state."""
    twin = rng.copy()
    compiled, interpreted = np.zeros(count, kind), np.zeros(count, kind)
    function(rng, *arguments, compiled)
    with np.errstate(over="ignore"):
        function.py_func(twin, *arguments, interpreted)
    assert compiled.tolist() == interpreted.tolist()
    assert rng[0] == twin[0]
    return compiled.tolist()


def draws_below(limit: int, count: int, seed: int) -> Any:
    out = np.zeros(count, np.int64)
    integers(generator(seed), limit, out)
    return out


def chi_square(counts: Counter[int], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((counts[kind] - expected) ** 2 / expected for kind in range(kinds))


def test_the_published_numbers() -> None:
    state = np.array([1234567], np.uint64)
    assert filled(words, state, count=5, kind=np.uint64) == PUBLISHED


@given(seeds, st.lists(st.integers(-(2**70), 2**70), max_size=3))
def test_compiled_and_plain_code_draw_the_same(seed: int, keys: list[int]) -> None:
    filled(words, generator(seed, *keys), count=8, kind=np.uint64)
    filled(numbers, generator(seed, *keys), count=8, kind=np.float64)


@given(seeds, st.one_of(st.integers(1, 300), st.integers(2**31, 2**32 - 1)))
def test_bounded_draws_stay_below_their_limit(seed: int, limit: int) -> None:
    assert all(0 <= number < limit for number in filled(integers, generator(seed), limit, count=20, kind=np.int64))


@pytest.mark.parametrize(("limit", "critical"), [(2, 10.83), (3, 13.82), (7, 22.46), (49, 84.04), (64, 103.44)])
def test_bounded_draws_are_uniform(limit: int, critical: float) -> None:
    """Chi-square at 0.1 %, with a fixed seed."""
    assert chi_square(Counter(draws_below(limit, 200_000, seed=limit).tolist()), limit) < critical


def test_biased_draws_are_repeated() -> None:
    """Of 2**32 numbers two of every four would fall on the same third of a limit of 3 * 2**30."""
    thirds = Counter((draws_below(3 * 2**30, 30_000, seed=1) % 3).tolist())
    assert chi_square(thirds, 3) < 13.82


def test_a_limit_of_one_leaves_only_zero() -> None:
    assert filled(integers, generator(9), 1, count=5, kind=np.int64) == [0] * 5


@given(seeds)
def test_uniform_numbers_are_the_upper_53_bits(seed: int) -> None:
    fractions = filled(numbers, generator(seed), count=8, kind=np.float64)
    bits = filled(words, generator(seed), count=8, kind=np.uint64)
    assert fractions == [(word >> 11) / 2**53 for word in bits]
    assert all(0 <= fraction < 1 for fraction in fractions)


def test_the_same_seed_gives_the_same_stream_and_words_wrap_round() -> None:
    assert generator(7, 1)[0] == generator(7, 1)[0]
    assert generator(-1, -2)[0] == generator(2**64 - 1, 2**64 - 2)[0]
    assert generator(7).dtype == np.uint64


def test_seeds_and_keys_give_streams_of_their_own() -> None:
    keys = [(), (0,), (1,), (2,), (0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (0, 0, 0)]
    streams = {(seed, *key): generator(seed, *key) for seed in range(50) for key in keys}
    drawn = [tuple(filled(words, rng, count=4, kind=np.uint64)) for rng in streams.values()]
    everything = [word for stream in drawn for word in stream]
    assert len(set(everything)) == len(everything)


def test_neighbouring_seeds_are_not_alike() -> None:
    """Half of the bits of the first numbers differ, on average: 32 of 64, give or take one in 500 pairs."""
    firsts = [filled(words, generator(seed), count=1, kind=np.uint64)[0] for seed in range(501)]
    differing = [(one ^ other).bit_count() for one, other in pairwise(firsts)]
    assert 31 < sum(differing) / len(differing) < 33
