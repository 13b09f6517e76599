"""Tables on disk: what a killed server, a full disk or a damaged file does to a game."""

import json
import os
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from harena.arena.store import Store
from harena.web import room as rooms
from harena.web.beside import write_whole
from web.seating import begin, client_of, is_humans, locked, move, play, wait


def test_a_game_goes_on_after_the_server_is_gone(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        told = play(client, begin(client, "trap", ("human", "random"), size="4", seed=2), 3)
        over = client.post(f"/api/tables/{begin(client)['id']}/resign", json={}).json()
    with client_of(tmp_path) as client:
        again = client.get(f"/api/tables/{told['id']}").json()
        assert [(ply["by"], ply["move"]) for ply in again["plies"]] == [
            (ply["by"], ply["move"]) for ply in told["plies"]
        ]
        assert again["version"] >= told["version"]
        assert [one["id"] for one in client.get("/api/tables").json()] == [told["id"]]
        assert client.get(f"/api/tables/{over['id']}").json()["number"] == over["number"]
        assert play(client, again)["over"]


@pytest.mark.slow
def test_a_game_that_ended_when_the_store_could_not_be_written_is_stored_later_and_once(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        store = tmp_path / "games.sqlite"
        store.mkdir()
        told = client.post(f"/api/tables/{begin(client)['id']}/resign", json={}).json()
        assert told["over"] and told["number"] is None and told["trouble"]
        store.rmdir()
        assert client.get(f"/api/tables/{told['id']}").json()["number"] == 1
        path = tmp_path / "games.sqlite.tables" / f"{told['id']}.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"number": None}))  # killed just before it could note the number
    with client_of(tmp_path) as client:
        assert client.get(f"/api/tables/{told['id']}").json()["number"] == 1
        with Store(store, writing=False) as found:
            assert len(found.runs()) == 1


def test_games_that_ended_before_they_could_be_stored_are_stored_when_the_server_begins(tmp_path: Path) -> None:
    tables, store = tmp_path / "games.sqlite.tables", tmp_path / "games.sqlite"
    with client_of(tmp_path, tables=2) as client:
        store.mkdir()
        ids = [client.post(f"/api/tables/{begin(client)['id']}/resign", json={}).json()["id"] for _ in range(2)]
        full = client.post("/api/tables", json={"game": "isolation", "seats": ["human", "human"]})
        assert full.status_code == 503  # they are the only copies: they make no room
    (tables / f"{'0' * 12}.json").write_text("{")
    for name, age in (("old", 1000), ("new", 0)):
        (tables / f"{name}.part").write_text("half")
        os.utime(tables / f"{name}.part", (time.time() - age, time.time() - age))
    with client_of(tmp_path):  # a store that still cannot be written does not keep the server from starting
        pass
    store.rmdir()
    with client_of(tmp_path, tables=2) as client:
        assert [path.name for path in tables.glob("*.part")] == ["new.part"]  # another server may be writing it
        with Store(store, writing=False) as found:
            assert [run.kind for run in found.runs()] == ["play", "play"]
        assert {client.get(f"/api/tables/{name}").json()["number"] for name in ids} == {1, 2}


def test_a_table_is_read_again_only_when_it_has_changed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    told, read, before = begin(client, size="4"), list[str](), rooms.read_object
    monkeypatch.setattr(rooms, "read_object", lambda path: (read.append(path.stem), before(path))[1])
    for plies in (0, 0, 1, 1):
        told = move(client, told) if plies > len(told["plies"]) else told
        assert [one["plies"] for one in client.get("/api/tables").json()] == [plies]
    assert read == [told["id"]] * 2


def test_a_change_that_cannot_be_saved_changes_nothing(client: TestClient, tmp_path: Path) -> None:
    told = move(client, begin(client, size="4"))
    with locked(tmp_path):
        for what in ("undo", "resign", "move"):
            refused = client.post(f"/api/tables/{told['id']}/{what}", json={"move": told["state"]["moves"][0]["text"]})
            assert refused.status_code == 422 and "cannot be saved" in refused.json()["detail"]
    again = client.get(f"/api/tables/{told['id']}").json()
    for key in ("version", "plies", "undone", "over", "hints", "state"):
        assert again[key] == told[key], key
    assert not list((tmp_path / "games.sqlite.tables").glob("*.part"))
    assert client.post(f"/api/tables/{told['id']}/undo", json={}).json()["undone"] == 1


def test_an_agents_move_that_cannot_be_saved_is_saved_later(client: TestClient, tmp_path: Path) -> None:
    told = begin(client, "isolation", ("human", "mcts"), size="5", limits={"seconds": 30})
    told = move(client, told)
    here = rooms.room(client.app)  # type: ignore[arg-type]
    table = here.find(told["id"])
    assert table is not None
    with locked(tmp_path):
        table.job.stop()  # it answers with what it has
        told = wait(client, told, lambda one: "cannot be saved" in one["trouble"])
        assert told["thinking"] == 1 and len(told["plies"]) == 1
    told = wait(client, told, is_humans)
    assert len(told["plies"]) == 2 and told["trouble"] == ""


def test_a_damaged_file_is_told_in_words_and_hides_no_other(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        told = begin(client)
        (tmp_path / "games.sqlite.tables" / f"{'0' * 12}.json").write_text("{")
        (tmp_path / "games.sqlite.tables" / f"{'1' * 12}.json").write_text('{"record": 7}')
        assert client.get(f"/api/tables/{'0' * 12}").status_code == 422
        assert client.get(f"/api/tables/{'1' * 12}").status_code == 422
        assert [one["id"] for one in client.get("/api/tables").json()] == [told["id"]]
        assert client.get(f"/api/tables/{'2' * 12}").status_code == 404


def test_finished_games_make_room_and_running_ones_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with client_of(tmp_path, tables=4) as client:
        ids = [begin(client)["id"] for _ in range(4)]
        full = client.post("/api/tables", json={"game": "isolation", "seats": ["human", "human"]})
        assert full.status_code == 503 and "4 games" in full.json()["detail"]
        client.post(f"/api/tables/{ids[0]}/resign", json={})
        for name in ids[1:]:  # touched later than the finished one
            client.post(f"/api/tables/{name}/move", json={"move": "a1"})
        begin(client)
        assert client.get(f"/api/tables/{ids[0]}").status_code == 404
        monkeypatch.setattr(rooms, "ABANDONED", -1.0)
        begin(client)
        assert client.get(f"/api/tables/{ids[1]}").status_code == 404


def test_files_of_a_server_are_for_its_user_alone(tmp_path: Path) -> None:
    """Whatever the process's mask allows; a folder that an older server left open is closed."""
    folder, mask = tmp_path / "games.sqlite.tables", os.umask(0)
    try:
        folder.mkdir(mode=0o755)
        with client_of(tmp_path) as client:
            told = begin(client)
        reviews = tmp_path / "games.sqlite.reviews"
        write_whole(reviews / "1.json", "{}")
    finally:
        os.umask(mask)
    files = [folder / f"{told['id']}.json", reviews / "1.json"]
    assert [path.stat().st_mode & 0o777 for path in (*files, folder, reviews)] == [0o600, 0o600, 0o700, 0o700]
