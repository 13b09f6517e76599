"""Agents that cannot be started: a match stops at once with a line, and keeps nothing but what was played before."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer, run
from harena.arena.store import STOPPED, Store

pytestmark = pytest.mark.process

Harena = Callable[..., Answer]
EXAMPLES = Path(__file__).parents[2] / "examples"
GOOD = "from harena.agents.bot import run\nrun(lambda turn: turn.legal[0])\n"


@pytest.fixture
def harena(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.chdir(tmp_path)
    return lambda *words: run(capsys, monkeypatch, *words)


@pytest.mark.parametrize(("example", "name"), [("my_search.py", "Flat"), ("my_algorithm.py", "Forced")])
def test_a_search_without_its_class_is_told_what_to_write(
    harena: Harena, tmp_path: Path, example: str, name: str
) -> None:
    shutil.copy(EXAMPLES / example, tmp_path / "beam.py")
    wanted = f"harena: beam.py speaks no protocol: for its search, which runs without a sandbox, write beam.py:{name}\n"
    for words in (["analyse", "isolation", "--agent", "beam.py"], ["match", "isolation", "random", "beam.py"]):
        answer = harena(*words)
        assert (answer.code, answer.out, answer.err) == (2, "", wanted)
    assert not (tmp_path / "games.sqlite").exists()


BROKEN = {
    "def choose(:\n": "mine.py did not load: exit code 1; SyntaxError: invalid syntax (mine.py, line 1)",
    "import nowhere_to_be_found\n": "mine.py did not load: exit code 1; ",
    "class Beam:\n    pass\n": "mine.py did not load: it ended by itself: does it speak docs/protocol.md?",
}


@pytest.mark.parametrize("text", BROKEN)
def test_a_match_stops_at_once_and_leaves_no_run(harena: Harena, tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    answer = harena("match", "isolation", "random", "mine.py", "--games", "4", "--concurrency", "2")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith(f"harena: {BROKEN[text]}")
    with Store(tmp_path / "games.sqlite", writing=False) as store:
        assert store.runs() == []


def test_a_match_that_goes_on_keeps_what_was_played(harena: Harena, tmp_path: Path) -> None:
    agent, needed = tmp_path / "mine.py", tmp_path / "needed.txt"
    agent.write_text(f"open('needed.txt')\n{GOOD}")
    needed.write_text("here")
    words = ("--games", "4", "--size", "4", "--sandbox", "off")
    assert harena("match", "isolation", "random", "mine.py", *words).code == 0
    with Store(tmp_path / "games.sqlite") as store:
        (begun,) = store.runs()
        store._do("DELETE FROM games WHERE id > 2")
        store.finish(begun.id, STOPPED)
    needed.unlink()
    go_on = ("resume", begun.id, "--agent", "mine.py", "--sandbox", "off")
    answer = harena(*go_on)
    warning, first, last = answer.err.splitlines()
    assert (answer.code, answer.out) == (2, "") and last.startswith("harena: mine.py did not load: ")
    assert first == f"what was played is kept; go on with: harena resume {begun.id} --agent {agent} --sandbox off"
    assert "runs without a sandbox" in warning
    needed.write_text("here again")
    answer = harena(*go_on)
    assert answer.code == 0 and "4 games" in answer.out


def test_a_folder_is_no_store(harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path))
    wanted = f"{tmp_path} is a folder: name a file, as {tmp_path}/games.sqlite (--store, or HARENA_STORE)"
    for words in (["records", "list"], ["match", "isolation", "random", "random", "--games", "2"]):
        assert harena(*words) == Answer(2, "", f"harena: {wanted}\n")
