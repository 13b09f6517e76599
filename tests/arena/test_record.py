"""A record is plain data: it comes back from its text as it was, and any other text is refused in one line."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from harena.arena.record import VERSION, Ply, Record, from_dict
from harena.arena.replay import as_text, from_text
from harena.errors import BadText
from harena.termination import FAULTS, Termination

START = "......./......./......./......./......./......./....... 1"
RECORD = Record(
    game="isolation",
    options={"size": 7},
    start=START,
    seats=("mcts(c=0.1)", "greedy"),
    plies=(Ply(by=0, move="d4", seconds=0.25, value=1.5, depth=3, nodes=100), Ply(by=1, move="b3")),
    winner=0,
    reason="time",
    detail="12 ms over",
    seed=7,
    conditions={"limits": {"seconds": 0.15}},
)
numbers = some.none() | some.floats(allow_nan=False, allow_infinity=False)
counts = some.none() | some.integers(0, 2**62)
plies = some.builds(
    Ply, by=some.integers(0, 2), move=some.text(), seconds=numbers, value=numbers, depth=counts, nodes=counts
)
records = some.builds(
    Record,
    game=some.text(),
    options=some.dictionaries(some.text(), some.integers() | some.text() | some.none(), max_size=3),
    start=some.text(),
    seats=some.tuples(some.text(), some.text()),
    plies=some.lists(plies, max_size=4).map(tuple),
    winner=some.sampled_from([None, 0, 1]),
    score=some.none() | some.tuples(some.integers(), some.integers()),
    reason=some.sampled_from([Termination.RULES, *FAULTS]),
    detail=some.text(some.characters()),
    seed=some.integers(),
    conditions=some.dictionaries(some.text(), some.lists(some.booleans(), max_size=2), max_size=2),
    version=some.just(VERSION),
)


@given(records)
def test_a_record_comes_back_from_its_text_byte_for_byte(record: Record) -> None:
    text = as_text(record)
    assert from_text(text) == record
    assert as_text(from_text(text)) == text
    assert text.isascii() and "\n" not in text


def test_what_was_not_said_takes_no_room() -> None:
    assert RECORD.as_dict()["plies"][1] == {"by": 1, "move": "b3"}


def test_last_words_that_are_no_unicode_are_kept() -> None:
    record = replace(RECORD, detail="\udc80\x00\x1b[31m")
    assert from_text(as_text(record)) == record


def test_points_are_of_a_seat() -> None:
    assert [RECORD.points(0), RECORD.points(1)] == [1.0, 0.0]
    assert [replace(RECORD, winner=None).points(seat) for seat in (0, 1)] == [0.5, 0.5]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_a_value_that_json_cannot_write_counts_as_not_said(odd: float) -> None:
    record = replace(RECORD, plies=(Ply(by=0, move="d4", value=odd, depth=3),), conditions={"limit": odd})
    again = from_text(as_text(record))
    assert again.plies == (Ply(by=0, move="d4", depth=3),)
    assert again.conditions == {"limit": None}


def test_numbers_of_numpy_are_numbers() -> None:
    record = replace(RECORD, plies=(Ply(by=0, move="d4", nodes=np.int64(5), value=np.float32(0.5)),))  # type: ignore[arg-type]
    assert from_text(as_text(record)).plies[0] == Ply(by=0, move="d4", nodes=5, value=0.5)


def test_data_that_is_not_plain_is_refused() -> None:
    with pytest.raises(BadText, match="set is no plain data"):
        as_text(replace(RECORD, conditions={"cores": {1, 2}}))


def changed(**changes: Any) -> str:
    return json.dumps(RECORD.as_dict() | changes)


BAD = {
    "": "no JSON",
    "{": "no JSON",
    "[" * 100_000: "no JSON",
    "[]": "not list",
    "{}": "version None",
    changed(version=2): "version 2",
    changed(plies=None): "no record",
    changed(plies=[{"by": 0}]): "no record",
    changed(plies=[{"by": 0, "move": "d4", "mood": 1}]): "no record",
    changed(plies=[{"by": 3, "move": "d4"}]): "chance is 2",
    changed(plies=[{"by": "0", "move": "d4"}]): "chance is 2",
    changed(plies=[{"by": 0, "move": 4}]): "no text",
    changed(plies=[{"by": 0, "move": "d4", "seconds": "1"}]): "are numbers",
    changed(seats=["a"]): "no record",
    changed(seats=None): "no record",
    changed(winner=2): "two players",
    changed(winner="0"): "players are 0 and 1",
    changed(score=[1]): "two players",
    changed(options=[]): "no text",
    changed(game=None): "no text",
    changed(unknown=1): "unknown",
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[-40:])
def test_any_other_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadText, match=BAD[text]) as error:
        from_text(text)
    assert "\n" not in str(error.value)


def test_a_record_that_is_no_object_is_refused() -> None:
    with pytest.raises(BadText, match="not int"):
        from_dict(3)
