"""What is there before any script has run: the board's place, in its size, and no hole."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import PATIENCE, SIZES, Server, Visit
from browser.test_play import open_table
from web.shelves import played, stocked

pytestmark = pytest.mark.process

PAGES = ("/play?game=trap", "/play/{table}", "/editor?game=colosseum", "/understand?game=tiles", "/games/{number}")
PAGES += ("/embed/{number}", "/watch/{show}", "/watch/run/{run}")
BOARD = "#board .board, #viewer .board, #panes .board"


@pytest.fixture(scope="module")
def names(server: Server, browser: Browser) -> dict[str, str]:
    """A game to be played, one to be watched, and a stored one."""
    page = browser.new_page()
    table = open_table(page, server.url, game="colosseum", size="6")["id"]
    given = {"game": "isolation", "size": "5", "first": "random", "second": "random"}
    show = page.request.post(f"{server.url}api/watch", data=given).json()["id"]
    page.close()
    run, (number,) = stocked(server.store, played("isolation"))
    return {"table": table, "show": show, "number": str(number), "run": run}


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """A browser that runs no scripts: what it shows is what others see first."""
    width, height = SIZES["desk"]
    context = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_board_has_its_place_before_it_is_drawn(
    visit: Visit, plain: Page, server: Server, names: dict[str, str], path: str
) -> None:
    address = path.format(**names)
    plain.goto(server.url.rstrip("/") + address)
    expect(plain.locator(BOARD)).to_have_count(1)
    first = plain.locator(BOARD).bounding_box()
    page = visit(address)
    expect(page.locator(f":is({BOARD}) [data-cell]").first).to_be_visible()
    drawn = page.locator(BOARD).bounding_box()
    assert first is not None and drawn is not None
    assert first["width"] == pytest.approx(drawn["width"], abs=2) and first["width"] > 200
    assert first["height"] == pytest.approx(drawn["height"], abs=2)
    assert first["y"] == pytest.approx(drawn["y"], abs=60)  # lines above it may still become longer


def test_a_browser_without_scripts_is_told_so(plain: Page, server: Server) -> None:
    plain.goto(f"{server.url}understand?game=isolation")
    expect(plain.locator("#panes noscript p")).to_be_visible()
