"""`--json`: one object on standard output and nothing else, in the shapes that the docs state."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.stores import change
from cli.support import Answer

Harena = Callable[..., Answer]
DOCS = Path(__file__).parents[2] / "docs"
QUICK = "mcts(iterations=20)"


def documented(heading: str, file: str = "matches.md") -> set[str]:
    """The names that a table row of the docs lists for a command."""
    row = next(line for line in (DOCS / file).read_text("utf-8").splitlines() if line.startswith(f"| {heading} |"))
    return set(re.findall(r"`(\w+)`", row.split("|")[2]))


def result(answer: Answer, code: int = 0) -> dict[str, Any]:
    assert answer.code == code, answer.err
    found: dict[str, Any] = json.loads(answer.out)
    return found


def test_a_match_is_one_object(harena: Harena, path: Path) -> None:
    found = result(harena("match", "isolation", QUICK, "random", "--games", "4", "--local", "--json"))
    assert set(found) == documented("every run") | documented("match")
    assert (found["kind"], found["status"], found["agents"]) == ("match", "finished", [QUICK, "random"])
    assert found["wins"] + found["draws"] + found["losses"] == found["games"] == found["planned"] == 4
    assert found["score"] == (found["wins"] + found["draws"] / 2) / 4
    assert found["sprt"] is None and sum(found["pairs"]) == 2


def test_a_test_is_in_the_object_of_its_match(harena: Harena, path: Path) -> None:
    found = result(
        harena("match", "isolation", QUICK, "random", "--games", "2", "--local", "--json", "--sprt", "quick")
    )
    assert found["sprt"]["verdict"] == "running" and found["sprt"]["elo1"] == 100


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["round-robin", "knockout"])
def test_a_tournament_is_one_object(harena: Harena, path: Path, kind: str) -> None:
    words = ("tournament", "isolation", QUICK, "random", "greedy", "--games", "2", "--local", "--type", kind)
    found = result(harena(*words, "--json"))
    assert set(found) == documented("every run") | documented("tournament")
    assert {one["name"] for one in found["players"]} == {QUICK, "random", "greedy"}
    assert sum(one["games"] for one in found["results"]) == found["games"]
    assert (found["winner"] is None) == (kind != "knockout")


def test_a_sweep_is_one_object_and_says_elsewhere_what_it_wrote(harena: Harena, path: Path, tmp_path: Path) -> None:
    file = tmp_path / "sweep.csv"
    words = ("sweep", "isolation", "mcts(c={c}, iterations=20)", "random", "--over", "c=1,2", "--games", "2")
    answer = harena(*words, "--csv", str(file), "--json")
    found = result(answer)
    assert set(found) == documented("every run") | documented("sweep")
    assert [one["value"] for one in found["points"]] == [1, 2] and found["games"] == 4
    assert file.exists() and f"wrote {file}" in answer.err


@pytest.mark.process
def test_a_check_is_one_object_and_keeps_its_exit_code(harena: Harena, path: Path, tmp_path: Path) -> None:
    (tmp_path / "student_agent.py").write_text("def step(:\n", "utf-8")
    words = ("check", str(tmp_path / "student_agent.py"), "--course", "comp424", "--sandbox", "limits", "--json")
    found = result(harena(*words), code=1)
    assert set(found) == documented("`harena check --json`", "students.md")
    assert found["passed"] is False and found["game"] == "colosseum"
    assert found["findings"][0]["mark"] == "red" and "SyntaxError" in found["findings"][0]["text"]


def test_ratings_reviews_and_proofs_are_one_object(harena: Harena, path: Path) -> None:
    result(harena("match", "isolation", QUICK, "random", "--games", "2", "--local", "--size", "4", "--json"))
    assert result(harena("ratings", "isolation", "--json"))["games"] == 2
    assert result(harena("review", "1", "--nodes", "1000", "--json"))["decisions"]
    assert result(harena("solve", "isolation", "--size", "3", "--json"))


TUNE = ("tune", "isolation", "mcts(c={c}, iterations=20)", "--start", "c=1", "--steps", "2")


@pytest.mark.slow
def test_a_tuning_is_one_object_and_says_elsewhere_what_it_wrote(harena: Harena, path: Path, tmp_path: Path) -> None:
    file = tmp_path / "tune.csv"
    answer = harena(*TUNE, "--csv", str(file), "--json")
    found = result(answer)
    assert set(found) == documented("every run") | documented("tuning") - {"start", "now", "path"}
    assert (found["steps"], found["planned_steps"], found["games"], found["planned"]) == (2, 2, 4, 4)
    (parameter,) = found["parameters"].values()
    assert parameter["start"] == 1 and parameter["now"] == parameter["path"][-1] and len(parameter["path"]) == 3
    assert (found["tuned"] is None) == (found["match"] is None)
    assert file.exists() and f"wrote {file}" in answer.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("match", "isolation", QUICK, "random", "--games", "4", "--local"),
        ("tournament", "isolation", QUICK, "random", "greedy", "--games", "2", "--local"),
        ("sweep", "isolation", "mcts(c={c}, iterations=20)", "random", "--over", "c=1,2", "--games", "2"),
        TUNE,
    ],
)
def test_a_run_that_goes_on_is_the_object_of_one_that_was_never_stopped(
    harena: Harena, path: Path, words: tuple[str, ...]
) -> None:
    whole = result(harena(*words, "--json"))
    change(path, "UPDATE runs SET status = 'stopped'")
    change(path, "DELETE FROM games WHERE id > 1")
    again = result(harena("resume", "--json"))
    assert again | {"longest_stall": 0, "seconds": 0} == whole | {"longest_stall": 0, "seconds": 0}
