"""A server for its own user: real processes of this user and of another one connect to a real `harena serve`."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harena.cli import serve
from harena.web import peers
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.peers import can_find_peers, is_own_connection, peer_user
from sandbox.support import ordinary_user
from web.seating import OwnerClient
from web.test_security import HOME, TOKEN, app_of
from web.walking import routes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which user connects")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
TABLE = {"game": "isolation", "size": "4", "seats": ["human", "human"]}
JSON = {"content-type": "application/json"}
# Reads [host, port, requests] and prints the status of each, all on one connection.
ASKING = """
import http.client, json, socket, sys
host, port, requests = json.loads(sys.stdin.read())
connection = http.client.HTTPConnection(host, port, timeout=60)
said = []
for method, path, body, headers in requests:
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    said.append([answer.status, dict(answer.getheaders()), answer.read().decode("utf-8", "replace")])
print(json.dumps(said))
"""
# Asks for a new game on many connections and closes each at once: the kernel names root as the user of what is left.
LEAVING = """
import json, socket, sys
host, port, request = json.loads(sys.stdin.read())
for _ in range(40):
    connection = socket.create_connection((host, port))
    connection.sendall(request.encode())
    connection.close()
print("[]")
"""
# Root imports, opens a connection, and becomes another user who opens the next two; prints whom each is taken for.
BECOMING = """
import json, os, socket, sys
from harena.web.peers import can_find_peers, is_own_connection, peer_user
assert can_find_peers()  # which also imports whatever only root can read here
user, said = int(sys.argv[1]), []
listening = socket.create_server(("127.0.0.1", 0))
before = socket.create_connection(listening.getsockname())
os.setresuid(user, user, user)
after = socket.create_connection(listening.getsockname())
for _ in range(2):
    accepted = listening.accept()[0]
    said.append([peer_user(accepted), is_own_connection(accepted)])
