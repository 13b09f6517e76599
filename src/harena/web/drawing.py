"""Animations: one is drawn at a time, since that takes seconds, few wait, and none is drawn for who has left."""

import asyncio
from collections.abc import Callable, Hashable

from fastapi import FastAPI, HTTPException
from fastapi.concurrency import run_in_threadpool
from starlette.requests import Request

from harena.web.keeping import Kept

KEPT = 16  # animations, some 100 KB each
WAITING = 8  # that may wait for their turn
LOOK = 0.2  # seconds between two looks whether the browser is still there


class Drawings:
    """Those of one server."""

    def __init__(self) -> None:
        self._kept: Kept[bytes] = Kept(KEPT)
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def made(self, request: Request, name: Hashable, draw: Callable[[], bytes]) -> bytes:
        """The animation of this name, drawn now unless it is kept; 503 if too many wait."""
        found = self._kept.get(name)
        if found is not None:
            return found
        if self._waiting >= WAITING:
            raise HTTPException(503, "too many animations are being drawn: try again in a moment")
        self._waiting += 1
        try:
            await self._wait(request)
            try:
                found = self._kept.get(name)  # whoever was before us may have wanted the same
                return found if found is not None else self._kept.put(name, await run_in_threadpool(draw))
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
