"""An appeal: one submission's games played again, the grade left alone, and a report that its author may read."""

import json
import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from cli.support import run
from courses.class_of_fifty import WALKER
from courses.graded import CHEAP, LOSER, grade, meet, small_class
from harena.arena.record import RULES, TIME, Ply, Record
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.cli.appeal import play_again
from harena.courses import appeal_report as report
from harena.courses.appeal import (
    AGENT,
    CHANCE_MOVE,
    OPPONENT,
    OTHER_RESULT,
    SAME,
    Appeal,
    AppealGame,
    GameLogs,
    Setting,
    contest_for,
    setting_of,
)
from harena.courses.grading import Plan, plan_of
from harena.errors import HarenaError, UsageError
from harena.search.result import Limits

CRASHING = WALKER.replace(  # it says where its file is, once in a line of its own and once in the traceback
    "    def getMove(self, grid):\n",
    "    def getMove(self, grid):\n        print('thinking in', __file__)\n        return self.choose(grid)\n"
    "    def choose(self, grid):\n        return {}['no such key', __file__]\n    def unused(self, grid):\n",
)
OWN_CHANCE = WALKER.replace("random.choice", "random.SystemRandom().choice")
SMALL = 4  # cells a side: a game has a few plies


@pytest.fixture(autouse=True)
def cheap_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", *CHEAP, size=SMALL)
    monkeypatch.setattr("harena.cli.appeal.LIMITS", Limits(nodes=500))


