"""Grading: every verdict right in a mixed class, files that say the same, and nothing lost when it is stopped."""

import contextlib
import csv
import html
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from courses.class_of_fifty import AGENTS, WALKER, fill
from courses.graded import CHEAP, LOSER, grade, meet, small_class, verdicts
from harena.agents import contestant
from harena.arena.store import Store
from harena.arena.troubles import StoreError
from harena.cli.grade import new_plan
from harena.courses.gradebook import pseudonyms
from harena.courses.grading import drawn, plan_of
from harena.courses.levels import GRADINGS, Level
from harena.errors import BadFile, BadOption, UnknownName, UsageError

pytestmark = pytest.mark.process


@pytest.fixture(autouse=True)
def cheap_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that needs no search."""
    meet(monkeypatch, "w4701", CHEAP[0])


@pytest.mark.slow
def test_a_mixed_class_of_fifty_gets_every_verdict_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(contestant, "LOAD_SECONDS", 10.0)
    meet(monkeypatch, "w4701", Level(player="random", needed=6))
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.01)
    expected = fill(tmp_path / "class", listener.getsockname()[1])
    assert len(expected) >= 50
    out = grade(tmp_path / "class", concurrency=2)
    with pytest.raises(TimeoutError):
        listener.accept()
    listener.close()
    found = verdicts(out)
    wrong = {
        name: found[name]["verdict"] for name, verdict in expected.items() if verdict not in found[name]["verdict"]
    }
    assert not wrong
    assert set(found) == set(expected)
    assert not any("BREACH" in row["verdict"] for row in found.values())
    for name, verdict in expected.items():
        page = (out / "reports" / f"{name}.html").read_text("utf-8")
        assert "BREACH" not in page and ("graded" in page or verdict.split(":")[0] in page)
        results = json.loads((out / "gradescope" / name / "results.json").read_text("utf-8"))
        assert results["output"].startswith(found[name]["verdict"])
        assert all(test["score"] <= test["max_score"] for test in results["tests"])
        assert verdict == "graded" or sum(test["score"] for test in results["tests"]) == 0
    deadline = time.monotonic() + 120
    while left := daemons():
        assert time.monotonic() < deadline, left
        time.sleep(0.05)
    assert "leaderboard, reports and Gradescope's results are in" in capsys.readouterr().out
    with Store(out / "games.sqlite", writing=False) as kept:
        record = next(iter(kept.games(kept.runs()[0].id)))[1]
        assert set(record.conditions["sandbox"].values()) <= {"bubblewrap", "namespaces"}


def daemons() -> list[psutil.Process]:
    """What a hostile submission has left behind."""
    return [one for one in psutil.process_iter(["cmdline"]) if "# the daemon of fifty" in str(one.info["cmdline"])]


def test_whoever_was_added_is_played_and_the_others_keep_their_games(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada", "bob", "dan", agent=LOSER)
    out = grade(folder)
    page = (out / "reports" / "dan.html").read_text("utf-8")
    replays = re.findall(r'href="\.\./replays/(dan/\d+-\w+\.html)"', page)
    assert len(replays) == page.count("<details") == 2 and all((out / "replays" / one).exists() for one in replays)
    first = verdicts(out)
    small_class(folder, "cyd")
    (folder / "dan.py").unlink()
    (folder / "bob.py").write_text(WALKER + "\nPlayerAI.getTrap = lambda self, grid: None\n")
    again = verdicts(grade(folder))
    assert set(again) == {"ada", "bob", "cyd"} and not (out / "reports" / "dan.html").exists()
    assert again["ada"] | {"rank": ""} == first["ada"] | {"rank": ""} and again["ada"]["file"] == "ada.py"
    for name in again:
        page = (out / "reports" / f"{name}.html").read_text("utf-8")
        linked = set(re.findall(rf'href="\.\./replays/{name}/(\d+-\w+\.html)"', page))
        pages = {path.name for path in (out / "replays").glob(f"{name}/*")}  # none of one who lost no game
        assert linked == pages, "and none of an earlier grading"
    assert "unreadable answer" in again["bob"]["verdict"] and "unreadable" not in first["bob"]["verdict"]
    with Store(out / "games.sqlite", writing=False) as kept:
        runs = kept.runs()
        assert len(runs) == 2 and runs[1].status == "finished"
        assert plan_of(runs[0].spec).spec.seed == plan_of(runs[1].spec).spec.seed
    grade(folder)  # nothing has changed: no new run
    with Store(out / "games.sqlite", writing=False) as kept:
        assert len(kept.runs()) == 2


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "student_0", "student_1")
    words = [
        sys.executable,
        "-m",
        "harena",
        "grade",
        str(folder),
        "--course",
        "w4701",
        "--games",
        "2",
        "--seconds",
        "2",
    ]
    store = tmp_path / "class-grades" / "games.sqlite"
    killed = 0
    for _ in range(2):
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        deadline, before = time.monotonic() + 300, games(store)
        while running.poll() is None and games(store) < before + 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            killed += 1
        running.communicate()
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert killed and "student_1" in done.stdout
    assert games(store) == 2 * 3 * 2
    assert len(verdicts(tmp_path / "class-grades")) == 2


def games(store: Path) -> int:
    with contextlib.suppress(StoreError), Store(store, writing=False) as kept:
        return sum(number for number, *_ in kept.counts().values())
    return 0


def test_what_was_not_played_has_no_rank(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "dan", agent="import nothing_of_the_kind")
    (folder / "ann.zip").write_bytes(b"no zip")
    os.mkfifo(folder / "bea.py")
    (folder / "cem.py").symlink_to(tmp_path / "elsewhere.py")
    out = grade(folder)
    rows = list(verdicts(out).values())
    assert [(row["name"], row["rank"], row["score_percent"]) for row in rows] == [
        ("dan", "1", "0.0"),
        *((name, "", "") for name in ("ann", "bea", "cem")),
    ]
    page = (out / "leaderboard.html").read_text("utf-8")
    for row in rows[1:]:
        assert row["verdict"].startswith("refused: ") and row["verdict"].partition("; ")[0] in html.unescape(page)
    lines = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line)[:3] for line in lines]
    assert cells[1:5] == [["1", "dan", "0.0 %"], *(["-", name, "-"] for name in ("ann", "bea", "cem"))]


@pytest.mark.slow
def test_everybody_meets_everybody_under_a_pseudonym(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada_lovelace")
    for name, agent in {"bob_greedy": "greedy", "cyd_curie": "crash"}.items():
        (folder / f"{name}.py").write_text((AGENTS / agent / "PlayerAI.py").read_text("utf-8"))
    (folder / "dan_dirac.py").write_text("import nothing_of_the_kind")
    (folder / "eve_euler.zip").write_bytes(b"no zip")
    out = grade(folder, everybody=True, pseudonyms=True)
    found = verdicts(out)
    with open(out / "pseudonyms.csv", encoding="utf-8-sig") as file:
        names = {row["pseudonym"]: row["name"] for row in csv.DictReader(file)}
    students = ["ada_lovelace", "bob_greedy", "cyd_curie", "dan_dirac", "eve_euler"]
    assert sorted(names.values()) == students and set(names) == set(found)
    beaten = {names[row["name"]]: int(row["beaten"]) for row in found.values()}
    assert beaten["cyd_curie"] <= 1 and beaten["bob_greedy"] >= 2 and beaten["ada_lovelace"] >= 2
    said = {names[row["name"]]: row["verdict"] for row in found.values()}
    assert (said["dan_dirac"], said["eve_euler"]) == ("did not load", "refused"), "details may tell whose it is"
    assert "ModuleNotFoundError" in (out / "reports" / "dan_dirac.html").read_text("utf-8")
    with Store(out / "games.sqlite", writing=False) as kept:
        seed = plan_of(kept.runs()[-1].spec).spec.seed
        graded = [one.name for one in plan_of(kept.runs()[-1].spec).submissions]
    assert graded == sorted(students, key=lambda name: drawn(seed, name)), "not in the order of the alphabet"
    page = (out / "leaderboard.html").read_text("utf-8")
    assert "Ratings" in page and not any(name in page for name in names.values())
    assert not any(name in (out / "leaderboard.csv").read_text("utf-8") for name in names.values())
    assert "submissions beaten" in (out / "gradescope" / "bob_greedy" / "results.json").read_text("utf-8")


LEVELS = {
    "comp424": ["random_agent", "greedy", "lookahead2", "uct"],
    "aind": ["random", "mm_null", "mm_open", "mm_improved", "ab_null", "ab_open", "ab_improved"],
}


@pytest.mark.slow
@pytest.mark.parametrize(("course", "agent"), [("comp424", "lone_random"), ("aind", "template_g2")])
def test_the_other_courses_grade_against_their_levels(
    course: str, agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that thinks for seconds a move is given less to do."""
    assert [level.player for level in GRADINGS[course].levels] == LEVELS[course]
    levels = [name.replace("uct", "uct(iterations=20)") for name in LEVELS[course]]
    meet(monkeypatch, course, *(Level(player=name) for name in levels))
    folder = tmp_path / "class"
    folder.mkdir()
    shutil.copytree(AGENTS.parent / course / agent, folder / "eve")
    out = grade(folder, course=course, seconds=2.0 if course == "comp424" else 0.06)
    row = verdicts(out)["eve"]
    assert row["verdict"].startswith("graded")
    assert all(0 <= float(row[f"points_{name}"]) <= 2 for name in levels) and int(row["level_games"]) == 2 * len(levels)
    points = sum(float(row[f"points_{name}"]) for name in levels)
    assert float(row["score_percent"]) == pytest.approx(100 * points / int(row["level_games"]), abs=0.01)


