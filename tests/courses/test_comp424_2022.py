"""COMP 424 as in 2022: its clock and its boards in `harena check` and `harena grade`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from courses.checking import lines
from courses.graded import grade, meet, verdicts
from harena.agents.clocks import CLOCKS
from harena.arena.store import Store
from harena.courses.finding import OK, RED, Finding
from harena.courses.grading import Book, plan_of
from harena.courses.levels import Level
from harena.courses.opponents import QUICK, _spec, short_games
from harena.courses.sampling import samples
from harena.courses.subject import GAME_CLOCKS, Subject, subject

AGENT = """
import time

from agents.agent import Agent
from store import register_agent


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super().__init__()
        self.turn = 0

    def step(self, chess_board, my_pos, adv_pos, max_step):
        self.turn += 1
        time.sleep({first} if self.turn == 1 else {later})
        sides = [side for side in range(4) if not chess_board[my_pos[0], my_pos[1], side]]
        return my_pos, sides[0] if self.turn < {wrong} else "up"
"""


def written(folder: Path, *, first: float = 0.0, later: float = 0.0, wrong: int = 99) -> Path:
    """An agent that stays where it is, sleeps in its moves, and answers what cannot be read from a turn on."""
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "student_agent.py").write_text(AGENT.format(first=first, later=later, wrong=wrong))
    return folder


def checked(folder: Path, *, seconds: float = 2.0, first: float | None = 20.0) -> Mapping[str, Finding]:
    found = subject(str(folder), "comp424-2022", None, None)
    return lines(replace(found, clock=replace(found.clock, seconds=seconds, first=first)))


def test_the_course_has_its_clock_and_its_boards(tmp_path: Path) -> None:
    folder = written(tmp_path / "mine")
    found = subject(str(folder), "comp424-2022", None, None)
    assert (found.course, found.text, found.setup) == ("comp424-2022", f"comp424-2022:{folder}", "2022")
    assert found.clock == CLOCKS["comp424-2022"] and found.clock.first == 30.0
    file = folder / "agents" / "student_agent.py"
    assert found.file == file and subject(f"comp424-2022:{file}", None, None, None).folder == folder
    assert subject(str(folder), "comp424-2022", None, 1.0).clock.first is None  # one limit for all moves
    assert subject(str(folder), None, None, None).clock.first is None  # nobody else's has changed
    assert GAME_CLOCKS["colosseum"] == CLOCKS["comp424"]
    usual, early = (samples("colosseum", (8,), setup)[0].state for setup in ("", "2022"))
    assert (usual.text.count(","), early.text.count(",")) == (5, 7)  # walls: 8 // 2 - 1 pairs, and (8 + 1) // 2
    spec = _spec(found, "uct", QUICK["colosseum"], "off")
    assert spec.variants == [{"size": 6, "setup": "2022"}] and spec.limits == {} and spec.first is None


@pytest.mark.process
@pytest.mark.quiet
def test_a_first_move_may_take_longer_than_the_others(tmp_path: Path) -> None:
    folder = written(tmp_path / "prepares", first=0.3)
    found = checked(folder, seconds=0.2)
    assert found["time"].mark == found["legal"].mark == OK
    assert found["time"].text.startswith("first moves up to ") and "ms, then median " in found["time"].text
    assert found["time"].text.endswith(" of 20 s for the first of a game, then 200 ms a move")
    assert checked(folder, seconds=0.2, first=None)["time"].mark == RED  # as in 2023


@pytest.mark.process
@pytest.mark.quiet
def test_moves_after_the_first_are_held_to_their_own_limit(tmp_path: Path) -> None:
    found = checked(written(tmp_path / "late", later=0.6), seconds=0.25)
    assert found["time"].mark == RED
    late = "2 of 3 turns took longer than 20 s for the first of a game, then 250 ms a move, the first in size 6, start"
    assert found["time"].text.startswith(f"{late}, second move; first moves up to ")
    found = checked(written(tmp_path / "wrong", wrong=2))
    assert found["legal"].mark == RED and "the first in size 6, start, second move: unreadable" in found["legal"].text


def test_the_time_of_short_games_counts_first_moves(tmp_path: Path) -> None:
    found: Subject = subject(str(written(tmp_path / "mine")), "comp424-2022", None, None)
    (line,) = short_games(found, 0.1, 28.0, walls="off", watch=lambda *told: None)
    assert line.what == "strength" and line.text == "two games would take about 58 s"


@pytest.mark.process
@pytest.mark.parametrize("course", ["comp424-2022", "comp424"])
def test_a_class_of_that_year_is_graded_by_its_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, course: str
) -> None:
    meet(monkeypatch, course, Level(player="random_agent"))
    written(tmp_path / "class" / "ann", first=2.4)
    out = grade(tmp_path / "class", course=course, seconds=None)
    row = verdicts(out)["ann"]
    with Store(out / "games.sqlite") as kept:
        (run,) = kept.runs()
        records = [record for _, record in kept.games(run.id)]
    if course == "comp424":
        assert "time 2" in row["verdict"] and {record.reason for record in records} == {"time"}
        return
    assert row["verdict"] == "graded" and row["late_moves"] == "0" and float(row["slowest_seconds"]) > 2
    assert all(record.options["setup"] == "2022" for record in records)
    assert "30 s, then 2 s a move" in (out / "leaderboard.html").read_text("utf-8")
    book = Book(plan_of(dict(run.spec)))  # a second move of that length would be late
    slot = book.plan.slots()[0]
    mine = [number for number, ply in enumerate(records[0].plies) if ply.by == slot.seats.index(slot.b)]
    plies = [replace(ply, seconds=2.05) if number in mine[:2] else ply for number, ply in enumerate(records[0].plies)]
    book.add(slot, replace(records[0], plies=tuple(plies)))
    assert book.result(book.plan.submissions[0]).late == 1
