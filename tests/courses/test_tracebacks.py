"""The whole traceback of a crash: in the log, the record, `check`, a student's report and `records show`."""

import sys
from pathlib import Path
from typing import Any

import pytest

from cli.support import run
from courses.checking import lines
from courses.graded import grade, meet
from harena.agents.fault import LONGEST_TRACEBACK, AgentFault
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.replay import as_text, from_text
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.courses.hosting.tracebacks import LONGEST_SENT, format_traceback
from harena.courses.levels import Level
from harena.courses.subject import subject

AGENT = """
from agents.agent import Agent
from store import register_agent
from agents import helper

@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return helper.choose(chess_board)
"""
HELPER = """
def choose(board):
    try:
        return board["north"]
    except Exception as error:
        raise KeyError(board.tostring()[:1], [].itemset) from error
"""
TRAP_AGENT = """
from BaseAI import BaseAI

def think(grid):
    return [][3]  # ALAN TURING

class PlayerAI(BaseAI):
    def getMove(self, grid):
        return think(grid)
    def getTrap(self, grid):
        return (0, 0)
    def setPosition(self, position):
        pass
    def setPlayerNum(self, number):
        pass
"""
PROGRAM = """
import json, sys

def divide(by):
    return 1 / by

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "harena": 1, "name": "x"}), flush=True)
    if told["type"] == "go":
        divide(0)
"""


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "student_agent.py").write_text(AGENT)
    (folder / "agents" / "helper.py").write_text(HELPER)
    return folder


def play_one(text: str, game: str = "colosseum", opponent: str = "random_agent", **spec: Any) -> Record:
    given: dict[str, Any] = {"limits": {"seconds": 60.0}, "local": True} | spec
    variants = [{"size": 6}] if game == "colosseum" else [{}]
    contest = Contest(Spec(game=game, variants=variants, agents=[text, opponent], **given))
    contestants: dict[int, Any] = {}
    try:
        return contest.play(Slot(a=0, b=1, pair=0, swapped=False), contestants)
    finally:
        for one in contestants.values():
            one.close()
        contest.probe.stop()


@pytest.mark.process
def test_a_record_has_the_frames_of_the_agent_and_its_causes_and_none_of_the_host(agent: Path) -> None:
    record = play_one(f"comp424:{agent}")
    assert record.reason == "crash" and "helper.py, line 6" in record.detail
    text = record.traceback
    assert 'File "agents/student_agent.py", line 9, in step\n    return helper.choose(chess_board)' in text
    assert 'File "agents/helper.py", line 4, in choose' in text and 'File "agents/helper.py", line 6, in choose' in text
    assert "During handling of the above exception, another exception occurred" in text
    assert text.endswith("AttributeError: 'list' object has no attribute 'itemset'")
    assert "host.py" not in text and "older_numpy" not in text and "importlib" not in text
    assert from_text(as_text(record)) == record


@pytest.mark.process
def test_what_cannot_be_imported_has_its_traceback_too(agent: Path) -> None:
    (agent / "agents" / "helper.py").write_text("def f():\n    import nothing_like_this\n\nf()\n")
    record = play_one(f"comp424:{agent}")
    assert record.reason == "did not load"
    assert 'File "agents/helper.py", line 4, in <module>\n    f()' in record.traceback
    assert 'File "agents/helper.py", line 2, in f' in record.traceback and "hosting" not in record.traceback


@pytest.mark.process
def test_a_program_that_crashes_leaves_what_it_wrote_last(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"#!{sys.executable}\n{PROGRAM}")
    program.chmod(0o755)
    record = play_one(str(program), "isolation", "random")
    assert record.reason == "crash" and "ZeroDivisionError" in record.detail
    assert record.traceback.startswith("Traceback (most recent call last)") and ", in divide" in record.traceback
    assert record.traceback.endswith("ZeroDivisionError: division by zero")


@pytest.mark.process
def test_the_log_has_it_and_records_show_prints_it(
    agent: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, said = tmp_path / "games.db", tmp_path / "said"
    done = run(
        *(capsys, monkeypatch),
        *("match", "colosseum", f"comp424:{agent}", "random_agent", "--games", "2", "--size", "6", "--seconds", "20"),
        *("--output", str(said), "--store", str(store)),
    )
    assert done.code == 0, done.err
    (log,) = said.glob("1-*.log")
    assert log.read_text().count('File "agents/helper.py", line 6, in choose') == 2
    with Store(str(store), writing=False) as kept:
        (first, *_) = kept.runs()
        numbers = [row.id for row in kept.rows(first.id)]
    shown = run(capsys, monkeypatch, "records", "show", str(numbers[0]), "--store", str(store)).out
    assert 'File "agents/helper.py", line 6, in choose' in shown


@pytest.mark.process
def test_check_prints_it_below_the_red_line(
    agent: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = lines(subject(str(agent), None, None, 20.0))
    crashes = [one for one in found.values() if one.traceback]
    assert crashes and all('File "agents/helper.py", line 6, in choose' in one.traceback for one in crashes)
    shown = run(capsys, monkeypatch, "check", str(agent), "--sandbox", "off", "--seconds", "20").out
    assert '      File "agents/helper.py", line 6, in choose' in shown


@pytest.mark.process
def test_a_students_report_folds_it_and_no_public_page_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", Level(player="random", needed=1))
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "ada.py").write_text(TRAP_AGENT)
    out = grade(folder, pseudonyms=True, sandbox="off")
    reports = [file for file in out.rglob("*.html") if "ALAN TURING" in file.read_text()]
    assert [file.parent.name for file in reports] == ["reports"]
    text = reports[0].read_text()
    assert "<details><summary>traceback of game 1</summary>" in text and ", in think" in text
    public = [file for file in out.iterdir() if file.is_file() and "leaderboard" in file.name]
    assert public and not any("think" in file.read_text("utf-8", "replace") for file in public)


def test_a_traceback_has_a_bound_and_no_codes_of_a_terminal() -> None:
    long = AgentFault("crash", traceback="first\n" + "x" * 50 * LONGEST_TRACEBACK + "\n\x1b[31mred\tend\n")
    assert len(long.traceback) <= LONGEST_TRACEBACK + 6 and long.traceback.endswith("\n?[31mred    end")

    def dive(depth: int) -> int:
        return climb(depth + 1)

    def climb(depth: int) -> int:
        return dive(depth + 1)

    with pytest.raises(RecursionError) as caught:
        dive(0)
    text = format_traceback(caught.value, Path(__file__).parent)
    assert "letters are left out here" in text and LONGEST_SENT < len(text) <= 16384
    assert text.startswith("Traceback (most recent call last)") and "RecursionError" in text[-200:]


def test_a_record_without_a_traceback_is_written_as_before() -> None:
    record = Record(game="isolation", options={}, start="x", seats=("a", "b"), plies=(), winner=0)
    assert "traceback" not in as_text(record) and from_text(as_text(record)).traceback == ""
