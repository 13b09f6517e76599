"""A store with two runs, and the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.stored import RECORDS
from cli.support import Answer, run
from harena.arena.store import STOPPED, Store

Harena = Callable[..., Answer]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "games.sqlite"


@pytest.fixture
def harena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *words: run(capsys, monkeypatch, *words)


@pytest.fixture
def runs(path: Path) -> tuple[str, str]:
    """Two runs, of which the second has a game that was cut short."""
    with Store(path) as store:
        first = store.new_run("match", {})
        for number, record in enumerate(RECORDS[:2]):
            store.add_game(first.id, f"0-1/{number}/0", record)
        store.finish(first.id)
        second = store.new_run("tournament", {}, note="for the course")
        store.add_game(second.id, "0-1/0/0", RECORDS[2])
        store.finish(second.id, STOPPED)
    return first.id, second.id
