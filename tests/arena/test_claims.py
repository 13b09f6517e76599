"""Claims: whoever looks disturbs nobody, and nothing that is removed meanwhile is an error."""

import fcntl
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from harena.arena import claims
from harena.arena.claims import claimed, file_of, is_claimed
from harena.errors import UsageError


@contextmanager
def looked_at(path: Path) -> Iterator[None]:
    """Somebody else is just looking."""
    path.parent.mkdir(exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(file, fcntl.LOCK_SH)
    yield
    os.close(file)


def test_two_who_look_do_not_see_each_other_and_make_nothing(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    assert not is_claimed(store, "run") and not list(tmp_path.iterdir())
    with looked_at(file_of(store, "run")):
        assert not is_claimed(store, "run")
        assert not is_claimed(store, "other") and not file_of(store, "other").exists()


def test_whoever_claims_a_run_is_not_refused_because_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "PATIENCE", 60.0)
    store, waits = tmp_path / "games.sqlite", threading.Event()
    monkeypatch.setattr(claims.time, "sleep", lambda seconds: waits.set())
    held: list[bool] = []

    def claim() -> None:
        with claimed(store, "run"):
            held.append(is_claimed(store, "run"))

    claimer = threading.Thread(target=claim)
    with looked_at(file_of(store, "run")):
        claimer.start()
        assert waits.wait(30)
    claimer.join(30)
    assert held == [True]


def test_a_run_that_is_played_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PATIENCE", 0.0)
    store = tmp_path / "games.sqlite"
    with claimed(store, "run"), pytest.raises(UsageError, match="another process"), claimed(store, "run"):
        pass


def test_a_folder_that_is_removed_meanwhile_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever ends a run removes the folder of all claims if nobody else plays."""
    store, opening = tmp_path / "games.sqlite", os.open
    removed: list[str] = []

    def remove_first(path: Any, *given: Any) -> int:
        if not removed:
            removed.append(str(path))
            shutil.rmtree(file_of(store, "run").parent, ignore_errors=True)
        return opening(path, *given)

    monkeypatch.setattr(claims.os, "open", remove_first)
    file_of(store, "run").parent.mkdir()
    file_of(store, "run").touch()
    assert not is_claimed(store, "run") and removed
    removed.clear()
    with claimed(store, "run"):
        assert removed and is_claimed(store, "run")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_claim_is_not_lost_between_many_who_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "PATIENCE", 60.0)  # on a busy machine those who look may hold it for long
    store, ended = tmp_path / "games.sqlite", threading.Event()

    def look() -> None:
        while not ended.is_set():
            is_claimed(store, "run")

    looking = [threading.Thread(target=look) for _ in range(4)]
    for one in looking:
        one.start()
    for _ in range(50):
        with claimed(store, "run"):
            assert is_claimed(store, "run")
        time.sleep(0)
    ended.set()
    for one in looking:
        one.join()


@pytest.mark.process
def test_without_locks_a_claim_lasts_as_long_as_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where a file that is open cannot be locked so, nor removed."""
    monkeypatch.setattr(claims, "fcntl", None)
    store = tmp_path / "games.sqlite"
    with claimed(store, "run"):
        assert is_claimed(store, "run") and not is_claimed(store, "other")
        with pytest.raises(UsageError, match="another process"), claimed(store, "run"):
            pass
        assert is_claimed(store, "run")
    assert not is_claimed(store, "run") and not list(tmp_path.iterdir())
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], stdout=subprocess.PIPE, check=True)
    file_of(store, "run").parent.mkdir()
    file_of(store, "run").write_bytes(ended.stdout)
    assert not is_claimed(store, "run")
    with claimed(store, "run"):
        assert file_of(store, "run").read_text() == str(os.getpid())
