"""Tables for tests: begun, waited for and played through the API that pages use."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from harena.web.app import create_app
from harena.web.config import Config
from harena.web.security import OWN_USER


class OwnerClient(TestClient):
    """A client whose connections are those of the user who runs the server."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.app_state[OWN_USER] = True


def client_of(folder: Path, **given: Any) -> TestClient:
    return OwnerClient(create_app(Config(store=folder / "games.sqlite", **given)), base_url="http://127.0.0.1")


def begin(
    client: TestClient, game: str = "isolation", seats: tuple[str, str] = ("human", "human"), **given: Any
) -> Any:
    answer = client.post("/api/tables", json={"game": game, "seats": seats, "seed": 3, **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


def wait(client: TestClient, told: Any, until: Callable[[Any], bool]) -> Any:
    deadline = time.monotonic() + 300
    while not until(told):
        assert time.monotonic() < deadline, told
        time.sleep(0.01)
        told = client.get(f"/api/tables/{told['id']}").json()
    return told


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """The folder of the tables cannot be written meanwhile, whoever we are."""
    tables, aside = folder / "games.sqlite.tables", folder / "aside"
    tables.rename(aside)
    tables.write_text("a file in its place")
    yield
    tables.unlink()
    aside.rename(tables)


def is_humans(told: Any) -> bool:
    return told["over"] or told["thinking"] is None


def move(client: TestClient, told: Any, text: str | None = None) -> Any:
    """Make this move, or the first one that is legal."""
    body = {"move": text or told["state"]["moves"][0]["text"], "ply": len(told["plies"])}
    answer = client.post(f"/api/tables/{told['id']}/move?since={len(told['plies'])}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def play(client: TestClient, told: Any, plies: int = 1000) -> Any:
    """Play on until the end, or for so many moves of humans."""
    for _ in range(plies):
        told = wait(client, told, is_humans)
        if told["over"]:
            break
        told = move(client, told)
    return wait(client, told, is_humans)
