"""Connections before they ask anything: one that stays silent is closed, and an address has only so many.

The server takes so many connections in all; without this, one stranger who opens them and says nothing has them all.
On a server for its own user (`OwnConnection`) each connection also finds out, once, whether that user opened it.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from harena.web.config import LOCAL
from harena.web.peers import is_own_connection
from harena.web.security import OWN_USER

ASKING = 20.0  # seconds in which a request's headers have to arrive
MOST_EACH = 250  # connections of one address: browsers open up to six each, and a class may share one


class Connection(H11Protocol):
    """One of uvicorn's, with an end."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Somebody has come; one too many of an address is sent away."""
        super().connection_made(transport)
        address = _address(self)
        mine = sum(_address(one) == address for one in self.connections)
        if address not in LOCAL and mine > MOST_EACH:
            transport.abort()
            return
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Some of a request."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """He has gone."""
        super().connection_lost(exc)
        self._forget()

    @property
    def _is_idle(self) -> bool:
        """Whether no request has arrived that is not answered yet."""
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        """Give him some time for his request; one that has arrived has other limits."""
        if not self._is_idle:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(ASKING, self._give_up)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self._is_idle:
            self.transport.close()


class OwnConnection(Connection):
    """Tells the application whether the user who runs the server opened this connection.

    Other users of the machine have few connections, so that they cannot take all from the owner.
    """

    is_own = False

    def connection_made(self, transport: Any) -> None:
        """Looks up the client once: all requests of a connection have the same client."""
        self.is_own = is_own_connection(transport.get_extra_info("socket"))
        self.app_state = {**self.app_state, OWN_USER: self.is_own}
        super().connection_made(transport)
        if not self.is_own and sum(not getattr(one, "is_own", False) for one in self.connections) > MOST_EACH:
            transport.abort()


def _address(connection: Any) -> str:
    """Where somebody comes from; nothing if that is unknown."""
    return connection.client[0] if getattr(connection, "client", None) else ""
