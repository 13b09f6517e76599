"""How often, and for how long, one address may ask; and requests for the headers alone."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from harena.web.app import create_app
from harena.web.config import Config
from harena.web.security import Guard
from web.seating import OwnerClient
from web.shelves import played, stocked
from web.test_security import HOME, scope

STRANGER = ("10.0.0.1", 1)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(store=tmp_path / "games.sqlite", requests=3, watchers_each=2)


def test_files_of_the_pages_do_not_count_and_a_refusal_says_how_long_to_wait(config: Config) -> None:
    client = OwnerClient(create_app(config), base_url=HOME, client=STRANGER)
    assert {client.get("/static/style.css").status_code for _ in range(10)} == {200}
    assert {client.get("/api/games").status_code for _ in range(3)} == {200}
    refused = client.get("/api/games")
    assert refused.status_code == 429 and 0 < int(refused.headers["retry-after"]) <= 60
    assert client.get("/static/style.css").status_code == 200


def test_one_address_takes_only_some_of_the_streams(config: Config) -> None:
    async def run() -> None:
        ended, opened = asyncio.Event(), list[str]()

        async def listening(scope: Any, receive: Any, send: Any) -> None:
            opened.append(scope["path"])
            await ended.wait()

        guard = Guard(listening, config)

        async def asked(address: str, path: str = "/api/watch/x/events") -> int:
            """The status, 0 for a stream that was opened."""
            said: list[Any] = []
            opened.clear()

            async def send(message: Any) -> None:
                said.append(message)

            async def receive() -> Any:
                return {"type": "http.request", "body": b"", "more_body": False}

            given = scope(path, "GET") | {"client": (address, 1)}
            tasks.append(asyncio.create_task(guard(given, receive, send)))
            while not said and not opened:
                await asyncio.sleep(0.001)
            return said[0]["status"] if said else 0

        tasks: list[asyncio.Task[None]] = []
        assert [await asked("10.0.0.1") for _ in range(3)] == [0, 0, 429]
        assert await asked("10.0.0.2") == 0  # another has his own
        assert [await asked("127.0.0.1") for _ in range(5)] == [0] * 5
        ended.set()
        await asyncio.gather(*tasks)
        assert not guard._streams
        ended.clear()
        assert await asked("10.0.0.2") == 0
        ended.set()

    asyncio.run(run())


def test_the_headers_of_any_page_can_be_asked_for(tmp_path: Path) -> None:
    run, (number,) = stocked(tmp_path / "games.sqlite", played("isolation"))
    with OwnerClient(create_app(Config(store=tmp_path / "games.sqlite")), base_url=HOME) as client:
        for path in ("/", "/play", "/games", f"/games/{number}", f"/contests/{run}", "/api/games", "/static/style.css"):
            head, whole = client.head(path), client.get(path)
            assert (head.status_code, head.content) == (200, b""), path
            assert head.headers["content-type"] == whole.headers["content-type"], path
        assert client.head(f"/api/contests/{run}/events").headers["content-type"].startswith("text/event-stream")
        assert client.head("/api/tree").status_code == 405
        assert client.head("/nowhere").status_code == 404
