"""Stored games in a real browser: by keys, by scrubbing, by a link, in a frame, and in a file without any server."""

import re
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Server, Visit
from web.shelves import cut, played, stocked

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def number(server: Server) -> int:
    return stocked(server.store, played("isolation"))[1][0]


PLIES = len(played("isolation").plies)


def at(page: Page, ply: int) -> None:
    """Wait until the viewer shows this ply."""
    expect(page.locator(".viewer .count")).to_have_text(f"{ply}/{PLIES}")


def test_replay_by_keys(visit: Visit, number: int) -> None:
    page = visit(f"/games/{number}")
    at(page, 0)
    start = page.locator(".stage svg").get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at(page, 2)
    expect(page.locator(".stage svg")).not_to_have_attribute("aria-label", start or "")
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    page.keyboard.press("End")
    at(page, PLIES)
    expect(page.locator(".caption")).to_contain_text("wins")
    page.keyboard.press("Home")
    at(page, 0)
    for _ in range(4):
        page.keyboard.press("+")
    page.keyboard.press(" ")
    at(page, PLIES)  # played to its end
    expect(page.get_by_role("button", name="play (space)")).to_be_visible()
    page.keyboard.press(" ")  # again, from the start
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="play (space)")).to_be_visible()


def test_scrubbing_moves_and_graph_show_the_same_ply(visit: Visit, number: int) -> None:
    page = visit(f"/games/{number}")
    page.get_by_label("move", exact=True).fill("3")
    at(page, 3)
    expect(page.locator("tr[aria-current=step]")).to_have_attribute("data-ply", "3")
    page.get_by_label("move", exact=True).press("ArrowRight")  # one step, not the slider's and ours
    at(page, 4)
    page.locator("tr[data-ply='2'] button").click()
    at(page, 2)
    box = page.locator(".graph.values").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 20)
    at(page, PLIES)
    expect(page.locator(".graph.times .bar")).to_have_count(PLIES)
    expect(page.locator(".graph.values .dot")).to_have_count(PLIES // 2)  # of mcts, who says what it expects


def test_a_link_leads_to_its_ply(visit: Visit, number: int) -> None:
    page = visit(f"/games/{number}#ply=4")
    at(page, 4)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**#ply=5")
    expect(page.get_by_text("Link to this position")).to_have_attribute("href", re.compile(r"#ply=5$"))
    expect(page.get_by_text("This board as SVG")).to_have_attribute("href", f"/games/{number}/board.svg?ply=5")
    page.evaluate("location.hash = '#ply=1'")
    at(page, 1)
    page.evaluate("location.hash = '#ply=99999'")
    at(page, PLIES)
    page.wait_for_url(lambda address: not address.endswith("99999"))  # the address says what is shown


@pytest.mark.parametrize("offered", [True, False])  # a clipboard: over plain http from another machine there is none
def test_a_link_to_a_ply_is_copied(visit: Visit, number: int, offered: bool) -> None:
    page = visit(f"/games/{number}#ply=4")
    at(page, 4)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("window.setTimeout = () => 0")  # what the link says stays
    if not offered:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })")
    page.get_by_text("Link to this position").click()
    expect(page.locator("#link")).to_have_text("Copied")
    expect(page.locator("#announce")).to_have_text("Copied")
    page.evaluate("delete navigator.clipboard")
    assert page.evaluate("navigator.clipboard.readText()") == page.url == re.sub("#.*", "#ply=4", page.url)


@pytest.mark.parametrize("name", ["trap", "colosseum", "isolation", "tiles"])
def test_an_exported_file_works_from_a_disk_without_a_network(
    server: Server, browser: Browser, tmp_path: Path, name: str
) -> None:
    record = played(name, seats=('<img src="x">', "random"))
    _, (stored,) = stocked(server.store, record)
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.goto(f"{server.url}games/{stored}")
    with page.expect_download() as started:
        page.get_by_role("link", name="One HTML file").click()
    file = tmp_path / "game.html"
    started.value.save_as(file)
    context.close()

    context = browser.new_context(offline=True)
    page, troubles, asked = context.new_page(), list[str](), list[str]()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{file.as_uri()}#ply=1")
    last = len(record.plies)
    expect(page.locator(".count")).to_have_text(f"1/{last}")
    page.keyboard.press("End")
    expect(page.locator(".count")).to_have_text(f"{last}/{last}")
    page.wait_for_url(f"**#ply={last}")
    expect(page.locator(".stage svg.board [data-cell]")).to_have_count(16)
    expect(page.locator(".name .who").first).to_have_text('<img src="x">')
    panel = page.evaluate("getComputedStyle(document.querySelector('.board .panel')).fill")
    assert panel == "rgb(232, 214, 176)"  # its styles are there
    assert [url.split("#")[0] for url in asked] == [file.as_uri()] and not troubles
    context.close()


