"""The user at the other end of a loopback connection, looked up in the kernel's tables of TCP sockets (Linux only).

The client's socket is the line whose local address is our remote address and whose remote address is ours. Any failure
to find it, or any doubt about it, returns None: the client then needs the token.
"""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
OVERFLOW = "/proc/sys/kernel/overflowuid"  # the user id that stands for every user outside of our user namespace
NOBODY = 65534
ESTABLISHED, FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT = 1, 4, 5, 8
HELD = (ESTABLISHED, CLOSE_WAIT)  # states of our socket in which no other connection can have the same two addresses
HALF_OPEN = (ESTABLISHED, FIN_WAIT1, FIN_WAIT2)  # states of a client that still waits for an answer
FOUND_OUT_WITHIN = 5.0  # seconds in which a connection to ourselves has to work

Endpoint = tuple[IPv4Address | IPv6Address, int]


def peer_user(connection: Any) -> int | None:
    """The user id of the client of an accepted TCP connection on this machine; None if that is not certain.

    A client that has closed its socket leaves a line without an inode, which names root whoever it was: such a line
    tells nothing. Our own socket is looked at last: while it is open the pair of addresses cannot have been reused.
    """
    if sys.platform != "linux":
        return None
    try:
        here, there = _endpoint(connection.getsockname()), _endpoint(connection.getpeername())
        users = [user for local, remote, user in _clients() if (local, remote) == (there, here)]
        state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    except (OSError, ValueError, TypeError, IndexError, AttributeError, NotImplementedError):
        return None
    return users[0] if len(users) == 1 and state in HELD else None


def is_own_connection(connection: Any) -> bool:
    """Whether the client of an accepted connection runs as the same user as this process."""
    own = os.geteuid() if hasattr(os, "geteuid") else None
    return own is not None and own != _overflow_user() and peer_user(connection) == own


def can_find_peers() -> bool:
    """Whether this system tells who connects, found out with a connection to ourselves."""
    with suppress(OSError), socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(FOUND_OUT_WITHIN)
        with socket.create_connection(listening.getsockname(), FOUND_OUT_WITHIN) as client:
            accepted, address = listening.accept()
            with accepted:
                return address == client.getsockname() and is_own_connection(accepted)
    return False


def _clients() -> Iterator[tuple[Endpoint, Endpoint, int]]:
    """Local address, remote address and user of every socket that a process holds and that waits for an answer."""
    for table in TABLES:
        with suppress(FileNotFoundError):  # a system without IPv6
            for line in Path(table).read_text("ascii").splitlines()[1:]:
                _, local, remote, state, _, _, _, user, _, inode = line.split()[:10]
                if int(state, 16) in HALF_OPEN and int(inode) != 0:
                    yield _parse_endpoint(local), _parse_endpoint(remote), int(user)


def _parse_endpoint(text: str) -> Endpoint:
    """An address of these tables: words of 32 bits in this machine's byte order, and the port."""
    address, _, port = text.partition(":")
    words = [address[start : start + 8] for start in range(0, len(address), 8)]
    return _plain_address(b"".join(int(word, 16).to_bytes(4, sys.byteorder) for word in words)), int(port, 16)


def _endpoint(name: Any) -> Endpoint:
    """What `getsockname` and `getpeername` return."""
    return _plain_address(str(name[0]).partition("%")[0]), int(name[1])


def _plain_address(given: bytes | str) -> IPv4Address | IPv6Address:
    """IPv4 within IPv6 as IPv4: the two ends of a connection may be in different tables."""
    address = ip_address(given)
    return getattr(address, "ipv4_mapped", None) or address


def _overflow_user() -> int:
    """The user id under which users of other namespaces appear: who has it cannot be told apart from them."""
    try:
        return int(Path(OVERFLOW).read_text("ascii"))
    except (OSError, ValueError):
        return NOBODY
