"""What the network cannot do: act without the token, come from another page, ask too much, too long or too often."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from harena.errors import UsageError
from harena.web import security
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.given import check_player, known_game
from harena.web.room import room
from harena.web.security import OWN_USER, SAFE, BrowserGone, Guard, may_act
from web.seating import OwnerClient
from web.walking import routes

TOKEN = "the-token-of-this-test"
HOME = "http://127.0.0.1"
# What anybody may look at on a public server. A route that is not here must want the token, whatever its method.
ASKING = {"/api/position"}  # a question that is too long for an address
READING = {
    "/",
    "/api/contests",
    "/api/contests/{run}",
    "/api/contests/{run}/events",
    "/api/games",
    "/api/players/{game}",
    "/api/records",
    "/api/records/{number}",
    "/api/records/{number}/review",
    "/api/records/{number}/review/events",
    "/api/start",
    "/api/tables",
    "/api/tables/{name}",
    "/api/watch",
    "/api/watch/{name}/events",
    "/api/watch/{name}",
    "/api/watch/run/{run}/events",
    "/api/watch/run/{run}",
    "/api/watch/run/{run}/now",
    "/api/tables/{name}/events",
    "/contests",
    "/contests/{run}",
    "/contests/{run}/part",
    "/editor",
    "/embed/{number}",
    "/games",
    "/games/{number}",
    "/games/{number}/board.svg",
    "/games/{number}/export.html",
    "/games/{number}/game.gif",
    "/leaderboard",
    "/leaderboard/{run}",
    "/leaderboard/{run}/part",
    "/play",
    "/play/{name}",
    "/understand",
    "/watch",
    "/watch/run/{run}",
    "/watch/{name}",
}


def app_of(folder: Path, **given: Any) -> FastAPI:
    return create_app(Config(store=folder / "games.sqlite", **{"token": TOKEN, **given}))


@pytest.fixture
def public(tmp_path: Path) -> Iterator[TestClient]:
    with OwnerClient(app_of(tmp_path, public=True), base_url=HOME) as client:
        yield client


def wants_token(route: APIRoute) -> bool:
    """Whether a route depends on `may_act`, itself or through what it depends on."""
    todo = [route.dependant]
    given = [depends.dependency for depends in route.dependencies]
    while todo:
        one = todo.pop()
        given.append(one.call)
        todo += one.dependencies
    return may_act in given


# The token


def test_every_route_that_is_not_for_reading_wants_the_token(tmp_path: Path) -> None:
    for route in routes(app_of(tmp_path)):
        changes = any(method not in SAFE for method in route.methods)
        if (changes and route.path not in ASKING) or route.path not in READING | ASKING:
            assert wants_token(route), f"{route.methods} {route.path} works without the token"


def test_without_the_token_no_such_route_does_anything(public: TestClient) -> None:
    """The same from outside: whatever is sent, the answer is 401 before anything is looked at."""
    for route in routes(public.app):  # type: ignore[arg-type]
        for method in sorted(route.methods - {"HEAD", "OPTIONS"}):
            if wants_token(route):
                names = {"name": "0" * 12, "run": "0" * 8, "number": "1", "game": "isolation"}
                path = route.path.format(**{name: names.get(name, "1") for name in route.param_convertors})
                answer = public.request(method, path, json={})
                assert answer.status_code == 401, f"{method} {path}"
                assert answer.json()["detail"].startswith("this server is read-only")


def test_the_token_opens_the_server_to_a_browser_and_is_kept_from_scripts_and_other_pages(tmp_path: Path) -> None:
    with OwnerClient(app_of(tmp_path, public=True), base_url=HOME, follow_redirects=False) as client:
        assert client.get("/?token=wrong").status_code == 401 and "set-cookie" not in client.get("/?token=").headers
        answer = client.get(f"/?token={TOKEN}")
        cookie = answer.headers["set-cookie"].lower()
        assert answer.status_code == 303 and answer.headers["location"] == "/"
        assert "httponly" in cookie and "samesite=strict" in cookie and "harena-token-8700=" in cookie
        assert answer.headers["referrer-policy"] == "no-referrer" and answer.headers["cache-control"] == "no-store"
        begun = client.post("/api/contests", json={"game": "chess", "agents": ["a", "b"]})
        assert begun.status_code == 422  # no longer 401
        assert TOKEN not in client.get("/").text
    encrypted = OwnerClient(app_of(tmp_path, public=True), base_url="https://127.0.0.1", follow_redirects=False)
    assert "secure" in encrypted.get(f"/?token={TOKEN}").headers["set-cookie"].lower()


def test_a_program_sends_the_token_in_a_header(public: TestClient) -> None:
    asked = {"game": "chess", "agents": ["a", "b"]}
    for given, status in (("Bearer wrong", 401), ("Bearer \xe9", 401), (f"Bearer {TOKEN}", 422)):
        answer = public.post("/api/contests", json=asked, headers={"authorization": given.encode("latin-1")})
        assert answer.status_code == status


def test_whoever_can_be_reached_by_others_wants_the_token(tmp_path: Path) -> None:
    """Also without --public; only this machine's own user acts without it."""
    store = tmp_path / "games.sqlite"
    assert not Config(store=store).is_guarded and "token" not in Config(store=store).address
    for config in (Config(store=store, host="0.0.0.0"), Config(store=store, public=True)):
        assert config.is_guarded and config.token in config.address
    assert TOKEN not in repr(Config(store=store, token=TOKEN))
    with OwnerClient(app_of(tmp_path, host="0.0.0.0"), base_url="http://class.example") as client:
        assert client.get("/contests").status_code == 200
        assert client.post("/api/contests", json={"game": "chess", "agents": ["a", "b"]}).status_code == 401


