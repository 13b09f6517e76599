"""Streams of events: nothing is lost between two looks, and nobody who is slow or gone holds anybody up."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, HTTPException
from starlette.requests import Request

from harena.web import events
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.events import Feed, streams


class Browser:
    """A browser that listens, as the server sees it."""

    def __init__(self, app: FastAPI, *, last: str = "", after: str = "") -> None:
        self.gone = False
        headers = [(b"last-event-id", last.encode())] if last else []
        query = f"after={after}".encode() if after else b""
        scope = {"type": "http", "method": "GET", "path": "/", "headers": headers, "query_string": query, "app": app}
        self.request = Request(scope, self._receive)

    async def _receive(self) -> dict[str, Any]:
        if self.gone:
            return {"type": "http.disconnect"}
        await asyncio.sleep(3600)
        raise AssertionError


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    return create_app(Config(store=tmp_path / "games.sqlite", watchers=3))


async def taken(stream: AsyncIterator[str], number: int) -> list[str]:
    """The next events, without the line that begins a stream."""
    found: list[str] = []
    while len(found) < number:
        text = await asyncio.wait_for(anext(stream), 60)
        found += [] if text.startswith(("retry", ":")) else [text]
    return found


def names(texts: list[str]) -> list[str]:
    """Number and kind of each event."""
    return [text.split("\n")[0] + " " + text.split("\n")[1].removeprefix("event: ") for text in texts]


def test_everybody_hears_what_is_published_from_another_thread(app: FastAPI) -> None:
    async def run() -> None:
        feed = Feed()
        listening = [feed.stream(Browser(app).request) for _ in range(20)]
        for stream in listening:
            assert (await anext(stream)).startswith("retry")
        assert feed.watchers == 20
        hearing = [asyncio.create_task(taken(stream, 50)) for stream in listening]
        await asyncio.sleep(0)
        publisher = threading.Thread(target=lambda: [feed.publish("move", {"ply": ply}) for ply in range(50)])
        publisher.start()
        for heard in await asyncio.gather(*hearing):
            assert [text.split("data: ")[1] for text in heard] == [f'{{"ply": {ply}}}\n\n' for ply in range(50)]
        publisher.join()
        for stream in listening:
            await stream.aclose()  # type: ignore[attr-defined]
        assert feed.watchers == 0

    asyncio.run(run())


def test_who_comes_back_gets_what_was_missed_and_else_a_reset(app: FastAPI) -> None:
    async def heard(feed: Feed, number: int, **given: str) -> list[str]:
        stream = feed.stream(Browser(app, **given).request)
        found = names(await taken(stream, number))
        await stream.aclose()  # type: ignore[attr-defined]
        return found

    async def run() -> None:
        feed = Feed(kept=3)
        for ply in range(5):
            feed.publish("move", ply)
        assert feed.last == 5
        assert await heard(feed, 2, last="3") == ["id: 4 move", "id: 5 move"]
        assert await heard(feed, 3, after="2") == ["id: 3 move", "id: 4 move", "id: 5 move"]
        assert await heard(feed, 1, last="1") == ["id: 5 reset"]  # too long ago
        assert await heard(feed, 1, last="9") == ["id: 5 reset"]  # the server was started again
        assert await heard(feed, 1, after="0") == ["id: 5 reset"]
        for odd in ("x", "-1", "9" * 30, "1.5"):
            later = asyncio.create_task(heard(feed, 1, last=odd))  # as somebody new
            while not feed.watchers:
                await asyncio.sleep(0.001)
            feed.publish("move", odd)
            assert await later == [f"id: {feed.last} move"]

    asyncio.run(run())


@pytest.mark.slow
def test_one_who_takes_nothing_holds_nobody_up_and_is_told_to_ask_again(app: FastAPI) -> None:
    async def run() -> None:
        feed = Feed(kept=4)
        slow, quick = feed.stream(Browser(app).request), feed.stream(Browser(app).request)
        assert (await anext(slow)).startswith("retry") and (await anext(quick)).startswith("retry")
        begin = time.perf_counter()
        for ply in range(10_000):
            feed.publish("move", ply)
        assert time.perf_counter() - begin < 20  # no waiting: a hundred times as long as it takes
        assert names(await taken(quick, 1)) == ["id: 10000 reset"]
        feed.publish("move", "more")
        assert names(await taken(slow, 1)) == ["id: 10001 reset"]
        assert names(await taken(quick, 1)) == ["id: 10001 move"]

    asyncio.run(run())


def test_a_quiet_stream_shows_that_it_lives_and_ends_when_the_browser_is_gone(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "BEAT", 0.01)

    async def run() -> None:
        browser, feed = Browser(app), Feed()
        stream = feed.stream(browser.request)
        assert (await anext(stream)).startswith("retry")
        assert await anext(stream) == ": still here\n\n"
        browser.gone = True
        assert [text async for text in stream if not text.startswith(":")] == []
        assert feed.watchers == streams(browser.request) == 0

    asyncio.run(run())


def test_as_many_streams_as_are_allowed(app: FastAPI) -> None:
    async def run() -> None:
        feed, browser = Feed(), Browser(app)
        opened = [feed.stream(Browser(app).request) for _ in range(3)]
        for stream in opened:
            await anext(stream)
        with pytest.raises(HTTPException) as refused:
            feed.response(browser.request)
        assert refused.value.status_code == 503
        await opened[0].aclose()  # type: ignore[attr-defined]
        assert feed.response(browser.request).headers["cache-control"] == "no-store"

    asyncio.run(run())


def test_a_server_that_has_ended_is_no_trouble_for_whoever_publishes(app: FastAPI) -> None:
    feed = Feed()

    async def listen() -> AsyncIterator[str]:
        stream = feed.stream(Browser(app).request)
        await anext(stream)
        return stream

    loop = asyncio.new_event_loop()
    stream = loop.run_until_complete(listen())
    loop.close()
    feed.publish("move", 1)
    assert feed.last == 1
    del stream
