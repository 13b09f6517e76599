"""Grading again: who has not changed keeps games, numbers and links; what was interrupted is made up for."""

import io
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.stores import change
from courses.graded import CHEAP, LOSER, meet, verdicts
from courses.graded import grade as grade_in_fresh_processes
from courses.graded import small_class as class_of
from harena.arena.shelf import originals
from harena.arena.store import Store
from harena.cli.grade import conditions_of, describe_changes, have_same_boards, is_same, new_plan, played_anew
from harena.courses.grading import Plan, Submission, ordered, plan_of
from harena.courses.levels import GRADINGS
from harena.errors import UsageError

LEVELS = CHEAP[:1]
LINK = re.compile(r'href="\.\./replays/([^"]+)"')


@pytest.fixture(autouse=True)
def cheap_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", *LEVELS)


def grade(folder: Path, **given: Any) -> Path:
    """In one process for all games, which is quicker; which games are played does not depend on it."""
    return grade_in_fresh_processes(folder, **{"keep_process": True, **given})


def small_class(folder: Path, *names: str, agent: str = LOSER) -> Path:
    return class_of(folder, *names, agent=agent)


def page(out: Path, name: str) -> str:
    return (out / "reports" / f"{name}.html").read_text("utf-8")


def links(out: Path) -> dict[str, str]:
    """Every page of a game that a report leads to, with what is on it."""
    found = [link for report in (out / "reports").iterdir() for link in LINK.findall(report.read_text("utf-8"))]
    return {link: (out / "replays" / link).read_text("utf-8") for link in found}


def records(out: Path, name: str) -> dict[str, str]:
    """The texts of a submission's games in the latest run, by slot without the agents' numbers."""
    with Store(out / "games.sqlite", writing=False) as kept:
        run = kept.runs()[-1]
        found = {slot: kept.text(number) for slot, number in kept.numbers(run.id).items()}
    me = [one.name for one in plan_of(dict(run.spec)).playing].index(name) + len(LEVELS)
    return {slot.replace(f"-{me}/", "/"): text for slot, text in found.items() if f"-{me}/" in slot}


