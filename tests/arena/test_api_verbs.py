"""`harena.analyse`, `review`, `check` and `grade`: what the commands do, for Python programs."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import harena
from courses.graded import LOSER, meet, small_class
from harena.courses.levels import Level
from harena.errors import BadFile, BadOption, UsageError

BROKEN = "def step(:\n"


@pytest.fixture(autouse=True)
def silence(capfd: pytest.CaptureFixture[str]) -> Any:
    """No public function prints."""
    yield
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_an_analysis_has_a_move_a_line_and_a_picture() -> None:
    state = harena.game("isolation", size=5).initial()
    found = harena.analyse(state, "ab_improved", depth=3)
    assert found.move in state.moves() and found.line[0] == found.move and found.value is not None
    assert found.to_dict()["move"] == str(found.move) and json.dumps(found.to_dict())
    assert set(found.heat.values()) <= set(range(10)) and max(found.heat.values()) == 9
    svg = found._repr_svg_()
    assert svg is not None and svg.startswith("<svg") and svg != state._repr_svg_()


def test_an_analysis_in_another_thread_is_the_same() -> None:
    state, found = harena.game("isolation", size=5).initial(), list[harena.Analysis]()
    thread = threading.Thread(target=lambda: found.append(harena.analyse(state, "ab_improved", depth=3)))
    thread.start()
    thread.join()
    assert found[0].result.move == harena.analyse(state, "ab_improved", depth=3).result.move


def test_there_must_be_something_to_analyse() -> None:
    with pytest.raises(BadOption, match="takes a State"):
        harena.analyse("isolation")  # type: ignore[arg-type]
    state, rng = harena.game("trap", size=4).initial(), harena.generator(1)
    while not state.is_over:
        state = state.play(state.random_move(rng))
    with pytest.raises(UsageError, match="nothing to analyse"):
        harena.analyse(state, "random")


def test_a_review_is_made_once_and_kept(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    harena.match("isolation", "greedy", "random", games=2, size=4, nodes=5, local=True, store=store)
    told: list[tuple[int, int]] = []
    found = harena.review(1, "id_improved", nodes=100, store=store, progress=lambda *done: told.append(done))
    assert isinstance(found, harena.Review) and found.decisions and told
    told.clear()
    assert harena.review(1, "id_improved", nodes=100, store=store, progress=lambda *done: told.append(done)) == found
    assert not told
    assert harena.review(1, "id_improved", nodes=100, again=True, store=store).decisions == found.decisions
    with pytest.raises(UsageError, match="more than 0"):
        harena.review(1, nodes=-1, store=store)


def test_a_check_has_its_findings(tmp_path: Path) -> None:
    agent = tmp_path / "student_agent.py"
    agent.write_text(BROKEN, "utf-8")
    found = harena.check(str(agent), "comp424", sandbox="limits")
    assert not found.passed and found.course == "comp424" and found.game == "colosseum"
    assert found.findings[0].mark == "RED" and found.to_dict()["findings"][0]["mark"] == "red"
    assert "<table>" in found._repr_html_()
    with pytest.raises(UsageError, match="give one of them"):
        harena.check(str(agent), "comp424", game="colosseum")


@pytest.mark.slow
def test_a_class_is_graded_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", Level(player="random", needed=1))
    folder = small_class(tmp_path / "class", "ada", agent=LOSER)
    (folder / "readme.txt").write_text("not a submission")
    found = harena.grade(str(folder), "w4701", games=2, seconds=2.0, sandbox="limits")
    assert found.status == "finished" and [one.submission.name for one in found.submissions] == ["ada"]
    assert found.folder == Path(f"{folder}-grades") and (found.folder / "leaderboard.csv").exists()
    assert found.to_dict()["submissions"][0]["name"] == "ada" and json.dumps(found.to_dict())
    assert "ada" in found._repr_html_()
    again = harena.grade(str(folder), "w4701", games=2, seconds=2.0, sandbox="limits")
    assert again.run == found.run
    with pytest.raises(BadFile, match="there is no such folder"):
        harena.grade(str(tmp_path / "none"), "w4701")


@pytest.mark.parametrize("name", ["match", "start_match", "resume", "check", "grade", "review", "analyse", "Run"])
def test_a_public_name_is_loaded_when_it_is_used(name: str) -> None:
    script = f"import sys, harena\nassert 'numpy' not in sys.modules\nassert harena.{name} is not None"
    subprocess.run([sys.executable, "-c", script], check=True)
