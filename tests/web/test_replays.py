"""Stored games: the list, the replay document, what can be taken away, and what is wrong with a damaged one."""

import json
import re
import sqlite3
import xml.etree.ElementTree as Tree
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from harena.agents.expected import champions_score
from harena.arena.record import Record
from harena.arena.replay import as_text, states
from harena.arena.shelf import Wanted, newest
from harena.arena.store import Store
from harena.contract import CHANCE
from harena.errors import HarenaError, UnknownName
from harena.search.workspace import WIN
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.exporting import exported
from harena.web.replays import begun_with, document, ending, scale_of
from web.seating import OwnerClient
from web.shelves import cut, played, stocked


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(store=tmp_path / "games.sqlite")


def client(config: Config) -> TestClient:
    return OwnerClient(create_app(config), base_url="http://localhost")


def test_a_document_has_every_position_with_what_was_said() -> None:
    record = played("trap")
    found = document(as_text(record))
    assert len(found["plies"]) == len(record.plies) + 1 and found["trouble"] is None
    assert found["plies"][0]["move"] is None and found["plies"][0]["position"] == record.start
    for ply, shown in zip(record.plies, found["plies"][1:], strict=True):
        assert (shown["by"], shown["move"], shown["value"]) == (ply.by, ply.move, ply.value)
    assert all(before["picture"] != after["picture"] for before, after in pairwise(found["plies"]))
    *_, last = states(record)
    assert found["end"] == ending(record, last) and json.dumps(found)
    assert re.fullmatch(r"Player [12] wins: no free cell is left beside player [12]\.", found["end"])


def test_a_record_that_breaks_the_rules_is_shown_up_to_there() -> None:
    record = played("isolation")
    plies = (*record.plies[:2], replace(record.plies[2], move="a1" if record.plies[2].move != "a1" else "b1"))
    found = document(as_text(replace(record, plies=plies)))
    assert len(found["plies"]) == 3 and "ply 3" in found["trouble"]


def test_a_record_without_a_start_is_refused_in_words() -> None:
    with pytest.raises(HarenaError):
        document(as_text(replace(played("isolation"), start="nonsense")))


def test_endings_say_who_did_what() -> None:
    record = cut(played("isolation"))
    assert ending(record) == "Player 1 wins: player 2 took too long (120 ms too long)."
    assert ending(replace(record, reason="rules", winner=None, score=(3, 3))) == "Draw 3:3."
    assert ending(replace(record, reason="haunted", detail="")) == "Player 1 wins: player 2 lost by haunted."
    assert ending(replace(record, reason="unfinished", winner=None)) == "Unfinished."


def test_scales_say_what_values_mean() -> None:
    assert scale_of("uct1000", "tiles") == {"win": 3.0, "loss": -3.0}
    assert scale_of("mcts", "isolation") == {"win": 1.0, "loss": 0.0}
    assert scale_of("mm_open", "isolation") == {"win": 10_000.0, "loss": -10_000.0}
    assert scale_of("champion(seconds=2)", "isolation") == {"win": WIN, "loss": -WIN}
    assert scale_of("./mine.py", "isolation") is None and scale_of("of an older version", "isolation") is None


def test_what_a_champion_expected_is_told_and_only_that() -> None:
    record = played("colosseum", seats=("champion(level=4)", "greedy"))
    thought = tuple(replace(ply, value=2.0) for ply in record.plies)
    shown = document(as_text(replace(record, plies=thought)))["plies"]
    assert all(one["expected"] is None for one in shown if one["by"] != 0)
    told = [one["expected"] for one in shown if one["by"] == 0]
    assert told == [champions_score(state, 2.0) for state in states(record)][: len(thought)][::2]
    dice = played("trap", seats=("champion", "champion"))
    halves = tuple(ply if ply.by == CHANCE else replace(ply, value=WIN / 2) for ply in dice.plies)
    for ply in document(as_text(replace(dice, plies=halves)))["plies"][1:]:
        assert ply["expected"] == (None if ply["by"] == CHANCE else 0.75)  # values are shares of a win already


