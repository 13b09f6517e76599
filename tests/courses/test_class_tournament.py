"""`harena grade --all-against-all`: how often each meets each, and what groups beaten are worth."""

import json
from pathlib import Path
from typing import Any

import pytest

from courses.graded import CHEAP, grade, meet, small_class, verdicts
from courses.test_leaderboard import NAMES, played
from harena.arena.store import Store
from harena.cli.grade import new_plan
from harena.courses.gradebook import gradescope
from harena.courses.grading import Submission, plan_of
from harena.errors import UsageError

AGENTS = Path(__file__).parent / "agents" / "w4701"


def results(out: Path, name: str) -> dict[str, Any]:
    """Gradescope's tests of a submission by name."""
    plain = json.loads((out / "gradescope" / name / "results.json").read_text("utf-8"))
    return {test["name"]: test for test in plain["tests"]}


@pytest.mark.process
def test_rounds_are_pairs_of_games_and_groups_beaten_are_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(monkeypatch, "w4701", CHEAP[0])
    folder = small_class(tmp_path / "class", "ada")
    for name, agent in {"bob": "greedy", "cyd": "crash"}.items():
        (folder / f"{name}.py").write_text((AGENTS / agent / "PlayerAI.py").read_text("utf-8"))
    (folder / "dan.zip").write_bytes(b"no zip")
    out = grade(folder, everybody=True)
    with Store(out / "games.sqlite") as kept:
        before = kept.numbers(kept.runs()[-1].id)
    grade(folder, everybody=True, rounds=2)
    with Store(out / "games.sqlite") as kept:
        run = kept.runs()[-1]
        after, plan = kept.numbers(run.id), plan_of(dict(run.spec))
        texts = {slot: kept.text(number) for slot, number in after.items()}
        held = {slot: kept.text(number) for slot, number in before.items()}
    first, last = 1, 3  # after the level
    rounds = {slot: slot.split("/")[1] for slot in after if int(slot.split("-")[0]) >= first}
    assert sorted(rounds.values()) == ["0"] * 6 + ["1"] * 6 and f"{first}-{last}/1/1" in rounds
    assert all(texts[slot] == text for slot, text in held.items())  # what was played still holds
    seeds = {pair: {json.loads(texts[slot])["seed"] for slot, of in rounds.items() if of == pair} for pair in "01"}
    assert len(seeds["0"]) == len(seeds["1"]) == 1 and seeds["0"] != seeds["1"]
    assert plan.rounds == 2
    beaten = {name: int(row["beaten"]) for name, row in verdicts(out).items()}
    assert beaten["cyd"] == 0 and max(beaten.values()) == 2
    for name in ("ada", "bob", "cyd"):
        test = results(out, name)["other groups beaten"]
        assert (test["score"], test["max_score"]) == (beaten[name], 2) and "in 4 games against each" in test["output"]
    assert "other groups beaten" not in results(out, "dan")


def test_only_where_the_course_counts_them() -> None:
    for course, everybody, wanted in (("w4701", True, 1), ("w4701", False, 0), ("comp424", True, 0)):
        book = played(course, everybody=everybody)
        ada = next(one for one in book.plan.submissions if one.name == "ada")
        tests = [test for test in json.loads(gradescope(book, book.result(ada)))["tests"] if "groups" in test["name"]]
        assert len(tests) == wanted
        if wanted:
            assert (tests[0]["score"], tests[0]["max_score"]) == (len(NAMES) - 2, len(NAMES) - 2)


def test_boards_of_all_rounds_are_there() -> None:
    found = [Submission(name=name, agent=f"comp424:/{name}", digest=name) for name in ("ada", "bob")]
    options: dict[str, Any] = {"seconds": None, "everybody": True, "sandbox": "off"}
    plan = new_plan("comp424", found, 1, rounds=3, **options)
    assert [board["size"] for board in plan.spec.variants] == ["6", "7", "8"]
    assert len(plan.slots()) == 2 * 4 * 2 + 3 * 2
    assert new_plan("comp424", found, 1, **options).spec.variants == plan.spec.variants[:1]


def test_rounds_alone_make_no_sense(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada")
    with pytest.raises(UsageError, match=r"^--rounds is for --all-against-all: give both, or none$"):
        grade(folder, rounds=2)
    assert not (tmp_path / "class-grades").exists()
