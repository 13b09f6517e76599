"""Reviews through the API that pages use: begun, followed, stopped, kept."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena.test_review import planted, random_game
from harena.arena.record import Record
from harena.arena.review import NODES, Reviewer
from harena.arena.reviews import kept, make
from harena.arena.store import Store
from harena.errors import HarenaError
from harena.search.result import Limits
from harena.web import reviewing
from harena.web.app import create_app
from harena.web.config import Config
from web.seating import OwnerClient

RECORD, PLY, RIGHT, _ = planted("tiles")
LONG = random_game("isolation", 8, 3)
OWN = replace(RECORD, game="somewhere/own.py")


def client_of(folder: Path, **given: Any) -> TestClient:
    return OwnerClient(create_app(Config(store=folder / "games.sqlite", **given)), base_url="http://127.0.0.1")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    fill(tmp_path, RECORD, LONG, OWN)
    with client_of(tmp_path) as made:
        yield made


def fill(folder: Path, *records: Record) -> None:
    with Store(folder / "games.sqlite") as store:
        run = store.new_run("match", {})
        for number, record in enumerate(records):
            store.add_game(run.id, str(number), record)


def wait(client: TestClient, number: int = 1, until: Callable[[Any], bool] | None = None) -> Any:
    """The state of a review once it is over, or something else holds."""
    deadline = time.monotonic() + 300
    while True:
        told = client.get(f"/api/records/{number}/review").json()
        if until(told) if until else told["state"] not in ("waiting", "running"):
            return told
        assert time.monotonic() < deadline, told
        time.sleep(0.02)


def test_a_review_is_made_in_the_background_and_kept(client: TestClient, tmp_path: Path) -> None:
    before = client.get("/api/records/1/review").json()
    assert (before["state"], before["may"], before["review"]) == ("none", True, None)
    begun = client.post("/api/records/1/review", json={})
    assert begun.status_code == 202 and begun.json()["state"] in ("waiting", "running", "done")
    told = wait(client)
    assert told["state"] == "done"
    marked = [one for one in told["review"]["decisions"] if one["mark"] == "blunder"]
    assert [one["ply"] for one in marked] == [PLY] and marked[0]["better"] in RIGHT
    with client_of(tmp_path) as another:  # another server on the same store shows it at once
        assert another.get("/api/records/1/review").json()["review"] == told["review"]
        assert another.post("/api/records/1/review", json={}).json()["state"] == "done"


@pytest.mark.slow
def test_its_events_tell_the_progress_and_the_end(client: TestClient, tmp_path: Path) -> None:
    client.post("/api/records/2/review", json={})
    wait(client, 2)
    job = reviewing.reviews(client.app).job(2, "champion")  # type: ignore[arg-type]
    assert job is not None
    texts, _ = job.feed._after(0)
    kinds = [text.split("event: ")[1].split("\n")[0] for text in texts]
    assert kinds[-1] == "done" and set(kinds[:-1]) == {"progress"} and 10 < len(kinds) < 120
    assert client.get("/api/records/1/review/events").status_code == 404


@pytest.mark.slow
def test_a_review_is_stopped(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = stalled(monkeypatch)
    client.post("/api/records/2/review", json={})
    wait(client, 2, lambda told: bool(seen))
    assert client.post("/api/records/2/review", json={}).json()["state"] == "running"  # the same one
    assert client.delete("/api/records/2/review").json()["state"] == "stopped"
    assert client.get("/api/records/2/review").json()["review"] is None
    assert client.delete("/api/records/1/review").status_code == 404
    monkeypatch.undo()
    assert client.post("/api/records/2/review", json={}).json()["state"] in ("waiting", "running")
    assert wait(client, 2)["state"] == "done"


def stalled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let reviews hang until they are stopped; fills when one has come so far."""
    seen: list[int] = []

    def slow(self: Reviewer, place: int, flag: Any) -> None:
        seen.append(place)
        while not flag[0]:
            time.sleep(0.005)

    monkeypatch.setattr(Reviewer, "_prove", slow)
    return seen


def test_a_review_goes_on_with_the_next_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, RECORD)
    seen = stalled(monkeypatch)
    with client_of(tmp_path) as client:
        client.post("/api/records/1/review", json={})
        wait(client, 1, lambda told: bool(seen))
    (file,) = waiting(tmp_path)
    monkeypatch.undo()
    with client_of(tmp_path) as client:
        assert client.get("/api/records/1/review").json()["state"] in ("waiting", "running", "done")  # nobody asked
        assert wait(client)["review"]["player"] == "champion"
        assert not file.exists()