def test_the_shelf_finds_by_run_game_player_and_result(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    one, two = played("isolation"), played("tiles", seats=("Größe", "greedy"))
    run, (first, second) = stocked(path, one, cut(one))
    other, (third,) = stocked(path, two)
    with Store(path) as store:
        assert [row.id for row in newest(store, Wanted())[0]] == [third, second, first]
        assert newest(store, Wanted(), skip=1, most=1)[0][0].id == second and newest(store, Wanted(), most=1)[1] == 3
        assert newest(store, Wanted(run=run))[1] == 2 and newest(store, Wanted(without=(run, other)))[1] == 0
        assert [row.id for row in newest(store, Wanted(game="tiles"))[0]] == [third]
        assert [row.id for row in newest(store, Wanted(player="Größe"))[0]] == [third]
        assert [row.id for row in newest(store, Wanted(player="GREEDY"))[0]] == [third]
        assert [row.id for row in newest(store, Wanted(result="fault"))[0]] == [second]
        assert [row.id for row in newest(store, Wanted(after=second))[0]] == [third]
        with pytest.raises(UnknownName, match="result"):
            Wanted(result="fist")


def test_the_list_of_games_filters_pages_and_is_empty_in_words(config: Config) -> None:
    with client(config) as browser:
        assert "No games yet" in browser.get("/games").text and browser.get("/api/records").json()["count"] == 0
        run, _ = stocked(config.store, *[played("isolation")] * 51)
        page = browser.get("/games").text
        assert (
            "51 games" in page
            and "page 1 of 2" in page
            and f'value="{run}"' in page
            and "Knight Isolation match, " in page
        )
        assert "page 2 of 2" in browser.get("/games?page=2").text
        found = browser.get("/api/records", params={"player": "mcts", "page": 2}).json()
        assert found["count"] == 51 and len(found["games"]) == 1 and found["games"][0]["seats"][0] == "random"
        assert "No game fits" in browser.get("/games?player=nobody").text
        assert browser.get("/api/records?result=fist").status_code == 422
        assert browser.get("/api/records?page=0").status_code == 422


def test_single_games_are_no_runs_to_choose_from(config: Config) -> None:
    match, (first,) = stocked(config.store, played("isolation"))
    single, (second,) = stocked(config.store, played("isolation"), kind="play")
    with client(config) as browser:
        page = browser.get("/games").text
        assert f"run={match}" in page and single not in page
        assert "a single game" in browser.get(f"/games?run={single}").text  # an old link
        assert f"run={match}" in browser.get(f"/games/{first}").text
        assert single not in re.sub("<script.*?</script>", "", browser.get(f"/games/{second}").text)


def test_points_are_part_of_a_result(config: Config) -> None:
    record = played("colosseum")
    assert record.score is not None
    stocked(config.store, record, replace(record, score=None), played("isolation"))
    with client(config) as browser:
        found = browser.get("/api/records").json()["games"]
        assert [one["score"] for one in found] == [None, None, list(record.score)]
        assert browser.get("/games").text.count(" {}:{}<".format(*record.score)) == 1


@pytest.mark.slow
def test_the_score_of_a_damaged_record_is_left_out(config: Config) -> None:
    stocked(config.store, played("colosseum"))
    with sqlite3.connect(config.store) as database:
        database.execute("UPDATE games SET record = substr(record, 2)")
    database.close()
    with client(config) as browser:
        assert browser.get("/api/records").json()["games"][0]["score"] is None


def test_times_are_marked_as_utc(config: Config) -> None:
    _, (number,) = stocked(config.store, played("isolation"))
    with client(config) as browser:
        for path in ("/games", f"/games/{number}", "/contests"):
            page = browser.get(path).text
            assert re.search(r'<time [^>]*datetime="[^"]*Z">[\d-]+ \d\d:\d\d UTC</time>', page), path
            assert "/static/times.js" in page


def test_options_are_told_in_plain_words() -> None:
    assert begun_with("trap", {"size": "7", "setup": "standard"}) == "7 × 7 board"  # there is no other set-up
    assert begun_with("isolation", {"size": "5x7", "setup": "start"}) == "5 × 7 board, set-up start"
    assert begun_with("tiles", {"size": "4", "first": "B"}) == "4 × 4 board, blue begins"
    assert begun_with("mine.py", {"depth": "3"}) == "depth 3" and begun_with("isolation", {}) == ""


def test_a_game_by_its_number(config: Config) -> None:
    record = played("colosseum")
    _, (number,) = stocked(config.store, record)
    with client(config) as browser:
        found = browser.get(f"/api/records/{number}").json()
        assert found["number"] == number and len(found["plies"]) == len(record.plies) + 1
        assert browser.get(f"/games/{number}").status_code == 200 == browser.get(f"/embed/{number}").status_code
        missing = browser.get("/api/records/999")
        assert missing.status_code == 404 and missing.json()["detail"] == "there is no game 999"
        assert browser.get("/api/records/0").status_code == 422


def test_a_damaged_record_is_told_in_words(config: Config) -> None:
    _, (number,) = stocked(config.store, played("isolation"))
    with sqlite3.connect(config.store) as database:
        database.execute("UPDATE games SET record = replace(record, 'random', 'randim')")
    database.close()
    with client(config) as browser:
        answer = browser.get(f"/api/records/{number}")
        assert answer.status_code == 422 and "is damaged: it is not what was stored" in answer.json()["detail"]
        page = browser.get(f"/games/{number}", headers={"accept": "text/html"})
        assert page.status_code == 422 and "That did not work" in page.text


def test_students_names_want_the_token(config: Config) -> None:
    _, (number,) = stocked(config.store, played("isolation"))
    _, (graded,) = stocked(config.store, played("isolation"), kind="grade", note="pseudonyms")
    public = replace(config, public=True)
    with client(public) as stranger:
        assert stranger.get(f"/api/records/{number}").status_code == 200
        assert stranger.get(f"/games/{graded}").status_code == 401
        assert [one["id"] for one in stranger.get("/api/records").json()["games"]] == [number]
        stranger.headers["authorization"] = f"Bearer {public.token}"
        assert stranger.get(f"/api/records/{graded}").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("name", ["trap", "colosseum", "isolation", "tiles"])
def test_a_game_as_drawings(config: Config, name: str) -> None:
    record = played(name)
    _, (number,) = stocked(config.store, record)
    with client(config) as browser:
        drawn = browser.get(f"/games/{number}/board.svg?ply={len(record.plies)}")
        assert Tree.fromstring(drawn.text).tag.endswith("svg") and drawn.headers["content-type"] == "image/svg+xml"
        assert "'unsafe-inline'" in drawn.headers["content-security-policy"]  # its own styles, and nothing else
        assert browser.get(f"/games/{number}/board.svg?ply=9999").status_code == 422
        image = Image.open(BytesIO(browser.get(f"/games/{number}/game.gif").content))
        assert getattr(image, "n_frames", 1) == len(record.plies) + 1


def test_a_long_game_is_no_animation(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    _, (number,) = stocked(config.store, played("isolation"))
    monkeypatch.setattr("harena.web.routes.games.LONGEST_GIF", 3)
    with client(config) as browser:
        answer = browser.get(f"/games/{number}/game.gif")
        assert answer.status_code == 422 and "at most 3" in answer.json()["detail"]


def test_an_exported_file_holds_its_own_policy_and_no_markup_of_a_players(config: Config) -> None:
    record: Record = played("isolation", seats=("</script><b>", "random"))
    text = exported(document(as_text(record)))
    assert text.count("</script>") == 2 and "&lt;/script&gt;&lt;b&gt;" in text
    assert "script-src 'sha256-" in text and "import " not in text.split('type="module">')[1].split("// ")[0]
