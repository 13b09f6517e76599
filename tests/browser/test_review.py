"""The review of a stored game with a planted blunder: made in the background, shown, and used to find the place."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.test_review import planted, random_game
from browser.conftest import Server, noted, quiet_port, start_server
from browser.test_replay import is_accessible
from harena.arena.record import Record
from harena.arena.store import Store

pytestmark = pytest.mark.process

Visit = Callable[..., Page]
PLANTED, PLY, RIGHT, _ = planted("isolation")
RECORD = replace(
    PLANTED, plies=tuple(replace(ply, value=0.1 * (-1) ** ply.by) for ply in PLANTED.plies)
)  # for the graph
BLUNDER = RECORD.plies[PLY - 1]
SILENT = replace(
    RECORD, plies=tuple(replace(ply, value=None if ply.by == BLUNDER.by else ply.value) for ply in RECORD.plies)
)  # who blundered never said what it thought
LATE = replace(RECORD, plies=RECORD.plies[:2], winner=0, score=None, reason="time", detail="")  # ended by a fault


@pytest.fixture(scope="module")
def reviewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("reviewing")
    records: tuple[Record, ...] = (RECORD, random_game("trap", 5, 3), RECORD, LATE, SILENT)
    with Store(folder / "games.sqlite") as store:
        run = store.new_run("match", {})
        for number, record in enumerate(records):
            store.add_game(run.id, str(number), record)
    started = start_server(folder)
    yield started
    started.stop()


def reviewed(page: Page) -> None:
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator("#review")).to_have_attribute("data-state", "done", timeout=300_000)


def on_the_graph(page: Page) -> None:
    """The blunder is marked in the list of moves, and on the graph of values at its own place."""
    expect(page.locator(".moves .sign-of.blunder")).to_have_text("??")
    expect(page.locator(".graph.values .dot")).to_have_count(len(RECORD.plies))
    note = page.locator(".graph.values .note.blunder")
    expect(note).to_have_count(1)
    expect(note.locator("title")).to_have_text(re.compile("was better"))
    graph, place = page.locator(".graph.values").bounding_box(), note.bounding_box()
    assert graph is not None and place is not None
    share = (place["x"] + place["width"] / 2 - graph["x"]) / graph["width"]
    assert abs(share - (14 + 572 * PLY / len(RECORD.plies)) / 600) < 0.01
    assert graph["y"] < place["y"] < graph["y"] + graph["height"] * 0.85  # on the curve


def test_a_blunder_without_a_value_is_not_on_the_graph_of_values(visit: Visit, reviewing: Server) -> None:
    page = visit("/games/5", base=reviewing.url)
    reviewed(page)
    expect(page.locator(".moves .sign-of.blunder")).to_have_text("??")
    expect(page.locator(".graph.values .dot")).to_have_count(sum(ply.by != BLUNDER.by for ply in RECORD.plies))
    expect(page.locator(".graph.values .note.blunder")).to_have_count(0)


def test_a_game_lost_by_a_fault_says_how_it_ended(visit: Visit, reviewing: Server) -> None:
    page = visit("/games/4", base=reviewing.url)
    reviewed(page)
    expect(page.locator("#review .moment")).to_have_text(
        re.compile(r"^Player 1 wins: player 2 took too long; (by the moves, |on the board it was not decided)")
    )


def test_a_planted_blunder_is_found_and_shown_on_the_board_and_the_graph(visit: Visit, reviewing: Server) -> None:
    page = visit("/games/1", base=reviewing.url)
    expect(page.locator("#review")).to_contain_text("The champion goes over the game")
    reviewed(page)
    review = page.locator("#review")
    expect(review.locator(".marked.blunder")).to_have_count(1)
    row = review.locator(".marked.blunder")
    expect(row).to_contain_text(f"{BLUNDER.move} ??")
    expect(row).to_contain_text(re.compile(f"({'|'.join(RIGHT)}) was better"))
    expect(row).to_contain_text("from won to lost, proven")
    expect(review.locator(".accuracy").nth(1 - BLUNDER.by)).to_contain_text("100.0 %")
    expect(review.locator(".moment")).to_contain_text(f"player {BLUNDER.by + 1}'s {BLUNDER.move}")
    expect(review.locator(".course .spot.blunder")).to_have_count(1)
    on_the_graph(page)
    row.click()
    expect(page.locator(".viewer .count")).to_have_text(f"{PLY}/{len(RECORD.plies)}")
    expect(page.locator(".viewer .caption")).to_contain_text("was better")
    expect(row).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowLeft")
    expect(row).not_to_have_attribute("aria-current", "step")


def test_a_review_that_is_kept_is_there_at_once_and_the_course_can_be_clicked(visit: Visit, reviewing: Server) -> None:
    page = visit("/games/1", base=reviewing.url)
    if page.locator("#review").get_attribute("data-state") != "done":  # this test alone, or the first one
        expect(page.locator("#review")).to_have_attribute("data-state", re.compile("none|done"))
        if page.locator("#review").get_attribute("data-state") == "none":
            reviewed(page)
            page.reload()
    expect(page.locator("#review .marked.blunder")).to_have_count(1)
    course = page.locator("#review .course")
    box = course.bounding_box()
    assert box is not None
    course.click(position={"x": box["width"] - 10, "y": box["height"] / 2})
    expect(page.locator(".viewer .count")).to_have_text(f"{len(RECORD.plies)}/{len(RECORD.plies)}")
    page.get_by_role("button", name="Review again").click()
    expect(page.locator("#review")).to_have_attribute("data-state", "done", timeout=300_000)


def test_a_review_that_is_kept_goes_into_the_exported_file(
    browser: Browser, reviewing: Server, visit: Visit, tmp_path: Path
) -> None:
    page = visit("/games/1", base=reviewing.url)
    expect(page.locator("#review")).to_have_attribute("data-state", re.compile("none|done"))
    if page.locator("#review").get_attribute("data-state") == "none":
        reviewed(page)
    file = tmp_path / "game.html"
    file.write_bytes(page.request.get(f"{reviewing.url}games/1/export.html").body())
    context = browser.new_context(offline=True)
    alone = context.new_page()
    troubles = noted(alone, refusals=True)
    alone.goto(file.as_uri())
    row = alone.locator(".review .marked.blunder")
    expect(row).to_contain_text(re.compile(f"({'|'.join(RIGHT)}) was better"))
    on_the_graph(alone)
    expect(alone.locator(".review .accuracy")).to_have_count(2)
    row.click()
    expect(alone.locator(".viewer .count")).to_have_text(f"{PLY}/{len(RECORD.plies)}")
    expect(alone.locator(".viewer .caption")).to_contain_text("was better")
    alone.keyboard.press("ArrowLeft")
    expect(row).not_to_have_attribute("aria-current", "step")
    is_accessible(alone)
    assert not troubles
    context.close()
    plain = page.request.get(f"{reviewing.url}games/3/export.html").text()
    assert "<section" not in plain  # nobody has reviewed that one


def test_on_a_phone_the_review_is_whole_and_a_game_with_throws_tells_the_luck(visit: Visit, reviewing: Server) -> None:
    page = visit("/games/2", base=reviewing.url, size="phone", dark=True)
    reviewed(page)
    expect(page.locator("#review .side")).to_have_count(2)
    assert page.locator("#review .marks").evaluate("list => list.scrollHeight === list.clientHeight")
    rows = page.locator(".moves tbody tr").evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert len(set(rows)) == 1  # a sign stands beside its move
    page.locator("#review summary").click()
    expect(page.locator("#review .luck li").first).to_contain_text("luck of player")
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    page.locator("#review").scroll_into_view_if_needed()


def test_a_review_goes_on_when_its_server_was_killed_and_started_again(careless: Page, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        store.add_game(store.new_run("match", {}).id, "0", RECORD)
    first, page = start_server(tmp_path, port=quiet_port()), careless
    page.goto(f"{first.url}games/1")
    page.get_by_role("button", name="Review this game").click()
    expect(page.locator("#review")).to_have_attribute("data-state", re.compile("waiting|running"))
    first.stop()
    expect(page.locator("#connection")).to_contain_text("does not answer")
    second = start_server(tmp_path, port=urlsplit(first.url).port or 0)
    try:
        expect(page.locator("#connection")).to_have_text("The server is back.")
        expect(page.locator("#review")).to_have_attribute("data-state", "done", timeout=300_000)  # nobody asked again
        expect(page.locator("#review .marked.blunder")).to_have_count(1)
        page.goto("about:blank")
    finally:
        second.stop()


def test_a_review_is_stopped_and_what_fails_is_said(visit: Visit, reviewing: Server) -> None:
    page = visit("/games/3", base=reviewing.url)
    button = page.get_by_role("button", name="Review this game")
    expect(button).to_be_visible()
    answers = [
        {"state": "failed", "words": "the board is upside down"},
        {"state": "running", "done": 1, "total": 4},
        {"state": "stopped"},
    ]
    page.route("**/review", lambda route: route.fulfill(json={"words": "", "may": True} | answers.pop(0)))
    page.route(
        "**/review/events*", lambda route: route.fulfill(content_type="text/event-stream", body="retry: 60000\n\n")
    )
    button.click()
    expect(page.locator("#review")).to_contain_text("The review failed: the board is upside down.")
    button.click()
    expect(page.locator("#review")).to_contain_text("going over the game, 25 %")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#review")).to_contain_text("The review was stopped.")
