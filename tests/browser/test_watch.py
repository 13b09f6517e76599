"""Watching in a real browser: a fresh game to its end, at the watcher's own pace, and a run of another process."""

from playwright.sync_api import Browser, expect

from browser.conftest import Server, Visit
from harena.arena.claims import claimed
from harena.arena.store import Store
from web.shelves import played, stocked


def test_a_fresh_game_is_watched_to_its_end_with_pause_and_speed(visit: Visit) -> None:
    page = visit("/watch")
    page.get_by_label("Game").select_option("isolation")
    page.get_by_label("Size").select_option("5")
    page.get_by_label("First player").fill("random")
    page.get_by_label("Second player").fill("random")
    page.get_by_role("button", name="Watch").click()
    page.wait_for_url("**/watch/*")
    page.get_by_role("button", name="pause (space)").click()
    expect(page.get_by_role("button", name="play (space)")).to_be_visible()
    shown = page.locator(".count").inner_text().split("/")[0]
    stored = page.get_by_role("link", name="Replay and export")
    stored.wait_for(timeout=120_000)  # the game goes on to its end while nobody looks on
    ply, last = page.locator(".count").inner_text().split("/")
    assert ply == shown and int(last) > int(shown)
    expect(page.locator(".newest")).to_have_text(f"newest (+{int(last) - int(ply)})")
    page.get_by_label("speed").select_option("20")
    page.keyboard.press(" ")
    expect(page.locator(".count")).to_have_text(f"{last}/{last}")
    expect(page.locator(".caption")).to_contain_text("wins")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".count")).to_have_text(f"{int(last) - 1}/{last}")
    stored.click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".count")).to_have_text(f"0/{last}")


def test_a_second_watcher_sees_the_same_and_anybody_may_stop_it(visit: Visit) -> None:
    page = visit("/watch")
    page.get_by_label("Game").select_option("isolation")
    page.get_by_label("First player").fill("mcts")
    page.get_by_label("Second player").fill("mcts")
    page.get_by_label("Seconds a move").fill("5")
    page.get_by_role("button", name="Watch").click()
    page.wait_for_url("**/watch/*")
    other = visit("/watch")
    other.locator("#list a").first.click()
    other.wait_for_url("**/watch/*")
    other.get_by_role("button", name="Stop the game").click()
    for one in (page, other):
        expect(one.locator("#state")).to_have_text("Stopped before its end.", timeout=60_000)


def test_a_mistake_in_the_form_is_told_in_words(server: Server, browser: Browser) -> None:
    page = browser.new_page()  # not `visit`: the browser itself complains of the refusal
    page.goto(f"{server.url}watch")
    page.get_by_label("First player").fill("nobody")
    with page.expect_response("**/api/watch") as answer:
        page.get_by_role("button", name="Watch").click()
    assert answer.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("no player 'nobody'")
    page.close()


def test_a_run_of_another_process_is_followed_game_by_game(visit: Visit, server: Server) -> None:
    run, (first,) = stocked(server.store, played("isolation"))
    with claimed(server.store, run), Store(server.store) as store:
        page = visit("/watch")
        page.get_by_role("link", name=f"match {run}").click()
        page.wait_for_url(f"**/watch/run/{run}")
        expect(page.get_by_role("button", name=f"game {first}")).to_have_attribute("aria-pressed", "true")
        page.get_by_label("speed").select_option("20")
        number = store.add_game(run, "another", played("isolation", seed=4))
        expect(page.get_by_role("button", name=f"game {number}")).to_be_visible()
        expect(page.get_by_role("button", name=f"game {number}")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#state")).to_contain_text("Not being played now")
