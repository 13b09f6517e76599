"""Agents that crash, hang, flood, fork and lie: every game ends with its exact reason, and nothing is left behind."""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

import harena
from harena.agents import process
from harena.agents.contestant import LocalContestant, ProcessContestant
from harena.agents.fault import AgentFault, Due
from harena.agents.launch import Launch
from harena.agents.process import MARK, AgentProcess
from harena.arena.record import Ply, Record
from harena.arena.referee import Referee, Terms
from harena.sandbox.workplace import workplace
from harena.search.result import Limits
from harena.testing import misbehaving
from sandbox.support import open_files

pytestmark = pytest.mark.process

GAME = harena.game("isolation", size=6)
OPTIONS = {"size": 6}
ENDS = {
    "crashes": ("crash", "no idea what to do"),
    "aborts": ("crash", "SIGABRT"),
    "exits": ("exit", "by itself"),
    "hangs": ("time", "no answer after"),
    "late": ("time", "no answer after"),
    "illegal": ("unreadable answer", "is no move"),
    "garbage": ("unreadable answer", "what?"),
    "binary": ("unreadable answer", "x00"),
    "moveless": ("unreadable answer", "None"),
    "number": ("unreadable answer", "7"),
    "resigns": ("resigned", ""),
    "floods": ("output", "a line of more than 65,536 bytes"),
    "eats": ("memory", "MB of 300"),
    "deaf": ("crash", ""),
    "deep": ("unreadable answer", "[[["),
    "chatters": ("output", "100 lines"),
    "drips": ("time", "no answer after"),
    "swears": ("crash", "??]0;x??"),
}
AT_START = {
    "crashes at start": "not today",
    "echoes": "in place of ready",
    "speaks another version": "version 99 of the protocol; here it is 1",
}

ENDING = ("crashes", "aborts", "exits")  # they close what they write to a moment before they have ended
PATIENT = 60.0  # seconds: no agent is late because the machine is busy
STARTED: list[str] = []  # every process of these tests, by its mark


class Misbehaving(ProcessContestant):
    """An agent of `harena.testing.misbehaving`."""

    def __init__(self, kind: str) -> None:
        super().__init__(misbehaving.__file__, "isolation", [OPTIONS], margin=0.1, memory=300)
        self.kind = kind

    def launch(self, tmp: str) -> Launch:
        command = [sys.executable, misbehaving.__file__, *self.kind.split()]
        return Launch(command=command, folder=tmp, environment=os.environ, level="off")


@dataclass(frozen=True, kw_only=True)
class Later(Terms):
    """The limits count from the turn at which the agent misbehaves; before it has all the time that it needs."""

    def told(self, seat: int, plies: list[Ply]) -> tuple[Limits, float | None]:
        turns = sum(ply.by == seat for ply in plies)
        return (replace(self.limits, seconds=PATIENT) if turns < misbehaving.WHEN - 1 else self.limits), None


def play(kind: str, games: int = 1) -> list[Record]:
    other = LocalContestant("random", "isolation")
    agent = Misbehaving(kind)
    limits = Limits(seconds=0.1) if kind in ("hangs", "late", "drips") else Limits(seconds=PATIENT)
    terms = (Later(limits=limits), Terms(limits=Limits(nodes=1)))
    referee = Referee(game=GAME, options=OPTIONS, terms=terms)
    try:
        return [referee.play(GAME.initial(), (agent, other), (kind, "random"), seed) for seed in range(games)]
    finally:
        agent.close()


