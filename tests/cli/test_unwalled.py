"""Code of a user's file runs without a sandbox: it is refused where walls were asked for, else that is said."""

from pathlib import Path

import pytest

from cli.conftest import Harena
from harena.agents.launch import check, check_walls, launch, level_of
from harena.arena.store import Store
from harena.errors import BadFile, UsageError

SEARCH = """
class Mine:
    def run(self, state, limits, turn):
        return state.moves()[0]


def score(state, me):
    return 0.0
"""
WORDS = ("--games", "2", "--size", "4", "--nodes", "1", "--local")
OWN = ("mine.py:Mine", "id(heuristic=mine.py:score)")


@pytest.fixture
def mine(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(SEARCH)
    monkeypatch.chdir(tmp_path)
    return file


@pytest.mark.process
@pytest.mark.parametrize("level", ["required", "bubblewrap", "namespaces"])
@pytest.mark.parametrize("agent", OWN)
def test_where_walls_were_asked_for_it_is_refused(harena: Harena, mine: Path, level: str, agent: str) -> None:
    refused = f"mine.py runs without a sandbox, which --sandbox {level} refuses"
    for words in (["match", "isolation", agent, "random"], ["tournament", "isolation", "random", agent]):
        answer = harena(*words, *WORDS, "--sandbox", level)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1) and refused in answer.err
    courses = [["trap-game", agent, "random"], ["simulator", "--player_1", agent]]
    for words in courses + [["isolation-tournament", agent]] * (agent == OWN[1]):
        answer = harena(*words, "--sandbox", level)
        assert answer.code == 2 and refused in answer.err, answer.err
    with pytest.raises(UsageError, match="runs without a sandbox"):
        launch(agent, level, str(mine.parent))
    check_walls("mcts(c=1)", level)


def test_where_it_runs_that_is_said_and_kept(harena: Harena, mine: Path, path: Path) -> None:
    answer = harena("match", "isolation", OWN[0], "random", *WORDS)
    assert answer.code == 0 and "mine.py runs without a sandbox" in " ".join(answer.out.split())
    with Store(path) as store:
        assert store.record(1).conditions["sandbox"] == {OWN[0]: "none"}
    assert "mine.py:Mine runs without a sandbox" in harena("records", "show", "1").out
    said = harena("play", "isolation", "--first", OWN[0], "--second", "random", "--nodes", "1", "--size", "4").out
    assert "mine.py runs without a sandbox" in said
    with Store(path) as store:
        assert store.record(3).conditions["sandbox"] == {OWN[0]: "none"}
    assert level_of("random", "off") is None and level_of("./program", "off") == "off"


def test_the_advice_for_a_forgotten_class_says_so(mine: Path) -> None:
    with pytest.raises(BadFile, match=r"for its search, which runs without a sandbox, write mine\.py:Mine$"):
        check("mine.py", "isolation")
    with pytest.raises(BadFile, match=r"its search would run without a sandbox, which --sandbox required refuses"):
        check("mine.py", "isolation", "required")
