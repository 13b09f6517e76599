"""The store keeps every game that was added, whatever happens to the process, the disk or the file."""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena.test_record import RECORD
from harena.arena import store as module
from harena.arena.record import Ply
from harena.arena.store import FINISHED, RUNNING, STOPPED, Store, store_path
from harena.arena.troubles import DamagedRecord, StoreError
from harena.errors import BadText

LONG = replace(RECORD, plies=tuple(Ply(by=number % 2, move="d4", nodes=number) for number in range(400)))

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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "games.sqlite"


def filled(path: Path, games: int = 3) -> str:
    with Store(path) as store:
        run = store.new_run("match", {"games": games})
        for number in range(games):
            store.add_game(run.id, str(number), replace(RECORD, seed=number))
    return run.id


# Runs


def test_a_run_keeps_what_is_needed_to_go_on(path: Path) -> None:
    spec = {"agents": ["a", "b"], "limits": {"seconds": 0.15}, "seed": 3}
    with Store(path) as store:
        run = store.new_run("tournament", spec, note="for the course")
        assert (run.kind, run.spec, run.status, run.note) == ("tournament", spec, RUNNING, "for the course")
        assert len(run.id) == 8 and run.finished is None and run.created.endswith("Z")
    with Store(path) as store:
        assert store.run(run.id) == run
        assert store.runs() == [run]


def test_the_latest_run_that_is_not_finished_is_found(path: Path) -> None:
    with Store(path) as store:
        assert store.latest_unfinished() is None
        first, second, third = (store.new_run("match", {"number": number}) for number in range(3))
        store.finish(third.id)
        store.finish(second.id, STOPPED, note="you stopped it")
        found = store.latest_unfinished()
        assert found is not None and (found.id, found.status, found.note) == (second.id, STOPPED, "you stopped it")
        assert found.finished is not None
        store.finish(second.id, RUNNING)
        assert store.run(second.id).finished is None and store.run(second.id).note == "you stopped it"
        store.finish(second.id, FINISHED)
        assert store.latest_unfinished() == first


def test_an_unknown_run_is_named(path: Path) -> None:
    with Store(path) as store:
        for ask in (
            lambda: store.run("nobody"),
            lambda: store.finish("nobody"),
            lambda: list(store.games("nobody")),
            lambda: store.add_game("nobody", "0", RECORD),
        ):
            with pytest.raises(StoreError, match="no run 'nobody'"):
                ask()


# Games


def test_games_come_back_in_their_order(path: Path) -> None:
    run = filled(path, 12)
    with Store(path, writing=False) as store:
        assert [slot for slot, _ in store.games(run)] == [str(number) for number in range(12)]
        assert [record.seed for _, record in store.games(run)] == list(range(12))
        assert store.slots_done(run) == {str(number) for number in range(12)}
        assert store.record(5) == replace(RECORD, seed=4)
        row = list(store.rows(run))[4]
        assert (row.id, row.slot, row.seats, row.winner, row.reason, row.plies) == (5, "4", RECORD.seats, 0, "time", 2)
        assert store.counts() == {run: (12, 1, 12)}


def test_a_slot_is_stored_once_and_the_first_game_stays(path: Path) -> None:
    run = filled(path, 1)
    with Store(path) as store:
        assert store.add_game(run, "0", replace(RECORD, seed=99)) is None
        assert [record.seed for _, record in store.games(run)] == [0]
        other = store.new_run("match", {})
        assert store.add_game(other.id, "0", RECORD) == 2


def test_a_game_that_is_no_plain_data_is_refused_and_nothing_is_stored(path: Path) -> None:
    run = filled(path, 1)
    with Store(path) as store:
        with pytest.raises(BadText):
            store.add_game(run, "1", replace(RECORD, conditions={"this": {1}}))
        assert store.slots_done(run) == {"0"}


@pytest.mark.parametrize("number", [0, 4, -1, 2**70, -(2**70)])
def test_an_unknown_game_is_named(path: Path, number: int) -> None:
    filled(path)
    with Store(path) as store, pytest.raises(StoreError, match=f"no game {number} .* the last is 3"):
        store.record(number)


def test_threads_share_a_store(path: Path) -> None:
    with Store(path) as store:
        run = store.new_run("match", {}).id

        def add(worker: int) -> int:
            return sum(store.add_game(run, str(number), RECORD) is not None for number in range(worker, worker + 30))

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(add, range(8))) == 37
        assert len(list(store.games(run))) == 37


