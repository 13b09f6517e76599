"""`harena check` on time and memory: who is late, who is excused, and what is close."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from courses.checking import HERE, lines, marks, of
from harena.agents.fault import AgentFault
from harena.arena.record import TIME
from harena.arena.words import nth
from harena.courses.asking import Asker, Turn
from harena.courses.check import Answers, _in_situation, nobody
from harena.courses.finding import NOTE, OK, RED
from harena.courses.sampling import LOST, Sample, samples
from harena.courses.subject import Subject, subject


def test_one_that_hangs_is_cut_and_given_up_after_three_times() -> None:
    found = lines(of("comp424/hangs.py", seconds=0.2), sizes=(6, 7))
    assert marks(found, RED) == {"time"}
    assert "3 of 3 turns took longer than 200 ms a move, the first in size 6, start; no answer" in found["time"].text
    assert found["time"].text.endswith("given up, 3 positions not asked")
    assert "clock" in found["time"].advice
    assert found["legal"].mark == NOTE and "no answer to look at" in found["legal"].text
    assert found["memory"].mark == NOTE
    assert found["when lost"].text == found["one move"].text == "not asked: it was given up before"


@pytest.mark.parametrize(("number", "seconds"), [("3", 0.15), ("6", 0.15), ("11", 0.15), ("9", 1.0)])
def test_one_that_hangs_now_and_then_is_red_though_a_fresh_process_answers(
    number: str, seconds: float, tmp_path: Path
) -> None:
    source = (HERE / "hangs_at_times.py").read_text()
    (tmp_path / "mine.py").write_text(source.replace("NUMBER = 3", f"NUMBER = {number}"))
    found = lines(subject(str(tmp_path / "mine.py"), None, "tiles", seconds))
    (told,) = (line for line in found.values() if line.mark == RED)
    assert "it stopped answering" in told.text and "no answer after " in told.text
    assert f"at its {nth(int(number))} move since it was started (size " in told.text
    assert number == "11" or (told.what == "time" and "longest " in told.text and " (no answer)" in told.text)


def test_a_single_turn_without_an_answer_is_a_note_where_the_limit_is_brief() -> None:
    agent = of("comp424/stays.py", seconds=0.2)
    asker, sample = Asker(agent, "off", []), samples("colosseum", (6,))[0]
    turns = [Turn(sample=sample, moves=("a1u",), seconds=0.1, slipped=True)] * 3
    begin = time.perf_counter() - 9.0
    cut = Turn(sample=sample, fault=AgentFault(TIME))
    asker._noted(asker._excused(cut, begin, begin + 0.45, 0.3, 0.2), 0.45)
    assert not asker.cuts  # the machine kept it from running
    asker._noted(asker._excused(cut, begin, begin + 0.45, 0.0, 0.2), 0.45)
    told = Answers(agent, asker, turns, 3).time()
    assert told.mark == NOTE and "and a fresh process answered in time" in told.text
    assert told.text.endswith("median 100 ms, longest 450 ms (no answer) of 200 ms a move")
    asker._noted(asker._excused(cut, begin, begin + 0.45, 0.0, 0.2), 0.45)
    assert Answers(agent, asker, turns, 3).time().mark == RED


def test_answers_that_come_too_late_are_measured() -> None:
    found = lines(of("comp424/late.py", seconds=0.55), sizes=(6, 7))
    assert marks(found, RED) == {"time"}
    assert "3 of 3 turns" in found["time"].text and "median " in found["time"].text
    assert found["legal"].mark == OK and "in 3 positions" in found["legal"].text


def test_one_that_is_late_when_first_asked_gets_a_note() -> None:
    found = lines(of("comp424/late_once.py", seconds=1.0))
    assert marks(found, RED) == set()
    assert found["time"].mark == NOTE
    assert found["time"].text.endswith("of 1 s a move; 1 turn late, and in time when asked again")


def test_a_busy_machine_is_no_fault_of_an_agent() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asker = Asker(agent, "off", [])
    sample = samples("colosseum", (6,))[0]
    late = Turn(sample=sample, moves=("a1u",), seconds=2.5, fault=AgentFault(TIME))
    begin = time.perf_counter() - 9.0
    waited = asker._excused(late, begin, begin + 2.5, 0.6, 2.0)
    assert waited.is_excused and waited.reason == TIME and not waited.is_late
    assert not asker._excused(late, begin, begin + 2.5, 0.4, 2.0).is_excused
    asker.probe.stalls.append((begin + 0.9, 0.6))
    assert not asker._excused(late, begin, begin + 2.5, 0.0, 2.0).is_excused  # it could see that on the clock
    asker.probe.stalls.append((begin + 1.9, 0.6))
    assert asker._excused(late, begin, begin + 2.5, 0.0, 2.0).is_excused  # it stood still when the answer was due
    fine = replace(waited, fault=None, seconds=1.0, is_excused=False, slipped=True)
    told = Answers(agent, asker, [fine, fine], 2).time()
    busy = "this machine was busy: 2 turns late while it kept the agent waiting for up to 600 ms, "
    assert told.mark == NOTE and told.text.endswith(f"; {busy}in time when asked again") and "close" in told.advice
    told = Answers(agent, asker, [fine, waited], 2).time()
    assert told.mark == NOTE and told.text.endswith(f"; {busy}1 still when asked again")


class Hindered(Asker):
    """Asks on a machine that is busy for its first questions."""

    def __init__(self, agent: Subject, busy: int) -> None:
        super().__init__(agent, "off", [])
        self.busy, self.margins = busy, list[float]()

    def _turn(self, sample: Sample) -> Turn:
        self.margins.append(self.contestant.margin)
        self.busy -= 1
        if self.busy < 0:
            return Turn(sample=sample, moves=("a1u",), seconds=0.1)
        return Turn(sample=sample, fault=AgentFault(TIME), waited=0.5, is_excused=True)


def test_turns_that_the_machine_delays_are_asked_again_with_more_patience() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asked = samples("colosseum", (6, 7))
    asker = Hindered(agent, 2)
    turn = asker.ask(asked[0])
    assert turn.moves and turn.slipped and turn.waited == 0.5 and not turn.is_excused
    assert asker.margins == [1.0, 5.0, 9.0] and asker.contestant.margin == 1.0
    always = Hindered(agent, 99)
    turns = list(always.ask_all(asked))
    assert all(turn.is_excused and not turn.is_late for turn in turns) and len(turns) == len(asked) == 6
    assert len(always.margins) == 6 + 12 and not always.has_given_up  # it ends, and blames nobody
    (line,) = _in_situation(agent, Hindered(agent, 99), LOST, set(), nobody)
    assert line.mark == NOTE and line.text.startswith("this machine was busy: 2 turns late")


def test_what_is_near_a_limit_gets_a_note() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asker = Asker(agent, "off", [])
    asker.peak = 480.0
    turns = [Turn(sample=one, moves=("a1u",), seconds=1.95) for one in samples("colosseum", (6,))]
    answers = Answers(agent, asker, turns, 3)
    assert answers.time().mark == answers.memory().mark == NOTE
    assert answers.time().text == "median 1.95 s, longest 1.95 s of 2 s a move" and "close" in answers.time().advice
    assert answers.memory().text == "480 MB at most, of 500 MB" and "close" in answers.memory().advice


@pytest.mark.parametrize("name", ["eats", "eats_quickly"])
def test_one_that_eats_memory_is_found_while_it_thinks_or_afterwards(name: str) -> None:
    found = lines(of(f"comp424/{name}.py", memory=140.0))
    assert "memory" in marks(found, RED) and found["legal"].mark != RED
    assert "of 140" in found["memory"].text and "keep less" in found["memory"].advice
