"""Streams of events to browsers (server-sent events): a slow or vanished browser never blocks whoever publishes.

Every event has a number. A browser that comes back says the last one it has seen, and gets what it missed if that is
still kept, else a `reset`: then it asks for the whole state again. A page that was made when `feed.last` was 7 listens
with `?after=7`, so that nothing is lost between its making and its listening.
"""

import asyncio
import contextlib
import json
import threading
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from fastapi import HTTPException
from starlette.requests import Request
from starlette.responses import StreamingResponse

from harena.web.config import Config

KEPT = 256  # events that are kept for those who come back
BEAT = 15.0  # seconds between two signs of life
RESET = "id: {number}\nevent: reset\ndata: {{}}\n\n"


class Feed:
    """Published from any thread, read by any number of browsers."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept: deque[tuple[int, str]] = deque(maxlen=kept)
        self._last = 0
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self._last

    @property
    def watchers(self) -> int:
        """How many browsers listen."""
        return len(self._waiting)

    def publish(self, kind: str, data: Any) -> None:
        """Tell everybody; returns at once."""
        text = json.dumps(data)
        with self._lock:
            self._last += 1
            self._kept.append((self._last, f"id: {self._last}\nevent: {kind}\ndata: {text}\n\n"))
            waiting = list(self._waiting)
        for loop, event in waiting:
            with contextlib.suppress(RuntimeError):  # the loop of a server that is ending
                loop.call_soon_threadsafe(event.set)

    def _after(self, seen: int) -> tuple[list[str], int]:
        with self._lock:
            first = self._kept[0][0] if self._kept else self._last + 1
            if seen > self._last or seen < first - 1:
                return [RESET.format(number=self._last)], self._last
            return [text for number, text in self._kept if number > seen], self._last

    async def stream(self, request: Request) -> AsyncIterator[str]:
        """Events as they come, from the last one that this browser has seen."""
        seen = _number(request.headers.get("last-event-id") or request.query_params.get("after", ""))
        seen = self._last if seen is None else seen
        entry = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._waiting.add(entry)
        _count(request, 1)
        try:
            yield "retry: 1000\n\n"
            while not await request.is_disconnected():
                entry[1].clear()
                texts, seen = self._after(seen)
                for text in texts:
                    yield text
                try:
                    await asyncio.wait_for(entry[1].wait(), BEAT)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            _count(request, -1)
            with self._lock:
                self._waiting.discard(entry)

    def response(self, request: Request) -> StreamingResponse:
        """What a route returns; refused when as many browsers listen as the server allows."""
        config: Config = request.app.state.config
        if streams(request) >= config.watchers:
            raise HTTPException(503, "too many are watching: try again in a moment")
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self.stream(request), media_type="text/event-stream", headers=headers)


def streams(request: Request) -> int:
    """How many browsers listen to anything here."""
    number: int = getattr(request.app.state, "streams", 0)
    return number


def _count(request: Request, more: int) -> None:
    """Streams begin and end on the server's loop only, so nobody else counts at the same time."""
    request.app.state.streams = streams(request) + more


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 18 else None
