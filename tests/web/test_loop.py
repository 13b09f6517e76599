"""What takes long is done beside the server's loop, without a lock that others wait for; and in the right order."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from harena.search.result import Limits
from harena.web import room as rooms
from harena.web import shows as showing
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.room import room
from harena.web.routes import understand
from harena.web.shows import OVER, PLAYING, Show, Shows
from web.seating import OwnerClient


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(store=tmp_path / "games.sqlite")


def is_on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def test_positions_are_made_and_told_beside_the_loop(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first position of a game compiles it, which takes seconds."""
    where: dict[str, bool] = {}

    def watched(name: str) -> Callable[..., Any]:
        inner = getattr(understand, name)
        return lambda *given, **named: (where.update({name: is_on_a_loop()}), inner(*given, **named))[1]

    for name in ("known_game", "placed", "check_player", "seen", "analysed"):
        monkeypatch.setattr(understand, name, watched(name))
    asked = {"game": "isolation", "size": "3", "player": "mcts", "limits": {"iterations": 20}}
    with OwnerClient(create_app(config), base_url="http://127.0.0.1") as client:
        state = client.post("/api/analyse", json=asked).json()["state"]
        placed = {**asked, "position": state["position"]}
        assert client.post("/api/analyse", json=placed).status_code == 200
        assert client.post("/api/tree", json=placed).status_code == 200
    assert where == dict.fromkeys(("known_game", "placed", "check_player", "seen", "analysed"), False)


@pytest.mark.process
def test_nobody_waits_while_a_game_to_watch_is_made_ready(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    shows, held = Shows(config), list[bool]()
    monkeypatch.setattr(showing, "Show", lambda *given: (held.append(shows._lock.locked()), Show(*given))[1])
    show = shows.open("isolation", {"size": "4"}, ("random", "random"), Limits(), 1)
    shows.close()
    assert held == [False] and shows.find(show.name) is show


def test_nobody_waits_while_a_table_is_read_again(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    with OwnerClient(create_app(config), base_url="http://127.0.0.1") as client:
        made = client.post("/api/tables", json={"game": "isolation", "seats": ["human", "human"]}).json()
    app, held, read = create_app(config), list[bool](), rooms.read_table
    here = room(app)
    monkeypatch.setattr(rooms, "read_table", lambda *given: (held.append(here._lock.locked()), read(*given))[1])
    assert here.find(made["id"]) is here.find(made["id"]) and held == [False]


def test_a_game_that_is_told_as_over_is_told_with_its_last_ply() -> None:
    class Ending:
        """Its end comes just when somebody asks."""

        def __init__(self) -> None:
            self.name, self.status, self.kept = "x", PLAYING, ["start"]
            self.known: dict[str, Any] = {"end": None}

        @property
        def plies(self) -> list[str]:
            now = list(self.kept)
            self.kept.append("last")
            self.status, self.known = OVER, {"end": "somebody wins"}
            return now

    told = Show.told(cast(Show, Ending()))
    assert told["plies"] == ["start"] and told["status"] == PLAYING and told["end"] is None
