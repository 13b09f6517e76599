"""What somebody without the token gets from a public server: nothing that runs, nothing written, no paths."""

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from harena.arena.replay import dumps
from harena.arena.store import Store
from harena.web import stored
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.naming import named, plainly, without_paths
from web.seating import OwnerClient
from web.shelves import cut, played, stocked
from web.test_security import HOME, READING, TOKEN
from web.walking import routes

KINDS = ("match", "tournament", "sweep", "tune", "grade", "watch", "play")
TRAP = """
from pathlib import Path
Path(__file__).with_suffix(".ran").touch()
raise SystemExit("this ran")
"""


@pytest.fixture
def public(tmp_path: Path) -> Iterator[TestClient]:
    config = Config(store=tmp_path / "games.sqlite", public=True, token=TOKEN)
    with OwnerClient(create_app(config), base_url=HOME) as client:
        yield client


def trapped(folder: Path) -> tuple[Path, list[str], list[int]]:
    """A store with runs of each kind whose game is a file that must not be run; the file, the runs, the games.

    Half of the games are said to be of the catalogue where lists are made, and only their records name the file.
    """
    file = folder / "mine.py"
    file.write_text(TRAP)
    own = replace(played("isolation"), game=str(file))
    runs, numbers = [], []
    with Store(folder / "games.sqlite") as store:
        for kind in KINDS:
            spec = {"game": own.game, "variants": [{}], "agents": list(own.seats)}
            plan = {"spec": spec, "type": "round-robin", "pairs": 1, "rounds": None, "sprt": None}
            runs.append(store.new_run(kind, plan).id)
            for slot in ("0-1/0/0", "0-1/0/1"):
                numbers.append(store.add_game(runs[-1], slot, own) or 0)
    with sqlite3.connect(folder / "games.sqlite") as database:
        database.execute("UPDATE games SET game = 'isolation' WHERE id % 2 = 0")
    database.close()
    tables = folder / "games.sqlite.tables"
    tables.mkdir()
    record = replace(own, reason="unfinished", plies=(), winner=None, seats=("human", "human"))
    (tables / f"{'a' * 12}.json").write_text(dumps({"record": record.as_dict()}))
    return file, runs, numbers


@pytest.mark.slow
def test_no_route_for_reading_runs_somebodys_own_game(public: TestClient, tmp_path: Path) -> None:
    file, runs, numbers = trapped(tmp_path)
    asked = set()
    for route in routes(public.app):  # type: ignore[arg-type]
        if route.path not in READING:
            continue
        names = set(re.findall(r"{(\w+)", route.path))
        for run, number in zip([run for run in runs for _ in "12"], numbers, strict=True):
            values = {"run": run, "number": number, "name": "a" * 12, "game": "isolation"}
            path = route.path.format(**{name: values[name] for name in names})
            if path not in asked:
                asked.add(path)
                answer = public.head(path) if path.endswith("/events") else public.get(path)
                assert answer.status_code < 500, path
                assert not file.with_suffix(".ran").exists(), path
    assert len(asked) > len(READING) + 10 * len(numbers)


def test_only_one_place_plays_stored_games_again() -> None:
    """Whoever reads a record asks it, so that what it refuses is refused everywhere."""
    folder = Path(stored.__file__).parent
    for path in folder.rglob("*.py"):
        imports = re.findall(r"from harena.arena.replay import (.*)", path.read_text("utf-8"))
        named = {name for line in imports for name in line.split(", ")}
        assert path.name == "stored.py" or not named & {"states", "start", "rerecord"}, path


