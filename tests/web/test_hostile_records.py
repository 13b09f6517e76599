"""Stored games whose rules are a file: the server loads it only if it was typed, and else shows the moves."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena.test_replay import random_record
from cli.support import run
from harena.arena.record import Record
from harena.arena.sources import sources
from harena.arena.store import STOPPED, Store
from harena.arena.tournament import Plan
from harena.kernel.trusted import only_trusted, rules_digest
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.starting import Starter
from web.seating import OwnerClient
from web.shelves import played, stocked
from web.test_starting import spec

EXAMPLE = Path(__file__).parents[2] / "examples" / "tictactoe.py"
NOTICE = "There is no board: the rules of this game are a file"


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that leaves a mark when it is run, on the path of modules too."""
    (tmp_path / "evil").mkdir()
    file = tmp_path / "evil" / "evil_page.py"
    file.write_text(f"open({str(tmp_path / 'mark')!r}, 'w').close()\n")
    monkeypatch.syspath_prepend(str(file.parent))
    yield file
    assert not (tmp_path / "mark").exists() and "evil_page" not in sys.modules


def client(folder: Path, **given: Any) -> TestClient:
    return OwnerClient(create_app(Config(store=folder / "games.sqlite", **given)), base_url="http://127.0.0.1")


@pytest.mark.parametrize("name", ["{}", "{}:Mine", "evil_page:Mine"])
@pytest.mark.parametrize("public", [False, True])
def test_no_page_runs_what_a_record_names(tmp_path: Path, evil: Path, name: str, public: bool) -> None:
    seats = (f"{evil}:Mine", f"id(heuristic={evil}:score)")
    record = replace(played("isolation"), game=name.format(evil), seats=seats)
    run_id, (number,) = stocked(tmp_path / "games.sqlite", record)
    with client(tmp_path, public=public) as browser:
        found = browser.get(f"/api/records/{number}").json()
        assert found["notice"].startswith(NOTICE) and [one["move"] for one in found["plies"]] == [
            None,
            *(ply.move for ply in record.plies),
        ]
        for address in (f"/games/{number}", f"/embed/{number}", f"/games/{number}/export.html"):
            page = browser.get(address)
            assert page.status_code == 200 and NOTICE in page.text, address
        for address in (f"/games/{number}/board.svg", f"/games/{number}/game.gif"):
            assert browser.get(address).status_code == 422
        for address in (
            "/",
            "/games",
            "/watch",
            f"/watch/run/{run_id}",
            f"/contests/{run_id}",
            "/contests",
            "/api/records",
        ):
            assert browser.get(address).status_code == 200, address
        assert browser.get(f"/api/records/{number}/review").json()["state"] == "none"
        assert browser.post(f"/api/records/{number}/review", json={}).status_code in (401, 422)
        assert browser.post(f"/api/contests/{run_id}/resume", json={}).status_code in (401, 422)


def own_record(**conditions: Any) -> Record:
    name = "/gone/tictactoe.py"
    digest = rules_digest(str(EXAMPLE))
    return replace(random_record(str(EXAMPLE), 1), game=name, conditions={"sources": {name: digest}, **conditions})


def test_a_typed_game_is_shown_with_its_board(tmp_path: Path) -> None:
    _, (number,) = stocked(tmp_path / "games.sqlite", own_record())
    with client(tmp_path) as browser:
        assert browser.get(f"/api/records/{number}").json()["notice"].startswith(NOTICE)
        with only_trusted([EXAMPLE]):
            found = browser.get(f"/api/records/{number}").json()
            assert found["notice"] is None and found["plies"][-1]["picture"] is not None
            assert browser.get(f"/games/{number}/board.svg").status_code == 200


@pytest.mark.process
@pytest.mark.parametrize("words", [["--public"], ["--host", "0.0.0.0"]])
def test_a_game_is_typed_for_this_machine_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    answer = run(capsys, monkeypatch, "serve", "--port", "0", "--no-browser", "--game", str(EXAMPLE), *words)
    assert answer.code == 2
    assert answer.err == "harena: --game is for a server of this machine alone, as showing such a game runs its file\n"


@pytest.mark.process
def test_the_page_goes_on_with_agents_of_its_own_folders(tmp_path: Path) -> None:
    """In a process of its own, which is told the folders that were typed for the server."""
    agent = tmp_path / "agents" / "mine.py"
    agent.parent.mkdir()
    agent.write_text("from harena.agents.bot import run\nrun(lambda turn: turn.legal[0])\n")
    texts = ["random", str(agent)]
    made = spec(*texts, sources=sources("isolation", texts), folder=str(tmp_path), limits={"seconds": 20.0})
    with Store(tmp_path / "games.sqlite") as store:
        name = store.new_run("tournament", Plan(spec=made, pairs=1).as_dict()).id
        store.finish(name, STOPPED)
    starter = Starter(Config(store=tmp_path / "games.sqlite", agents=(agent.parent,)))
    starter.resume(name, 1)
    starter._children[name][0].wait()
    assert starter.trouble(name) == ""
    with Store(tmp_path / "games.sqlite", writing=False) as store:
        assert store.run(name).status == "finished"
