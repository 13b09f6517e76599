"""Where games were played is kept with them, and said."""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
import psutil

import harena
from harena.arena.contest import Spec
from harena.arena.machine import here, where
from harena.arena.record import Record
from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.match import Match
from harena.arena.runs.runner import Runner, stored_games
from harena.arena.store import Store


def record(**conditions: Any) -> Record:
    return Record(game="isolation", options={}, start="s", seats=("a", "b"), plies=(), winner=0, conditions=conditions)


def test_versions_machine_and_games_at_once_are_kept_with_every_game(tmp_path: Path) -> None:
    spec = Spec(game="isolation", variants=[{"size": "4"}], agents=["random", "random"], local=True)
    match = Match(spec=spec, pairs=2)
    with Store(tmp_path / "games.sqlite") as store:
        runner = Runner(store, LocalExecutor(2))
        run = runner.begin(match)
        assert list(runner.play(run, match))
        records = [record for _, record in stored_games(store, run)]
    assert len(records) == 4
    for one in records:
        assert one.conditions["harena"] == harena.__version__ and one.conditions["numba"] == numba.__version__
        assert one.conditions["python"] == sys.version.split()[0] and one.conditions["concurrency"] == 2
        assert one.conditions["machine"].endswith(f", {psutil.cpu_count()} processors")
    said = where(records)
    assert said.startswith(f"harena {harena.__version__}, Python {sys.version.split()[0]}, Linux ")
    assert said.endswith(" processors, 2 games at once") and here()["numba"] == version("numba")


def test_a_run_that_went_on_elsewhere_says_so() -> None:
    old = {"harena": "1.0", "python": "3.11.7", "machine": "Linux x86_64, 2 processors"}
    new = old | {"harena": "1.1", "concurrency": 1}
    place = "Python 3.11.7, Linux x86_64, 2 processors"
    said = where([record(**old), record(**new), record(**old)])
    assert said == f"harena 1.0, {place}; then harena 1.1, {place}"
    assert where([record()]) == where([]) == ""
