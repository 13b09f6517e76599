"""Connections that say nothing: closed after a while, and no more of them from one address than it may have."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import uvicorn

from harena.web import connections
from harena.web.connections import Connection

REQUEST = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
PATIENCE = 60.0  # seconds: only a test that fails waits so long


class Waiting:
    """An application that answers when it is told to, and the server that runs it."""

    def __init__(self) -> None:
        self.released, self.asked = threading.Event(), threading.Event()
        self.listening = socket.create_server(("127.0.0.1", 0))
        settings = uvicorn.Config(self._app, interface="asgi3", http=Connection, lifespan="off", log_level="error")
        self.server = uvicorn.Server(settings)
        self.thread = threading.Thread(target=self.server.run, args=([self.listening],), daemon=True)

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.set()
        await asyncio.to_thread(self.released.wait, PATIENCE)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    def open(self, said: bytes = b"") -> socket.socket:
        made = socket.create_connection(self.listening.getsockname(), timeout=PATIENCE)
        made.sendall(said)
        return made

    def ask(self) -> socket.socket:
        """A connection whose request has come: on a machine that stands still one may be let go before."""
        while True:
            made = self.open(REQUEST)
            while not self.asked.wait(0.1) and not is_closed(made):
                pass
            if self.asked.is_set():
                return made
            made.close()


def is_closed(connection: socket.socket) -> bool:
    """Whether the server has let it go; it has nothing to read yet."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    finally:
        connection.settimeout(PATIENCE)


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    found = Waiting()
    found.thread.start()
    yield found
    found.released.set()
    found.server.should_exit = True
    found.thread.join(PATIENCE)


def test_who_asks_nothing_is_let_go_and_who_waits_for_an_answer_is_not(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ASKING", 0.2)
    asking = waiting.ask()
    silent, slow = waiting.open(), waiting.open(REQUEST[:20])
    for one in (silent, slow):
        with one, suppress(ConnectionResetError):
            assert one.recv(100) == b""  # closed by the server
    waiting.released.set()
    with asking:
        assert asking.recv(1000).startswith(b"HTTP/1.1 200")
        asking.sendall(REQUEST[:20])  # the beginning of another request, and never its end
        rest = b"more"
        with suppress(ConnectionResetError):
            while rest:
                rest = asking.recv(1000)


def test_one_address_has_only_so_many(waiting: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_EACH", 2)
    waiting.released.set()
    opened = [waiting.open() for _ in range(4)]  # of this machine: as many as it likes
    for one in opened:
        one.sendall(REQUEST)
        assert one.recv(1000).startswith(b"HTTP/1.1 200")
        one.close()
    while waiting.server.server_state.connections:
        time.sleep(0.01)
    monkeypatch.setattr(connections, "LOCAL", ())
    kept = [waiting.open(REQUEST) for _ in range(2)]
    assert all(one.recv(1000).startswith(b"HTTP/1.1 200") for one in kept)
    with waiting.open() as refused, suppress(ConnectionResetError):
        assert refused.recv(100) == b""
    for one in kept:
        one.close()