def test_pages_of_a_public_server_leave_out_what_needs_the_token(public: TestClient) -> None:
    page = public.get("/contests").text
    assert 'id="new"' not in page and "read-only" in page
    public.get(f"/?token={TOKEN}")
    assert 'id="new"' in public.get("/contests").text


def test_looking_at_a_table_starts_no_search_without_the_token(tmp_path: Path) -> None:
    begin = {"game": "isolation", "size": "4", "seats": ["human", "random"]}
    with OwnerClient(app_of(tmp_path), base_url=HOME) as client:
        table = client.post("/api/tables", json=begin).json()
        move = table["state"]["moves"][0]["text"]
        here = room(client.app)  # type: ignore[arg-type]
        here.wake = lambda table: None  # type: ignore[method-assign]  # the server ends before its agent answers
        client.post(f"/api/tables/{table['id']}/move", json={"move": move})
    with OwnerClient(app_of(tmp_path, public=True), base_url=HOME) as client:
        here = room(client.app)  # type: ignore[arg-type]
        woken: list[str] = []
        here.wake = lambda table: woken.append(table.name)  # type: ignore[method-assign]
        for path in (f"/api/tables/{table['id']}", f"/play/{table['id']}"):
            assert client.get(path).status_code == 200
        assert not woken
        client.get(f"/?token={TOKEN}")
        assert client.get(f"/api/tables/{table['id']}").status_code == 200 and woken == [table["id"]]


# Who asks