def test_pseudonyms_are_as_many_as_names_and_stay_the_same() -> None:
    names = [f"student {number}" for number in range(1200)]
    made = pseudonyms(names, 7)
    assert len(set(made.values())) == len(made) == 1200 and made == pseudonyms(names[::-1], 7) != pseudonyms(names, 8)
    few = pseudonyms(names[:150], 7)
    gone = pseudonyms(names[1:150], 7)
    assert all(few[name] == other for name, other in gone.items()), "who comes or goes changes nobody else's"


def test_rules_of_the_course_are_looked_at_and_cost_nothing(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada")
    (folder / "bob").mkdir()
    (folder / "bob" / "PlayerAI.py").write_text("import helper\n" + WALKER)
    (folder / "bob" / "helper.py").write_text("")
    (folder / "cyd.py").write_text("-" * 100_000 + "1\n" + WALKER)
    (folder / "dan.py").write_text("x = 1\n" * 60_000 + WALKER.replace("PlayerAI", "Mine"))
    found = verdicts(grade(folder))
    assert found["ada"]["verdict"] == "graded" == found["dan"]["verdict"]  # which is too long to be looked at
    rule = "against the course's rules: imports: files beside it: helper (line 1)"
    assert found["bob"]["verdict"] == f"graded; {rule}" and float(found["bob"]["level_games"]) > 0
    assert found["cyd"]["verdict"].startswith("did not load")
    hidden = verdicts(grade(folder, pseudonyms=True))
    assert sorted(row["verdict"] for row in hidden.values())[1:] == ["graded"] * 3  # it might tell whose it is


def test_what_is_graded_otherwise_or_not_at_all_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = small_class(tmp_path / "class", "ada", "b b", "b_b", agent="raise ValueError\n")
    (folder / "notes.txt").write_text("by hand")
    shutil.copytree(folder, folder / "ada")
    grade(folder)
    assert capsys.readouterr().err.splitlines()[:2] == [
        "harena: graded under another name: ada.py as ada-2; b b.py as b_b-2",
        "harena: not graded, being no .py file, folder or zip: notes.txt",
    ]


def test_what_makes_no_sense_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no course 'comp42'; did you mean 'comp424'"):
        grade(tmp_path, course="comp42")
    with pytest.raises(BadFile, match="there is no such folder"):
        grade(tmp_path / "nobody")
    (tmp_path / "bob.py").write_text("")
    with pytest.raises(BadFile, match="is a file: grade takes a folder of submissions, and harena check one agent"):
        grade(tmp_path / "bob.py")
    (tmp_path / "class").mkdir()
    with pytest.raises(UsageError, match="there is no submission in it"):
        grade(tmp_path / "class")
    small_class(tmp_path / "class", "ada")
    for out in (tmp_path / "class", tmp_path / "class" / "grades", tmp_path):
        with pytest.raises(UsageError, match="lie within each other"):
            grade(tmp_path / "class", out=str(out))
    (tmp_path / "mine" / "submissions").mkdir(parents=True)
    with pytest.raises(UsageError, match="is in the way"):
        grade(tmp_path / "class", out=str(tmp_path / "mine"))
    with Store(tmp_path / "class-grades" / "games.sqlite") as store:  # of a grading of the same folder
        store.new_run("grade", new_plan("w4701", [], 1, seconds=None, everybody=False, sandbox="auto").as_dict())
    with pytest.raises(UsageError, match="holds a grading of w4701: name another folder with --out"):
        grade(tmp_path / "class", course="comp424")
    with pytest.raises(BadOption, match="more than 0"):
        grade(tmp_path / "class", seconds=0.0)
    with pytest.raises(BadOption, match="an even number from 2 on, not 3"):
        grade(tmp_path / "class", games=3)
    with pytest.raises(UnknownName, match="no sandbox"):
        grade(tmp_path / "class", sandbox="paper")
    assert os.listdir(tmp_path / "class") == ["ada.py"]