print(json.dumps(said))
"""


@dataclass
class Server:
    host: str
    port: int
    token: str
    said: str

    def ask(self, *requests: Any, become: list[str] | None = None, python: str = sys.executable) -> list[Any]:
        """Status, headers and beginning of each answer, all on one connection of a process of its own."""
        return self.run(ASKING, [(*one, None, {})[:4] if len(one) < 4 else one for one in requests], become, python)

    def run(self, script: str, asked: Any, become: list[str] | None = None, python: str = sys.executable) -> Any:
        done = subprocess.run(
            [*(become or []), python, "-c", script],
            input=json.dumps([self.host, self.port, asked]),
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def start(store: Path, host: str) -> tuple[subprocess.Popen[str], Server]:
    words = ["serve", "--no-browser", "--port", "0", "--host", host, "--store", str(store), "--sandbox", "off"]
    process = subprocess.Popen([sys.executable, "-m", "harena", *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first, second = process.stdout.readline(), process.stdout.readline()
    found = re.search(r"http://\S+:(\d+)/\?token=(\S+)", second)
    assert found and "token" not in first, first + second
    return process, Server(host, int(found[1]), found[2], first + second)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    process, started = start(tmp_path_factory.mktemp("owner") / "games.sqlite", "127.0.0.1")
    yield started
    process.kill()
    process.communicate()


@pytest.fixture
def stranger() -> Iterator[dict[str, Any]]:
    """How a process of another user is started."""
    with ordinary_user() as (become, python):
        yield {"become": become, "python": python}


@pytest.mark.process
def test_the_owner_acts_without_a_token(server: Server) -> None:
    answers = server.ask(("GET", "/"), ("GET", "/api/tables"), ("POST", "/api/tables", TABLE, JSON))
    assert [status for status, _, _ in answers] == [200, 200, 201]
    assert "set-cookie" not in answers[0][1]


@pytest.mark.process
@as_root
def test_another_user_of_the_machine_gets_nothing_without_the_token(
    server: Server, stranger: dict[str, Any], tmp_path: Path
) -> None:
    """Every route, streams too; only the files of the pages are the same for everybody."""
    names = {"name": "0" * 12, "run": "0" * 8, "number": "1", "game": "isolation"}
    requests = [
        (method, route.path.format(**{name: names[name] for name in route.param_convertors}), {}, JSON)
        for route in routes(create_app(Config(store=tmp_path / "games.sqlite")))
        for method in sorted(route.methods)
    ]
    requests += [("GET", "/nowhere", None, {}), ("GET", "/api/openapi.json", None, {})]
    for (method, path, _, _), (status, _, text) in zip(requests, server.ask(*requests, **stranger), strict=True):
        assert status == 401 and (method == "HEAD" or "for the user who started it" in text), f"{method} {path}"
    assert server.ask(("GET", "/static/style.css"), **stranger)[0][0] == 200


@pytest.mark.process
@as_root
def test_another_user_with_the_token_acts(server: Server, stranger: dict[str, Any]) -> None:
    wrong, right = server.ask(("GET", "/?token=wrong"), ("GET", f"/?token={server.token}"), **stranger)
    assert wrong[0] == 401 and "set-cookie" not in wrong[1] and right[0] == 303
    assert "httponly" in right[1]["set-cookie"].lower() and "samesite=strict" in right[1]["set-cookie"].lower()
    cookie = right[1]["set-cookie"].partition(";")[0]
    bearer = {"authorization": f"Bearer {server.token}"}
    for given in ({"cookie": cookie}, bearer, bearer | {"cookie": cookie.partition("=")[0] + "=old"}):
        answers = server.ask(("GET", "/", None, given), ("POST", "/api/tables", TABLE, {**JSON, **given}), **stranger)
        assert [status for status, _, _ in answers] == [200, 201]


@pytest.mark.process
@as_root
def test_a_connection_of_another_user_that_is_closed_at_once_is_not_taken_for_roots(
    server: Server, stranger: dict[str, Any]
) -> None:
    """What a closed socket leaves in the kernel's table belongs to user 0, who runs this server."""
    before = server.ask(("GET", "/api/tables"))[0][2]
    body = json.dumps(TABLE)
    head = (
        f"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
    )
    server.run(LEAVING, f"{head}\r\n\r\n{body}", **stranger)
    assert server.ask(("GET", "/api/tables"))[0][2] == before


@pytest.mark.process
def test_a_proxy_of_the_owner_needs_the_token(server: Server) -> None:
    for name in ("x-forwarded-for", "Forwarded", "via", "x-real-ip"):
        refused, accepted = server.ask(
            ("GET", "/api/games", None, {name: "127.0.0.1"}),
            ("GET", "/api/games", None, {name: "127.0.0.1", "authorization": f"Bearer {server.token}"}),
        )
        assert refused[0] == 401 and accepted[0] == 200, name


@pytest.mark.process
@as_root
def test_a_user_other_than_root_is_told_apart_from_root_and_nobody_from_no_one() -> None:
    def taken_for(user: int) -> Any:
        done = subprocess.run([sys.executable, "-c", BECOMING, str(user)], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    assert taken_for(65533) == [[0, False], [65533, True]]
    assert taken_for(65534) == [[0, False], [65534, False]]  # it stands for users of other namespaces, too


# The lookup


@pytest.fixture
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[socket.socket, socket.socket]]:
    """A connection: the client's end and the server's."""
    listens, connects = request.param
    family = socket.AF_INET6 if ":" in listens else socket.AF_INET
    try:
        listening = socket.create_server((listens, 0), family=family, dualstack_ipv6=listens == "::")
    except (OSError, ValueError):
        pytest.skip("this system has no IPv6")
    client = socket.socket(socket.AF_INET6 if ":" in connects else socket.AF_INET)
    with listening, client:
        client.connect((connects, listening.getsockname()[1]))
        accepted = listening.accept()[0]
        with accepted:
            yield client, accepted


