"""Streams of events: a page that nobody sees has none, misses nothing, and blocks no other page."""

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import PATIENCE, Server
from browser.test_play import look, open_table
from harena.arena.claims import claimed
from harena.arena.store import Store
from web.shelves import played, stocked

pytestmark = pytest.mark.process

COUNTED = """
window.sources = [];
window.EventSource = class extends EventSource { constructor(...given) { super(...given); sources.push(this); } };
"""
OPEN = "sources.filter(one => one.readyState !== EventSource.CLOSED).length"
TURNED = """hidden => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => hidden ? 'hidden' : 'visible' });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
AGENT = "mcts(solver=false)"  # which uses all its time
MANY = 8  # more pages than a browser opens connections to one server


def streams(page: Page, count: int) -> None:
    """Wait until a page has so many."""
    page.wait_for_function(f"count => {OPEN} === count", arg=count)


def test_a_hidden_page_closes_its_stream_and_comes_back_to_what_it_missed(careless: Page, server: Server) -> None:
    page = careless
    page.add_init_script(COUNTED)
    told = open_table(page, server.url, game="isolation", size="4", seats=["human", "human"])
    streams(page, 1)
    page.evaluate(TURNED, True)
    streams(page, 0)
    page.request.post(f"{server.url}api/tables/{told['id']}/move", data={"move": told["state"]["moves"][0]["text"]})
    page.evaluate(TURNED, False)
    streams(page, 1)
    page.wait_for_selector("#board[data-plies='1']")
    page.request.post(
        f"{server.url}api/tables/{told['id']}/move", data={"move": look(page)["state"]["moves"][0]["text"]}
    )
    page.wait_for_selector("#board[data-plies='2']")  # it listens again
    assert page.evaluate("sources.length") == 2


def test_a_hidden_page_tells_whose_turn_it_is_in_its_title(careless: Page, server: Server) -> None:
    page = careless
    page.add_init_script(COUNTED)
    told = open_table(page, server.url, game="isolation", size="4", seats=["human", AGENT], limits={"seconds": 2})
    page.locator("#typed").fill(told["state"]["moves"][0]["text"])
    page.keyboard.press("Enter")
    page.wait_for_selector("#board[data-turn=agent]")
    assert not page.title().startswith("● ")
    page.evaluate(TURNED, True)
    page.wait_for_function("() => document.title.startsWith('● ')")
    assert page.evaluate(OPEN) == 0


def test_a_contest_that_was_hidden_shows_what_was_played_meanwhile(careless: Page, server: Server) -> None:
    run, _ = stocked(server.store, played("isolation"), kind="match")
    page = careless
    page.add_init_script(COUNTED)
    with claimed(server.store, run), Store(server.store) as store:
        page.goto(f"{server.url}watch/run/{run}")
        streams(page, 1)
        page.evaluate(TURNED, True)
        streams(page, 0)
        number = store.add_game(run, "0-1/1/0", played("isolation", seed=4))
        page.evaluate(TURNED, False)
        expect(page.get_by_role("button", name=f"game {number}")).to_be_visible()


def test_many_pages_in_the_background_block_no_other(browser: Browser, server: Server) -> None:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    try:
        first = context.new_page()
        told = open_table(first, server.url, game="isolation", size="4")
        for _ in range(MANY):
            other = context.new_page()
            other.goto(first.url)
            other.wait_for_selector("#board[data-turn=human]")
            other.evaluate(TURNED, True)
        page = context.new_page()
        page.goto(f"{server.url}play/{told['id']}")
        page.locator("#typed").fill(told["state"]["moves"][0]["text"])
        page.keyboard.press("Enter")
        page.wait_for_selector("#board[data-plies='2'][data-turn=human]")
    finally:
        context.close()