def test_where_agents_lie_is_told_to_nobody_without_the_token(tmp_path: Path) -> None:
    folder = tmp_path / "agents"
    folder.mkdir()
    agent = folder / "mine.py"
    agent.write_text("import harena")
    config = Config(store=tmp_path / "games.sqlite", public=True, token=TOKEN, agents=(folder,))
    detail = f"No module named 'x' in {agent}, line 3"
    lost = replace(cut(played("isolation", seats=("random", str(agent)))), reason="crash", detail=detail)
    run, (number,) = stocked(config.store, lost, kind="tournament")
    with OwnerClient(create_app(config), base_url=HOME) as client:
        client.headers["authorization"] = f"Bearer {TOKEN}"
        seats = ["human", str(agent)]
        told = client.post("/api/tables", json={"game": "isolation", "seats": seats}).json()
        assert str(folder) in client.get("/api/players/isolation").text
        del client.headers["authorization"]
        pages = ("play", "watch", "contests", "understand", "editor", "games", "api/players/isolation")
        table, game = f"/{told['id']}", f"games/{number}"
        lists = ("api/tables", "api/records", "api/watch", "api/contests")
        ours = (f"api/tables{table}", f"play{table}", f"api/contests/{run}", f"contests/{run}", f"leaderboard/{run}")
        games = (game, f"{game}/export.html", f"embed/{number}", f"api/records/{number}", f"api/watch/run/{run}")
        for path in (*pages, *lists, *ours, *games):
            answer = client.get(f"/{path}")
            assert answer.status_code == 200 and str(tmp_path) not in answer.text, path
        assert "in mine.py, line 3" in client.get(f"/api/records/{number}").json()["end"]
        first, second = client.get("/api/tables").json()[0]["seats"]
        assert first == "human" and second.endswith("agents/mine.py") and not second.startswith("/")
        with sqlite3.connect(config.store) as database:
            database.execute("UPDATE games SET record = replace(record, 'random', 'randim')")
        database.close()
        damaged = client.get(f"/api/records/{number}")
        assert damaged.status_code == 422 and str(tmp_path) not in damaged.text


def test_messages_keep_the_names_of_files_and_lose_their_folders() -> None:
    assert without_paths("'/home/ada/my.py': no such file") == "'my.py': no such file"
    assert without_paths("w4701:/home/ada/PlayerAI.py lost 1/2 of and/or") == "w4701:PlayerAI.py lost 1/2 of and/or"
    assert without_paths("see https://example.org/a/b or 3/4, ../x/y") == "see https://example.org/a/b or 3/4, ../x/y"
    assert without_paths("in /home/jane doe/my agents/x.py, line 3") == "in x.py, line 3"
    assert without_paths("/home/jane doe/x.py lost 1/2 of and/or") == "x.py lost 1/2 of and/or"
    assert without_paths("/srv/play lost 1/2 to /srv/my own/agent") == "play lost 1/2 to agent"
    assert without_paths("/home/ada/x.py and/or y") == "x.py and/or y"
    assert named("ab(heuristic=/home/ada/mine.py:score)") == "ab(heuristic=mine.py:score)"
    assert named("/home/ada/mine.py:Flat(c=2)") == "mine.py:Flat(c=2)"
    assert plainly({"a": ["/x/y/z", 1, None]}) == {"a": ["z", 1, None]}


def test_looking_at_a_finished_game_writes_nothing(tmp_path: Path) -> None:
    config = Config(store=tmp_path / "games.sqlite", public=True, token=TOKEN)
    with OwnerClient(create_app(config), base_url=HOME) as client:
        client.headers["authorization"] = f"Bearer {TOKEN}"
        table = client.post("/api/tables", json={"game": "isolation", "size": "4", "seats": ["human", "human"]}).json()
        config.store.mkdir()  # so that the game cannot be stored when it ends
        assert client.post(f"/api/tables/{table['id']}/resign", json={}).json()["trouble"]
        config.store.rmdir()
        stranger = OwnerClient(client.app, base_url=HOME)
        for path in (f"/api/tables/{table['id']}", f"/play/{table['id']}"):
            assert stranger.get(path).status_code == 200 and not config.store.exists()
        assert stranger.get(f"/api/tables/{table['id']}").json()["trouble"].count("/") == 0
        assert client.get(f"/api/tables/{table['id']}").json()["number"] == 1
