"""What a move would do, seen before it is made: chances of a throw, walls, tiles that fall; by pointer and by touch."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Server, Visit, noted
from browser.test_play import click_move, look, open_table, place_of, wait_after

pytestmark = pytest.mark.process


def test_a_throw_shows_its_chances_before_it_is_made(visit: Visit, server: Server) -> None:
    page = visit("/play")
    told = open_table(page, server.url, game="trap", size="5", seats=["human", "human"])
    click_move(page, told["state"]["moves"][0])
    wait_after(page, 0)
    aim = next(move for move in look(page)["state"]["moves"] if len(move["spread"]) > 1)
    page.mouse.move(*place_of(page, aim["cell"]))
    expect(page.locator(".previews .chance")).to_have_count(len(aim["spread"]))
    shown = page.locator(".previews .odds").all_text_contents()
    assert f"{round(100 * aim['hit'])}%" in shown
    page.mouse.move(2, 2)
    expect(page.locator(".previews .chance")).to_have_count(0)


def test_a_wall_is_previewed_under_the_pointer(visit: Visit, server: Server) -> None:
    page = visit("/play")
    told = open_table(page, server.url, game="colosseum", size="5", setup="empty")
    move = told["state"]["moves"][0]
    page.mouse.move(*place_of(page, move["cell"], move["side"]))
    expect(page.locator(".previews .preview")).to_have_count(1)
    page.mouse.click(*place_of(page, move["cell"]))
    page.mouse.click(*place_of(page, move["cell"]))  # the middle again takes the choice back
    expect(page.locator(".chosen")).to_have_count(0)
    page.mouse.click(*place_of(page, move["cell"]))
    page.get_by_role("button", name={"u": "above", "r": "right", "d": "below", "l": "left"}[move["side"]]).click()
    wait_after(page, 0)
    assert look(page)["plies"][0]["move"] == move["text"]


@pytest.fixture
def hand(browser: Browser) -> Iterator[Page]:
    """A phone with a finger, that wants motion, and counts it."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.add_init_script(
        "window.moved = []; const own = Element.prototype.animate; Element.prototype.animate = function (...given) {"
        " moved.push(given[1].duration); return own.apply(this, given) }"
    )
    troubles = noted(page, refusals=True)
    yield page
    context.close()
    assert not troubles


def test_a_throw_by_touch_shows_first_and_throws_at_the_second_tap(hand: Page, server: Server) -> None:
    told = open_table(hand, server.url, game="trap", size="7", seats=["human", "human"])
    assert hand.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the phone"
    hand.touchscreen.tap(*place_of(hand, told["state"]["moves"][0]["cell"]))
    wait_after(hand, 0)
    aim = look(hand)["state"]["moves"][10]
    hand.touchscreen.tap(*place_of(hand, aim["cell"]))
    expect(hand.locator(".previews .chance").first).to_be_visible()
    assert len(look(hand)["plies"]) == 1
    before = len(hand.evaluate("moved"))
    hand.touchscreen.tap(*place_of(hand, aim["cell"]))
    wait_after(hand, 1)
    assert len(look(hand)["plies"]) == 3
    assert len(hand.evaluate("moved")) > before  # the flight


def test_tiles_fall(hand: Page, server: Server) -> None:
    open_table(hand, server.url, game="tiles", size="4", seats=["human", "human"], position="RBRB/RXBX/BXXX/RXXX R 1")
    hand.touchscreen.tap(*place_of(hand, [0, 0]))
    wait_after(hand, 0)
    assert len(hand.evaluate("moved")) > 1
    expect(hand.locator(".board .fell").first).to_be_visible()


def test_a_tile_shows_what_would_fall_before_it_is_removed(visit: Visit, server: Server) -> None:
    page = visit("/play")
    position = "RBRB/RXBX/BXXX/RXXX R 1"
    told = open_table(page, server.url, game="tiles", size="4", seats=["human", "human"], position=position)
    holding = next(move for move in told["state"]["moves"] if move["falls"])
    page.mouse.move(*place_of(page, holding["cell"]))
    expect(page.locator(".previews .removed")).to_have_count(1)
    expect(page.locator(".previews .fell")).to_have_count(len(holding["falls"]))
    page.mouse.move(2, 2)
    expect(page.locator(".previews .leaving")).to_have_count(0)
    page.locator("#board svg").focus()
    page.keyboard.press("ArrowUp")  # the cursor appears
    for _ in range(4):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    for key, times in zip(("ArrowDown", "ArrowRight"), holding["cell"], strict=True):
        for _ in range(times):
            page.keyboard.press(key)
    expect(page.locator(".previews .fell")).to_have_count(len(holding["falls"]))
    expect(page.locator("#announce")).to_contain_text(f"{len(holding['falls'])} more would fall")
    page.keyboard.press("Enter")
    wait_after(page, 0)
    fell = [mark[:2] for mark in look(page)["state"]["picture"]["marks"] if mark[2] == ["fell"]]
    assert sorted(fell) == sorted(holding["falls"])
