"""Ctrl-C in a grading: what is on the screen and on disk then, and that the same command goes on from there."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from courses.class_of_fifty import WALKER
from courses.graded import small_class, verdicts
from harena.arena.store import Store
from harena.arena.troubles import StoreError

NAMES = ("ada", "bob", "cyd")
LEVELS, GAMES = 3, 2
DAWDLER = WALKER.replace("import random", "import random, time").replace(
    "    def getMove(self, grid):\n", "    def getMove(self, grid):\n        time.sleep(0.01)\n"
)


def started(folder: Path) -> subprocess.Popen[str]:
    words = ["grade", str(folder), "--course", "w4701", "--games", str(GAMES), "--seconds", "2"]
    return subprocess.Popen(
        [sys.executable, "-m", "harena", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "80"},
    )


def games(store: Path) -> dict[int, str]:
    """The texts of all games by number."""
    with contextlib.suppress(StoreError), Store(store, writing=False) as kept:
        return {row.id: kept.text(row.id) for row in kept.rows()}
    return {}


def stopped(folder: Path, store: Path, number: signal.Signals) -> tuple[str, str]:
    """What is printed by a grading that gets a signal after the first submission is graded and before the last is."""
    running = started(folder)
    deadline = time.monotonic() + 300
    while len(games(store)) < LEVELS * GAMES + 1:
        assert running.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    running.send_signal(number)
    out, error = running.communicate(timeout=60)
    assert running.returncode == 130 and "Traceback" not in error
    return out, error


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.soak)])
def test_what_is_done_is_told_and_written_and_the_same_command_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    folder = small_class(tmp_path / "class", *NAMES, agent=DAWDLER)
    target = tmp_path / "class-grades"
    store = target / "games.sqlite"
    out, _ = stopped(folder, store, number)

    kept = games(store)
    rows = verdicts(target)
    done = {name for name, row in rows.items() if row["verdict"] == "graded"}
    assert set(rows) == set(NAMES) and done and done != set(NAMES)
    unfinished = set(NAMES) - done
    assert all(rows[name]["verdict"] == "not finished" and not rows[name]["rank"] for name in unfinished)
    assert {path.stem for path in (target / "reports").iterdir()} == done
    assert {path.name for path in (target / "gradescope").iterdir()} == done
    assert f"{len(done)} of 3 submissions graded" in (target / "leaderboard.html").read_text("utf-8")
    with Store(store, writing=False) as opened:
        assert [run.status for run in opened.runs()] == ["stopped"]

    lines = out.splitlines()
    assert lines[1].split()[:2] == ["1", next(iter(rows))]  # the leaderboard, the best first
    assert f"not finished: {', '.join(sorted(unfinished))}" in lines
    assert lines[-1] == f"stopped; harena grade with the same words goes on; nothing of {target} is lost"
    assert f"leaderboard, reports and Gradescope's results are in {target}" in lines

    again = started(folder)
    out, error = again.communicate(timeout=300)
    assert again.returncode == 0, error
    assert games(store).items() >= kept.items() and len(games(store)) == len(NAMES) * LEVELS * GAMES
    assert all(row["verdict"] == "graded" for row in verdicts(target).values()) and "not finished" not in out
    for name in NAMES:
        results = json.loads((target / "gradescope" / name / "results.json").read_text("utf-8"))
        assert results["extra_data"]["is_complete"] and results["extra_data"]["games"] == LEVELS * GAMES
    with Store(store, writing=False) as opened:
        assert [run.status for run in opened.runs()] == ["finished"]