@pytest.fixture
def course(tmp_path: Path) -> Iterator[str]:
    """Another web server, with the files of this test's folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{other.server_port}/"
        other.shutdown()


def test_a_game_in_a_frame_of_another_site(
    visit: Visit, server: Server, number: int, course: str, tmp_path: Path
) -> None:
    framed = f'<iframe src="{server.url}embed/{number}#ply=2" title="game"></iframe>'
    (tmp_path / "page.html").write_text(f'<!DOCTYPE html><link rel="icon" href="data:,"><title>host</title>{framed}')
    frame = visit("/page.html", base=course).frame_locator("iframe")
    expect(frame.locator(".count")).to_have_text(f"2/{PLIES}")
    expect(frame.locator("nav")).to_have_count(0)


def test_a_game_that_ended_by_a_fault_says_so(visit: Visit, server: Server) -> None:
    _, (lost,) = stocked(server.store, cut(played("isolation")))
    page = visit(f"/games/{lost}#ply=2")
    words = "Player 1 wins: player 2 took too long (120 ms too long)."
    expect(page.locator(".viewer .end")).to_have_text(words)
    expect(page.locator(".caption")).to_contain_text(words)


def test_games_are_found_in_the_list(visit: Visit, server: Server) -> None:
    run, (stored,) = stocked(server.store, played("tiles", seats=("Ariadne", "Theseus")))
    page = visit("/games")
    page.get_by_role("textbox", name="Player").fill("ariadne")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("status").first).to_contain_text("that fit")
    page.get_by_role("link", name=re.compile("Theseus")).first.click()
    page.wait_for_url(f"**/games/{stored}")
    page.get_by_role("link", name="match", exact=True).click()
    page.wait_for_url(f"**/games?run={run}")
    expect(page.locator("table.games tbody tr")).to_have_count(1)


def test_moves_are_told_in_the_words_of_play(visit: Visit, server: Server) -> None:
    record = played("trap")
    _, (number,) = stocked(server.store, record)
    page = visit(f"/games/{number}#ply=1")
    expect(page.locator(".caption")).to_contain_text(re.compile(rf"^Player 1 walks to {record.plies[0].move} "))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text(f"Player 1 throws a trap at {record.plies[1].move[1:]} ")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text(f": the trap lands on {record.plies[2].move[1:]}.")
    expect(page.locator(".viewer .keys")).to_be_visible()


def test_the_chart_says_what_its_ends_mean_and_even_is_its_middle(visit: Visit, number: int) -> None:
    page = visit(f"/games/{number}")
    expect(page.locator(".graph.values .end-of")).to_have_text(["player 1 wins", "player 2 wins"])
    chart, even = (page.locator(f".graph.values{part}").bounding_box() for part in ("", " .even"))
    assert chart is not None and even is not None
    assert abs(chart["y"] + chart["height"] / 2 - even["y"] - even["height"] / 2) < 2
    expect(page.locator(".moves thead th").nth(3)).to_have_text("mover’s value")


def test_all_up_to_the_buttons_is_seen_at_once(visit: Visit, number: int) -> None:
    for path in (f"/games/{number}", f"/embed/{number}"):
        page = visit(path)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator(".stage svg[role=img]").wait_for()
        box = page.locator(".transport").bounding_box()
        assert box is not None and box["y"] + box["height"] <= 800, path


def test_times_are_those_of_the_readers_clock(browser: Browser, server: Server, number: int) -> None:
    context = browser.new_context(timezone_id="Asia/Kathmandu")  # 5 hours and 45 minutes ahead
    page = context.new_page()
    page.goto(f"{server.url}games/{number}")
    place = page.locator("time")
    expect(place).not_to_contain_text("UTC")
    when = datetime.fromisoformat(place.get_attribute("datetime") or "") + timedelta(hours=5, minutes=45)
    expect(place).to_have_text(f"{when:%Y-%m-%d %H:%M}")
    page.goto(f"{server.url}games")
    assert "UTC" not in page.locator("table.games").inner_text()
    assert "UTC" not in page.locator("[name=run]").inner_text()
    context.close()


def is_accessible(page: Page) -> None:
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert not found, [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]


@pytest.mark.parametrize(("size", "dark"), [("phone", False), ("tablet", True), ("desk", False)])
def test_the_pages_fit_and_can_be_read(visit: Visit, number: int, size: str, dark: bool) -> None:
    for path in ("/games", f"/games/{number}#ply=3", f"/embed/{number}", "/watch"):
        page = visit(path, size=size, dark=dark)
        page.wait_for_load_state()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        is_accessible(page)
