"""Stores, records and gradings that version 0.1.0 wrote still read, replay, resume and grade again.

All goes through the command line and the files: see tests/data/v0.1.0/README.md for how those were made.
"""

import csv
import html
import io
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data" / "v0.1.0"
PLACE = "/tmp/harena-0.1.0"  # where the fixtures were made: stored paths begin with it
RECORD_FILES = ("store", "faults", "killed-whole")
REASONS = {"crash", "exit", "illegal move", "memory", "output", "resigned", "rules", "time", "unreadable answer"}
PERCENT = re.compile(r"\d+\.\d(?= %)")
ELO = re.compile(r"[+-]\d+\b")
GRADE_OPTIONS = {
    "comp424": ("--games", "2", "--seconds", "0.1"),
    "w4701": ("--games", "2", "--all-against-all"),
    "aind": ("--games", "2"),
}
GAMES_OF_ONE = {"comp424": 4 * 2, "w4701": 3 * 2 + 2 * 2, "aind": 7 * 2}  # levels, and in w4701 the other two
GAMES_OF_ALL = {"comp424": 3 * 4 * 2, "w4701": 3 * 3 * 2 + 3 * 2, "aind": 3 * 7 * 2}


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


@pytest.fixture(scope="module", autouse=True)
def environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "200")
        patch.delenv("HARENA_STORE", raising=False)
        yield


def look(*words: object) -> Answer:
    """Runs a command that only reads in this process, which is quick."""
    (script,) = entry_points(group="console_scripts", name="harena")
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["harena", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            script.load()()
    return Answer(int(end.value.code or 0), out.getvalue(), err.getvalue())


def harena(*words: object, folder: Path | None = None, typed: str = "") -> Answer:
    """Runs a command that plays in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "harena", *map(str, words)],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def copy_of(folder: Path, *names: str) -> Path:
    for name in names:
        shutil.copytree(DATA / name, folder / name)
    return folder


def move_runs(store: Path, folder: Path) -> None:
    """Let the runs of a store have been begun in this folder, where their files are now."""
    with closing(sqlite3.connect(store, isolation_level=None)) as database:
        database.execute("UPDATE runs SET spec = replace(spec, ?, ?)", (PLACE, str(folder)))


def export(store: Path, *words: object, form: str = "jsonl") -> str:
    answer = look("records", "export", "-", "--format", form, "--store", store, *words)
    assert answer.code == 0, answer.err
    return answer.out


def rows(table: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table, newline="")))


def status_of(store: Path, run: str) -> str:
    with closing(sqlite3.connect(store)) as database:
        return str(database.execute("SELECT status FROM runs WHERE id = ?", (run,)).fetchone()[0])


def runs_of(store: Path) -> dict[str, tuple[str, str, str]]:
    """Kind, status and game of each run, by its name."""
    with closing(sqlite3.connect(store)) as database:
        found = database.execute("SELECT id, kind, status, spec FROM runs").fetchall()
    specs = {name: json.loads(spec) for name, _, _, spec in found}
    return {name: (kind, status, specs[name].get("spec", specs[name])["game"]) for name, kind, status, _ in found}


def printed(name: str) -> str:
    return (DATA / "printed" / f"{name}.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stores, for tests that only read them."""
    return copy_of(tmp_path_factory.mktemp("read"), "store", "faults", "killed")


# Reading


@pytest.mark.parametrize("name", ["store", "faults"])
def test_runs_are_listed_with_the_results_that_they_had(place: Path, name: str) -> None:
    store = place / name / "games.sqlite"
    answer = look("records", "list", "--store", store)
    assert (answer.code, answer.err) == (0, "")
    before, now = listed_runs(printed(f"{name}-list")), listed_runs(answer.out)
    assert before.keys() == now.keys() == runs_of(store).keys()
    for run, text in before.items():
        kind, game, status, games = text.split()[1:5]
        assert {kind, game, status, games} <= set(now[run].split())
        assert PERCENT.findall(now[run]) == PERCENT.findall(text)


def listed_runs(text: str) -> dict[str, str]:
    """What a list says of each run, by its name."""
    return {part[:8]: part for part in re.split(r"^(?=[0-9a-f]{8} )", text, flags=re.MULTILINE)[1:]}


@pytest.mark.parametrize("name", ["store", "faults"])
def test_records_are_exported_as_they_were(place: Path, tmp_path: Path, name: str) -> None:
    for form in ("jsonl", "csv"):
        file = tmp_path / f"games.{form}"
        assert look("records", "export", file, "--store", place / name / "games.sqlite").code == 0
        old = (DATA / "records" / f"{name}.{form}").read_text("utf-8")
        if form == "jsonl":
            assert file.read_text("utf-8") == old
        else:
            table = [{key: row[key] for key in rows(old)[0]} for row in rows(file.read_text("utf-8"))]
            assert table == rows(old)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORD_FILES)
