"""Animations: one is drawn at a time, since that takes seconds, few wait, and none is drawn for who has left."""

import asyncio
from collections.abc import Callable, Hashable

from cachetools import LRUCache
from fastapi import FastAPI, HTTPException
from fastapi.concurrency import run_in_threadpool
from starlette.requests import Request

KEPT = 16  # animations, some 100 KB each
WAITING = 8  # that may wait for their turn
LOOK = 0.2  # seconds between two looks whether the browser is still there


class Drawings:
    """Those of one server."""

    def __init__(self) -> None:
        self._cache: LRUCache[Hashable, bytes] = LRUCache(KEPT)  # only the server's loop uses it
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def made(self, request: Request, name: Hashable, draw: Callable[[], bytes]) -> bytes:
        """The animation of this name, drawn now unless it is kept; 503 if too many wait."""
        if name in self._cache:
            return self._cache[name]
        if self._waiting >= WAITING:
            raise HTTPException(503, "too many animations are being drawn: try again in a moment")
        self._waiting += 1
        try:
            await self._wait(request)
            try:
                if name not in self._cache:  # an earlier request may have asked for the same animation
                    self._cache[name] = await run_in_threadpool(draw)
                return self._cache[name]
            finally:
                self._turn.release()
        finally:
            self._waiting -= 1

    async def _wait(self, request: Request) -> None:
        """Until it is our turn."""
        while not await request.is_disconnected():
            try:
                await asyncio.wait_for(self._turn.acquire(), LOOK)
                return
            except TimeoutError:
                continue
        raise HTTPException(503, "nobody waits for this any more")


def drawings(app: FastAPI) -> Drawings:
    """Those of this server."""
    if not hasattr(app.state, "drawings"):
        app.state.drawings = Drawings()
    found: Drawings = app.state.drawings
    return found
