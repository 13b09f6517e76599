"""Tables: games between people and agents, through the API that pages use."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from harena.arena.replay import states
from harena.arena.store import Store
from web.seating import begin, client_of, move, play, wait

ILLEGAL_AGENT = """
import json, sys
print(json.dumps({"type": "ready", "harena": 1}), flush=True) if json.loads(input())["type"] == "hello" else None
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "go":
        print(json.dumps({"type": "move", "id": told["id"], "move": "a1"}), flush=True)
"""


@pytest.mark.parametrize(("game", "size"), [("trap", "4"), ("colosseum", "3"), ("isolation", "3x4"), ("tiles", "3")])
def test_a_whole_game_against_an_agent_is_stored_and_replays(
    client: TestClient, tmp_path: Path, game: str, size: str
) -> None:
    told = play(client, begin(client, game, ("human", "random"), size=size, seed=3))
    assert told["over"] and told["result"] and told["number"] == 1
    with Store(tmp_path / "games.sqlite", writing=False) as store:
        record = store.record(1)
        assert [run.kind for run in store.runs()] == ["play"]
    assert list(states(record))[-1].is_over  # every ply, the landings of chance too, as the rules want it
    assert record.seats == ("human", "random") and record.seed == 3
    assert [ply.move for ply in record.plies] == [ply["move"] for ply in told["plies"]]


def test_the_same_seed_throws_the_same_dice_and_a_throw_taken_back_lands_again_where_it_did(client: TestClient) -> None:
    landings = []
    for _ in range(2):
        told = move(client, begin(client, "trap", size="5", seed=11))
        told = move(client, told, "@e5")
        assert [ply["by"] for ply in told["plies"]] == [0, 0, 2]
        assert [step["by"] for step in told["steps"]] == [0, 2]  # what a page shows ply by ply
        landings.append(told["plies"][2]["move"])
        back = client.post(f"/api/tables/{told['id']}/undo", json={}).json()
        assert len(back["plies"]) == 1 and back["state"]["position"].split()[2] == "aim"
        assert move(client, back, "@e5")["plies"][2]["move"] == landings[0]
    assert landings[0] == landings[1]


def test_undo_goes_back_to_the_humans_own_decision_and_no_further(client: TestClient) -> None:
    told = play(client, begin(client, seats=("random", "human"), size="5", seed=3), 2)
    before = len(told["plies"])
    told = client.post(f"/api/tables/{told['id']}/undo", json={}).json()
    assert len(told["plies"]) == before - 2 and told["undone"] == 1 and told["thinking"] is None
    while told["undoable"]:
        told = client.post(f"/api/tables/{told['id']}/undo", json={}).json()
    assert len(told["plies"]) == 1  # the agent's first move stays
    answer = client.post(f"/api/tables/{told['id']}/undo", json={})
    assert (answer.status_code, answer.json()["detail"]) == (422, "there is nothing to take back")


def test_a_hint_is_a_legal_move_with_a_reason(client: TestClient) -> None:
    told = begin(client, "tiles", ("human", "random"), size="2", limits={"seconds": 0.05})
    hint = client.post(f"/api/tables/{told['id']}/hint", json={}).json()
    assert hint["move"] in [one["text"] for one in told["state"]["moves"]] and hint["by"] == "champion"
    assert hint["reason"] and hint["ply"] == 0
    assert client.get(f"/api/tables/{told['id']}").json()["hints"] == 1


@pytest.mark.parametrize("game", ["trap", "colosseum"])
def test_a_hint_says_what_score_to_expect(client: TestClient, game: str) -> None:
    told = begin(client, game, ("human", "random"), limits={"seconds": 0.05})
    hint = client.post(f"/api/tables/{told['id']}/hint", json={}).json()
    assert re.match(r"expected score \d+ %", hint["reason"])


ENDS = [
    ("tiles", "XXX/XXX/RXB R 1", "a3", "You win", "The last red tile is gone, and that wins for you"),
    ("isolation", "1../.2./... 1", "b3", "You win", "No cell is left to jump to for random"),
    ("trap", "2x../xx../..../1... 1 walk 10", "b4", "You win", "No free cell is left beside random"),
    ("trap", "2.../..../..../1... 1 aim 149", "@c1", "A draw", "150 half-turns are over"),
    ("colosseum", "3 a1 c3 1 a1r,b1d,c1d,b2r", "a1d", "You lose 6:1", "No way leads from one player to the other"),
]


@pytest.mark.parametrize(("game", "position", "text", "result", "why"), ENDS)
def test_the_end_of_a_game_has_a_reason_in_words(
    client: TestClient, game: str, position: str, text: str, result: str, why: str
) -> None:
    told = begin(client, game, ("human", "random"), position=position)
    assert told["why"] == ""
    told = move(client, told, text)
    assert told["result"] == result and told["why"].startswith(why)


def test_resigning_loses_and_the_rematch_has_the_same_start_with_seats_swapped(client: TestClient) -> None:
    told = begin(client, "colosseum", ("human", "random"), size="4", seed=5)
    start = told["state"]["position"]
    told = client.post(f"/api/tables/{told['id']}/resign", json={}).json()
    assert (told["winner"], told["result"], told["number"]) == (1, "You lose: you resigned", 1)
    assert client.post(f"/api/tables/{told['id']}/undo", json={}).status_code == 422
    again = client.post(f"/api/tables/{told['id']}/rematch", json={}).json()
    assert again["seats"] == ["random", "human"] and again["id"] != told["id"]
    same = client.post(f"/api/tables/{told['id']}/rematch", json={}).json()
    assert same["id"] == again["id"]  # asked twice, it is one
    starts = {start}
    for _ in range(3):  # the pair is complete: from here on others
        client.post(f"/api/tables/{again['id']}/resign", json={})
        with Store(client.app.state.config.store, writing=False) as store:  # type: ignore[attr-defined]
            starts.add(store.record(max(store.numbers(store.runs()[-1].id).values())).start)
        again = client.post(f"/api/tables/{again['id']}/rematch", json={}).json()
    assert len(starts) == 2


def test_the_clock_of_a_turn_without_a_move_stops_where_it_was(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        told = move(client, begin(client))
        first = told["spent"][0]
        time.sleep(0.2)
        over = client.post(f"/api/tables/{told['id']}/resign", json={}).json()
        assert over["winner"] == 0 and over["spent"][0] == first and over["spent"][1] >= 0.2
    with client_of(tmp_path) as client:
        assert client.get(f"/api/tables/{told['id']}").json()["spent"] == over["spent"]


def test_a_rematch_of_a_running_game_is_refused(client: TestClient) -> None:
    told = begin(client)
    answer = client.post(f"/api/tables/{told['id']}/rematch", json={})
    assert answer.status_code == 422 and "not over yet" in answer.json()["detail"]


def test_a_position_can_be_the_beginning(client: TestClient) -> None:
    told = begin(client, "isolation", position="1.../..../...2 1")
    assert told["state"]["position"] == "1.../..../...2 1"
    answer = client.post("/api/tables", json={"game": "tiles", "seats": ["human"] * 2, "position": "RX/XX R 1"})
    assert answer.status_code == 422 and "over already" in answer.json()["detail"]


def test_a_move_told_twice_is_made_once_and_a_late_one_is_refused(client: TestClient) -> None:
    told = begin(client, size="4")
    path, first = f"/api/tables/{told['id']}/move", {"move": "a1", "ply": 0}
    assert [client.post(path, json=first).json()["version"] for _ in range(2)] == [2, 2]
    late = client.post(path, json={"move": "b2", "ply": 0})
    assert late.status_code == 422 and "gone on" in late.json()["detail"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seats": ["random", "random"]}, "a human sits"),
        ({"seats": ["human", "nobody"]}, "no player"),
        ({"seats": ["human", "/etc/passwd.py"]}, "only from the folders"),
        ({"seats": ["human", "minimax(heuristic=/tmp/own.py:score)"]}, "file"),
        ({"game": "./own.py"}, "no game"),
        ({"game": "tiles", "setup": "/etc/hostname"}, "set-up"),
        ({"size": "99"}, "sizes from"),
        ({"limits": {"seconds": 31}}, "at most 30"),
        ({"limits": {"seconds": -1}}, "has to be more than 0"),
        ({"seed": -1}, "has to be at least"),
        ({"position": "nonsense"}, "position"),
    ],
)
def test_what_cannot_be_begun_is_refused_in_words(client: TestClient, given: dict[str, Any], words: str) -> None:
    answer = client.post("/api/tables", json={"game": "isolation", "seats": ["human", "human"], **given})
    assert answer.status_code == 422 and words in answer.json()["detail"]


def test_a_wrong_move_is_refused_in_words_and_changes_nothing(client: TestClient) -> None:
    told = begin(client, size="3")
    answer = client.post(f"/api/tables/{told['id']}/move", json={"move": "z9"})
    assert answer.status_code == 422 and answer.json()["detail"]
    assert client.get(f"/api/tables/{told['id']}").json()["version"] == told["version"]


def test_nobody_moves_for_an_agent_that_is_thinking_but_one_may_take_back_and_it_stops(client: TestClient) -> None:
    told = begin(client, "isolation", ("human", "mcts"), size="8", limits={"seconds": 30})
    told = move(client, told)
    assert told["thinking"] == 1
    for what in ("move", "hint"):
        answer = client.post(f"/api/tables/{told['id']}/{what}", json={"move": "a1"})
        assert answer.status_code == 422 and "thinking" in answer.json()["detail"]
    told = client.post(f"/api/tables/{told['id']}/undo", json={}).json()
    assert told["plies"] == [] and told["thinking"] is None
    told = client.post(f"/api/tables/{told['id']}/resign", json={}).json()
    assert told["over"]


@pytest.mark.process
def test_an_agent_from_a_registered_folder_plays_and_its_fault_loses(tmp_path: Path) -> None:
    agents = tmp_path / "agents"
    agents.mkdir()
    (agents / "stubborn.py").write_text(ILLEGAL_AGENT)
    (agents / "notes.py").write_text("print('no agent at all')\n")
    with client_of(tmp_path, agents=(agents.resolve(),)) as client:
        (known,) = client.get("/api/players/isolation").json()["agents"]
        assert known["name"] == "agents/stubborn.py"
        told = move(client, begin(client, seats=("human", known["text"]), size="3"), "a1")
        told = wait(client, told, lambda one: one["over"])
        assert told["winner"] == 0 and "illegal move" in told["result"]
        assert told["seats"] == ["human", "agents/stubborn.py"]


def test_without_the_token_a_public_server_shows_games_and_lets_nobody_play(tmp_path: Path) -> None:
    with client_of(tmp_path, public=True, token="secret") as client:
        assert client.post("/api/tables", json={"game": "isolation", "seats": ["human"] * 2}).status_code == 401
        client.headers["authorization"] = "Bearer secret"
        told = begin(client)
        del client.headers["authorization"]
        assert client.get(f"/api/tables/{told['id']}").status_code == 200
        for what in ("move", "undo", "hint", "resign", "rematch"):
            answer = client.post(f"/api/tables/{told['id']}/{what}", json={"move": "a1"})
            assert answer.status_code == 401
        assert "only with its token" in client.get("/play").text


def test_the_start_of_any_set_up_can_be_looked_at(client: TestClient) -> None:
    one, other = (client.get("/api/start?game=colosseum&size=6&seed=" + seed).json() for seed in "12")
    assert one["position"] != other["position"] and one["picture"]["rows"] == 6
    assert client.get("/api/start?game=nothing").status_code == 422
    assert client.get("/api/players/nothing").status_code == 404
