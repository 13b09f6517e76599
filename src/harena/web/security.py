"""What stands between the network and the server: headers, sizes and rates of requests, hosts, and the token.

* Nothing is loaded from elsewhere and no script stands in a page: the content security policy says so to browsers.
* Requests that change something must come from our own pages (their `Origin`), and on a public server with the token.
* A server that listens on this machine only answers to its names only, so that no other page can reach it by a name of
  its own (DNS rebinding).
"""

import hmac
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse

from harena.web.config import Config

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
SAFE = ("GET", "HEAD", "OPTIONS")
COOKIE = "harena-token"
LOCAL = ("127.0.0.1", "localhost", "::1")

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Guard:
    """The outermost layer of the server."""

    def __init__(self, app: Any, config: Config) -> None:
        self.app, self.config = app, config
        self._asked: dict[str, deque[float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let through with our headers on the answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        refusal = self._refusal(scope, request)

        async def sent(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                known = {key.lower() for key, _ in message["headers"]}
                given = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(pair for pair in given if pair[0] not in known)]
            await send(message)

        if refusal is not None:
            status, words = refusal
            await JSONResponse({"detail": words}, status)(scope, receive, sent)  # type: ignore[arg-type]
            return
        await self.app(scope, self._limited(receive), sent)

    def _refusal(self, scope: Scope, request: HTTPConnection) -> tuple[int, str] | None:
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        if self.config.host in LOCAL and host not in LOCAL:
            return 400, "this server answers on this machine only"
        if scope["method"] not in SAFE:
            origin = request.headers.get("origin")
            if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
                return 403, "this request comes from another page"
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.config.most_body:
            return 413, f"a request has at most {self.config.most_body:,} bytes"
        if self._is_too_fast(request.client.host if request.client else ""):
            return 429, "too many requests: wait a little"
        return None

    def _limited(self, receive: Receive) -> Receive:
        """Cut off a body that is longer than it said."""
        received = 0

        async def wrapped() -> dict[str, Any]:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self.config.most_body:
                return {"type": "http.disconnect"}
            return message

        return wrapped

    def _is_too_fast(self, address: str) -> bool:
        now = time.monotonic()
        if len(self._asked) > 10_000:
            self._asked = {one: times for one, times in self._asked.items() if times and now - times[-1] < 60}
        times = self._asked.setdefault(address, deque())
        while times and now - times[0] > 60:
            times.popleft()
        if len(times) >= self.config.requests:
            return True
        times.append(now)
        return False


def may_act(request: Request) -> None:
    """A dependency of every route that runs code or writes: on a public server it wants the token."""
    config: Config = request.app.state.config
    given = request.cookies.get(COOKIE) or request.headers.get("authorization", "").removeprefix("Bearer ")
    if config.public and not hmac.compare_digest(given.encode(), config.token.encode()):
        raise HTTPException(401, "this server is read-only without its token: open the address that it printed")


def acts(request: Request) -> bool:
    """Whether this browser may act: pages leave out what it may not."""
    try:
        may_act(request)
    except HTTPException:
        return False
    return True
