"""Animations, one at a time; and the cache of the history."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi import HTTPException
from starlette.requests import Request

from harena.arena.store import Store
from harena.web import drawing
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.drawing import WAITING, Drawings
from harena.web.routes import contests as routes
from web.seating import OwnerClient
from web.shelves import played, stocked


class Browser:
    """A browser that waits, as the server sees it."""

    gone = False

    async def _receive(self) -> dict[str, Any]:
        if self.gone:
            return {"type": "http.disconnect"}
        await asyncio.sleep(3600)
        raise AssertionError

    @property
    def request(self) -> Request:
        return Request({"type": "http", "method": "GET", "path": "/", "headers": []}, self._receive)


def test_few_wait_none_is_drawn_twice_and_none_for_who_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "LOOK", 0.01)

    async def run() -> None:
        drawings, released, drawn = Drawings(), threading.Event(), list[str]()

        def draw(name: str) -> bytes:
            drawn.append(name)
            assert released.wait(60)
            return name.encode()

        async def made(browser: Browser, name: str) -> bytes:
            return await drawings.made(browser.request, name, lambda: draw(name))

        here, leaving = Browser(), Browser()
        tasks = [asyncio.create_task(made(here, "one")) for _ in range(WAITING - 1)]
        left = asyncio.create_task(made(leaving, "two"))
        while not drawn:
            await asyncio.sleep(0.001)
        with pytest.raises(HTTPException, match="too many animations"):
            await made(here, "three")
        leaving.gone = True
        with pytest.raises(HTTPException, match="nobody waits"):
            await left
        released.set()
        assert await asyncio.gather(*tasks) == [b"one"] * (WAITING - 1)
        assert await made(here, "one") == b"one" and drawn == ["one"]
        assert await made(here, "three") == b"three"  # there is room again

    asyncio.run(run())


def test_an_animation_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, (number,) = stocked(tmp_path / "games.sqlite", played("isolation"))
    calls: list[int] = []
    monkeypatch.setattr("harena.render.raster.animation", lambda pictures: (calls.append(1), b"GIF")[1])
    with OwnerClient(create_app(Config(store=tmp_path / "games.sqlite")), base_url="http://127.0.0.1") as client:
        assert [client.get(f"/games/{number}/game.gif").content for _ in range(3)] == [b"GIF"] * 3
    assert len(calls) == 1


def test_the_animations_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "KEPT", 2)

    async def run() -> None:
        drawings, request, drawn = Drawings(), Browser().request, list[str]()
        for name in ("a", "b", "a", "c", "a", "b"):

            def draw(name: str = name) -> bytes:
                drawn.append(name)
                return name.encode()

            assert await drawings.made(request, name, draw) == name.encode()
        assert drawn == ["a", "b", "c", "b"]

    asyncio.run(run())


def test_the_history_keeps_so_many_runs_and_each_server_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "MOST_LINES", 3)
    with Store(tmp_path / "games.sqlite") as store:
        for _ in range(8):
            store.finish(store.new_run("match", {}).id)
    app = create_app(Config(store=tmp_path / "games.sqlite"))
    with OwnerClient(app, base_url="http://127.0.0.1") as client:
        assert len(client.get("/api/contests").json()["runs"]) == 8 and len(app.state.run_lines) == 3