def test_processes_share_a_run_and_no_game_is_stored_twice(path: Path) -> None:
    """Also: all of them may make the file at once."""
    script = """
import sys
from arena.test_record import RECORD
from harena.arena.store import Store
with Store(sys.argv[1]) as store:
    print(sum(store.add_game(sys.argv[2], str(number), RECORD) is not None for number in range(40)))
"""
    openers = [python("import sys; from harena.arena.store import Store; Store(sys.argv[1])", path) for _ in range(6)]
    for opener in openers:
        assert opener.communicate(timeout=30)[1] == ""
    run = filled(path, 0)
    adders = [python(script, path, run) for _ in range(3)]
    assert sum(int(adder.communicate(timeout=30)[0]) for adder in adders) == 40
    assert is_sound(path)


def test_a_store_does_not_cross_a_fork(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as store:
        monkeypatch.setattr(os, "getpid", lambda: -1)
        with pytest.raises(StoreError, match="another process"):
            store.runs()
        monkeypatch.undo()
        assert store.runs() == []


# What may happen


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
        rest, trouble = child.communicate(timeout=30)
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


def test_a_file_that_may_not_grow_leaves_the_earlier_games(path: Path) -> None:
    run = filled(path)
    script = """
import resource, sys
from arena.test_store import LONG
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
    out, trouble = python(script, path, run).communicate(timeout=30)
    assert trouble == ""
    *kept, error = out.splitlines()
    assert "the games before are safe" in error and kept
    with Store(path) as store:
        assert len(list(store.games(run))) == 3 + len(kept)
    assert is_sound(path)


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
        out, trouble = python(script, path, run).communicate(timeout=30)
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
    monkeypatch.setattr(module, "PATIENCE", 0.3)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    with Store(path) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process has been writing"):
            store.add_game(run, "x", RECORD)
        assert len(list(store.games(run))) == 3  # readers do not wait
        timer = threading.Timer(0.1, other.execute, ("COMMIT",))
        timer.start()
        assert store.add_game(run, "x", RECORD) == 4
        timer.join()
    other.close()


# What a file may be


@pytest.mark.parametrize("writing", [True, False])
def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path, writing: bool) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear arena, " * 1000)
    with pytest.raises(StoreError, match="no store of games"):
        Store(path, writing=writing)
    assert path.read_text() == "Dear arena, " * 1000
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE meta (name, value)")
    database.commit()
    database.close()
    with pytest.raises(StoreError, match="an SQLite file, but no store of games"):
        Store(other, writing=writing)


def test_places_that_are_no_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, words in {
        tmp_path: "cannot be opened",
        tmp_path / "file" / "games.sqlite": "cannot be made",
    }.items():
        with pytest.raises(StoreError, match=words):
            Store(path)
    with pytest.raises(StoreError, match="does not exist"):
        Store(tmp_path / "none.sqlite", writing=False)
    with pytest.raises(StoreError, match="is empty"):
        Store(tmp_path / "file", writing=False)
    with Store(tmp_path / "file") as store:
        assert store.runs() == []


def set_version(path: Path, version: str) -> None:
    database = sqlite3.connect(path)
    database.execute("UPDATE meta SET value = ?", (version,))
    database.commit()
    database.close()


def test_a_newer_store_is_refused(path: Path) -> None:
    filled(path)
    set_version(path, "99")
    with pytest.raises(StoreError, match="has version 99; this harena reads up to 2: update harena"):
        Store(path)


@pytest.mark.parametrize("version", ["0", "one", ""])
def test_an_older_store_without_a_way_up_is_refused(path: Path, version: str) -> None:
    filled(path)
    set_version(path, version)
    with pytest.raises(StoreError, match=f"has version {version}; this harena cannot read it"):
        Store(path)


def test_an_older_store_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = filled(path)
    monkeypatch.setattr(module, "VERSION", 4)
    monkeypatch.setattr(module, "MIGRATIONS", {2: "CREATE TABLE a (x); CREATE TABLE b (y)", 3: "CREATE TABLE a (z)"})
    with pytest.raises(StoreError, match="older version 2: the next run brings it up to date"):
        Store(path, writing=False)
    with pytest.raises(StoreError, match="table a already exists"):
        Store(path)
    monkeypatch.setattr(module, "MIGRATIONS", {2: "CREATE TABLE a (x); CREATE TABLE b (y)", 3: "CREATE TABLE c (z)"})
    for _ in range(2):  # the failed step left nothing behind
        with Store(path) as store:
            assert len(list(store.games(run))) == 3
            assert store._rows("SELECT value FROM meta") == [("4",)]


def test_a_store_of_version_1_is_read_as_it_is_and_gets_its_reviews_when_it_is_written(path: Path) -> None:
    run = filled(path)
    change(path, "DROP TABLE reviews")
    set_version(path, "1")
    with Store(path, writing=False) as store:
        assert len(list(store.games(run))) == 3
        assert store.review(1, "champion", 1) is None
        assert store._rows("SELECT value FROM meta") == [("1",)]
    with Store(path) as store:
        store.add_review(1, "champion", 1, {"said": "well played"})
        assert store._rows("SELECT value FROM meta") == [("2",)]
        assert len(list(store.games(run))) == 3
    with Store(path, writing=False) as store:
        assert store.review(1, "champion", 1) == {"said": "well played"}


# Reviews


def test_a_review_is_kept_by_game_and_player_and_the_last_one_counts(path: Path) -> None:
    filled(path)
    with Store(path) as store:
        assert store.review(2, "champion", 1) is None
        store.add_review(2, "champion", 1, {"accuracy": [99.5, None]})
        store.add_review(2, "uct", 1, {"accuracy": [1, 2]})
        store.add_review(2, "champion", 1, {"accuracy": [98.5, None]})
        assert store.review(2, "champion", 1) == {"accuracy": [98.5, None]}
        assert store.review(2, "champion", 2) is None and store.review(1, "champion", 1) is None
        for ask in (lambda: store.review(9, "champion", 1), lambda: store.add_review(9, "champion", 1, {})):
            with pytest.raises(StoreError, match="no game 9"):
                ask()


def test_a_damaged_review_is_none_and_a_game_that_gives_way_takes_its_reviews_with_it(path: Path) -> None:
    run = filled(path)
    with Store(path) as store:
        for number in (1, 2):
            store.add_review(number, "champion", 1, {})
        change(path, "UPDATE reviews SET review = '{' WHERE game = 1")
        assert store.review(1, "champion", 1) is None
        change(path, "UPDATE games SET record = '' WHERE id = 2")
        number = store.add_game(run, "1", RECORD)
        assert number is not None and store.review(number, "champion", 1) is None


# Damage


def change(path: Path, command: str, *values: object) -> None:
    database = sqlite3.connect(path)
    database.execute(command, values)
    database.commit()
    database.close()


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE games SET record = replace(record, 'greedy', 'greedi') WHERE id = 2",
        "UPDATE games SET record = '' WHERE id = 2",
        "UPDATE games SET record = x'ff00' WHERE id = 2",
        "UPDATE games SET record = 'ä' WHERE id = 2",
        "UPDATE games SET seats = '[' WHERE id = 2",
        "UPDATE games SET seats = '[1]' WHERE id = 2",
    ],
)
def test_a_damaged_game_is_reported_and_the_rest_is_intact(
    path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = filled(path)
    change(path, command)
    with Store(path, writing=False) as store:
        with pytest.raises(DamagedRecord, match=r"game 2 .* is damaged"):
            store.record(2)
        lines: list[str] = []
        assert [slot for slot, _ in store.games(run, lines.append)] == ["0", "2"]
        assert [row.id for row in store.rows(None, lines.append)] == [1, 3]
        assert len(lines) == 2 and all("game 2" in line for line in lines)
        assert len(list(store.games(run))) == 2
        assert capsys.readouterr().err.startswith("harena: game 2")
        assert store.slots_done(run) == {"0", "1", "2"}


def test_a_record_of_another_version_is_reported(path: Path) -> None:
    run = filled(path)
    text = json.dumps(RECORD.as_dict() | {"version": 9})
    change(path, "UPDATE games SET record = ?, checksum = ? WHERE id = 1", text, module._checksum(text))
    with Store(path, writing=False) as store:
        lines: list[str] = []
        assert len(list(store.games(run, lines.append))) == 2
        assert "game 1" in lines[0] and "version 9" in lines[0]


def test_a_damaged_run_is_named(path: Path) -> None:
    run = filled(path)
    change(path, "UPDATE runs SET spec = '{'")
    with Store(path, writing=False) as store, pytest.raises(StoreError, match=f"run {run} is damaged"):
        store.run(run)


def test_broken_pages_cost_only_the_games_on_them(path: Path) -> None:
    with Store(path) as store:
        run = store.new_run("match", {}).id
        for number in range(20):
            store.add_game(run, str(number), replace(LONG, detail=f"this is {number}."))
    data = bytearray(path.read_bytes())
    place = data.index(b"this is 7.") // 4096 * 4096
    data[place : place + 4096] = os.urandom(4096)
    path.write_bytes(data)
    with Store(path, writing=False) as store:
        lines: list[str] = []
        slots = [slot for slot, _ in store.games(run, lines.append)]
        assert "7" not in slots and len(slots) >= 15
        assert len(slots) + len(lines) == 20


# Where it is


def test_the_file_is_as_given_or_of_the_environment_or_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HARENA_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("HOME", "/home/me")
    assert store_path().name == "games.sqlite" and "harena" in str(store_path())
    monkeypatch.setenv("HARENA_STORE", "~/mine.sqlite")
    assert store_path() == Path("/home/me/mine.sqlite")
    assert store_path("other.sqlite") == Path("other.sqlite")


def test_names_with_odd_letters_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "50% of #1?.sqlite"
    filled(path)
    assert path.exists()
