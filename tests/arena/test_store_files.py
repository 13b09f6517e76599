"""Files that are no store, older or newer ones, and damaged ones: what can be read is read, and the rest is named."""

import json
import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from arena.stores import LONG, change, filled, set_version
from arena.test_record import RECORD
from harena.arena import store as module
from harena.arena.schema import checksum
from harena.arena.store import STOPPED, Store
from harena.arena.troubles import DamagedRecord, StoreError

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
        tmp_path: "is a folder: name a file, as ",
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


def test_a_newer_store_is_refused(path: Path) -> None:
    filled(path)
    set_version(path, "99")
    with pytest.raises(StoreError, match="has version 99; this harena reads up to 3: update harena"):
        Store(path)


@pytest.mark.parametrize("version", ["0", "one", ""])
def test_an_older_store_without_a_way_up_is_refused(path: Path, version: str) -> None:
    filled(path)
    set_version(path, version)
    with pytest.raises(StoreError, match=f"has version {version}; this harena cannot read it"):
        Store(path)


def test_an_older_store_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = filled(path)
    monkeypatch.setattr(module, "VERSION", 5)
    monkeypatch.setattr(module, "MIGRATIONS", {3: "CREATE TABLE a (x); CREATE TABLE b (y)", 4: "CREATE TABLE a (z)"})
    with pytest.raises(StoreError, match="older version 3: the next run brings it up to date"):
        Store(path, writing=False)
    with pytest.raises(StoreError, match="table a already exists"):
        Store(path)
    monkeypatch.setattr(module, "MIGRATIONS", {3: "CREATE TABLE a (x); CREATE TABLE b (y)", 4: "CREATE TABLE c (z)"})
    for _ in range(2):  # the failed step left nothing behind
        with Store(path) as store:
            assert len(list(store.games(run))) == 3
            assert store._rows("SELECT value FROM meta") == [("5",)]


def test_a_store_of_version_1_is_read_as_it_is_and_gets_its_tables_when_it_is_written(path: Path) -> None:
    run = filled(path)
    change(path, "DROP TABLE reviews")
    change(path, "DROP TABLE stops")
    set_version(path, "1")
    with Store(path, writing=False) as store:
        assert len(list(store.games(run))) == 3
        assert store.review(1, "champion", 1) is None and store.stops() == {}
        assert store._rows("SELECT value FROM meta") == [("1",)]
    with Store(path) as store:
        store.add_review(1, "champion", 1, {"said": "well played"})
        store.finish(run, STOPPED, why="Ctrl-C")
        assert store._rows("SELECT value FROM meta") == [("3",)]
        assert len(list(store.games(run))) == 3
    with Store(path, writing=False) as store:
        assert store.review(1, "champion", 1) == {"said": "well played"} and store.stops() == {run: "Ctrl-C"}


# Damage


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
    change(path, "UPDATE games SET record = ?, checksum = ? WHERE id = 1", text, checksum(text))
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
    data[place : place + 4096] = random.Random(7).randbytes(4096)
    path.write_bytes(data)
    with Store(path, writing=False) as store:
        lines: list[str] = []
        slots = [slot for slot, _ in store.games(run, lines.append)]
        assert "7" not in slots and len(slots) >= 15
        assert len(slots) + len(lines) == 20