@pytest.fixture(scope="module")
def whole_class(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of four that is graded under pseudonyms, all against all; appeals change nothing of it.

    A process is kept for all games of a submission. `test_games_of_an_earlier_round_come_back_too` has one a game.
    """
    folder = small_class(tmp_path_factory.mktemp("shared") / "class", "ada_lovelace")
    with ZipFile(folder / "bob.zip", "w") as packed:
        packed.writestr("agent.py", CRASHING)
    (folder / "cyd.zip").write_bytes(b"no zip at all")
    small_class(folder, "zoe", agent=LOSER)
    with pytest.MonkeyPatch.context() as patch:
        meet(patch, "w4701", *CHEAP, size=SMALL)
        grade(folder, everybody=True, pseudonyms=True, keep_process=True)
    return folder


@pytest.fixture
def graded(whole_class: Path) -> Path:
    """The class without the appeals of other tests."""
    shutil.rmtree(graded_in(whole_class) / "appeals", ignore_errors=True)
    return whole_class


def graded_in(folder: Path) -> Path:
    """Where the grades of a class are."""
    return Path(f"{folder}-grades")


def appeal(folder: Path, name: str, **given: Any) -> dict[str, Any]:
    """The JSON object of an appeal."""
    with pytest.MonkeyPatch.context() as patch:
        lines: list[dict[str, Any]] = []
        patch.setattr("harena.cli.carrying.print_json", lines.append)
        play_again(str(folder), name, **{"out": None, "store": None, "concurrency": 1, "as_json": True} | given)
    (found,) = lines
    return json.loads(json.dumps(found))


def grades(out: Path) -> dict[str, bytes]:
    """Every file of a grading that is about grades, with the texts of its games."""
    names = [path for path in out.rglob("*") if path.is_file() and "appeals" not in path.parts]
    kept = {str(path): path.read_bytes() for path in names if ".sqlite" not in path.name}
    with Store(out / "games.sqlite", writing=False) as store:
        return kept | {f"game {row.id}": store.text(row.id).encode() for row in store.rows()}


def reports(out: Path, name: str) -> str:
    """The page and the text of an appeal."""
    folder = out / "appeals"
    return (folder / f"{name}.html").read_text("utf-8") + (folder / f"{name}.txt").read_text("utf-8")


def secrets_of(out: Path) -> list[str]:
    """What no student may read: the secret, the seed, and the seeds of the games."""
    with Store(out / "games.sqlite", writing=False) as store:
        seeds = {store.record(row.id).seed for row in store.rows()}
        spec = plan_of(dict(store.runs()[-1].spec)).spec
    return [(out / "secret").read_text().strip(), str(spec.seed), *map(str, seeds)]


LEVEL_GAMES = OTHERS_GAMES = 2 * 2  # two levels, and two other submissions that play


@pytest.mark.process
def test_games_come_back_and_the_grade_stays(graded: Path) -> None:
    out = graded_in(graded)
    before = grades(out)
    found = appeal(graded, "bob")
    assert grades(out) == before
    assert found["level_games"] == LEVEL_GAMES
    assert found["games_same"] == len(found["games"]) == LEVEL_GAMES + OTHERS_GAMES
    assert found["points_graded"] == found["points_now"] and found["status"] == "finished"
    assert "bob" in reports(out, "bob") and "ada_lovelace" not in reports(out, "bob")
    assert not [one for one in secrets_of(out) if one in reports(out, "bob")]
    assert "The grade has not been changed" in reports(out, "bob")
    again = appeal(graded, "bob")  # another appeal plays again
    assert again["games_same"] == len(found["games"])
    with Store(out / "appeals" / "games" / "bob.sqlite", writing=False) as kept:
        assert [run.status for run in kept.runs()] == ["finished", "finished"]
        assert len(list(kept.rows())) == 2 * len(found["games"])


@pytest.mark.process
def test_a_crash_is_explained_to_its_author(graded: Path, tmp_path: Path) -> None:
    out = graded_in(graded)
    found = appeal(graded, "bob")
    assert found["faults_graded"] == found["faults_now"] == {"crash": LEVEL_GAMES + OTHERS_GAMES}
    text = (out / "appeals" / "bob.txt").read_text("utf-8")
    assert "your agent raised an exception: KeyError: ('no such key', 'agent.py') (agent.py, line" in text
    assert "return self.choose(grid)" in text and "return {}['no such key', __file__]" in text  # the whole traceback
    assert "thinking in agent.py" in text and "ada" not in text and str(graded.parent) not in text
    assert "traceback of the new game" not in text  # it is the same but for the folder of a copy
    assert "/tmp" not in reports(out, "bob") + json.dumps(found["games"]) + "".join(found["sentences"])
    assert "harena match trap w4701:bob/./agent.py random" in text and "--openings position.txt" in text
    for path in (out / "appeals").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    said = play_at_home(tmp_path, graded / "bob.zip", text)
    assert "no such key" in said


def play_at_home(home: Path, submission: Path, text: str) -> str:
    """What the agent prints where its author runs the first commands of a report, with nothing but the submission."""
    shutil.copy(submission, home)
    lines = [line.strip() for line in text.splitlines()]
    match = next(number for number, line in enumerate(lines) if line.startswith("harena match"))
    title = max(number for number in range(match) if lines[number].startswith("to play from this position"))
    python = f"PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH"
    done = subprocess.run(
        ["sh", "-ec", "\n".join([python, *lines[title + 1 : match + 1]])],
        cwd=home,
        env=os.environ | {"HARENA_STORE": str(home / "own.sqlite")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return "".join(path.read_text() for path in (home / "logs").iterdir())


@pytest.mark.process
def test_chance_of_the_agents_own_is_said(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada", agent=OWN_CHANCE)
    out = grade(folder, keep_process=True)
    found = appeal(folder, "ada")
    assert found["games_same"] < found["level_games"]
    assert {game["first_difference"] for game in found["games"]} <= {"agent", None}
    assert "does not always answer alike in the same position" in reports(out, "ada")
    assert "cannot be reproduced exactly" in reports(out, "ada")


@pytest.mark.process
def test_other_students_have_no_names(graded: Path) -> None:
    out = graded_in(graded)
    table = (out / "pseudonyms.csv").read_text("utf-8-sig").splitlines()[1:]
    hidden = dict(reversed(line.split(",")) for line in table)
    found = appeal(graded, hidden["ada_lovelace"])
    assert found["submission"] == "ada_lovelace"
    assert found["games_same"] == len(found["games"]) == LEVEL_GAMES + OTHERS_GAMES  # dice and all
    assert {game["opponent"] for game in found["games"]} == {"random", "easy", "another submission"}
    words = reports(out, "ada_lovelace") + json.dumps(found)
    others = ["bob", "cyd", "zoe", "no such key", *(hidden[one] for one in ("bob", "cyd", "zoe")), *secrets_of(out)]
    assert not [word for word in others if word in words]


@pytest.mark.process
def test_games_of_an_earlier_round_come_back_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", CHEAP[0], size=SMALL)
    folder = small_class(tmp_path / "class", "ada", "bob", agent=LOSER)
    grade(folder, everybody=True)
    small_class(folder, "cyd", agent=LOSER)
    out = grade(folder, everybody=True)  # ada and bob keep their games: those of round 1
    found = appeal(folder, "ada")
    assert found["round"] == 1 and found["games_same"] == len(found["games"]) == 2 + OTHERS_GAMES
    assert "harena match trap w4701:ada.py random" in (out / "appeals" / "ada.txt").read_text("utf-8")


@pytest.mark.process
def test_without_walls_no_path_of_the_instructor_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", CHEAP[0], size=SMALL)
    folder = small_class(tmp_path / "class", "ada", agent=CRASHING)
    out = grade(folder, sandbox="limits", keep_process=True)
    appeal(folder, "ada")
    text = reports(out, "ada")
    assert "thinking in ada.py" in text and "traceback of the new game" not in text
    assert str(tmp_path) not in text and tempfile.gettempdir() not in text


@pytest.mark.process
@pytest.mark.parametrize("place", ["/tmp/tmpa1b2_3d4/submission", "/home/jo/own tmp/x/tmpaaaaaaaa/tmpbbbbbbbb/bob"])
def test_no_folder_of_a_copy_is_shown(place: str, graded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/home/jo/own tmp")
    with Store(graded_in(graded) / "games.sqlite", writing=False) as store:
        plan = plan_of(dict(store.runs()[-1].spec))
    bob = next(one for one in plan.submissions if one.name == "bob")
    found = Appeal(plan=plan, submission=bob, home="/srv/my class-grades/submissions/bob", games=())
    said = f"in {place}/a/agent.py, {place}: {place}/x and {found.home}/y, {found.home}"
    assert report.scrub(found, said) == "in a/agent.py, .: x and y, ."
    kept = "bob's submission /tmp/tmpa1b2_3d4/submissions/x, my/submission/y"
    assert report.scrub(found, kept) == kept


@pytest.mark.process
def test_a_stopped_appeal_goes_on(graded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = graded_in(graded)
    listen, heard = GameLogs.text_of, []

    def stop_at_the_third(self: GameLogs, slot: str) -> str:
        heard.append(slot)
        if len(heard) == 3:
            raise KeyboardInterrupt
        return listen(self, slot)

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(GameLogs, "text_of", stop_at_the_third)
        appeal(graded, "bob")
    assert not (out / "appeals" / "bob.html").exists()
    with Store(out / "appeals" / "games" / "bob.sqlite", writing=False) as kept:
        first = {row.id: kept.text(row.id) for row in kept.rows()}
    assert appeal(graded, "bob")["games_same"] == LEVEL_GAMES + OTHERS_GAMES
    with Store(out / "appeals" / "games" / "bob.sqlite", writing=False) as kept:
        assert len(kept.runs()) == 1 and len(first) == 3
        assert {row.id: kept.text(row.id) for row in kept.rows()}.items() >= first.items()


@pytest.mark.process
@pytest.mark.slow
def test_a_killed_appeal_can_be_run_again(graded: Path) -> None:
    command = [sys.executable, "-m", "harena", "grade", str(graded), "--again", "bob"]
    store = graded_in(graded) / "appeals" / "games" / "bob.sqlite"
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not store.exists() or not count_games(store):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["games"]) == LEVEL_GAMES + OTHERS_GAMES == count_games(store)


def count_games(store: Path) -> int:
    try:
        with Store(store, writing=False) as kept:
            return len(list(kept.rows()))
    except HarenaError:
        return 0


# What cannot be played again


@pytest.mark.process
def test_an_unknown_name_is_one_line_with_the_nearest(graded: Path) -> None:
    with pytest.raises(UsageError, match=r"^no submission 'lovelace' in this grading; the nearest: ada_lovelace"):
        appeal(graded, "lovelace")
    with pytest.raises(UsageError, match=r"there are: ada_lovelace, bob, cyd, zoe$"):
        appeal(graded, "zzzzzzzz")
    with pytest.raises(UsageError, match=r"^cyd was refused and has no games: "):
        appeal(graded, "cyd.zip")  # as it was handed in


@pytest.mark.process
def test_without_the_secret_nothing_is_played(graded: Path) -> None:
    out = Path(f"{graded}-grades")
    secret = (out / "secret").rename(out / "elsewhere")
    with pytest.raises(UsageError, match=r"the secret of round 1 is not in .*: without it no game can be played"):
        appeal(graded, "bob")
    assert not (out / "secret").exists() and not (out / "appeals").exists()
    secret.rename(out / "secret")


@pytest.mark.process
def test_only_what_was_graded_is_played(graded: Path, tmp_path: Path) -> None:
    out = graded_in(graded)
    (staged,) = (out / "submissions" / "bob").glob("*.py")
    staged.write_text(WALKER)
    with pytest.raises(UsageError, match=r"submissions/bob is not what was graded: run harena grade first"):
        appeal(graded, "bob")
    with pytest.raises(UsageError, match=r"submissions/bob \(an opponent of zoe\) is not what was graded: run harena"):
        appeal(graded, "zoe")  # a game that zoe lost might be won now
    assert not (out / "appeals").exists()
    staged.write_text(CRASHING)
    moved = shutil.copytree(out, tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="bob was graded in another folder"):
        appeal(moved, "bob")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--again", "ada", "--seconds", "3"], "--again plays as the grading did: leave --seconds out"),
        (["--again", "ada"], "--again needs the folder of the submissions or of the grading"),
        (["--json", "class", "--course", "w4701"], "--json is for --again: a grading writes leaderboard.csv"),
        (["class"], "grade needs FOLDER --course COURSE, for instance: harena grade submissions"),
        (["nowhere", "--again", "ada"], "there is no such folder; harena grade makes it, --out names another"),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str],
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    answer = run(capsys, monkeypatch, "grade", *words)
    assert answer.code == 2 and line in answer.err and answer.err.count("\n") == 1


# Comparing


def first_game(graded: Path) -> tuple[Plan, Slot, Record]:
    """The first game of a submission against a level."""
    with Store(Path(f"{graded}-grades") / "games.sqlite", writing=False) as store:
        plan = plan_of(dict(store.runs()[-1].spec))
        slot = plan.slots_of(next(one for one in plan.submissions if one.name == "ada_lovelace"))[0]
        return plan, slot, store.record(store.numbers(store.runs()[-1].id)[str(slot)])


@pytest.fixture
def game(graded: Path) -> AppealGame:
    """A graded game of several plies, and itself again."""
    _, slot, record = first_game(graded)
    seat = slot.seats.index(slot.b)
    return AppealGame(slot=slot, number=1, opponent="random", is_level=True, seat=seat, then=record, now=record)


@pytest.mark.process
def test_what_differs_first_is_found(game: AppealGame) -> None:
    record = game.then
    assert game.difference.kind == SAME
    own = next(number for number, ply in enumerate(record.plies) if ply.by == game.seat)
    late = replace(
        record,
        plies=record.plies[:own],
        reason=TIME,
        detail="no answer after 2106 ms",
        winner=1 - game.seat,
        score=None,
    )
    won = replace(record, winner=game.seat)
    found = replace(game, then=late, now=won).difference
    assert (found.kind, found.cause) == (OTHER_RESULT, AGENT) and "The loss on time did not come back" in found.text
    found = replace(game, then=won, now=late).difference
    assert (found.kind, found.cause) == (OTHER_RESULT, AGENT) and "your agent failed now (time)" in found.text
    for by, cause in ((game.seat, AGENT), (1 - game.seat, OPPONENT), (2, CHANCE_MOVE)):
        number = next(number for number, ply in enumerate(record.plies) if ply.by == by)
        plies = (*record.plies[:number], Ply(by=by, move="other"), *record.plies[number + 1 :])
        assert replace(game, now=replace(record, plies=plies)).difference.cause == cause
    assert record.reason == RULES


@pytest.mark.process
def test_a_move_that_was_late_both_times_has_one_row(graded: Path, game: AppealGame) -> None:
    own = [number for number, ply in enumerate(game.then.plies) if ply.by == game.seat]
    late, later = (
        replace(game.then, plies=game.then.plies[:number], reason=TIME, detail="no answer", winner=1 - game.seat)
        for number in own[1:3]
    )
    plan = first_game(graded)[0]
    appeal = Appeal(plan=plan, submission=plan.submissions[0], home="/home/of/it", games=())

    def rows(then: Record, now: Record) -> list[list[object]]:
        return [list(row) for row in report._times(appeal, replace(game, then=then, now=now)).rows]

    assert [row[0] for row in rows(late, late)] == [own[0] + 1, own[1] + 1]
    assert rows(late, late)[-1] == [own[1] + 1, "- (no answer)", "no answer in time", "no answer in time"]
    move = str(game.then.plies[own[1]].move)
    (row,) = [row for row in rows(later, late) if row[0] == own[1] + 1]
    assert row[1] == f"{move} (no answer)" and str(row[2]).endswith(" s") and row[3] == "no answer in time"


@pytest.mark.process
def test_a_game_that_the_machine_interrupted_gets_its_dice_again(graded: Path) -> None:
    plan, slot, record = first_game(graded)
    interrupted = replace(record, conditions={**record.conditions, "replays": 2})
    setting = setting_of(interrupted, plan)
    assert setting == Setting(round=1, fresh=False, levels=2)
    contest = contest_for(plan, setting, {slot: interrupted}, b"x" * 32)
    assert contest.replays[str(slot)] == 2