V4, V6, MAPPED = ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("127.0.0.1", "::ffff:127.0.0.1")


@pytest.mark.parametrize("pair", [V4, V6, MAPPED, ("::", "127.0.0.1"), ("127.0.0.1", "127.0.0.1")], indirect=True)
def test_both_kinds_of_addresses_are_found(pair: tuple[socket.socket, socket.socket]) -> None:
    assert peer_user(pair[1]) == os.geteuid()
    pair[0].shutdown(socket.SHUT_WR)  # it still waits for the answer
    assert peer_user(pair[1]) == os.geteuid()


@pytest.mark.parametrize("pair", [V4, V6], indirect=True)
def test_a_client_that_has_gone_is_nobody(pair: tuple[socket.socket, socket.socket]) -> None:
    pair[0].close()
    assert peer_user(pair[1]) is None and not is_own_connection(pair[1])


@pytest.mark.parametrize("pair", [V4], indirect=True)
def test_our_end_must_still_be_open_when_the_client_was_found(pair: tuple[socket.socket, socket.socket]) -> None:
    """Else the pair of addresses may be another connection's by now."""
    pair[1].shutdown(socket.SHUT_RDWR)
    assert peer_user(pair[1]) is None


@pytest.mark.parametrize("pair", [V4], indirect=True)
def test_whatever_cannot_be_read_is_nobody(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = tmp_path / "tcp"
    for text in ("", "sl\nwhat is this\n", "sl\n" + "x " * 12, "sl\n\xff"):
        table.write_bytes(text.encode("latin-1"))
        monkeypatch.setattr(peers, "TABLES", (str(table),))
        assert peer_user(pair[1]) is None and not can_find_peers()
    real = Path("/proc/net/tcp").read_text().splitlines()
    table.write_text("\n".join([real[0], *real[1:], *real[1:]]))  # two clients with the same addresses
    assert peer_user(pair[1]) is None
    monkeypatch.setattr(peers, "TABLES", (str(tmp_path),))
    assert peer_user(pair[1]) is None
    monkeypatch.undo()
    assert can_find_peers() == (os.geteuid() != 65534)


# A server that cannot find out who connects


def test_an_application_that_is_not_told_who_connects_wants_the_token(tmp_path: Path) -> None:
    from fastapi.testclient import TestClient

    client = TestClient(app_of(tmp_path), base_url=HOME, follow_redirects=False)
    page = client.get("/", headers={"accept": "text/html"})
    assert page.status_code == 401 and "<h1>The token is missing</h1>" in page.text
    assert client.get(f"/?token={TOKEN}").status_code == 303 and client.get("/").status_code == 200
    assert OwnerClient(app_of(tmp_path), base_url=HOME).get("/").status_code == 200


def test_where_users_cannot_be_told_apart_the_printed_address_has_the_token(tmp_path: Path) -> None:
    config = Config(store=tmp_path / "games.sqlite", finds_owner=False, token=TOKEN)
    assert config.needs_token and config.address == f"http://127.0.0.1:8700/?token={TOKEN}"


def test_the_token_is_no_argument_of_the_browsers_process(tmp_path: Path) -> None:
    """Other users read the arguments of every process."""
    config = Config(store=tmp_path / "games.sqlite", public=True, token=TOKEN)
    assert TOKEN in config.address and TOKEN not in serve._address_to_open(config)


@pytest.mark.process
def test_streams_and_http_client_work_for_the_owner_over_one_connection(server: Server) -> None:
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    connection.request("POST", "/api/tables", json.dumps(TABLE), JSON)
    name = json.loads(connection.getresponse().read())["id"]
    connection.request("GET", f"/api/tables/{name}/events")
    answer = connection.getresponse()
    assert answer.status == 200 and answer.readline() == b"retry: 1000\n"
    connection.close()
