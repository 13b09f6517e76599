"""Stores of games for tests: filled, looked into and changed from outside."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.test_record import RECORD
from harena.arena.record import Ply
from harena.arena.store import Store

LONG = replace(RECORD, plies=tuple(Ply(by=number % 2, move="d4", nodes=number) for number in range(400)))


def python(script: str, *words: object) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def is_sound(path: Path) -> bool:
    database = sqlite3.connect(path)
    try:
        return database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        database.close()


def filled(path: Path, games: int = 3) -> str:
    with Store(path) as store:
        run = store.new_run("match", {"games": games})
        for number in range(games):
            store.add_game(run.id, str(number), replace(RECORD, seed=number))
    return run.id


def change(path: Path, command: str, *values: object) -> None:
    database = sqlite3.connect(path)
    database.execute(command, values)
    database.commit()
    database.close()


def set_version(path: Path, version: str) -> None:
    database = sqlite3.connect(path)
    database.execute("UPDATE meta SET value = ?", (version,))
    database.commit()
    database.close()


@contextmanager
def interrupted_after(games: int) -> Iterator[None]:
    """Whoever plays is interrupted, as by Ctrl-C, when so many games are stored."""
    stored, add = 0, Store.add_game

    def add_some(self: Store, *game: Any) -> int | None:
        nonlocal stored
        stored += 1
        if stored > games:
            raise KeyboardInterrupt
        return add(self, *game)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Store, "add_game", add_some)
        yield
