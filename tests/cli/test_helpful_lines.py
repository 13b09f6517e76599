"""Small mistakes of new users: one line that says what is wrong and what to do."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer

Harena = Callable[..., Answer]
EXAMPLE = (Path(__file__).parents[2] / "examples" / "tictactoe.py").read_text("utf-8")
MATCH = ("match", "isolation", "random", "greedy", "--games", "2", "--local")
ASKS = """
from agents.agent import Agent
from store import register_agent

@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return input("move? ")
"""


def complaint(answer: Answer) -> str:
    assert answer.code == 2, answer.out
    (line,) = [line for line in answer.err.splitlines() if line.startswith("harena: ")]
    return line.removeprefix("harena: ")


@pytest.mark.parametrize("size", ["6..8", "6...8", "6:8", "6 to 8", "6,8"])
def test_a_range_of_sizes_in_another_notation(harena: Harena, path: Path, size: str) -> None:
    assert complaint(harena(*MATCH, "--size", size)) == f"--size {size!r}: write a range of sizes as 6-8"


def test_a_mistyped_store(harena: Harena, path: Path, tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").touch()
    there = complaint(harena("records", "list", "--store", str(tmp_path / "gmaes.sqlite")))
    assert there.endswith(f"gmaes.sqlite does not exist; did you mean {tmp_path / 'games.sqlite'}?")
    missing = tmp_path / "folder" / "games.sqlite"
    assert f"there is no folder {tmp_path / 'folder'}" in complaint(harena(*MATCH, "--store", str(missing)))
    assert not missing.parent.exists()


def test_a_mistyped_path_of_a_starter(harena: Harena, path: Path, tmp_path: Path) -> None:
    ending = complaint(harena("new", "isolation", str(tmp_path / "mine.yp")))
    assert ending.endswith(f"name a folder, or a file that ends in .py, as {tmp_path / 'mine.py'}")
    folder = complaint(harena("new", "isolation", str(tmp_path / "missing" / "too" / "mine.py")))
    assert f"there is no folder {tmp_path / 'missing' / 'too'}" in folder
    assert sorted(tmp_path.iterdir()) == []
    (tmp_path / "agents").mkdir()
    near = complaint(harena("new", "isolation", str(tmp_path / "agnets" / "mine.py")))
    assert near.endswith(f"did you mean {tmp_path / 'agents' / 'mine.py'}?")
    assert harena("new", "isolation", str(tmp_path / "v1.2")).code == 0  # a folder whose name has a dot


@pytest.mark.parametrize(
    ("old", "new"),
    [("@outcome.method", "@outcom.method"), ("@outcome.method", "@outcome.metod"), (" outcome, play", " outcom, play")],
)
def test_a_misspelt_decorator(harena: Harena, path: Path, tmp_path: Path, old: str, new: str) -> None:
    assert old in EXAMPLE
    mine = tmp_path / "mine.py"
    mine.write_text(EXAMPLE.replace(old, new), "utf-8")
    expected = "method" if "metod" in new else "outcome"
    assert complaint(harena("show", str(mine))).endswith(f"; did you mean {expected!r}?")


@pytest.mark.process
def test_an_agent_that_asks_with_input(harena: Harena, path: Path, tmp_path: Path) -> None:
    agent = tmp_path / "student_agent.py"
    agent.write_text(ASKS, "utf-8")
    words = ("match", "colosseum", f"comp424:{agent}", "random", "--games", "2", "--size", "4", "--sandbox", "limits")
    said = " ".join(harena(*words).out.split())
    assert "EOFError: EOF when reading a line; input() has nobody to ask: an agent returns its move" in said


def test_a_person_at_the_board_is_told_the_rules_the_reach_and_the_levels(
    harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("rules\nquit\n"))
    said = harena("play", "colosseum", "--size", "5").out
    assert said.count("on this board a walk has at most 3 steps") == 2  # at the beginning and among the rules
    assert "champion(level=3)" in said and "- Then build a wall on an open side of your cell." in said


def test_two_agents_can_be_watched_slowly(harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("harena.cli.table.time.sleep", slept.append)
    words = ("play", "isolation", "--size", "3", "--first", "random", "--second", "greedy", "--seed", "1")
    answer = harena(*words, "--delay", "0.5")
    assert answer.code == 0 and slept and set(slept) == {0.5}
    assert "--delay is for watching two agents" in complaint(harena("play", "isolation", "--delay", "1"))


def test_marks_on_the_board_are_explained_where_they_first_appear(
    harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\nb2\nc2\nd3\nquit\n"))
    words = ("play", "isolation", "--size", "4", "--first", "human", "--second", "human")
    lines = [line.strip() for line in harena(*words).out.splitlines()]
    assert lines.count("► ◄ moved to") == 1 and lines.count("▒▒▒ blocked, ( ) came from") == 1
    assert lines.index("► ◄ moved to") == lines.index("player 2 to place the knight") + 1
