"""What browsers are told: headers on every answer, refusals in words, who may show a page in a frame."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request

from harena.web import security
from harena.web.security import HEADERS
from web.shelves import played, stocked
from web.test_security import HOME, app_of


@pytest.mark.parametrize("path", ["/", "/contests", "/api/games", "/static/style.css", "/nowhere", "/api/nowhere"])
def test_every_answer_has_the_headers(tmp_path: Path, path: str) -> None:
    answer = TestClient(app_of(tmp_path), base_url=HOME).get(path, headers={"accept": "text/html"})
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy


def test_only_the_viewer_alone_is_shown_in_frames_of_others_and_nothing_on_it_acts(tmp_path: Path) -> None:
    _, (number,) = stocked(tmp_path / "games.sqlite", played("isolation"))
    client = TestClient(app_of(tmp_path, public=True), base_url=HOME)
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
    here, stranger = (TestClient(app, base_url=HOME, client=(name, 1)) for name in ("10.0.0.1", "10.0.0.2"))
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
        transport = httpx.ASGITransport(app=request.app)
        async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:
            answer = await client.get("/api/games")
        assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]
        assert answer.headers["retry-after"] and "try again" in answer.json()["detail"]
        return answer.status_code

    client = TestClient(app, base_url=HOME)
    assert client.get("/inner").json() == 503 and client.get("/api/games").status_code == 200


def test_a_fault_of_ours_says_no_more_than_that_and_has_the_headers(tmp_path: Path) -> None:
    app = app_of(tmp_path)

    @app.get("/api/fault")
    def fault(request: Request) -> None:
        raise ZeroDivisionError("a secret")

    answer = TestClient(app, base_url=HOME, raise_server_exceptions=False).get("/api/fault")
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
    public = TestClient(app_of(tmp_path, public=True), base_url=HOME)
    assert json.loads(public.post("/api/contests/00000000/stop").text)["detail"].startswith("this server is read-only")
    page = public.get("/?token=wrong", headers={"accept": "text/html"})
    assert page.status_code == 401 and "<h1>Read-only</h1>" in page.text
