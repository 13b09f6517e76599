"""Tournaments and the leaderboard, through the API that pages use."""

import dataclasses
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import harena
from harena.arena.claims import claimed
from harena.arena.contest import Spec
from harena.arena.match import Plan as Match
from harena.arena.now import in_progress, shown
from harena.arena.record import CRASH, Record
from harena.arena.slot import Slot
from harena.arena.store import FINISHED, STOPPED, Run, Store
from harena.arena.tournament import Plan as Tournament
from harena.courses.gradebook import pseudonyms
from harena.courses.grading import PSEUDONYMS, Submission
from harena.courses.grading import Plan as Grading
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.contests import Held, playing, with_minus
from web.seating import OwnerClient

AGENTS = ["random", "mm_open", "ab_improved"]
PATIENCE = 120.0  # seconds: processes start slowly on a busy machine


def client_of(folder: Path, **given: Any) -> TestClient:
    return OwnerClient(create_app(Config(store=folder / "games.sqlite", **given)), base_url="http://127.0.0.1")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(tmp_path) as made:
        yield made


def spec(agents: list[str]) -> Spec:
    return Spec(game="isolation", variants=[{"size": "3"}], agents=agents, limits={"depth": 1})


def record(seats: tuple[str, str], winner: int | None, reason: str = "rules") -> Record:
    return Record(game="isolation", options={}, start="?", seats=seats, plies=(), winner=winner, reason=reason)


def stored_tournament(store: Store, kind: str = "round-robin") -> str:
    """A tournament in which the later agent wins every game, but one that it lost by a crash."""
    plan = Tournament(spec=spec(AGENTS), type=kind)
    run = store.new_run("tournament", plan.as_dict()).id
    for a in range(3):
        for b in range(a + 1, 3):
            for swapped in (False, True):
                slot = Slot(a=a, b=b, pair=0, swapped=swapped)
                seats = (AGENTS[slot.seats[0]], AGENTS[slot.seats[1]])
                crashed = (a, b, swapped) == (1, 2, True)
                winner = slot.seats.index(a if crashed else b)
                store.add_game(run, str(slot), record(seats, winner, CRASH if crashed else "rules"))
    return run