@pytest.mark.process
def test_reports_and_links_of_who_has_not_changed_stay_as_they_are(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada", "bob", "cyd")
    out = grade(folder, games=4)
    before, shown, report = links(out), page(out, "ada"), verdicts(out)["ada"]
    assert before and all(int(link.split("/")[1].split("-")[0]) for link in before)
    small_class(folder, "eve")
    (folder / "cyd.py").unlink()
    small_class(folder, "dan")
    for _ in range(2):  # also of copies of copies
        grade(folder, games=4)
        assert page(out, "ada") == shown and verdicts(out)["ada"] | {"rank": ""} == report | {"rank": ""}
        small_class(folder, "fay")
    after = links(out)
    mine = {link for link in before if link.startswith(("ada/", "bob/"))}
    assert mine == {link for link in after if link.startswith(("ada/", "bob/"))}
    assert all(after[link] == before[link] for link in mine)


@pytest.mark.process
def test_no_link_ever_leads_to_another_game(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada", "bob")
    out = grade_in_fresh_processes(folder)
    before = links(out)
    for file in out.glob("games.sqlite*"):  # all over again: numbers begin at 1
        file.unlink()
    grade_in_fresh_processes(folder)
    after = links(out)
    assert before and after and not {*before} & {*after}
    assert not any((out / "replays" / link).exists() for link in before)


@pytest.mark.process
def test_games_that_still_hold_are_found_in_any_earlier_grading(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada")
    out = grade(folder)
    first = records(out, "ada")
    grade(folder, seconds=1.0)
    assert records(out, "ada").keys() == first.keys() and records(out, "ada") != first
    small_class(folder, "bob")
    grade(folder)
    assert records(out, "ada") == first
    grade(folder, games=4)
    more = records(out, "ada")
    assert len(more) == 2 * len(first) and more.items() >= first.items()
    small_class(folder, "cyd")
    grade(folder)
    assert records(out, "ada") == first


@pytest.mark.process
def test_that_everybody_is_played_anew_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = small_class(tmp_path / "class", "ada")
    grade(folder)
    small_class(folder, "bob")
    grade(folder)
    assert "anew" not in capsys.readouterr().err
    grade(folder, seconds=1.0)
    (said,) = [line for line in capsys.readouterr().err.splitlines() if "anew" in line]
    assert said == (
        "harena: everybody is played anew, since the grading before was under other conditions: "
        "now 1 s for a whole turn, before 2 s for a whole turn"
    )
    grade(folder)  # those games are there still
    assert "anew" not in capsys.readouterr().err


def test_who_changed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = new_plan("w4701", [], 2, seconds=2.0, everybody=False, sandbox="off")
    old, now = (
        replace(plan, submissions=tuple(Submission(name=name, digest=digest) for name, digest in names.items()))
        for names in ({"ada": "1", "bob": "1", "cyd": "1"}, {"ada": "1", "bob": "2", "dan": "1"})
    )
    line = "since the last grading: new: dan; changed: bob; withdrawn: cyd; 1 unchanged submission keeps its games"
    assert describe_changes(now, old) == line
    assert describe_changes(old, old) == ""
    many = replace(plan, submissions=tuple(Submission(name=f"s{number}") for number in range(7)))
    assert "new: s0, s1, s2, s3, s4 and 2 more; 0 unchanged submissions keep" in describe_changes(many, plan)


@pytest.mark.process
def test_at_a_terminal_the_whole_class_is_played_anew_only_if_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_class(tmp_path / "class", "ada")
    out = grade(folder)
    before = records(out, "ada")
    monkeypatch.setattr("sys.stdin", Answers("n\n"))
    monkeypatch.setattr("sys.stderr", Answers(""))
    with pytest.raises(UsageError, match="nothing was played"):
        grade(folder, seconds=1.0)
    assert "play all 8 games again?" in sys.stderr.getvalue()  # type: ignore[union-attr]
    assert records(out, "ada") == before
    with Store(out / "games.sqlite", writing=False) as store:
        assert len(store.runs()) == 1
    monkeypatch.setattr("sys.stdin", Answers("y\n"))
    grade(folder, seconds=1.0)
    assert records(out, "ada") != before


class Answers(io.StringIO):
    """A terminal at which these lines are typed."""

    def isatty(self) -> bool:
        return True


def test_other_levels_are_other_conditions() -> None:
    plan = new_plan("w4701", [], 2, seconds=2.0, everybody=False, sandbox="off")
    agents = ["medium", *plan.spec.agents[1:]]
    old = replace(plan, spec=replace(plan.spec, agents=agents))
    assert played_anew(plan, [old]).endswith("under other conditions: the levels have changed")
    assert played_anew(plan, [plan, old]) == ""


@pytest.mark.process
def test_games_on_other_boards_do_not_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = small_class(tmp_path / "class", "ada")
    out = grade(folder)
    first = records(out, "ada")
    monkeypatch.setitem(GRADINGS, "w4701", replace(GRADINGS["w4701"], variants=[{"size": "4"}]))
    for names in ((), ("bob",)):  # also when it is another run for another reason
        small_class(folder, *names)
        grade(folder)
        now = records(out, "ada")
        assert now.keys() == first.keys() and not any(now[slot] == first[slot] for slot in now)


def test_boards_are_compared_as_far_as_both_play_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(pairs: int, *sizes: str) -> Plan:
        variants = [{"size": size} for size in sizes]
        monkeypatch.setitem(GRADINGS, "w4701", replace(GRADINGS["w4701"], variants=variants))
        return new_plan("w4701", [], pairs, seconds=2.0, everybody=False, sandbox="off")

    one = ordered(plan(2, "4", "5"), 7)
    assert have_same_boards(one, plan(3, "4", "5", "6")) and have_same_boards(plan(1, "4"), one)
    assert not have_same_boards(one, plan(2, "4")), "its second pair is on the first board"
    assert not have_same_boards(one, plan(2, "5", "4"))
    assert is_same(plan(2, "4", "5"), one) and not is_same(plan(2, "4", "6"), one)
    for name, value in (("memory", 400), ("margin", 1.0)):
        other = replace(one, spec=replace(one.spec, **{name: value}))
        assert conditions_of(other) != conditions_of(one) and not is_same(other, one)


@pytest.mark.process
def test_who_has_not_changed_keeps_the_games_against_others_like_that_too(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada", "bob", "cyd")
    out = grade(folder, everybody=True)
    small_class(folder, "cyd", agent=f"{LOSER}\n# again\n")
    small_class(folder, "dan", "eve")
    grade(folder, everybody=True)
    with Store(out / "games.sqlite", writing=False) as kept:
        first, second = (set(kept.numbers(run.id).values()) for run in kept.runs())
        copies = originals(kept, kept.runs()[1].id)
        both = {kept.row(number).seats for number in copies.values()}
    assert len(first) == 3 * 2 + 3 * 2 and len(second) == 5 * 2 + 10 * 2
    assert set(copies.values()) <= first and len(copies) == 2 * 2 + 2
    assert not any("cyd" in name for seats in both for name in seats)


@pytest.mark.process
def test_a_grading_that_was_stopped_while_games_were_taken_over_takes_them_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_class(tmp_path / "class", "ada")
    out = grade(folder)
    first = records(out, "ada")
    small_class(folder, "bob")

    def interrupted(*words: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(Store, "copy_games", interrupted)
        grade(folder)
    grade(folder)
    assert records(out, "ada") == first
    with Store(out / "games.sqlite", writing=False) as kept:
        assert len(kept.runs()) == 2


@pytest.mark.process
def test_a_grading_of_an_older_version_goes_on_with_its_own_seeds(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada")
    out = grade(folder)
    first, store = records(out, "ada"), out / "games.sqlite"
    later = "'$.secrets', '$.spec.levels', '$.spec.fresh', '$.spec.round', '$.spec.rounds'"
    change(store, f"UPDATE runs SET status = 'stopped', spec = json_remove(spec, {later})")
    change(store, "DELETE FROM games WHERE id > 1")
    grade(folder)
    again = records(out, "ada")
    assert again.keys() == first.keys() and len(again.items() & first.items()) >= 1
    with Store(store, writing=False) as kept:
        assert len(kept.runs()) == 1 and plan_of(dict(kept.runs()[0].spec)).spec.levels == 0
