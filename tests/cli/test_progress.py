"""Long commands say now and then how far they are where standard error is not a terminal."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer
from harena.cli import carrying

Harena = Callable[..., Answer]
QUICK = "mcts(iterations=200)"
GAMES = r"after 0:\d\d: [\d,]+ of [\d,]+ games, [\d,]+ a minute"
STEPS = r"after 0:\d\d: \d of 3 steps, [\d,]+ games, [\d,]+ a minute"
RUNS = {
    "match": (("match", "isolation", QUICK, "random", "--games", "10", "--local"), GAMES),
    "tournament": (("tournament", "isolation", QUICK, "random", "greedy", "--games", "4", "--local"), GAMES),
    "sweep": (
        ("sweep", "isolation", "mcts(c={c}, iterations=200)", "random", "--over", "c=1,2", "--games", "4"),
        GAMES,
    ),
    "tune": (("tune", "isolation", "mcts(c={c}, iterations=200)", "--start", "c=1", "--steps", "3"), STEPS),
}


@pytest.mark.slow
@pytest.mark.parametrize(("words", "expected"), RUNS.values(), ids=RUNS)
def test_a_run_says_how_far_it_is(
    harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], expected: str
) -> None:
    monkeypatch.setattr(carrying, "PLAIN_EVERY", 0.001)
    answer = harena(*words)
    assert answer.code == 0 and re.search(expected, answer.err), answer.err
    assert "after 0:" not in answer.out


@pytest.mark.process
def test_a_check_says_what_it_does(harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "PLAIN_EVERY", 0.001)
    agent = Path(path.parent, "student_agent.py")
    agent.write_text("def step(:\n", "utf-8")
    answer = harena("check", str(agent), "--course", "comp424", "--sandbox", "limits")
    assert answer.code == 1 and "after 0:00: loading" in answer.err


def test_a_short_run_says_nothing_more_than_before(harena: Harena, path: Path) -> None:
    answer = harena(*RUNS["match"][0])
    assert "after 0:" not in answer.err