@pytest.fixture(autouse=True)
def nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    marks: set[str] = set()
    begin = AgentProcess.__init__

    def noted(self: AgentProcess, *arguments: Any, **keywords: Any) -> None:
        begin(self, *arguments, **keywords)
        marks.add(self.mark)
        STARTED.append(self.mark)

    monkeypatch.setattr(AgentProcess, "__init__", noted)
    workplace()  # has open files of its own
    before = open_files()
    yield
    assert marks
    deadline = time.monotonic() + 120
    while (left := [one for one in psutil.process_iter() if mark_of(one) in marks]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left
    assert open_files() <= before


def mark_of(process: psutil.Process) -> str | None:
    try:
        return process.environ().get(MARK) if process.status() != psutil.STATUS_ZOMBIE else None
    except (psutil.Error, OSError):
        return None


@pytest.mark.parametrize("kind", ENDS)
def test_a_fault_loses_with_its_own_reason_and_the_next_game_is_played(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind in ENDING:
        monkeypatch.setattr(process, "GRACE", PATIENT)
    reason, detail = ENDS[kind]
    for record in play(kind, games=2):
        assert (record.reason, record.winner) == (reason, 1), record.detail
        assert detail in record.detail
        assert len(record.detail) < 300
        assert [ply.by for ply in record.plies].count(0) in (2, 3)


@pytest.mark.parametrize("kind", ["good", "twice", "shouts", "spawns", "stays", "huge"])
def test_what_does_no_harm_is_no_fault(kind: str) -> None:
    (record,) = play(kind)
    assert record.reason == "rules"


@pytest.mark.parametrize("kind", AT_START)
def test_an_agent_that_cannot_start_loses_every_game_and_is_started_once(kind: str) -> None:
    started = len(STARTED)
    for record in play(kind, games=2):
        assert (record.reason, record.winner, record.plies) == ("did not load", 1, ())
        assert AT_START[kind] in record.detail
    assert len(STARTED) == started + 1


def test_a_late_answer_that_has_come_is_not_waited_for_in_the_next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_later(self: AgentProcess, due: Due, event: str) -> None:
        due.moment = time.perf_counter() + 0.01

    monkeypatch.setattr(AgentProcess, "_judge", look_later)  # so the answer is there when the agent is found late
    agent = Misbehaving("good")
    agent.keeps_late, agent.margin = True, 0.0
    try:
        agent.begin(OPTIONS, GAME.initial().text, 0, 1)
        assert agent.process is not None
        pid = agent.process.process.pid
        with pytest.raises(AgentFault, match="answered after"):
            agent.choose(GAME.initial(), [], Limits(seconds=1e-9), 1)
        assert agent.owed is None
        agent.begin(OPTIONS, GAME.initial().text, 0, 1)
        assert agent.choose(GAME.initial(), [], Limits(seconds=PATIENT), 1).move
        assert agent.process.process.pid == pid
    finally:
        agent.close()


def test_whatever_has_left_the_group_is_stopped_out_of_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = tmp_path / "ticks"
    monkeypatch.setenv("TICKS", str(ticks))
    agent = Misbehaving("escapes")
    state, moves = GAME.initial(), list[str]()
    agent.begin(OPTIONS, state.text, 0, 1)
    try:
        while not ticks.exists():
            state = state.play(agent.choose(state, moves, Limits(seconds=PATIENT), 1).move)
            moves.append(str(state.last_move))
        counted = {ticks.stat().st_size for _ in range(2) if time.sleep(0.3) is None}
        assert agent.process is not None
        states = {one.status() for one in agent.process.tree.processes()}
    finally:
        agent.close()
    assert len(counted) == 1 and states == {psutil.STATUS_STOPPED}


def test_an_illegal_move_is_told_from_an_unreadable_one() -> None:
    agent = Misbehaving("good")
    other = LocalContestant("random", "isolation")
    terms = (Terms(limits=Limits(seconds=PATIENT)), Terms(limits=Limits(nodes=1)))
    referee = Referee(game=GAME, options=OPTIONS, terms=terms)

    class Liar(LocalContestant):
        def choose(self, state, moves, limits, seed, allowed=None):  # type: ignore[no-untyped-def]
            said = super().choose(state, moves, limits, seed, allowed)
            return type(said)(move=moves[0], seconds=0.0) if len(moves) > 3 else said

    try:
        record = referee.play(GAME.initial(), (agent, Liar("random", "isolation")), ("a", "b"), 1)
    finally:
        agent.close()
        other.close()
    assert (record.reason, record.winner) == ("illegal move", 0)
    assert record.plies[0].move in record.detail
