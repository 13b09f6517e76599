"""What stands between the network and the server: headers, sizes and rates of requests, hosts, and the token.

* Nothing is loaded from elsewhere and no script stands in a page: the content security policy says so to browsers.
* Requests that change something must come from our own pages (`Origin`, `Sec-Fetch-Site`), and with the token wherever
  other machines can reach the server.
* A server that only this machine can reach is for the user who runs it: connections of other users, or of a proxy, need
  the token for everything but the files of the pages (`peers.py` finds the user of a connection).
* Such a server answers to this machine's names only, so that no other page reaches it by a name of its own (DNS
  rebinding). One that always wants the token to act may stand behind another web server, under any name.
* Caches on the way never hand one client's page to another: all but the files of the pages is `private`.
* A body has a size and a time in which it must arrive, also one in pieces that does not say how long it is; a browser
  that takes nothing for a minute is let go.
"""

import asyncio
import hmac
import math
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response

from harena.web.config import LOCAL, Config

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
FRAMED = POLICY.replace("frame-ancestors 'self'", "frame-ancestors *")  # of a page that other sites may show in a frame
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "private, no-cache",  # asked for again each time; what has not changed is not sent again
    "vary": "Cookie, Authorization",  # pages show more to clients that have the token
}
OF_FILES = {"cache-control": "no-cache"}  # in place of these two: the files of the pages are the same for everybody
FILES_FOUND = (200, 206, 304)
UNSHARED = ("private", "no-store")  # one of them keeps an answer out of shared caches
OWN_USER = "own_user"  # in the scope's state: whether the user who runs the server opened the connection
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")  # headers that proxies add
SAFE = ("GET", "HEAD", "OPTIONS")
OUR_SITES = ("same-origin", "none")  # where a browser says that a request comes from: our page, or its own user
LASTING = 30 * 86400  # seconds that a browser keeps the token
MINUTE = 60.0
BODY_SECONDS = 20.0  # in which a request has to arrive
TAKEN_SECONDS = 60.0  # in which a browser has to take a piece of an answer
BUSY = 5.0  # seconds after which a server that does as much as it may is asked again
READ_ONLY = "this server is read-only without its token: ask whoever runs it for its address"
STRANGER = "this server is for the user who started it: open the address with the token that it printed"
AT_HOME = 10  # so many times the requests of others for programs of this machine
MOST_ADDRESSES = 10_000  # that are remembered
FILES = "/static/"  # they cost nothing, and browsers keep them
STREAMS = "/events"  # how the addresses of streams end: each lasts as long as somebody listens

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


Refusal = tuple[int, str, float]  # a status, words, and seconds after which another try makes sense
Answer = Callable[[Request, int, str], Response]  # a status and words, as a page or as JSON


class BrowserGone(Exception):
    """Nobody takes the answer: there is nobody to tell it to."""


class Guard:
    """The outermost layer of the server."""

    def __init__(self, app: Any, config: Config, answer: Answer | None = None) -> None:
        self.app, self.config, self.answer = app, config, answer or _plain
        self._open = 0  # requests that are being answered, streams too
        self._asked: dict[str, deque[float]] = {}
        self._streams: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let through with our headers on the answer."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})  # nothing here speaks anything else
            return
        request, answered = HTTPConnection(scope), _with_headers(send, is_file=scope["path"].startswith(FILES))
        if scope["method"] == "HEAD" and not scope["path"].startswith(FILES):
            scope, answered = {**scope, "method": "GET"}, _without_body(answered)
        address = request.client.host if request.client else ""
        refusal = self._refusal(scope, request, address)
        if refusal is not None:
            with suppress(BrowserGone):
                await self._refused(scope, *refusal)(scope, receive, answered)  # type: ignore[arg-type]
            return
        streams = [address] if scope["path"].endswith(STREAMS) else []
        self._streams.update(streams)
        self._open += 1
        try:
            await self.app(scope, self._limited(receive), answered)
        except* BrowserGone:  # alone, or out of the group of tasks that stream
            pass
        finally:
            self._streams -= Counter(streams)
            self._open -= 1

    def _refused(self, scope: Scope, status: int, words: str, wait: float) -> Response:
        """A refusal as a page or as JSON."""
        response = self.answer(Request(scope), status, words)
        if wait:
            response.headers["retry-after"] = str(math.ceil(wait))
        return response

    def _refusal(self, scope: Scope, request: HTTPConnection, address: str) -> Refusal | None:
        """What is wrong with a request; None if nothing is."""
        if not self.config.is_guarded and _host_of(request) not in LOCAL:
            return 400, "this server answers on this machine only", 0.0
        if not self.config.is_guarded and not _may_enter(scope, request, self.config):
            return 401, STRANGER, 0.0
        if scope["method"] not in SAFE and not _is_from_our_page(request):
            return 403, "this request comes from another page", 0.0
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self.config.most_body:
            return 413, f"a request has at most {self.config.most_body:,} bytes", 0.0
        return self._crowd(scope["path"], address)

    def _crowd(self, path: str, address: str) -> Refusal | None:
        """That too much is asked for, by this address or by all together."""
        wait = 0.0 if path.startswith(FILES) else self._wait(address)
        if wait:
            return 429, "too many requests: wait a little", wait
        watching = self._streams[address] if path.endswith(STREAMS) and address not in LOCAL else 0
        if watching and watching >= self.config.watchers_each:
            return 429, f"{watching} pages from your address watch already: close one", MINUTE
        if self._open >= self.config.at_once:
            return 503, "this server does as much as it may: try again in a moment", BUSY
        return None

    def _limited(self, receive: Receive) -> Receive:
        """Refuse a body that is longer than allowed, or that does not arrive."""
        received, complete = 0, False
        until = time.monotonic() + BODY_SECONDS

        async def wrapped() -> Message:
            nonlocal received, complete
            if complete:  # all that can come is that the browser leaves
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, until - time.monotonic()))
            except TimeoutError:
                raise HTTPException(408, "the request did not arrive in time") from None
            received += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if received > self.config.most_body:
                raise HTTPException(413, f"a request has at most {self.config.most_body:,} bytes")
            return message

        return wrapped

    def _wait(self, address: str) -> float:
        """Seconds that this address has to wait for its next request; 0 if it need not."""
        now = time.monotonic()
        if len(self._asked) > MOST_ADDRESSES:
            self._asked = {one: times for one, times in self._asked.items() if times and now - times[-1] < MINUTE}
        times = self._asked.setdefault(address, deque())
        while times and now - times[0] > MINUTE:
            times.popleft()
        if len(times) >= self.config.requests * (AT_HOME if address in LOCAL else 1):
            return times[0] + MINUTE - now
        times.append(now)
        return 0.0


