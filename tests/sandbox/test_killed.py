"""Nothing outlives the arena: however often it is killed, no process, no group and no folder is left."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from harena.arena.store import Store
from harena.arena.troubles import StoreError
from harena.sandbox.watcher import MARK
from harena.sandbox.workplace import boot, namespace, workplace

CENTRE = Path(__file__).parents[2] / "examples" / "agents" / "centre.py"
PATIENT = 60.0  # seconds: only a test that fails waits so long
GAMES = ["--games", "20000", "--seconds", "0.05", "--concurrency", "2", "--size", "5"]


def left_by(arena: int) -> list[str]:
    """What a process that was killed has left: processes, groups, folders."""
    name = f"harena-{boot()}-{namespace()}-{arena}-"
    found = [f"{place}/{entry}" for place in places() for entry in os.listdir(place) if entry.startswith(name)]
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK, "").startswith(name) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid}: {process.status()} {process.cmdline()}")
        except (psutil.Error, OSError):
            continue
    return found


def places() -> list[str]:
    hierarchies = workplace().hierarchies
    groups = [os.path.dirname(folder) for folder in hierarchies.folders] if hierarchies is not None else []
    return [tempfile.gettempdir(), *groups]


def count_games(store: Path) -> int:
    with suppress(StoreError), Store(store, writing=False) as opened:
        return sum(number for number, *_ in opened.counts().values())
    return 0


def kill_a_match(store: Path, wait: float, choice: str, games: int = 0) -> list[str]:
    """What a match leaves that is killed some seconds after it has stored so many games."""
    words = [sys.executable, "-m", "harena", "match", "isolation", "id_improved", str(CENTRE), *GAMES]
    nothing = subprocess.DEVNULL
    arena = subprocess.Popen(
        [*words, "--store", str(store), "--sandbox", choice], stdin=nothing, stdout=nothing, stderr=nothing
    )
    deadline = time.monotonic() + PATIENT
    while count_games(store) < games:
        assert arena.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(wait)
    assert arena.poll() is None
    arena.send_signal(signal.SIGKILL)
    arena.wait()
    deadline = time.monotonic() + PATIENT
    while (left := left_by(arena.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@pytest.mark.process
@pytest.mark.parametrize("choice", ["bubblewrap,group", "bubblewrap,signals", "limits,signals"])
def test_a_match_that_is_killed_leaves_nothing(tmp_path: Path, choice: str) -> None:
    assert kill_a_match(tmp_path / "games.sqlite", 0.2, choice, games=1) == []


@pytest.mark.soak
def test_a_hundred_matches_that_are_killed_leave_nothing(tmp_path: Path) -> None:
    rng = random.Random(18)
    choices = ["bubblewrap,group", "bubblewrap,signals", "namespaces,group", "namespaces,signals", "limits,signals"]
    for number in range(100):
        wait = rng.uniform(0.5, 4.0)
        left = kill_a_match(tmp_path / f"{number}.sqlite", wait, choices[number % len(choices)])
        assert left == [], f"match {number}, killed after {wait:.2f} s"


@pytest.mark.process
def test_a_match_whose_watcher_is_killed_too_is_cleaned_up_by_the_next(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "harena", "match", "isolation", "random", str(CENTRE), *GAMES]
    nothing = subprocess.DEVNULL
    arena = subprocess.Popen(
        [*words, "--store", str(tmp_path / "a.sqlite")], stdin=nothing, stdout=nothing, stderr=nothing
    )
    deadline = time.monotonic() + PATIENT
    while not (watchers := watchers_of(arena.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    for process in watchers:
        process.kill()
    arena.kill()
    arena.wait()
    assert left_by(arena.pid)
    script = "from harena.sandbox.workplace import workplace; workplace()"
    while left_by(arena.pid) and time.monotonic() < deadline:
        subprocess.run([sys.executable, "-c", script], check=True)
        time.sleep(0.1)
    assert left_by(arena.pid) == []


def watchers_of(arena: int) -> list[psutil.Process]:
    try:
        return [one for one in psutil.Process(arena).children() if any("watcher.py" in word for word in one.cmdline())]
    except psutil.Error:
        return []
