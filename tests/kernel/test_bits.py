"""Bits of a word against Python's integers and sets, compiled and as plain Python."""

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from harena.kernel import intrinsics
from harena.kernel.bits import bit, entry, integer, lowest, mix, nth, popcount
from harena.kernel.compile import kernel
from kernel.support import run_well

TABLE = np.arange(64, dtype=np.uint64) ** np.uint64(3)

words = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 63).map(lambda cell: 1 << cell), st.just(2**64 - 1))


@kernel
def look(word: Any) -> Any:
    return popcount(word), lowest(word), mix(word)


@kernel
def find(word: Any, index: Any) -> Any:
    return nth(word, index)


@kernel
def touch(cell: Any) -> Any:
    return bit(cell), entry(TABLE, cell)


@kernel
def signed(word: Any) -> Any:
    return integer(word) - 1


find_by_clearing = numba.njit(intrinsics._nth_by_clearing)


def both_forms(function: Any, *arguments: Any) -> Any:
    """The result of a kernel, which must be that of the same code as plain Python."""
    compiled = function(*arguments)
    with np.errstate(over="ignore"):
        interpreted = function.py_func(*arguments)
    assert compiled == interpreted
    return compiled


def set_bits(word: int) -> list[int]:
    return [cell for cell in range(64) if word >> cell & 1]


@given(words)
def test_counting_and_the_lowest_bit(word: int) -> None:
    count, first, _ = both_forms(look, np.uint64(word))
    assert count == len(set_bits(word))
    assert first == min(set_bits(word), default=64)


def test_an_empty_word_has_its_lowest_bit_at_64() -> None:
    assert both_forms(look, np.uint64(0)) == (0, 64, 0)


@given(words, st.data())
def test_the_nth_bit_by_each_of_three_ways(word: int, data: st.DataObject) -> None:
    assume(word)
    index = data.draw(st.integers(0, word.bit_count() - 1))
    found = both_forms(find, np.uint64(word), index)
    assert found == set_bits(word)[index]
    assert find_by_clearing(np.uint64(word), index) == found


@pytest.mark.process
def test_a_processor_without_pdep_finds_the_same_bits(tmp_path: Path) -> None:
    script = """
    import numpy as np
    from harena.kernel import intrinsics
    from kernel.test_bits import find, set_bits
    assert not intrinsics.HAS_DEPOSIT
    for word in (1, 2**63, 2**64 - 1, 0x8000000080000001, 0x0123456789ABCDEF):
        assert [find(np.uint64(word), index) for index in range(word.bit_count())] == set_bits(word), word
    """
    run_well(script, cache=tmp_path, NUMBA_CPU_NAME="generic")


@given(st.integers(0, 63))
def test_one_bit_and_one_entry(cell: int) -> None:
    assert both_forms(touch, cell) == (1 << cell, cell**3)


@given(st.integers(0, 2**63 - 1))
def test_a_word_becomes_a_signed_integer(word: int) -> None:
    assert both_forms(signed, np.uint64(word)) == word - 1


def unmix(word: int) -> int:
    """The inverse of mix, from its definition: x ^ x >> s is undone by folding, a factor by its inverse."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        folded = word
        for _ in range(64 // shift):
            folded = word ^ folded >> shift
        word = folded * pow(factor, -1, 2**64) % 2**64
    return word


@given(words)
def test_mixing_is_one_to_one(word: int) -> None:
    assert unmix(int(both_forms(look, np.uint64(word))[2])) == word


@pytest.mark.parametrize("cell", range(64))
def test_mixing_scatters_a_single_bit_over_the_word(cell: int) -> None:
    image = int(both_forms(look, np.uint64(1 << cell))[2])
    assert 16 <= image.bit_count() <= 48