def _plain(request: Request, status: int, words: str) -> Response:
    return JSONResponse({"detail": words}, status)


def _host_of(request: HTTPConnection) -> str:
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""


def _is_from_our_page(request: HTTPConnection) -> bool:
    """Whether no other page made this request; programs say nothing about it."""
    origin = request.headers.get("origin")
    try:
        same = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    except ValueError:
        return False
    return same and request.headers.get("sec-fetch-site", "none") in OUR_SITES


def _may_enter(scope: Scope, request: HTTPConnection, config: Config) -> bool:
    """Whether a client may get an answer from a server for its own user; the token may be in the address."""
    is_open = scope["path"].startswith(FILES) or (scope["path"] == "/" and bool(request.query_params.get("token")))
    return is_open or is_owner(request) or has_token(request, config)


def _with_headers(send: Send, *, is_file: bool = False) -> Send:
    """Send with our headers, those of the answer itself first; a browser that takes nothing is given up."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = _complete(message["headers"], is_file and message["status"] in FILES_FOUND)
        try:
            await asyncio.wait_for(send(message), TAKEN_SECONDS)
        except TimeoutError:
            raise BrowserGone from None

    return sent


def _without_body(send: Send) -> Send:
    """Send no more than the headers; whoever has more to say is told that nobody listens."""

    async def sent(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        if message.get("more_body"):
            raise BrowserGone

    return sent


def _complete(given: list[tuple[bytes, bytes]], is_file: bool) -> list[tuple[bytes, bytes]]:
    """The headers of an answer and ours; no answer but a file of the pages may stay in a shared cache."""
    headers = MutableHeaders(raw=list(given))
    is_framed = headers.get("content-security-policy") == FRAMED
    if is_file:
        headers.setdefault("cache-control", OF_FILES["cache-control"])
    else:
        headers.add_vary_header(HEADERS["vary"])
        kept = headers.setdefault("cache-control", HEADERS["cache-control"])
        if not any(word in kept for word in UNSHARED):
            headers["cache-control"] = f"private, {kept}"
    for name, value in HEADERS.items():
        if not (is_framed and name == "x-frame-options") and not (is_file and name == "vary"):
            headers.setdefault(name, value)  # x-frame-options has no word for everybody
    return headers.raw


# The token


def is_token(config: Config, given: str) -> bool:
    """Compared in the same time however much of it is right."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), config.token.encode())


def cookie_of(config: Config) -> str:
    """The cookie's name; cookies do not know ports, and two servers may run on one machine."""
    return f"harena-token-{config.port}"


def keep_token(request: Request, response: Response) -> None:
    """Let this browser act from now on: no script can read the cookie, and no other page's request carries it."""
    config: Config = request.app.state.config
    response.set_cookie(
        cookie_of(config),
        config.token,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        max_age=LASTING,
    )
    response.headers["referrer-policy"] = "no-referrer"  # the address had the token in it
    response.headers["cache-control"] = "no-store"


def has_token(request: HTTPConnection, config: Config) -> bool:
    """Whether a request carries the token, in the cookie or as a program sends it."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    return any(is_token(config, given) for given in (request.cookies.get(cookie_of(config), ""), bearer))


def is_owner(request: HTTPConnection) -> bool:
    """Whether the user who runs the server sent this request; a proxy of that user speaks for others."""
    is_own = request.scope.get("state", {}).get(OWN_USER) is True
    return is_own and not any(name in request.headers for name in FORWARDED)


def may_act(request: Request) -> None:
    """A dependency of every route that runs code or writes: wants the token, or the owner of a local server."""
    config: Config = request.app.state.config
    if not has_token(request, config) and (config.is_guarded or not is_owner(request)):
        raise HTTPException(401, READ_ONLY if config.is_guarded else STRANGER)


def acts(request: Request) -> bool:
    """Whether this browser may act: pages leave out what it may not."""
    try:
        may_act(request)
    except HTTPException:
        return False
    return True
