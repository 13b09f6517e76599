"""What somebody reads who asks for something that is not there, or in a way that cannot be: words, not patterns."""

from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from harena.games.catalogue import CATALOGUE, MARKED
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.naming import named
from web.seating import OwnerClient
from web.shelves import played, stocked

HTML = {"accept": "text/html"}
TECHNICAL = ("pattern", "validation", "regex", "should be", "Input ", "String ", "^[")


def client_of(folder: Path, **given: Any) -> TestClient:
    return OwnerClient(create_app(Config(store=folder / "games.sqlite", **given)), base_url="http://127.0.0.1")


def test_a_page_beyond_the_last_is_the_last(tmp_path: Path) -> None:
    stocked(tmp_path / "games.sqlite", played("isolation"))
    with client_of(tmp_path) as client:
        assert "No games yet" not in client.get("/games?page=999").text
        assert 'href="/games/1"' in client.get("/games?page=999").text
        assert "Nothing has been played yet" not in client.get("/contests?page=999").text
        assert client.get("/games?page=999&player=nobody").status_code == 200


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/play/nope", "There is no game nope"),
        ("/watch/nope", "There is no game nope"),
        ("/watch/run/nope", "There is no run nope"),
        ("/contests/nope", "There is no run nope"),
        ("/leaderboard/nope", "There is no run nope"),
        ("/games/abc", "There is no game abc"),
        ("/games/0", "There is no game 0"),
        ("/games/7", "There is no game 7"),
        ("/embed/abc", "There is no game abc"),
    ],
)
def test_what_is_not_there_is_a_page_in_words(tmp_path: Path, path: str, words: str) -> None:
    with client_of(tmp_path) as client:
        answer = client.get(path, headers=HTML)
        kind = "run" if " run " in words else "game"
        assert answer.status_code == 404 and f"<h1>There is no such {kind}</h1>" in answer.text
        assert words in answer.text and not any(one in answer.text for one in TECHNICAL)


def test_an_address_that_leads_nowhere_says_so(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer = client.get("/nowhere", headers=HTML)
        assert answer.status_code == 404 and "<h1>There is no such page</h1>" in answer.text
        assert "Nothing is at this address." in answer.text


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/api/contests", {"game": "isolation", "agents": []}, "agents needs at least 2, not 0"),
        (
            "/api/contests",
            {"game": "isolation", "agents": ["random", "mm_open"], "games": 1},
            "games has to be at least 2",
        ),
        ("/api/contests", {"game": "isolation", "agents": ["random", "mm_open"], "games": "x"}, "a whole number"),
        ("/api/tables", {"game": "isolation"}, "seats is missing"),
        ("/api/tables", {"game": "i" * 99, "seats": ["human", "human"]}, "game has at most 40 letters"),
        ("/api/tables", {"game": "isolation", "seats": "human"}, "seats has to be a list"),
        ("/api/tables", {"game": "isolation", "seats": ["human", "human"], "seed": -1}, "seed has to be at least 0"),
    ],
)
def test_a_request_that_cannot_be_read_is_answered_in_words(tmp_path: Path, path: str, body: Any, words: str) -> None:
    with client_of(tmp_path) as client:
        answer = client.post(path, json=body)
        assert answer.status_code == 422 and words in answer.json()["detail"]
        assert not any(one in answer.json()["detail"] for one in TECHNICAL)


def test_bytes_that_are_no_json_are_told_so(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer = client.post("/api/tables", content=b"{", headers={"content-type": "application/json"})
        assert answer.json()["detail"] == "the request is no JSON"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("comp424:/home/me/class/team-a/agents/student_agent.py", "comp424:team-a/agents/student_agent.py"),
        ("comp424:/home/me/class/team-b/student_agent.py", "comp424:team-b/student_agent.py"),
        ("aind:/home/me/proj/game_agent.py:MinimaxPlayer", "aind:proj/game_agent.py:MinimaxPlayer"),
        ("/home/me/bots/one.py", "bots/one.py"),
        ("one.py", "one.py"),
        ("human", "human"),
    ],
)
def test_an_agent_is_shown_with_the_folder_of_its_project(text: str, shown: str) -> None:
    assert named(text) == shown and named(shown) == shown


def test_an_open_game_is_removed_by_whoever_may_act_and_read_by_others(tmp_path: Path) -> None:
    with client_of(tmp_path) as owner, client_of(tmp_path, public=True, token="secret") as reader:
        told = owner.post("/api/tables", json={"game": "tiles", "size": "4", "seats": ["human", "human"]}).json()
        path = f"/api/tables/{told['id']}"
        assert "Go on with" not in owner.get("/play").text  # nothing has been played in it
        owner.post(f"{path}/move", json={"move": told["state"]["moves"][0]["text"]})
        assert "Go on with" in owner.get("/play").text
        page = reader.get("/play").text
        assert "Open games" in page and "Go on with" not in page and "data-table" not in page
        assert reader.delete(path).status_code == 401
        assert owner.delete(path).json() == {"id": told["id"]}
        assert owner.get(path).status_code == 404 and owner.delete(path).status_code == 404
        assert "Go on with" not in owner.get("/play").text
        assert owner.get("/api/records").json()["count"] == 0


def test_a_finished_game_is_not_removed(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        told = client.post("/api/tables", json={"game": "tiles", "size": "4", "seats": ["human", "human"]}).json()
        client.post(f"/api/tables/{told['id']}/resign", json={})
        answer = client.delete(f"/api/tables/{told['id']}")
        assert answer.status_code == 422 and "over" in answer.json()["detail"]


def test_visitors_are_not_led_to_what_they_cannot_do(tmp_path: Path) -> None:
    with client_of(tmp_path, public=True, token="secret") as reader:
        assert "Play against players" not in reader.get("/").text
        assert "ask whoever runs it" in reader.get("/play").text
        assert "press Analyse" not in reader.get("/understand").text
        page = reader.get("/editor").text
        assert "Analyse it" not in page and "want this server's token" in page


def test_every_game_has_its_rules_where_it_is_played(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        for place in ("/", "/play"):
            page = client.get(place).text
            for words in ("never on a player", "counts for nobody", "There are no draws", "what falls makes nothing"):
                assert words in page, (place, words)
            for entry in CATALOGUE.values():  # one source: the catalogue, which the terminal prints too
                for sentence in entry.rules:
                    shown = MARKED.sub(r"<b>\1</b>", sentence)
                    assert f"<li>{shown}</li>" in unescape(page), (place, sentence)
