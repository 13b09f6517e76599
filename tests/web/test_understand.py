"""Analysis, trees and positions as the page asks for them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from harena.games.catalogue import CATALOGUE
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.understanding import choices
from web.seating import OwnerClient

ISOLATION = {"game": "isolation", "position": "...../...../..1../...2./..... 1"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    config = Config(store=tmp_path_factory.mktemp("store") / "games.sqlite", longest_move=20.0)
    with OwnerClient(create_app(config), base_url="http://127.0.0.1") as made:
        yield made


def post(client: TestClient, where: str, **asked: Any) -> dict[str, Any]:
    answer = client.post(where, json=asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_an_analysis_says_what_was_found(client: TestClient) -> None:
    found = post(client, "/api/analyse", **ISOLATION, player="alphabeta(heuristic=improved)", limits={"depth": 3})
    assert found["move"] == found["root"][0]["move"] == found["line"][0]["move"] and found["depth"] == 3
    assert {row["move"] for row in found["root"]} == {"b1", "d1", "a2", "e2", "a4", "e4", "b5", "d5"}
    assert found["line"][0]["position"].endswith(" 2") and found["line"][0]["picture"]["rows"] == 5
    assert found["heat"]["visits"] is None and len(found["heat"]["values"]) == 8 and found["tree"]


@pytest.mark.parametrize("player", ["champion", "mcts"])
def test_a_value_whose_scale_is_known_is_an_expected_score(client: TestClient, player: str) -> None:
    found = post(client, "/api/analyse", **ISOLATION, player=player, limits={"nodes": 200, "iterations": 200})
    unproven = [row for row in found["root"] if row["verdict"] is None and row["value"] is not None]
    assert all(re.fullmatch(r"(≤ |≥ )?\d+ %", row["expected"]) for row in unproven)
    assert found["verdict"] or re.fullmatch(r"\d+ %", found["expected"])
    assert unproven or found["verdict"]


def test_a_value_whose_scale_is_unknown_is_shown_as_it_is(client: TestClient) -> None:
    found = post(client, "/api/analyse", **ISOLATION, player="alphabeta(heuristic=improved)", limits={"depth": 2})
    assert found["label"] and not found["expected"] and not any(row["expected"] for row in found["root"])


def test_an_analysis_by_playouts_counts_them(client: TestClient) -> None:
    found = post(client, "/api/analyse", **ISOLATION, player="mcts(bias=1)", limits={"iterations": 500}, seed=3)
    assert found["iterations"] == 500 and sum(row["visits"] or 0 for row in found["root"]) == 500
    assert sum(row["share"] or 0 for row in found["root"]) == pytest.approx(1)
    assert all(row["won"] + row["lost"] + row["drawn"] == row["visits"] for row in found["root"])
    assert len(found["heat"]["visits"]) == 8 and found["root"][0]["prior"] is not None
    again = post(client, "/api/analyse", **ISOLATION, player="mcts(bias=1)", limits={"iterations": 500}, seed=3)
    assert again["root"] == found["root"]


def test_a_proven_value_is_a_verdict(client: TestClient) -> None:
    found = post(client, "/api/analyse", game="isolation", position="1.../..../...x/..2. 1", player="id")
    assert found["verdict"] in ("won", "lost") and found["root"][0]["verdict"] == found["verdict"]


@pytest.mark.parametrize("player", ["champion", "mcts"])
def test_what_is_proven_is_expected_for_sure(client: TestClient, player: str) -> None:
    limits = {"seconds": 5, "iterations": 20_000}
    found = post(
        client, "/api/analyse", game="isolation", position="1.../..../...x/..2. 1", player=player, limits=limits
    )
    proven = [row for row in found["root"] if row["verdict"]]
    assert proven and all(
        row["expected"] == {"won": "100 %", "drawn": "50 %", "lost": "0 %"}[row["verdict"]] for row in proven
    )


def test_options_are_explained_and_levels_listed() -> None:
    for game in CATALOGUE:
        for made in choices(game)["algorithms"].values():
            for option in made["options"]:
                assert option["about"], option["name"]
    (level,) = (one for one in choices("trap")["algorithms"]["champion"]["options"] if one["name"] == "level")
    assert level["kind"] == "choice" and level["choices"][0] == level["default"] == "10"
    assert {one["name"]: one["default"] for one in choices("trap")["algorithms"]["mcts"]["options"]}.items() >= {
        ("memory", "256"),
        ("draw", "0.5"),
        ("solver", "true"),
    }


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "isolation", "position": "nonsense"}, "a position is"),
        ({**ISOLATION, "player": "nobody"}, "no player 'nobody'"),
        ({**ISOLATION, "player": "./agent.py"}, "only from the folders"),
        ({**ISOLATION, "player": "id", "limits": {"seconds": 100}}, "at most 20 seconds"),
        ({**ISOLATION, "limits": {"depth": 0}}, "has to be more than 0"),
        ({"game": "isolation", "position": "1xx/xxx/xx2 1"}, "nothing to analyse: player 2 wins"),
        ({"game": "trap", "position": "1.../..../..../...2 1 @b2 0"}, "chance decides here"),
    ],
)
def test_what_is_wrong_with_a_question_is_said_in_words(client: TestClient, asked: dict[str, Any], words: str) -> None:
    for path in ("/api/analyse", "/api/tree"):
        answer = client.post(path, json=asked)
        assert answer.status_code == 422 and words in answer.json()["detail"]


def test_the_tree_is_that_of_the_analysis(client: TestClient) -> None:
    asked = {**ISOLATION, "player": "mcts", "limits": {"iterations": 300}}
    found = post(client, "/api/analyse", **asked)
    root = post(client, "/api/tree", **asked)
    assert [child["visits"] for child in root["children"]] == [row["visits"] for row in found["root"]]
    best = post(client, "/api/tree", **asked, path=[found["move"]], width=2)
    assert best["visits"] == root["children"][0]["visits"] and len(best["children"]) == 2 and best["more"] > 0
    assert best["children"][0]["picture"]["rows"] == 5


def test_the_tree_refuses_what_is_not_in_it(client: TestClient) -> None:
    def refused(**asked: Any) -> str:
        answer = client.post("/api/tree", json={**ISOLATION, **asked})
        assert answer.status_code == 422
        return str(answer.json()["detail"])

    assert "has no tree" in refused(player="random")
    assert "no move 'a1' there" in refused(player="minimax", limits={"depth": 2}, path=["a1"])
    asked = {"player": "alphabeta(heuristic=improved)", "limits": {"depth": 3}}
    assert "never comes there" in refused(**asked, path=["d1", "b5"])


def test_stopping_what_does_not_run_is_no_mistake(client: TestClient) -> None:
    assert post(client, "/api/analyse/stop", ticket="nothing-at-all") == {"stopped": False}


def test_a_position_is_checked_and_played_on(client: TestClient) -> None:
    start = post(client, "/api/position", game="tiles", size="3", setup="checkerboard")["state"]
    assert start["position"] == "BRB/RBR/BRB R 1"
    after = post(client, "/api/position", game="tiles", text=start["position"], moves=["b1"])["state"]
    assert after["mover"] == 1 and after["last"] == "b1"
    for asked, words in (
        ({"game": "tiles", "text": "RR/R R 1"}, "row 2 of the board"),
        ({"game": "tiles", "setup": "file.txt"}, "no set-up of tiles 'file.txt'"),
        ({"game": "tiles", "text": start["position"], "moves": ["a1"]}, "that tile is B"),
        ({"game": "chess"}, "no game 'chess'"),
    ):
        wrong = post(client, "/api/position", **asked)
        assert wrong["state"] is None and words in wrong["mistake"]


def test_the_pages_say_what_is_wrong_with_their_address(client: TestClient) -> None:
    for path in ("/understand", "/editor"):
        assert "there is no game &#39;chess&#39;" in client.get(path, params={"game": "chess"}).text
        assert "a position is" in client.get(path, params={"game": "trap", "position": "nonsense"}).text
        assert (
            "1.../..../..../...2 2 aim 5"
            in client.get(path, params={"game": "trap", "position": "1.../..../..../...2 2 aim 5"}).text
        )


def test_a_public_server_searches_only_with_its_token(tmp_path: Path) -> None:
    config = Config(store=tmp_path / "games.sqlite", public=True)
    client = OwnerClient(create_app(config), base_url="http://127.0.0.1")
    for path in ("/api/analyse", "/api/tree", "/api/analyse/stop"):
        assert client.post(path, json={**ISOLATION, "ticket": "12345678"}).status_code == 401
    token = {"authorization": f"Bearer {config.token}"}
    assert client.post("/api/analyse", json={**ISOLATION, "player": "random"}, headers=token).status_code == 200
    assert "read-only" in client.get("/understand").text
