"""What browsers are told: headers on every answer, refusals in words, who may show a page in a frame."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request
from starlette.responses import Response

from harena.web import security
from harena.web.security import HEADERS, OF_FILES
from web.seating import OwnerClient
from web.shelves import played, stocked
from web.test_security import HOME, TOKEN, app_of
from web.walking import routes

HUMANS = {"game": "isolation", "seats": ["human", "human"]}


@pytest.mark.parametrize("path", ["/", "/contests", "/api/games", "/static/style.css", "/nowhere", "/api/nowhere"])
def test_every_answer_has_the_headers(tmp_path: Path, path: str) -> None:
    answer = OwnerClient(app_of(tmp_path), base_url=HOME).get(path, headers={"accept": "text/html"})
    expected = {**HEADERS, **OF_FILES, "vary": None} if path.startswith("/static/") else HEADERS
    for name, value in expected.items():
        assert answer.headers.get(name) == value
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy


@pytest.mark.slow
@pytest.mark.parametrize("public", [False, True])
def test_no_shared_cache_keeps_an_answer_that_depends_on_who_asks(tmp_path: Path, public: bool) -> None:
    """Every route, for clients with and without the token: a proxy must not hand a token holder's page to another."""
    run, (number,) = stocked(tmp_path / "games.sqlite", played("isolation"))
    app = app_of(tmp_path, public=public)

    @app.get("/api/inner/fault")
    def fault(request: Request) -> None:
        raise ZeroDivisionError

    @app.get("/api/inner/kept")
    def kept() -> Response:
        return Response("x", headers={"cache-control": "max-age=60", "vary": "Accept"})

    with TestClient(app, base_url=HOME, raise_server_exceptions=False, follow_redirects=False) as client:
        token = {"authorization": f"Bearer {TOKEN}"}
        table = client.post("/api/tables", json=HUMANS, headers=token).json()
        names = {"name": table["id"], "run": run, "number": number, "game": "isolation"}
        paths = [
            (method, route.path.format(**{name: names[name] for name in route.param_convertors}))
            for route in sorted(routes(app), key=lambda route: route.path)
            for method in sorted(route.methods - {"DELETE"})
        ]
        others = ("/nowhere", "/static/nowhere.css", f"/?token={TOKEN}", "/?token=wrong", "/api/openapi.json")
        statuses = set()
        for method, path in [*paths, *(("GET", path) for path in others)]:
            for given in ({}, token, {"accept": "text/html"}, {**token, "accept": "text/html"}):
                head = method == "GET" and path.endswith("/events")  # a stream has no end
                answer = client.request("HEAD" if head else method, path, headers=given)
                statuses.add(answer.status_code)
                client.cookies.clear()
                kept_by = set(re.split(r"[,\s]+", answer.headers["cache-control"]))
                assert kept_by & {"private", "no-store"} and "public" not in kept_by, f"{method} {path}"
                assert {"Cookie", "Authorization"} <= set(re.split(r"[,\s]+", answer.headers["vary"])), (
                    f"{method} {path}"
                )
        assert {200, 303, 401, 404, 422, 500} <= statuses
        style = client.get("/static/style.css")
        assert style.headers["cache-control"] == "no-cache" and "vary" not in style.headers


@pytest.mark.slow
def test_only_the_viewer_alone_is_shown_in_frames_of_others_and_nothing_on_it_acts(tmp_path: Path) -> None:
    _, (number,) = stocked(tmp_path / "games.sqlite", played("isolation"))
    client = OwnerClient(app_of(tmp_path, public=True), base_url=HOME)
    answer = client.get(f"/embed/{number}")
    assert answer.status_code == 200 and "x-frame-options" not in answer.headers
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"].replace(
        "frame-ancestors 'self'", "frame-ancestors *"
    )
    assert not re.search("<(form|button|input|select)", answer.text)
    assert re.findall('src="/static/([a-z-]+).js', answer.text) == ["replay-page"]  # which asks the server for nothing
    for name in ("replay-page", "replay"):
        text = (Path(security.__file__).parent / "static" / f"{name}.js").read_text("utf-8")
        assert not re.search(r"\b(ask|fetch|EventSource)\(", text), name
    for path in ("/", f"/games/{number}", "/embed/99", "/play"):
        refused = client.get(path)
        assert refused.headers["x-frame-options"] == "SAMEORIGIN", path
        assert "frame-ancestors 'self'" in refused.headers["content-security-policy"], path


