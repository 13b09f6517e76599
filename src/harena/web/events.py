"""Streams of events to browsers (server-sent events): a slow or vanished browser never blocks whoever publishes.

Every event has a number. A browser that comes back says the last one it has seen, and gets what it missed if that is
still kept, else a `reset`: then it asks for the whole state again.
"""

import asyncio
import json
import threading
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import StreamingResponse

KEPT = 256  # events that are kept for those who come back
BEAT = 15.0  # seconds between two signs of life


class Feed:
    """Published from any thread, read by any number of browsers."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, str]] = deque(maxlen=KEPT)
        self._last = 0
        self._lock = threading.Lock()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    def publish(self, kind: str, data: Any) -> None:
        """Tell everybody; returns at once."""
        with self._lock:
            self._last += 1
            self._kept.append((self._last, f"id: {self._last}\nevent: {kind}\ndata: {json.dumps(data)}\n\n"))
            waiting = list(self._waiting)
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    def _after(self, seen: int) -> tuple[list[str], int]:
        with self._lock:
            first = self._kept[0][0] if self._kept else self._last + 1
            if seen > self._last or seen < first - 1:
                return [f"id: {self._last}\nevent: reset\ndata: {{}}\n\n"], self._last
            return [text for number, text in self._kept if number > seen], self._last

    async def stream(self, request: Request) -> AsyncIterator[str]:
        """Events as they come, from the last one that this browser has seen."""
        given = request.headers.get("last-event-id", "")
        seen = int(given) if given.isdecimal() and len(given) < 18 else self._last
        entry = (asyncio.get_running_loop(), asyncio.Event())
        self._waiting.add(entry)
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
            self._waiting.discard(entry)

    def response(self, request: Request) -> StreamingResponse:
        """What a route returns."""
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self.stream(request), media_type="text/event-stream", headers=headers)