def test_every_record_replays_through_the_rules(name: str) -> None:
    file = DATA / "records" / f"{name}.jsonl"
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        answer = look("replay", file, "--line", number)
        assert (answer.code, answer.err) == (0, ""), line
        assert all(seat.rpartition("/")[2] in answer.out for seat in json.loads(line)["seats"])


def test_the_records_have_all_ends_and_all_games() -> None:
    records = [
        json.loads(line)
        for name in RECORD_FILES
        for line in (DATA / "records" / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    assert {record["reason"] for record in records} == REASONS
    assert {record["game"] for record in records} == {"colosseum", "isolation", "tiles", "trap"}


def test_a_record_that_breaks_the_rules_does_not_replay(tmp_path: Path) -> None:
    record = json.loads((DATA / "records" / "store.jsonl").read_text("utf-8").splitlines()[0])
    record["plies"][2]["move"] = record["plies"][0]["move"]
    file = tmp_path / "broken.jsonl"
    file.write_text(json.dumps(record) + "\n")
    assert look("replay", file).code != 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["store", "faults"])
def test_games_are_shown_and_replayed_by_number(place: Path, name: str) -> None:
    store = place / name / "games.sqlite"
    table = rows((DATA / "records" / f"{name}.csv").read_text("utf-8"))
    first = {row["run"]: row for row in reversed(table)}  # the first game of each run
    for row in first.values():
        shown = look("records", "show", row["number"], "--store", store)
        assert shown.code == 0 and row["reason"] in shown.out + "rules"
        assert all(move in shown.out for move in row["moves"].split())
        replayed = look("replay", row["number"], "--store", store)
        assert replayed.code == 0 and all(move in replayed.out for move in row["moves"].split())


@pytest.mark.parametrize("file", sorted((DATA / "printed").glob("*-ratings-*.json")), ids=lambda file: file.stem)
def test_ratings_are_what_they_were(place: Path, file: Path) -> None:
    name, _, game = file.stem.split("-")
    answer = look("ratings", game, "--json", "--store", place / name / "games.sqlite")
    assert answer.code == 0
    before, now = json.loads(file.read_text("utf-8")), json.loads(answer.out)
    assert now["games"] == before["games"]
    players = {one["agent"]: one for one in now["players"]}
    for one in before["players"]:
        for key in ("elo", "low", "high", "games", "score"):
            assert players[one["agent"]][key] == pytest.approx(one[key], rel=1e-6, abs=1e-3)


@pytest.mark.parametrize("name", ["match", "match-local", "match-program", "tournament", "knockout", "sweep"])
def test_a_report_has_the_numbers_that_were_printed(place: Path, tmp_path: Path, name: str) -> None:
    run = re.findall(r"run\s+([0-9a-f]{8})", printed(name))[-1]
    page = tmp_path / "page.html"
    assert look("report", run, page, "--store", place / "store" / "games.sqlite").code == 0
    text = html.unescape(re.sub(r"<[^>]+>", " ", page.read_text("utf-8")))
    agents = [
        line for line in printed(name).splitlines() if re.match(r"score |Elo | *\d+ +\S+ +[+-]\d|0\.1 |  1 ", line)
    ]
    elos = [number for line in agents for number in ELO.findall(line) if name != "sweep"]  # its page has scores alone
    percents = [number for line in agents for number in PERCENT.findall(line)]
    assert percents and all(number in text for number in [*elos, *percents])


def test_a_review_is_read(place: Path) -> None:
    answer = look("review", "1", "--nodes", "500", "--store", place / "store" / "games.sqlite")
    assert answer.code == 0
    assert any("c4" in line.split() and "blunder" in line for line in printed("review").splitlines())
    assert any("c4" in line.split() and "blunder" in line for line in answer.out.splitlines())


def test_a_store_whose_writer_was_killed_is_read(place: Path) -> None:
    answer = look("records", "list", "--store", place / "killed" / "games.sqlite")
    assert answer.code == 0 and re.search(r"\b10/20\b", answer.out)


# Going on


@pytest.mark.process
def test_a_killed_match_goes_on_and_its_games_stay_as_they_are(tmp_path: Path) -> None:
    store = copy_of(tmp_path, "killed") / "killed" / "games.sqlite"
    before, numbers = export(store), rows(export(store, form="csv"))
    answer = harena("resume", "--store", store)
    assert answer.code == 0, answer.err
    assert export(store).startswith(before) and rows(export(store, form="csv"))[: len(numbers)] == numbers
    whole = (DATA / "records" / "killed-whole.jsonl").read_text("utf-8")
    assert starts(export(store)) == starts(whole) and len(numbers) == 10
    (run,) = runs_of(store)
    assert status_of(store, run) == "finished" and run in answer.out


def starts(lines: str) -> Counter[str]:
    """Where the games of a run begin, and who plays them with which seed."""
    records = map(json.loads, lines.splitlines())
    return Counter(
        json.dumps([record[key] for key in ("game", "options", "start", "seats", "seed")]) for record in records
    )


@pytest.mark.process
@pytest.mark.parametrize(("kind", "games"), [("tournament", 60), ("tune", 32), ("sweep", 16)])
def test_stopped_runs_go_on_and_their_games_stay_as_they_are(tmp_path: Path, kind: str, games: int) -> None:
    store = copy_of(tmp_path, "store") / "store" / "games.sqlite"
    (run,) = [name for name, (one, status, _) in runs_of(store).items() if (one, status) == (kind, "stopped")]
    before, played = export(store), export(store, "--run", run)
    answer = harena("resume", run, "--store", store)
    assert answer.code == 0, answer.err
    assert 0 < len(played.splitlines()) < games == len(export(store, "--run", run).splitlines())
    assert export(store).startswith(before) and status_of(store, run) == "finished"


@pytest.fixture
def program_match(tmp_path: Path) -> tuple[Path, str]:
    """The store and the name of a stopped match of a program, whose file is where the match was begun."""
    store = copy_of(tmp_path, "store", "agents") / "store" / "games.sqlite"
    move_runs(store, tmp_path)
    (run,) = [name for name, found in runs_of(store).items() if found == ("match", "stopped", "trap")]
    return store, run


@pytest.mark.process
def test_a_stopped_match_of_a_program_goes_on_or_is_refused_in_a_line(program_match: tuple[Path, str]) -> None:
    store, run = program_match
    before = export(store)
    answer = harena("resume", run, "--store", store)
    if answer.code == 0:
        assert export(store).startswith(before) and len(export(store, "--run", run).splitlines()) == 12
    else:
        assert answer.err.count("\n") == 1 and "centre.py" in answer.err and export(store) == before


@pytest.mark.process
def test_a_match_of_a_program_that_has_changed_does_not_go_on(program_match: tuple[Path, str]) -> None:
    store, run = program_match
    before = export(store)
    with (store.parents[1] / "agents" / "centre.py").open("a") as file:
        file.write("# changed\n")
    answer = harena("resume", run, "--store", store)
    assert answer.code == 2 and answer.err.count("\n") == 1 and "centre.py" in answer.err
    assert export(store) == before


@pytest.mark.process
def test_a_game_by_hand_goes_on(tmp_path: Path) -> None:
    store = copy_of(tmp_path, "store") / "store" / "games.sqlite"
    (file,) = (tmp_path / "store" / "games.sqlite.unfinished").iterdir()
    before, left = export(store), json.loads(file.read_text("utf-8"))
    answer = harena("play", "--resume", "--store", store, typed="resign\n")
    assert answer.code == 0, answer.err
    *kept, last = export(store).splitlines()
    assert kept == before.splitlines()
    record = json.loads(last)
    assert (record["reason"], record["start"], record["seats"]) == ("resigned", left["start"], left["seats"])
    assert left["plies"] and record["plies"] == left["plies"]


# Grading again


@dataclass(frozen=True)
class Grading:
    """A copy of a grading and of its submissions, and what of it is compared."""

    course: str
    folder: Path

    @property
    def out(self) -> Path:
        return self.folder / "grades" / self.course

    @property
    def submissions(self) -> Path:
        return self.folder / "class" / self.course

    def grade(self) -> None:
        options = ("--course", self.course, *GRADE_OPTIONS[self.course])
        answer = harena("grade", f"class/{self.course}", "--out", f"grades/{self.course}", *options, folder=self.folder)
        assert answer.code == 0, answer.err

    def games(self) -> set[str]:
        """The records, each once: a later grading may hold games of an earlier one, too."""
        return set(export(self.out / "games.sqlite").splitlines())

    def leaderboard(self) -> dict[str, dict[str, str]]:
        table = rows((self.out / "leaderboard.csv").read_text("utf-8-sig"))
        return {row["name"]: row for row in table}

    def pages(self) -> set[tuple[str, str]]:
        """Whose games have a page, and the numbers of those games."""
        found = self.out.glob("replays/*/*.html")
        return {(page.parent.name, re.split(r"\D", page.name)[0]) for page in found}


def pages_before(course: str) -> set[tuple[str, str]]:
    """The same as version 0.1.0 had it."""
    lines = (DATA / "grades" / "replays.txt").read_text("utf-8").splitlines()
    found = [Path(line) for line in lines if line.startswith(f"grades/{course}/")]
    return {(page.parent.name, re.split(r"\D", page.name)[0]) for page in found}


def numbers(row: dict[str, str], like: dict[str, str]) -> dict[str, float]:
    """The columns of a leaderboard that are numbers in this one, its places and points over others aside."""
    return {key: float(row[key]) for key, value in like.items() if re.fullmatch(r"[\d.]+", value)}


@pytest.fixture
def grading(tmp_path: Path) -> Callable[..., Grading]:
    def make(course: str, *, is_moved: bool = False) -> Grading:
        """A grading as it was left; `is_moved`: in another folder than the one in which it was begun."""
        copy_of(tmp_path, f"grades/{course}", f"class/{course}")
        if not is_moved:
            move_runs(tmp_path / "grades" / course / "games.sqlite", tmp_path)
        return Grading(course, tmp_path)

    return make


def change(graded: Grading) -> None:
    """Hand cyd's agent in again: another one."""
    if graded.course == "w4701":  # it did not load
        shutil.copy(graded.submissions / "bob.py", graded.submissions / "cyd.py")
    (file,) = [*graded.submissions.glob("cyd.py"), *graded.submissions.glob("cyd/student_agent.py")]
    with file.open("a") as text:
        text.write("\n# again\n")


@pytest.mark.process
@pytest.mark.parametrize(("course", "is_moved"), [("comp424", False), ("w4701", False), ("w4701", True)])
def test_who_has_not_changed_keeps_games_and_grade(
    grading: Callable[..., Grading], course: str, is_moved: bool
) -> None:
    graded = grading(course, is_moved=is_moved)
    games, table = graded.games(), graded.leaderboard()
    assert len(games) == GAMES_OF_ALL[course]
    graded.grade()
    assert graded.games() == games and graded.pages() == pages_before(course)
    again = graded.leaderboard()
    assert again.keys() == table.keys()
    assert all(numbers(again[name], row) == numbers(row, row) for name, row in table.items())


@pytest.mark.process
@pytest.mark.slow
def test_the_games_of_a_submission_are_played_again(grading: Callable[..., Grading]) -> None:
    """An appeal against a grading without rounds: starts and dice follow from its seed."""
    graded = grading("w4701")
    games = graded.games()
    words = ("grade", "class/w4701", "--out", "grades/w4701", "--again", "ada", "--json")
    answer = harena(*words, folder=graded.folder)
    assert answer.code == 0, answer.err
    found = json.loads(answer.out)
    assert found["round"] == 0 and found["level_games"] == 6
    dice = [game for game in found["games"] if game["first_difference"] in ("chance", "start")]
    assert not dice and found["games_same"] > 0
    assert graded.games() == games


@pytest.mark.process
@pytest.mark.parametrize("course", ["comp424", "w4701"])
def test_who_has_changed_plays_again_and_the_others_keep_their_games(
    grading: Callable[..., Grading], course: str
) -> None:
    graded = grading(course)
    games, table = graded.games(), graded.leaderboard()
    change(graded)
    graded.grade()
    new = graded.games() - games
    assert games <= graded.games() and len(new) == GAMES_OF_ONE[course]
    assert all(any("cyd" in seat for seat in json.loads(line)["seats"]) for line in new)
    assert {page for page in graded.pages() if page[0] != "cyd"} == {
        page for page in pages_before(course) if page[0] != "cyd"
    }
    for name in ("ada", "bob"):
        before, now = (numbers(one[name], table[name]) for one in (table, graded.leaderboard()))
        same = [key for key in before if key.startswith(("points_", "score_", "level_"))]
        assert len(same) >= 5 and all(now[key] == before[key] for key in same)
    assert "did not load" not in graded.leaderboard()["cyd"]["verdict"]


@pytest.mark.process
@pytest.mark.slow
def test_an_interrupted_grading_goes_on(grading: Callable[..., Grading]) -> None:
    graded = grading("aind")
    games, table = graded.games(), graded.leaderboard()
    done = {name for name, row in table.items() if row["rank"]}
    assert done and done != set(table) and len(games) < GAMES_OF_ALL["aind"]
    graded.grade()
    whole = graded.games()
    assert games <= whole and len(whole) == GAMES_OF_ALL["aind"]
    again = graded.leaderboard()
    assert all(row["rank"] and row["level_games"] == "14" for row in again.values())
    for name in done:
        assert numbers(again[name], table[name]) | {"rank": 0} == numbers(table[name], table[name]) | {"rank": 0}
    results: dict[str, Any] = json.loads((graded.out / "gradescope" / "bob" / "results.json").read_text("utf-8"))
    assert results["extra_data"]["games"] == 14
