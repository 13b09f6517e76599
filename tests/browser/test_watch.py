"""Watching in a real browser: a fresh game to its end, at the watcher's own pace, and a run of another process."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Server, Visit, quiet_port, start_server
from harena.api import State
from harena.arena.claims import claimed
from harena.arena.now import shown
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.store import Store
from web.shelves import played, stocked

pytestmark = pytest.mark.process


def by_text(page: Page, seat: str, text: str) -> None:
    """Let somebody play who is no named player."""
    page.get_by_role("combobox", name=f"{seat} player").select_option(label="a player by its text …")
    page.get_by_label(f"{seat} player as text").fill(text)


def test_a_fresh_game_is_watched_to_its_end_with_pause_and_speed(visit: Visit) -> None:
    page = visit("/watch")
    page.get_by_label("Game").select_option("isolation")
    page.get_by_label("Size").select_option("7")  # it does not end before it is paused
    page.get_by_role("combobox", name="First player").select_option("random")
    page.get_by_role("combobox", name="Second player").select_option("random")
    page.get_by_role("button", name="Watch").click()
    page.wait_for_url("**/watch/*")
    page.get_by_role("button", name="pause (space)").click()
    expect(page.get_by_role("button", name="play (space)")).to_be_visible()
    shown = page.locator(".count").inner_text().split("/")[0]
    stored = page.get_by_role("link", name="Replay and export")
    stored.wait_for(timeout=300_000)  # the game goes on to its end while nobody looks on
    ply, last = page.locator(".count").inner_text().split("/")
    assert ply == shown and int(last) > int(shown)
    expect(page.locator(".newest")).to_have_text(f"to the end (+{int(last) - int(ply)})")
    page.get_by_label("speed").select_option("20")
    page.keyboard.press(" ")
    expect(page.locator(".count")).to_have_text(f"{last}/{last}")
    expect(page.locator(".caption")).to_contain_text("wins")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".count")).to_have_text(f"{int(last) - 1}/{last}")
    stored.click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".count")).to_have_text(f"0/{last}")


def test_the_button_for_the_newest_move_leads_to_the_end_of_a_game_that_is_over(visit: Visit, server: Server) -> None:
    page = visit("/watch")
    page.set_viewport_size({"width": 1280, "height": 800})
    given = {"game": "isolation", "size": "7", "first": "random", "second": "random", "seed": 3}
    page.goto(server.url.rstrip("/") + page.request.post(f"{server.url}api/watch", data=given).json()["path"])
    page.get_by_role("button", name="pause (space)").click()
    page.get_by_role("link", name="Replay and export").wait_for(timeout=300_000)
    last = page.locator(".count").inner_text().split("/")[1]
    box = page.locator(".transport").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 800  # nobody has to scroll for it
    page.locator(".newest").click()
    expect(page.locator(".count")).to_have_text(f"{last}/{last}")
    expect(page.get_by_role("button", name="play (space)")).to_be_visible()  # it does not begin anew
    expect(page.locator("#state")).to_contain_text("wins")
    expect(page.locator(".newest")).to_be_hidden()


def test_set_ups_are_offered_in_their_own_order_and_only_where_there_are_several(visit: Visit) -> None:
    page = visit("/watch")
    page.get_by_label("Game").select_option("colosseum")
    assert page.locator("[name=setup] option").all_inner_texts() == ["2023", "2022", "empty"]
    expect(page.get_by_label("Set-up")).to_be_visible()
    page.get_by_label("Game").select_option("trap")
    expect(page.get_by_label("Set-up")).to_be_hidden()


def again(first: Server, folder: Path) -> Server:
    """The server that was killed, started at the same address."""
    return start_server(folder, port=urlsplit(first.url).port or 0)


def begin(page: Page, base: str, seconds: float = 5) -> None:
    """Watch a game whose moves take a while."""
    given = {"game": "isolation", "first": "mcts", "second": "mcts", "seconds": seconds}
    page.goto(base.rstrip("/") + page.request.post(f"{base}api/watch", data=given).json()["path"])


def test_a_killed_server_goes_on_with_the_game_when_it_is_back(careless: Page, tmp_path: Path) -> None:
    first, page = start_server(tmp_path, port=quiet_port()), careless
    begin(page, first.url, seconds=1)
    expect(page.locator(".count")).to_contain_text("/2", timeout=300_000)
    first.stop()
    expect(page.locator("#connection")).to_contain_text("does not answer")
    second = again(first, tmp_path)
    try:
        expect(page.locator("#connection")).to_have_text("The server is back.")
        expect(page.locator(".count")).to_contain_text("/5", timeout=300_000)
        expect(page.locator("#state")).to_contain_text("Live")
        page.get_by_role("button", name="Stop the game").click()
        expect(page.locator("#state")).to_have_text("Stopped before its end.")
    finally:
        page.goto("about:blank")
        second.stop()


def test_a_stream_that_is_refused_for_a_while_is_opened_again(careless: Page, server: Server) -> None:
    page, refused = careless, list[str]()

    def refuse(route: Route) -> None:
        if len(refused) < 3:
            refused.append(route.request.url)
            route.fulfill(status=503, json={"detail": "too many are watching"})
        else:
            route.continue_()

    page.route("**/api/watch/*/events*", refuse)
    begin(page, server.url, seconds=1)
    expect(page.locator(".count")).not_to_contain_text("/0", timeout=300_000)  # plies come after all
    assert len(refused) == 3
    page.get_by_role("button", name="Stop the game").click()
    expect(page.locator("#state")).to_have_text("Stopped before its end.")


def test_neither_result_nor_graph_is_told_before_the_last_ply_is_shown(visit: Visit, server: Server) -> None:
    page = visit("/watch")
    given = {"game": "isolation", "size": "7", "first": "random", "second": "mcts(iterations=50)", "seed": 3}
    page.goto(server.url.rstrip("/") + page.request.post(f"{server.url}api/watch", data=given).json()["path"])
    page.get_by_role("button", name="pause (space)").click()
    page.get_by_role("link", name="Replay and export").wait_for(timeout=300_000)
    ply, last = page.locator(".count").inner_text().split("/")
    assert int(ply) < int(last)
    expect(page.locator("#state")).to_contain_text("you have not seen all of it yet")
    expect(page.locator(".end")).to_be_hidden()
    expect(page.locator(".names .won")).to_have_count(0)
    expect(page.locator(".moves tbody tr")).to_have_count(int(ply) + 1)
    assert page.locator(".graph.times .bar").count() <= int(ply)
    page.keyboard.press("End")
    expect(page.locator("#state")).to_contain_text("wins")
    expect(page.locator(".end")).to_contain_text("wins")
    expect(page.locator(".names .won")).to_have_count(1)
    expect(page.locator(".moves tbody tr")).to_have_count(int(last) + 1)
    expect(page.locator(".graph.times .bar")).to_have_count(int(last))


def test_a_second_watcher_sees_the_same_and_anybody_may_stop_it(visit: Visit) -> None:
    page = visit("/watch")
    page.get_by_label("Game").select_option("isolation")
    by_text(page, "First", "mcts")
    by_text(page, "Second", "mcts")
    page.get_by_label("Seconds a move").fill("5")
    page.get_by_role("button", name="Watch").click()
    page.wait_for_url("**/watch/*")
    other = visit("/watch")
    other.locator("#list a").first.click()
    other.wait_for_url("**/watch/*")
    other.get_by_role("button", name="Stop the game").click()
    for one in (page, other):
        expect(one.locator("#state")).to_have_text("Stopped before its end.")


def test_a_mistake_in_the_form_is_told_in_words(server: Server, careless: Page) -> None:
    page = careless
    page.goto(f"{server.url}watch")
    by_text(page, "First", "nobody")
    with page.expect_response("**/api/watch") as answer:
        page.get_by_role("button", name="Watch").click()
    assert answer.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("no player 'nobody'")


def after(record: Record, plies: int) -> State:
    """The state of a game after so many plies."""
    return list(states(record))[plies]


def test_a_game_of_another_process_is_watched_ply_by_ply(visit: Visit, server: Server) -> None:
    record, slot = played("isolation", seed=4), "0-1/7/0"
    run, _ = stocked(server.store, played("isolation"))
    now = {slot: after(record, 2)}
    with claimed(server.store, run), Store(server.store) as store, shown(server.store, run, now):
        page = visit(f"/watch/run/{run}")
        mine = page.locator(f"[data-slot='{slot}']")
        expect(mine).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".count")).to_have_text("2/2")
        now[slot] = after(record, 4)
        expect(page.locator(".count")).to_have_text("4/4")
        expect(page.locator(".moves tbody tr")).to_have_count(5)
        expect(page.locator(".moves tbody tr").last).to_contain_text(record.plies[3].move)
        page.get_by_role("button", name="pause (space)").click()
        del now[slot]
        number, last = store.add_game(run, slot, record), len(record.plies)
        ended = page.get_by_role("button", name=f"game {number}")
        expect(ended).to_contain_text("has ended")
        expect(ended).to_contain_text("random – mcts(iterations=50)")
        expect(ended).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".count")).to_have_text(f"4/{last}")
        expect(page.locator(".end")).to_be_hidden()
        expect(page.locator(".names .won")).to_have_count(0)
        expect(page.locator(".graph.values .dot")).to_have_count(2)  # what mcts expected is known now
        page.keyboard.press("End")
        expect(page.locator(".end")).to_contain_text("wins")
        expect(ended).to_contain_text("won")
        expect(mine).to_have_count(0)


def moves_shown(page: Page, record: Record, plies: int) -> None:
    """Wait until the list of moves is that of this game so far."""
    expect(page.locator(".count")).to_have_text(f"{plies}/{plies}")
    expect(page.locator(".moves tbody .move")).to_have_text(["start", *(ply.move for ply in record.plies[:plies])])


@pytest.mark.parametrize("vanishes", [False, True])
def test_a_game_that_is_played_anew_in_its_slot_is_not_mixed_with_the_one_before(
    visit: Visit, server: Server, vanishes: bool
) -> None:
    """As after a stall of the machine: another game from the same start."""
    first, second, slot = played("isolation", seed=4), played("isolation", seed=6), "0-1/7/0"
    assert first.start == second.start and first.plies[0] != second.plies[0]
    run, _ = stocked(server.store, played("isolation"))
    now = {slot: after(first, 3)}
    with claimed(server.store, run), shown(server.store, run, now):
        page = visit(f"/watch/run/{run}#slot={slot}")
        page.get_by_label("speed").select_option("20")
        mine = page.locator(f"[data-slot='{slot}']")
        moves_shown(page, first, 3)
        if vanishes:
            del now[slot]
            expect(mine).to_have_count(0)
        now[slot] = after(second, 2)
        moves_shown(page, second, 2)
        expect(mine).to_have_attribute("aria-pressed", "true")
        now[slot] = after(second, 4)
        moves_shown(page, second, 4)


def test_a_match_of_the_command_line_is_watched_while_it_is_played(visit: Visit, server: Server) -> None:
    words = ["match", "isolation", "mcts(solver=false)", "mcts(solver=false, c=0.2)", "--games", "2", "--seconds", "2"]
    match = subprocess.Popen(
        [sys.executable, "-m", "harena", *words, "--store", str(server.store)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        page = visit("/watch")
        page.locator("#list a[href^='/watch/run/']").click()
        page.wait_for_url("**/watch/run/*")
        playing = page.locator("#now button[aria-pressed=true]")
        expect(playing).to_contain_text("mcts(solver=false) – mcts(solver=false, c=0.2)")
        expect(page.locator(".count")).to_have_text(re.compile(r"^[1-9]\d*/"))
        before = page.locator(".count").inner_text()
        expect(page.locator(".count")).not_to_have_text(before)  # another ply of the other process
        expect(page.locator(".stage [data-piece='player 1']")).to_be_visible()
        expect(page.locator(".end")).to_be_hidden()
    finally:
        match.terminate()
        match.wait()
    expect(page.locator("#state")).to_contain_text("Not being played now")
    expect(page.locator(".end")).to_have_text("It was not played to its end.")


def test_a_run_of_another_process_is_followed_game_by_game(visit: Visit, server: Server) -> None:
    run, (first,) = stocked(server.store, played("isolation"))
    with claimed(server.store, run), Store(server.store) as store:
        page = visit("/watch")
        page.locator(f"#list a[href='/watch/run/{run}']").click()
        page.wait_for_url(f"**/watch/run/{run}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Knight Isolation: match")
        expect(page.get_by_role("link", name="Back to the match")).to_have_attribute("href", f"/contests/{run}")
        expect(page.get_by_role("button", name=f"game {first}")).to_have_attribute("aria-pressed", "true")
        page.get_by_label("speed").select_option("20")
        number = store.add_game(run, "another", played("isolation", seed=4))
        expect(page.get_by_role("button", name=f"game {number}")).to_be_visible()
        expect(page.get_by_role("button", name=f"game {number}")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#state")).to_contain_text("Not being played now")
    with claimed(server.store, run):  # somebody has resumed it
        expect(page.locator("#state")).to_contain_text("Being played now")