def test_refusals_at_the_door_are_pages_for_people_and_json_for_programs(tmp_path: Path) -> None:
    people, programs = {"accept": "text/html,*/*;q=0.8"}, {"accept": "application/json"}
    app = app_of(tmp_path, requests=1, most_body=10)
    here, stranger = (OwnerClient(app, base_url=HOME, client=(name, 1)) for name in ("10.0.0.1", "10.0.0.2"))
    asked: list[tuple[int, dict[str, Any]]] = [
        (400, {"method": "GET", "headers": {"host": "evil.example"}}),
        (403, {"method": "POST", "headers": {"origin": "https://evil.example"}}),
        (413, {"method": "POST", "content": b"x" * 11}),
        (429, {"method": "GET"}),
    ]
    assert [one.get("/contests").status_code for one in (here, stranger)] == [200, 200]
    for status, wanted in asked:
        given = {"url": "/contests", "headers": {}, **wanted}
        page = here.request(**given | {"headers": given["headers"] | people})
        assert page.status_code == status and "<h1>That did not work</h1>" in page.text
        told = stranger.request(**given | {"headers": given["headers"] | programs})
        assert told.status_code == status and told.json()["detail"]
        for answer in (page, told):
            assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert int(here.get("/contests", headers=people).headers["retry-after"]) <= 60


def test_a_server_that_does_as_much_as_it_may_says_so_and_has_the_headers(tmp_path: Path) -> None:
    app = app_of(tmp_path, watchers=0, spare=1)

    @app.get("/inner")
    async def inner(request: Request) -> int:
        """Asks once more while it is being answered."""
        transport, sent = httpx.ASGITransport(app=request.app), {"authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(transport=transport, base_url=HOME, headers=sent) as client:
            answer = await client.get("/api/games")
        assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]
        assert answer.headers["retry-after"] and "try again" in answer.json()["detail"]
        return answer.status_code

    client = OwnerClient(app, base_url=HOME)
    assert client.get("/inner").json() == 503 and client.get("/api/games").status_code == 200


def test_a_fault_of_ours_says_no_more_than_that_and_has_the_headers(tmp_path: Path) -> None:
    app = app_of(tmp_path)

    @app.get("/api/fault")
    def fault(request: Request) -> None:
        raise ZeroDivisionError("a secret")

    answer = OwnerClient(app, base_url=HOME, raise_server_exceptions=False).get("/api/fault")
    assert answer.status_code == 500 and "secret" not in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_templates_hold_no_script_and_no_style_that_the_policy_forbids() -> None:
    folder = Path(security.__file__).parent
    for path in folder.glob("templates/*.html"):
        text = path.read_text("utf-8")
        assert "style=" not in text and " on" + "click=" not in text, path
        for part in text.split("<script")[1:]:
            assert "src=" in part.partition(">")[0] or "application/json" in part.partition(">")[0], path
    for path in [*folder.glob("static/*.js"), *folder.glob("static/*.css"), *folder.glob("templates/*.html")]:
        text = path.read_text("utf-8").replace("http://www.w3.org/", "")
        assert "http://" not in text and "https://" not in text and "eval(" not in text, path


def test_what_is_refused_is_refused_as_json_for_programs_and_as_a_page_for_people(tmp_path: Path) -> None:
    public = OwnerClient(app_of(tmp_path, public=True), base_url=HOME)
    assert json.loads(public.post("/api/contests/00000000/stop").text)["detail"].startswith("this server is read-only")
    page = public.get("/?token=wrong", headers={"accept": "text/html"})
    assert page.status_code == 401 and "<h1>Read-only</h1>" in page.text