def waiting(folder: Path) -> list[Path]:
    """The files of reviews that are on their way."""
    return list((folder / "games.sqlite.reviews").glob("*"))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"number": 1}',
        '{"number": "x", "player": "champion", "tries": 1}',
        '{"number": 9, "player": "champion", "tries": 1}',
        '{"number": 1, "player": "../nobody", "tries": 1}',
    ],
)
def test_what_cannot_go_on_is_forgotten_and_the_server_starts(tmp_path: Path, text: str) -> None:
    fill(tmp_path, RECORD)
    (tmp_path / "games.sqlite.reviews").mkdir()
    (tmp_path / "games.sqlite.reviews" / "1-champion.json").write_text(text)
    with client_of(tmp_path) as client:
        assert client.get("/api/records/1/review").json()["state"] == "none"
    assert not waiting(tmp_path)


def test_a_review_that_ends_one_server_after_another_is_given_up(tmp_path: Path) -> None:
    fill(tmp_path, RECORD)
    (tmp_path / "games.sqlite.reviews").mkdir()
    text = f'{{"number": 1, "player": "champion", "tries": {reviewing.TRIES}}}'
    (tmp_path / "games.sqlite.reviews" / "1-champion.json").write_text(text)
    with client_of(tmp_path) as client:
        told = client.get("/api/records/1/review").json()
        assert told["state"] == "failed" and "ended 5 times" in told["words"]
    assert not waiting(tmp_path)


def test_without_room_on_the_disk_a_review_is_made_all_the_same(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "games.sqlite.reviews").write_text("a file in its place")
    client.post("/api/records/1/review", json={})
    assert wait(client)["state"] == "done"


def test_a_review_that_failed_by_our_own_fault_can_be_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, RECORD)

    def broken(self: Reviewer, flag: Any) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(Reviewer, "_prepare", broken)
    with client_of(tmp_path) as client:
        client.post("/api/records/1/review", json={})
        assert wait(client)["words"] == "the server had to give it up"
        assert client.delete("/api/records/1/review").json()["state"] == "failed"
    assert not waiting(tmp_path)


def test_what_goes_wrong_is_said(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Reviewer, flag: Any) -> None:
        raise HarenaError("the board is upside down")

    monkeypatch.setattr(Reviewer, "_prepare", broken)
    client.post("/api/records/1/review", json={})
    told = wait(client)
    assert (told["state"], told["words"]) == ("failed", "the board is upside down")


def test_a_review_is_made_again_when_that_is_asked(client: TestClient) -> None:
    client.post("/api/records/1/review", json={})
    wait(client)
    assert client.post("/api/records/1/review", json={"again": True}).json()["state"] in ("waiting", "running", "done")
    assert wait(client)["state"] == "done"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "wish", "status", "words"),
    [
        ("9", {}, 404, "no game 9"),
        ("0", {}, 422, "number"),
        ("x", {}, 422, "number"),
        ("3", {}, 422, "somebody's own"),
        ("1", {"player": "nobody"}, 422, "nobody"),
        ("1", {"player": "../agent.py"}, 422, "agent.py"),
        ("1", {"player": 3}, 422, "player"),
        ("1", {"again": "perhaps"}, 422, "again"),
    ],
)
def test_mistakes_are_told_in_words(
    client: TestClient, number: str, wish: dict[str, Any], status: int, words: str
) -> None:
    answer = client.post(f"/api/records/{number}/review", json=wish)
    assert answer.status_code == status and words in answer.json()["detail"]


def test_not_too_many_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "AT_ONCE", 0)
    answer = client.post("/api/records/1/review", json={})
    assert answer.status_code == 503 and "too many reviews" in answer.json()["detail"]


@pytest.mark.slow
def test_old_jobs_are_forgotten(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "REMEMBERED", 1)
    for number in (1, 2):
        client.post(f"/api/records/{number}/review", json={})
        wait(client, number)
    known = reviewing.reviews(client.app)  # type: ignore[arg-type]
    assert known.job(1, "champion") is None and known.job(2, "champion") is not None


def test_strangers_read_on_a_public_server_but_begin_nothing(tmp_path: Path) -> None:
    fill(tmp_path, RECORD)
    with client_of(tmp_path, public=True) as stranger:
        assert stranger.get("/api/records/1/review").json() == {
            "state": "none",
            "done": 0,
            "total": 0,
            "words": "",
            "may": False,
            "review": None,
        }
        for answer in (stranger.post("/api/records/1/review", json={}), stranger.delete("/api/records/1/review")):
            assert answer.status_code == 401


def test_a_small_review_of_the_terminal_is_shown_with_its_budget_and_the_page_makes_its_own(
    client: TestClient, tmp_path: Path
) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        make(store, 1, limits=Limits(nodes=2000))
    assert client.get("/api/records/1/review").json()["review"]["nodes"] == 2000  # which the page names
    assert '"nodes":2000' in client.get("/games/1/export.html").text.replace(" ", "")
    assert client.post("/api/records/1/review", json={}).status_code == 202
    assert wait(client)["review"]["nodes"] == NODES
    with Store(tmp_path / "games.sqlite", writing=False) as store:
        assert kept(store, 1) is not None and kept(store, 1, limits=Limits(nodes=2000)) is None
