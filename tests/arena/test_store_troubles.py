"""The store keeps every game that was added, whatever happens to the process or the disk."""

import random
import resource
import signal
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from arena.stores import LONG, filled, is_sound, python
from arena.test_record import RECORD
from harena.arena import store as module
from harena.arena.store import Store
from harena.arena.troubles import StoreError

ADD_FOR_EVER = """
import sys
from arena.test_record import RECORD
from harena.arena.store import Store
with Store(sys.argv[1]) as store:
    run = sys.argv[2]
    for number in range(len(store.slots_done(run)), 100_000):
        assert store.add_game(run, str(number), RECORD) is not None
        print(number, flush=True)
"""


@pytest.mark.process
def test_kill_9_loses_no_game_that_was_reported(path: Path) -> None:
    run = filled(path, 0)
    chance = random.Random(5)
    reported = -1
    for _ in range(8):
        child = python(ADD_FOR_EVER, path, run)
        assert child.stdout is not None
        line = child.stdout.readline()
        time.sleep(chance.uniform(0, 0.15))
        with Store(path, writing=False) as reader:  # while the other writes
            assert reader.slots_done(run)
        child.send_signal(signal.SIGKILL)
        rest, trouble = child.communicate(timeout=300)
        assert not trouble and child.returncode == -signal.SIGKILL
        last = [int(number) for number in (line + rest).split("\n")[:-1]][-1]
        assert last > reported
        reported = last
        with Store(path, writing=False) as store:
            done = store.slots_done(run)
            assert len(done) in (reported + 1, reported + 2)
            assert done == {str(number) for number in range(len(done))}
    with Store(path) as store:
        assert all(record == RECORD for _, record in store.games(run))
    assert is_sound(path)


def test_no_room_for_a_game_leaves_the_earlier_ones(path: Path) -> None:
    run = filled(path)
    with Store(path) as store:
        (pages,) = store._rows("PRAGMA page_count")[0]
        store._do(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match=r"the disk is full; the games before are safe$"):
            for number in range(10, 20):
                store.add_game(run, str(number), LONG)
        kept = len(list(store.games(run)))
        store._do("PRAGMA max_page_count = 100000")
        assert store.add_game(run, "later", LONG) is not None
    with Store(path) as store:
        assert len(list(store.games(run))) == kept + 1
    assert is_sound(path)


@pytest.mark.process
def test_a_file_that_may_not_grow_leaves_the_earlier_games(path: Path) -> None:
    run = filled(path)
    script = """
import resource, sys
from arena.stores import LONG
from harena.arena.store import Store
from harena.arena.troubles import StoreError
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
with Store(sys.argv[1]) as store:
    for number in range(100, 200):
        try:
            store.add_game(sys.argv[2], str(number), LONG)
        except StoreError as error:
            print(error)
            break
        print("kept", flush=True)
"""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 100_000
    out, trouble = python(script, path, run).communicate(timeout=300)
    assert trouble == ""
    *kept, error = out.splitlines()
    assert "the games before are safe" in error and kept
    with Store(path) as store:
        assert len(list(store.games(run))) == 3 + len(kept)
    assert is_sound(path)


@pytest.mark.process
def test_a_read_only_store_can_be_read_and_says_why_it_cannot_be_written(path: Path) -> None:
    run = filled(path)
    script = """
import os, sys
from harena.arena.store import Store
from harena.arena.troubles import StoreError
from arena.test_record import RECORD
if os.getuid() == 0:
    os.setgroups([])
    os.setuid(65534)  # root may write anything
with Store(sys.argv[1], writing=False) as store:
    print(len(list(store.games(sys.argv[2]))))
    try:
        store.add_game(sys.argv[2], "x", RECORD)
    except StoreError as error:
        print(error)
try:
    Store(sys.argv[1])
except StoreError as error:
    print(error)
"""
    for folder in [path.parent, *path.parent.parents][:8]:  # what pytest makes is for its own user only
        if folder.owner() == Path.home().owner() and str(folder) not in ("/", "/tmp"):
            folder.chmod(0o755)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        out, trouble = python(script, path, run).communicate(timeout=300)
    finally:
        path.parent.chmod(0o755)
    assert trouble == ""
    games, added, opened = out.splitlines()
    assert games == "3"
    assert added == opened == f"{path}: it is read-only; name another file with --store"
    assert is_sound(path)


def test_looking_never_writes(path: Path) -> None:
    run = filled(path)
    with Store(path, writing=False) as store, pytest.raises(StoreError, match="read-only"):
        store.add_game(run, "x", RECORD)


def test_a_store_that_another_process_keeps_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = filled(path)
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    hasty = Store(path)
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    with hasty, Store(path) as patient:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process has been writing"):
            hasty.add_game(run, "x", RECORD)
        assert len(list(hasty.games(run))) == 3  # readers do not wait
        timer = threading.Timer(0.1, other.execute, ("COMMIT",))
        timer.start()
        assert patient.add_game(run, "x", RECORD) == 4
        timer.join()
    other.close()