def ended(client: TestClient, run: str) -> Any:
    """What is said of a run when nobody plays it any more."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = client.get(f"/api/contests/{run}").json()["run"]
        if found["status"] != "running":
            return found
        time.sleep(0.2)
    raise AssertionError(found)


def test_without_games_the_page_says_how_to_begin(client: TestClient) -> None:
    assert client.get("/api/contests").json() == {"runs": [], "page": 1, "pages": 1}
    page = client.get("/contests").text
    assert "Nothing has been played yet" in page and 'id="begin" open' in page
    assert client.get("/api/contests/0123abcd").status_code == 404
    assert client.get("/contests/0123abcd", headers={"accept": "text/html"}).status_code == 404


def test_a_tournament_has_standings_crosstable_faults_and_games(client: TestClient, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        run = stored_tournament(store)
        store.finish(run, FINISHED)
    found = client.get(f"/api/contests/{run}").json()
    told = found["run"]
    assert [row[1] for row in told["table"]["rows"]] == ["ab_improved", "mm_open", "random"]
    assert told["cross"]["names"] == ["ab_improved", "mm_open", "random"]
    assert told["cross"]["rows"][0] == [None, 0.5, 1.0] and told["cross"]["rows"][2] == [0.0, 0.0, None]
    assert told["played"] == told["planned"] == 6 and told["status"] == "finished" and not told["resumable"]
    assert told["faults"] == [{"name": "ab_improved", "faults": "crash 1", "game": 6}]
    assert [game["number"] for game in found["games"]] == [6, 5, 4, 3, 2, 1]
    assert "names" not in told  # texts of agents are paths of this machine
    pair = client.get(f"/api/contests/{run}?pair=0-2").json()
    assert [game["number"] for game in pair["games"]] == [4, 3] and pair["fits"] == 2
    page = client.get(f"/contests/{run}").text
    assert "/games/6" in page and f"/contests/{run}?pair=0-1#games" in page


def test_nobody_leads_before_a_game_and_signs_are_those_of_print(client: TestClient, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        empty = store.new_run("tournament", Tournament(spec=spec(AGENTS), pairs=1).as_dict()).id
        run = stored_tournament(store)
    table = client.get(f"/api/contests/{empty}").json()["run"]["table"]
    assert table["leaders"] == [] and {row[0] for row in table["rows"]} == {""}
    assert 'class="leader"' not in client.get(f"/contests/{empty}").text
    told = client.get(f"/api/contests/{run}").json()["run"]["table"]
    assert told["leaders"] == [0] and told["headings"][-1] == "95 % interval" and told["rows"][-1][-2].startswith("-")
    for path in (f"/contests/{run}", f"/leaderboard/{run}"):
        page = client.get(path).text
        assert page.count('class="leader"') == 1 and ">95 % interval<" in page
        assert told["rows"][-1][-2].replace("-", "\N{MINUS SIGN}") in page and ">-" not in page
    assert f'href="/contests/{run}"' in client.get(f"/leaderboard/{run}").text  # the way back


def test_hyphens_within_names_stay() -> None:
    assert with_minus("my-agent-2 (-57 to +3): -5") == "my-agent-2 (\N{MINUS SIGN}57 to +3): \N{MINUS SIGN}5"


def test_a_knockout_has_its_bracket(client: TestClient, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        run = stored_tournament(store, "knockout")
    told = client.get(f"/api/contests/{run}").json()["run"]
    assert told["bracket"][-1][0] == "final" and told["status"] == "interrupted" and told["resumable"]


def test_a_match_says_what_its_result_means(client: TestClient, tmp_path: Path) -> None:
    plan = Match(spec=spec(AGENTS[:2]), pairs=1)
    with Store(tmp_path / "games.sqlite") as store:
        run = store.new_run("match", plan.as_dict()).id
        for slot in plan.slots():
            seats = (AGENTS[slot.seats[0]], AGENTS[slot.seats[1]])
            store.add_game(run, str(slot), record(seats, slot.seats.index(1)))
        store.finish(run, STOPPED)
    told = client.get(f"/api/contests/{run}").json()["run"]
    assert [row[1] for row in told["table"]["rows"]] == ["0.0 %", "100.0 %"]
    assert "mm_open" in told["words"][0]
    (line,) = client.get("/api/contests").json()["runs"]
    assert line["status"] == "stopped" and line["result"] == "100.0 % for the second"


def test_a_run_of_another_version_is_listed_and_shown_without_a_table(client: TestClient, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        odd, unknown = store.new_run("tournament", {"what": 1}).id, store.new_run("future", {}).id
    assert client.get(f"/api/contests/{odd}").json()["run"]["words"] == [
        "this run describes itself in a way that this version does not know"
    ]
    assert client.get(f"/contests/{odd}").status_code == client.get(f"/contests/{unknown}").status_code == 200
    assert [line["id"] for line in client.get("/api/contests").json()["runs"]] == [odd]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"agents": ["random", "randm"]}, "randm"),
        ({"agents": ["random", "random"]}, "is there 2 times"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "os:path"}, "no game"),
        ({"games": 3}, "an even number"),
        ({"type": "match", "agents": AGENTS}, "a match is between two agents"),
        ({"rounds": 2}, "rounds are for a Swiss tournament"),
        ({"size": "99"}, "sizes from"),
        ({"size": "2-1"}, "a range"),
        ({"setup": "../../etc/passwd"}, "set-up"),
        ({"agents": ["random", "/etc/passwd"]}, "only from the folders"),
        ({"agents": ["random", "comp424:/etc/passwd"]}, "only from the folders"),
        ({"agents": ["random", "ab(heuristic=/tmp/mine.py:score)"]}, "command line only"),
        ({"agents": ["random", "mcts(seconds=1000)"]}, "at most 30 seconds"),
        ({"seconds": 31}, "at most 30 seconds"),
        ({"games": 10_000, "agents": ["random", "mm_open", "mm_null", "ab_open"]}, "too many"),
        ({"concurrency": 3}, "concurrency"),
        ({"another": 1}, "another"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(client: TestClient, given: dict[str, Any], words: str) -> None:
    answer = client.post("/api/contests", json={"game": "isolation", "agents": ["random", "mm_open"]} | given)
    assert answer.status_code == 422 and words in answer.json()["detail"]
    assert client.get("/api/contests").json()["runs"] == []


@pytest.mark.process
def test_a_tournament_is_started_stopped_and_resumed_in_a_process_of_its_own(client: TestClient) -> None:
    wanted = {"game": "isolation", "agents": ["random", "mm_open"], "type": "match", "games": 4000, "depth": 1}
    begun = client.post("/api/contests", json=wanted)
    assert begun.status_code == 201
    run = begun.json()["run"]
    assert client.post(f"/api/contests/{run}/resume", json={}).status_code == 422
    until = time.monotonic() + PATIENCE
    while not client.get(f"/api/contests/{run}").json()["run"]["played"] and time.monotonic() < until:
        time.sleep(0.1)
    assert client.post(f"/api/contests/{run}/stop").status_code == 200
    stopped = ended(client, run)
    assert stopped["status"] == "stopped" and 0 < stopped["played"] < 4000 and stopped["resumable"]
    assert client.post(f"/api/contests/{run}/stop").status_code == 422
    assert client.post(f"/api/contests/{run}/resume", json={"concurrency": 2}).status_code == 200
    assert client.post(f"/api/contests/{run}/stop").status_code == 200  # before it has begun
    again = ended(client, run)
    assert again["trouble"] == "" and again["status"] == "stopped" and again["played"] >= stopped["played"]


@pytest.mark.process
def test_as_many_contests_as_are_allowed_and_the_last_words_of_one_that_fails(tmp_path: Path) -> None:
    agent = tmp_path / "agents" / "mine.py"
    agent.parent.mkdir()
    agent.write_text("import harena\n")
    with client_of(tmp_path, contests=1, agents=(agent.parent,)) as client:
        wanted = {"game": "isolation", "agents": ["random", str(agent)], "games": 2}
        run = client.post("/api/contests", json=wanted).json()["run"]
        agent.unlink()  # so that its process cannot go on
        assert client.post("/api/contests", json=wanted | {"agents": ["random", "mm_open"]}).status_code == 503
        told = ended(client, run)
        assert told["status"] == "interrupted" and "there is no such file" in told["trouble"]


def graded(store: Store, note: str) -> tuple[str, Grading]:
    """A grading of two students, in which the first lost everything."""
    names = ("Ada Lovelace", "Bob")
    agents = [f"w4701:/home/teacher/submissions/{name}/PlayerAI.py" for name in names]
    submissions = tuple(Submission(name=name, agent=text) for name, text in zip(names, agents, strict=True))
    plan = Grading(
        course="w4701",
        spec=Spec(game="trap", variants=[{}], agents=["easy", *agents], seed=secrets.randbits(40)),
        pairs=1,
        submissions=(*submissions, Submission(name="Eve", refused="Eve.zip is no zip")),
    )
    run = store.new_run("grade", plan.as_dict(), note).id
    for slot in plan.slots():
        seats = (plan.spec.agents[slot.seats[0]], plan.spec.agents[slot.seats[1]])
        winner = slot.seats.index(0 if slot.b == 1 else 2)
        store.add_game(run, str(slot), Record(game="trap", options={}, start="?", seats=seats, plies=(), winner=winner))
    return run, plan


def test_there_is_no_leaderboard_before_anything_was_graded(tmp_path: Path) -> None:
    with client_of(tmp_path, public=True, token="a-token") as client:
        answer = client.get("/leaderboard")
    assert answer.status_code == 404 and "nothing was graded" in answer.text


@pytest.mark.process
def test_the_public_sees_pseudonyms_where_the_grading_used_them(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        hidden, plan = graded(store, PSEUDONYMS)
        open_run, _ = graded(store, "")
    names = pseudonyms([one.name for one in plan.submissions], plan.spec.seed)
    with client_of(tmp_path, public=True, token="a-token") as client:
        paths = [f"/leaderboard/{hidden}", f"/contests/{hidden}", f"/api/contests/{hidden}", "/contests", "/games"]
        paths += ["/api/contests", f"/leaderboard/{hidden}/part", f"/api/records?run={hidden}", "/api/watch"]
        for path in paths:
            text = client.get(path).text
            assert "/home/teacher" not in text, path
            assert hidden not in path or not any(name in text for name in ("Ada", "Lovelace", "Bob", "Eve")), path
        board = client.get(f"/leaderboard/{hidden}").text
        assert all(name in board for name in names.values()) and "refused" in board
        assert client.get("/api/records/1").status_code == 401  # its seats are named by paths
        assert "Ada Lovelace" in client.get(f"/leaderboard/{open_run}").text
        owner = {"authorization": "Bearer a-token"}
        assert "Ada Lovelace" in client.get(f"/leaderboard/{hidden}", headers=owner).text
        assert client.get("/leaderboard").url.path == f"/leaderboard/{open_run}"  # the latest


@pytest.mark.parametrize("walls", [("strict", "strict"), ("strict", "basic")])
def test_a_leaderboard_has_what_happened_below_and_walls_only_where_they_differ(
    tmp_path: Path, walls: tuple[str, str]
) -> None:
    agents = [f"aind:/home/teacher/{name}/game_agent.py" for name in ("ada", "mm_null")]
    plan = Grading(
        course="aind",
        spec=Spec(game="isolation", variants=[{}], agents=["random", "mm_null", *agents]),
        pairs=1,
        submissions=(
            Submission(name="ada", agent=agents[0]),
            Submission(name="bob", agent=agents[1]),
            Submission(name="eve", refused="eve.zip is no zip"),
        ),
    )
    conditions = {"sandbox": dict(zip(agents, walls, strict=True))}
    with Store(tmp_path / "games.sqlite") as store:
        run = store.new_run("grade", plan.as_dict()).id
        for slot in plan.slots():
            seats = (plan.spec.agents[slot.seats[0]], plan.spec.agents[slot.seats[1]])
            lost = 3 in slot.seats  # bob crashes always
            winner = 1 - slot.seats.index(3) if lost else slot.seats.index(2)
            reason = CRASH if lost else "rules"
            game = Record(game="isolation", options={}, start="?", seats=seats, plies=(), winner=winner, reason=reason)
            store.add_game(run, str(slot), dataclasses.replace(game, conditions=conditions))
    with client_of(tmp_path) as client:
        told = client.get(f"/api/contests/{run}").json()["run"]
        pages = [client.get(f"/{place}/{run}").text for place in ("leaderboard", "contests")]
    differ = walls[0] != walls[1]
    columns = ["Rank", "Name", "Score", "Faults", "random", "mm_null", "Slowest move", *["Sandbox"] * differ]
    assert told["table"]["headings"] == columns and told["table"]["numbers"] == [0, *range(2, 7)]
    assert told["table"]["rows"][0][:6] == ["1", "ada", "100.0 %", "0", "2", "2"]
    assert [one for one, _ in told["remarks"]] == ["bob", "eve"] and "crash 4" in told["remarks"][0][1]
    assert "points against each level, of 2" in told["words"]
    assert ("sandbox of all: strict" in told["words"]) is not differ
    for page in pages:
        assert page.index("</table>") < page.index("Remarks") < page.index("eve.zip is no zip")
        assert "Mm_" not in page and "mm_<wbr>null" in page and "Verdict" not in page


def test_a_private_grading_of_another_version_tells_no_names_either(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        run = store.new_run("grade", {"what": 1}, PSEUDONYMS).id
        store.add_game(run, "0-1/0/0", record(("easy", "w4701:/home/teacher/submissions/Ada/PlayerAI.py"), 0))
    with client_of(tmp_path, public=True, token="a-token") as client:
        for path in (f"/api/contests/{run}", f"/contests/{run}", f"/leaderboard/{run}", "/api/contests", "/contests"):
            assert "Ada" not in client.get(path).text, path
        told = client.get(f"/api/contests/{run}").json()["run"]
        assert (told["agents"], told["result"]) == ([], "") and "does not know" in told["words"][0]
        owner = {"authorization": "Bearer a-token"}
        assert "Ada" in client.get(f"/api/contests/{run}", headers=owner).text


def test_games_in_progress_are_boards_and_those_of_a_private_grading_are_not(tmp_path: Path) -> None:
    state = harena.game("isolation", size=4).initial()
    trap = harena.game("trap").initial()
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        run = store.new_run("tournament", Tournament(spec=spec(AGENTS)).as_dict()).id
        hidden, _ = graded(store, PSEUDONYMS)
    with client_of(tmp_path, public=True) as client, claimed(path, run), claimed(path, hidden):
        with shown(path, run, {"0-2/0/1": state}), shown(path, hidden, {"0-1/0/0": trap}):
            until = time.monotonic() + PATIENCE
            while not in_progress(path, run) or not in_progress(path, hidden):
                assert time.monotonic() < until
                time.sleep(0.05)
            (board,) = client.get(f"/api/contests/{run}").json()["playing"]
            assert board["seats"] == ["ab_improved", "random"] and board["picture"]["rows"] == 4
            assert "Being played" in client.get(f"/contests/{run}").text
            assert client.get(f"/api/contests/{hidden}").json()["playing"] == []
        with Store(path) as store:
            assert playing(Held(store=store, run=odd_run(run), rows=[])) == []


def odd_run(name: str) -> Run:
    """One that describes itself in another way."""
    return Run(id=name, kind="tournament", spec={"spec": {}}, status="running", created="", finished=None, note="")
