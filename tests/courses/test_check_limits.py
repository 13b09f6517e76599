"""`harena check` on time and memory: who is late, who is excused, and what is close."""

from pathlib import Path

import pytest

from courses.checking import HERE, lines, marks, of
from harena.agents.fault import AgentFault
from harena.arena.record import TIME, Ply
from harena.arena.words import nth
from harena.courses.asking import Asker, Turn
from harena.courses.check import Answers, _in_situation, nobody
from harena.courses.finding import NOTE, OK, RED
from harena.courses.sampling import LOST, Sample, samples
from harena.courses.subject import Subject, subject


@pytest.mark.process
@pytest.mark.quiet
def test_one_that_hangs_is_cut_and_given_up_after_three_times() -> None:
    found = lines(of("comp424/hangs.py", seconds=0.2), sizes=(6, 7))
    assert marks(found, RED) == {"time"}
    assert "3 of 3 turns took longer than 200 ms a move, the first in size 6, start; no answer" in found["time"].text
    assert found["time"].text.endswith("given up, 3 positions not asked")
    assert "clock" in found["time"].advice
    assert found["legal"].mark == NOTE and "no answer to look at" in found["legal"].text
    assert found["memory"].mark == NOTE
    assert found["when lost"].text == found["one move"].text == "not asked: it was given up before"


@pytest.mark.process
@pytest.mark.quiet
@pytest.mark.parametrize(
    ("number", "seconds"),
    [("3", 0.15), pytest.param("6", 0.15, marks=pytest.mark.soak), ("11", 0.15), ("9", 1.0)],
)
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
    asker, sample = Asker(agent, "off", [], {}), samples("colosseum", (6,))[0]
    turns = [Turn(sample=sample, moves=("a1u",), seconds=0.1, slipped=True)] * 3
    cut = Turn(sample=sample, fault=AgentFault(TIME))
    asker._noted(cut, 0.45)
    told = Answers(agent, asker, turns, 3).time()
    assert told.mark == NOTE and "and a fresh process answered in time" in told.text
    assert told.text.endswith("median 100 ms, longest 450 ms (no answer) of 200 ms a move")
    asker._noted(cut, 0.45)
    assert Answers(agent, asker, turns, 3).time().mark == RED


@pytest.mark.process
@pytest.mark.quiet
def test_answers_that_come_too_late_are_measured() -> None:
    found = lines(of("comp424/late.py", seconds=0.55), sizes=(6, 7))
    assert marks(found, RED) == {"time"}
    assert "3 of 3 turns" in found["time"].text and "median " in found["time"].text
    assert found["legal"].mark == OK and "in 3 positions" in found["legal"].text


@pytest.mark.process
@pytest.mark.quiet
def test_one_that_is_late_when_first_asked_gets_a_note() -> None:
    found = lines(of("comp424/late_once.py", seconds=1.0))
    assert marks(found, RED) == set()
    assert found["time"].mark == NOTE
    assert found["time"].text.endswith("of 1 s a move; 1 turn late, and in time when asked again")


class Hindered(Asker):
    """Asks on a machine that has no processor for the agent at its first questions."""

    def __init__(self, agent: Subject, busy: int) -> None:
        super().__init__(agent, "off", [], {})
        self.busy, self.stubborn = busy, list[bool]()

    def start(self) -> float:
        return 0.0

    def _decided(self, sample: Sample, past: list[Ply], limit: float | None) -> Turn:
        self.stubborn.append(self.contestant.stubborn)
        self.busy -= 1
        if self.busy < 0:
            return Turn(sample=sample, moves=("a1u",), seconds=0.1)
        fault = AgentFault(TIME, is_stall=True, seconds=0.6)
        return Turn(sample=sample, fault=fault, waited=fault.seconds, is_excused=True)


def test_turns_for_which_the_machine_had_no_processor_are_asked_again_with_more_patience() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asked = samples("colosseum", (6, 7))
    asker = Hindered(agent, 2)
    turn = asker.ask(asked[0])
    assert turn.moves and turn.slipped and turn.waited == 0.6 and not turn.is_excused and not turn.is_late
    assert asker.stubborn == [False, True, True] and not asker.contestant.stubborn
    always = Hindered(agent, 99)
    turns = list(always.ask_all(asked))
    assert all(turn.is_excused and not turn.is_late for turn in turns) and len(turns) == len(asked) == 6
    assert len(always.stubborn) == 6 + 12 and not always.has_given_up  # it ends, and blames nobody
    (line,) = _in_situation(agent, Hindered(agent, 99), LOST, set(), nobody)
    assert line.mark == NOTE and line.text.startswith("this machine was busy: 2 turns late")
    busy = "this machine was busy: 2 turns late while it kept the agent waiting for up to 600 ms, "
    told = Answers(agent, asker, [turn, turn], 2).time()
    assert told.mark == NOTE and told.text.endswith(f"; {busy}in time when asked again") and "close" in told.advice
    told = Answers(agent, asker, [turn, turns[0]], 2).time()
    assert told.mark == NOTE and told.text.endswith(f"; {busy}1 still when asked again")


def test_what_is_near_a_limit_gets_a_note() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asker = Asker(agent, "off", [], {})
    asker.peak = 480.0
    turns = [Turn(sample=one, moves=("a1u",), seconds=1.95) for one in samples("colosseum", (6,))]
    answers = Answers(agent, asker, turns, 3)
    assert answers.time().mark == answers.memory().mark == NOTE
    assert answers.time().text == "median 1.95 s, longest 1.95 s of 2 s a move" and "close" in answers.time().advice
    assert answers.memory().text == "480 MB at most, of 500 MB" and "close" in answers.memory().advice


@pytest.mark.process
@pytest.mark.parametrize("name", ["eats", "eats_quickly"])
def test_one_that_eats_memory_is_found_while_it_thinks_or_afterwards(name: str) -> None:
    found = lines(of(f"comp424/{name}.py", memory=100.0))
    assert "memory" in marks(found, RED) and found["legal"].mark != RED
    assert "of 100" in found["memory"].text and "keep less" in found["memory"].advice
