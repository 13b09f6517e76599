"""Every page by axe-core, light and dark, on a phone and at a desk: no serious or critical finding."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from browser.conftest import SIZES, Server, Visit, start_server
from harena.arena.contest import Spec
from harena.arena.store import STOPPED, Store
from harena.arena.tournament import Plan
from harena.web.app import create_app
from harena.web.config import Config
from web.shelves import cut, played, stocked
from web.walking import routes

pytestmark = pytest.mark.process

GRAVE = ("serious", "critical")
GAMES = ("trap", "colosseum", "isolation", "tiles")
PAGES = {  # every route that answers with a page, and one of its addresses
    "/": "/",
    "/contests": "/contests",
    "/contests/{run}": "/contests/{run}",
    "/editor": "/editor?game=trap",
    "/embed/{number}": "/embed/{number}",
    "/games": "/games",
    "/games/{number}": "/games/{number}",
    "/leaderboard": "/leaderboard",
    "/leaderboard/{run}": "/leaderboard/{run}",
    "/play": "/play?game=colosseum",
    "/play/{name}": "/play/{table}",
    "/understand": "/understand?game=isolation",
    "/watch": "/watch",
    "/watch/run/{run}": "/watch/run/{run}",
    "/watch/{name}": "/watch/{show}",
}
PARTS = ("/part", ".svg", ".gif", ".html")  # of a page, or files: no pages by themselves


@pytest.fixture(scope="module")
def stocked_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, Any]]]:
    """A server with stored games, a game to be played and one to be watched."""
    folder = tmp_path_factory.mktemp("access")
    _, numbers = stocked(folder / "games.sqlite", *(played(game) for game in GAMES))
    run = tournament(folder / "games.sqlite")
    started = start_server(folder)
    table = asked(started, "/api/tables", {"game": "trap", "size": "5", "seats": ["human", "random"], "seed": 4})["id"]
    show = asked(started, "/api/watch", {"game": "isolation", "size": "4", "first": "random", "second": "random"})["id"]
    yield started, {"run": run, "number": numbers[0], "table": table, "show": show}
    started.stop()


def tournament(path: Path) -> str:
    """A tournament that was stopped, with a fault in it."""
    plan = Plan(spec=Spec(game="isolation", variants=[{"size": "4"}], agents=["random", "mm_open"]), pairs=2)
    with Store(path) as store:
        run = store.new_run("tournament", plan.as_dict()).id
        for swapped in (False, True):
            seats = ("mm_open", "random") if swapped else ("random", "mm_open")
            record = played("isolation", seats=seats)
            store.add_game(run, f"0-1/0/{int(swapped)}", cut(record) if swapped else record)
        store.finish(run, STOPPED)
    return run


def asked(server: Server, path: str, body: Any) -> Any:
    headers = {"content-type": "application/json"}
    with urlopen(Request(server.url.rstrip("/") + path, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def test_every_page_is_looked_at(tmp_path: Path) -> None:
    pages = {
        route.path
        for route in routes(create_app(Config(store=tmp_path / "games.sqlite")))
        if not route.include_in_schema and not route.path.startswith("/api/") and not route.path.endswith(PARTS)
    }
    assert pages == set(PAGES)


@pytest.mark.parametrize("path", PAGES.values())
def test_no_serious_finding(visit: Visit, stocked_server: tuple[Server, dict[str, Any]], path: str) -> None:
    server, names = stocked_server
    looked_at(visit(path.format(**names), base=server.url))


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nothing-here", 404, "There is no such page"),
        ("/games/999999", 404, "there is no game 999999"),
        ("/watch/0123456789ab", 404, "no such game to watch"),
        ("/games?page=none", 422, "That did not work"),
    ],
)
def test_no_serious_finding_on_a_page_that_tells_a_mistake(
    careless: Page, server: Server, path: str, status: int, words: str
) -> None:
    answer = careless.goto(server.url.rstrip("/") + path)
    assert answer is not None and answer.status == status
    expect(careless.locator("main")).to_contain_text(words, ignore_case=True)
    expect(careless.get_by_role("heading", level=1)).to_have_count(1)
    expect(careless.get_by_role("link", name="To the front page")).to_be_visible()
    looked_at(careless)


def looked_at(page: Page) -> None:
    """Every size and colour scheme of a page by axe, with all that can be opened open."""
    grave: list[str] = []
    page.locator("main, .viewer").first.wait_for()
    for closed in page.locator("details:not([open]) > summary").all():
        if closed.is_visible():
            closed.click()
    for size in ("desk", "phone"):
        page.set_viewport_size({"width": SIZES[size][0], "height": SIZES[size][1]})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            looked = Axe().run(page).response
            assert any(passed["id"] == "color-contrast" for passed in looked["passes"])  # it has looked
            for found in looked["violations"]:
                if found["impact"] in GRAVE:
                    where = "; ".join(" ".join(node["target"]) for node in found["nodes"][:4])
                    grave.append(f"{size}, {scheme}: {found['id']}: {found['help']} ({where})")
        if size == "phone":
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    assert not grave, "\n".join(dict.fromkeys(grave))
