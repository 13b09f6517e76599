"""Why a game ended: the texts that stores and agents hold, the copy in the host of course agents, and the words."""

import json
import pickle
import sqlite3
from dataclasses import fields
from pathlib import Path

import pytest

from harena.agents.contestant import HOST_FAULTS
from harena.courses.hosting import host
from harena.termination import FAULTS, WORDS, Termination, Words

STORED = {
    "rules",
    "unfinished",
    "illegal move",
    "unreadable answer",
    "time",
    "crash",
    "exit",
    "memory",
    "output",
    "resigned",
    "did not load",
    "thought in the opponent's time",
}


def test_the_values_are_those_that_stores_and_records_of_earlier_versions_hold() -> None:
    assert {one.value for one in Termination} == STORED
    assert {*Termination} - {*FAULTS} == {Termination.RULES, Termination.UNFINISHED}


def test_the_host_of_course_agents_sends_the_values_that_the_arena_reads() -> None:
    assert tuple(one.value for one in HOST_FAULTS) == (host.ILLEGAL, host.UNREADABLE, host.CRASH, host.RESIGNED)


def test_the_protocol_describes_every_fault() -> None:
    text = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text("utf-8")
    assert [one for one in FAULTS if f"`{one}`" not in text] == []


@pytest.mark.parametrize("one", [*Termination, Termination("haunted")])
def test_a_termination_is_written_everywhere_as_its_value(one: Termination) -> None:
    assert f"{one} {one}" == f"{one.value} {one.value}" and json.dumps({one: one}) == f'{{"{one}": "{one}"}}'
    assert sqlite3.connect(":memory:").execute("SELECT ?", (one,)).fetchone() == (one.value,)
    again = pickle.loads(pickle.dumps(one))
    assert again == one == one.value and type(again) is Termination and hash(one) == hash(one.value)


def test_a_reason_of_another_version_is_kept_and_has_words() -> None:
    haunted = Termination("haunted")
    assert haunted == "haunted" and haunted not in list(Termination)
    assert haunted.words.deed == haunted.words.short_deed == "lost by haunted"
    with pytest.raises(ValueError, match="is not a valid Termination"):
        Termination(7)


def test_every_fault_has_words_of_its_own() -> None:
    assert set(WORDS) == set(FAULTS)
    for field in fields(Words):
        texts = [getattr(one.words, field.name) for one in FAULTS]
        assert all(texts) and len(set(texts)) == len(FAULTS)
