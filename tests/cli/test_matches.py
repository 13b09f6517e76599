"""`harena match`: how many games a test gets, and what is said of a run before it is played."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer

Harena = Callable[..., Answer]
STRONG = ("match", "isolation", "mcts(iterations=30)", "random", "--local")


@pytest.mark.slow
def test_a_test_has_as_many_games_as_it_may_need(harena: Harena, path: Path) -> None:
    answer = harena(*STRONG, "--sprt", "normal")
    assert answer.code == 0 and "mcts(iterations=30) passed" in answer.out
    expected = "the test takes about 260 to 420 games, fewer if A and B differ much; at most 1,698 are played\n"
    assert answer.err.count(expected) == 1
    played = answer.out.split(" games for A")[0].split()[-1]
    assert 10 < int(played) < 200
    listed = harena("records", "list").out.splitlines()[1].split()
    assert listed[3] == "finished" and "/" not in listed[4]  # what would have been played tells nothing any more


def test_a_number_of_games_that_is_given_ends_a_test(harena: Harena, path: Path) -> None:
    answer = harena(*STRONG, "--sprt", "normal", "--games", "4")
    assert answer.code == 0 and "undecided after 4 games" in answer.out
    assert "at most 4 are played, which may not be enough\n" in answer.err
    assert harena(*STRONG, "--sprt", "normal", "--games", "0").code == 2


def test_a_match_without_a_test_says_nothing_of_one(harena: Harena, path: Path) -> None:
    answer = harena(*STRONG, "--games", "2")
    assert answer.code == 0 and "the test takes" not in answer.err
    assert "nElo" in answer.out


@pytest.mark.slow
def test_the_report_begins_with_names_and_games_and_what_they_mean(harena: Harena, path: Path) -> None:
    few = harena("match", "isolation", "random", "greedy", "--games", "4", "--local").out.splitlines()
    assert re.fullmatch(r"random won \d, drew 0, lost \d of 4 against greedy", few[0])
    assert few[1].startswith("cannot tell random and greedy apart: ")
    assert "4 games are few: two players of equal strength often score anything from 0 to 100 %" in " ".join(
        " ".join(few).split()
    )
    first_words = [line.split("  ")[0] for line in few]
    assert first_words.index("score") < first_words.index("run") < first_words.index("pairs") < len(few)
    many = harena(*STRONG, "--games", "40").out
    assert "mcts(iterations=30) is stronger than random" in many and "are few" not in many
