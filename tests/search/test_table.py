"""The transposition table: what was stored is found, and nothing that two threads wrote at once or half is."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from harena.kernel.compile import kernel
from harena.search.table import (
    ENTRY,
    EXACT,
    KEY,
    LOWER,
    NOTE,
    SEAL,
    UPPER,
    Entry,
    Table,
    bound_of,
    depth_of,
    find,
    is_complete,
    is_known,
    line_of,
    move_of,
    new_table,
    store,
)

NAME = np.uint64(0x0123_4567_89AB_CDEF)


@kernel
def write(table: Any, key: Any, depth: int, bound: int, value: float, move: int, complete: bool) -> None:
    store(table, key, depth, bound, value, move, complete)


@kernel
def read(table: Any, key: Any) -> Entry:
    return find(table, key)


def knows(table: Table, key: Any) -> bool:
    return bool(is_known(read(table, key)))


def words_of(bound: int, value: float, key: Any = NAME) -> list[int]:
    """The four words of an entry."""
    table = new_table(0.0)
    write(table, key, 5, bound, value, 3, False)
    return [int(word) for word in table.keys[:ENTRY]]


@pytest.fixture(params=[0, ENTRY], ids=["first", "second"])
def place(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def table(place: int) -> Table:
    """One with an entry at that place of its line: in the first, for the second, is deeper knowledge of another."""
    made = new_table(0.001)
    if place:
        write(made, NAME + np.uint64(len(made.keys)), 9, EXACT, 1.0, 1, False)
    write(made, NAME, 5, LOWER, -2.5, 17, True)
    assert made.keys[line_of(made, NAME) + place + KEY] == NAME
    return made


def test_what_was_stored_is_found(table: Table) -> None:
    entry = read(table, NAME)
    assert (entry.value, depth_of(entry), bound_of(entry), move_of(entry)) == (-2.5, 5, LOWER, 17)
    assert is_complete(entry)
    assert not knows(table, NAME + np.uint64(2 * len(table.keys)))  # of the same line


def test_an_entry_of_which_any_bit_is_wrong_is_not_found(table: Table, place: int) -> None:
    begin = line_of(table, NAME) + place
    for word, bit in product(range(ENTRY), range(64)):
        table.keys[begin + word] ^= np.uint64(1 << bit)
        assert not knows(table, NAME), (word, bit)
        table.keys[begin + word] ^= np.uint64(1 << bit)
    assert knows(table, NAME)


@pytest.mark.parametrize("other", [NAME, NAME + np.uint64(8)], ids=["one position", "two positions"])
def test_of_what_two_threads_write_at_once_only_a_whole_entry_is_found(other: np.uint64) -> None:
    table, one, two = new_table(0.0), words_of(LOWER, 4.5), words_of(UPPER, -3.0, other)
    for mixed in product(*zip(one, two, strict=True)):
        table.keys[:ENTRY] = mixed
        for key in (NAME, other):
            assert knows(table, key) == (list(mixed) in (one, two) and mixed[KEY] == key), mixed


def test_an_entry_that_is_written_in_part_is_not_found() -> None:
    table, words = new_table(0.0), words_of(EXACT, 0.25)
    for written in product((False, True), repeat=ENTRY):
        table.keys[:ENTRY] = [word if there else 0 for word, there in zip(words, written, strict=True)]
        assert knows(table, NAME) == all(written), written


def test_an_entry_without_a_seal_is_not_found_even_if_its_words_make_up_none() -> None:
    key = np.uint64(words_of(EXACT, 0.0)[NOTE])  # it cancels the note, and a value of 0.0 adds nothing
    table = new_table(0.0)
    table.keys[:ENTRY] = words_of(EXACT, 0.0, key)
    assert knows(table, key)
    table.keys[SEAL] = 0
    assert not knows(table, key)


def test_nothing_is_found_in_an_empty_table() -> None:
    table = new_table(0.0)
    assert not any(knows(table, np.uint64(key)) for key in (0, 1, NAME))