def test_a_server_on_this_machine_answers_to_its_own_names_only(tmp_path: Path) -> None:
    app = app_of(tmp_path)
    for name, status in (("127.0.0.1:8700", 200), ("localhost", 200), ("[::1]:8700", 200), ("evil.example", 400)):
        answer = OwnerClient(app, base_url=HOME).get("/api/games", headers={"host": name})
        assert answer.status_code == status, name
    assert OwnerClient(app, base_url=HOME).get("/api/games", headers={"host": "[:::"}).status_code == 400
    behind = OwnerClient(app_of(tmp_path, public=True), base_url="https://class.example")  # another web server's name
    assert behind.get("/api/games").status_code == 200
    assert behind.post("/api/contests", json={}, headers={"origin": "https://class.example"}).status_code == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 422),
        ({"origin": HOME}, 422),
        ({"origin": HOME, "sec-fetch-site": "same-origin"}, 422),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "http://[::"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_what_changes_something_comes_from_our_own_pages(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    client = OwnerClient(app_of(tmp_path), base_url=HOME)
    answer = client.post("/api/contests", json={"game": "chess", "agents": ["a", "b"]}, headers=headers)
    assert answer.status_code == status


def test_nothing_but_http_is_spoken(tmp_path: Path) -> None:
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    asyncio.run(app_of(tmp_path)({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert said == [{"type": "websocket.close", "code": 1008}]


# How much


def test_a_body_that_is_too_large_is_refused_also_in_pieces_that_do_not_say_how_many(tmp_path: Path) -> None:
    client = OwnerClient(app_of(tmp_path, most_body=1000), base_url=HOME)
    assert client.post("/api/contests", content=b"x" * 1001).status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(50):
            yield b"x" * 100

    answer = client.post("/api/contests", content=pieces(), headers={"content-type": "application/json"})
    assert answer.status_code == 413 and "1,000 bytes" in answer.json()["detail"]
    assert client.post("/api/contests", headers={"content-length": "many"}).status_code == 413
    assert client.post("/api/contests", headers={"content-length": "9" * 5000}).status_code == 413


def scope(path: str, method: str = "POST", **headers: str) -> dict[str, Any]:
    given = {"host": "127.0.0.1", "content-type": "application/json", **headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": b"",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8700),
        "state": {OWN_USER: True},
    }


def test_a_body_that_never_arrives_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 0.05)
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    async def receive() -> Any:
        await asyncio.sleep(3600)

    asyncio.run(app_of(tmp_path)(scope("/api/contests", content_length="10"), receive, send))
    assert said[0]["status"] == 408


def test_a_browser_that_takes_nothing_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "TAKEN_SECONDS", 0.05)

    async def stuck(message: Any) -> None:
        await asyncio.sleep(3600)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def grouped(scope: Any, receive: Any, send: Any) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(send({"type": "http.response.start", "status": 200, "headers": []}))

    asyncio.run(app_of(tmp_path)(scope("/api/games", "GET"), receive, stuck))
    asyncio.run(Guard(grouped, Config(store=tmp_path))(scope("/", "GET"), receive, stuck))
    with pytest.raises(BrowserGone):
        asyncio.run(security._with_headers(stuck)({"type": "http.response.body"}))


def test_too_many_requests_are_refused_by_address(tmp_path: Path) -> None:
    app = app_of(tmp_path, requests=3)
    stranger = OwnerClient(app, base_url=HOME, client=("10.0.0.1", 1))
    assert [stranger.get("/api/games").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert OwnerClient(app, base_url=HOME, client=("10.0.0.2", 1)).get("/api/games").status_code == 200
    at_home = OwnerClient(app, base_url=HOME, client=("127.0.0.1", 1))
    assert [at_home.get("/api/games").status_code for _ in range(31)] == [200] * 30 + [429]


def test_addresses_that_have_gone_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "MOST_ADDRESSES", 10)
    guard = Guard(None, Config(store=tmp_path))
    clock = iter(range(0, 100_000, 30))
    monkeypatch.setattr(security.time, "monotonic", lambda: float(next(clock)))
    for number in range(200):
        guard._wait(f"10.0.0.{number}")
    assert len(guard._asked) <= 12


# Agents


def test_agents_come_only_from_the_folders_of_the_server(tmp_path: Path) -> None:
    folder, outside = tmp_path / "agents", tmp_path / "secret.py"
    folder.mkdir()
    outside.write_text("import harena")
    (folder / "mine.py").write_text("import harena")
    (folder / "link.py").symlink_to(outside)
    config = Config(store=tmp_path / "games.sqlite", agents=(folder.resolve(),))
    check_player(config, str(folder / "mine.py"), "isolation")
    check_player(config, f"aind:{folder}/mine.py", "isolation")
    for text in (
        str(outside),
        f"{folder}/../secret.py",
        f"{folder}/link.py",
        f"aind:{outside}",
        f"aind:{folder}/../secret.py",
        f"aind:{outside}:{folder}/mine.py",
        f"aind:{folder}/x:/../../secret.py",
        "ab(heuristic=mine.py:score)",
        f"ab(heuristic={outside}:score)",
        f"{folder}/mine.py:Search",
        f"{outside}:Search(width=4)",
    ):
        with pytest.raises(UsageError):
            check_player(config, text, "isolation")
    for name in ("mygame.py", str(outside), "os:path", "harena.games.trap:Face", "../isolation"):
        with pytest.raises(UsageError):
            known_game(name)
    with pytest.raises(UsageError):
        known_game("tiles", setup=str(outside))
