"""Tournaments in a real browser: started, followed to the end, stopped, resumed; the leaderboard; on a phone."""

import re
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Server, Visit, start_server
from harena.arena.claims import claimed
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.store import Store
from harena.arena.tournament import Plan
from harena.courses.grading import Plan as Grading
from harena.courses.grading import Submission
from harena.courses.levels import GRADINGS

pytestmark = pytest.mark.process

SEATS = (("random", "mm_open"), ("mm_open", "random"))
PATIENCE = 300_000  # milliseconds: processes start slowly on a busy machine


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of our own, so that the history is ours; it is empty at first."""
    started = start_server(tmp_path_factory.mktemp("contests"))
    with urlopen(f"{started.url}contests") as page:
        assert b"Nothing has been played yet" in page.read()
    yield started
    started.stop()


def begin(page: Page, agents: list[str], games: int, kind: str = "round-robin") -> None:
    """Fill in the form and start."""
    if not page.locator("#new").is_visible():
        page.locator("summary").click()
    page.locator("#game").select_option("isolation")
    page.locator("#type").select_option(kind)
    page.locator("[name=games]").fill(str(games))
    for name in agents:
        page.locator(f"[name=agent][value={name}]").check()
    page.locator("[name=size]").fill("4")
    page.locator("[name=depth]").fill("1")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/contests/[0-9a-f]{8}$"), timeout=PATIENCE)


def test_a_tournament_is_started_and_followed_live_to_its_end(visit: Visit, arena: Server) -> None:
    page = visit("/contests", base=arena.url)
    begin(page, ["random", "mm_open", "mm_null"], games=4)
    expect(page.get_by_role("heading", level=1)).to_have_text("Knight Isolation: round robin")
    expect(page.locator("#part")).to_have_attribute("data-status", "finished", timeout=PATIENCE)  # without a reload
    expect(page.locator(".standings tbody tr")).to_have_count(3)
    expect(page.locator("progress")).to_have_attribute("value", "12")
    expect(page.locator(".boards svg.board")).to_have_count(6)
    expect(page.locator("#announce")).to_have_text("finished after 12 games")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    expect(page.get_by_role("button", name="Resume")).to_be_hidden()
    page.locator(".cross tbody a").first.click()
    expect(page.locator("#games")).to_contain_text(" and ")
    expect(page.locator(".list tbody tr")).to_have_count(4)
    page.locator(".list tbody a").first.click()
    page.wait_for_url(re.compile(r"/games/\d+$"))
    expect(page.locator("svg.board").first).to_be_visible()


def test_set_ups_are_offered_in_their_own_order_and_only_where_there_are_several(visit: Visit, arena: Server) -> None:
    page = visit("/contests", base=arena.url)
    if not page.locator("#new").is_visible():
        page.locator("summary").click()
    page.locator("#game").select_option("colosseum")
    assert page.locator("#setup option").all_inner_texts() == ["the usual", "2023", "2022", "empty"]
    page.locator("#game").select_option("trap")
    expect(page.locator("#setup")).to_be_hidden()


def test_games_in_progress_are_thumbnails_that_move_and_lead_to_the_game(visit: Visit, arena: Server) -> None:
    page = visit("/contests", base=arena.url)
    agents = ["mcts(solver=false)", "mcts(solver=false, c=0.2)"]
    given = {"game": "isolation", "type": "match", "agents": agents, "games": 2, "seconds": 2}
    run = page.request.post(f"{arena.url}api/contests", data=given).json()["run"]
    page.goto(f"{arena.url}contests/{run}")
    board = page.locator("#now a .small")
    expect(board.locator("svg.board")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".waiting")).to_have_count(0)
    before = board.get_attribute("data-picture")
    page.locator("#now a").focus()
    expect(board).not_to_have_attribute("data-picture", before or "")  # without a reload
    expect(page.locator("#now a")).to_be_focused()
    expect(page.get_by_role("link", name="Watch live")).to_have_attribute("href", f"/watch/run/{run}")
    page.get_by_role("link", name=f"watch {agents[0]} against {agents[1]}").click()
    page.wait_for_url(f"**/watch/run/{run}#slot=0-1/0/0")
    expect(page.locator("[data-slot='0-1/0/0']")).to_have_attribute("aria-pressed", "true")
    page.goto(f"{arena.url}contests/{run}")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#part")).to_have_attribute("data-status", "stopped", timeout=PATIENCE)
    expect(page.get_by_role("link", name="Watch live")).to_be_hidden()
    expect(page.locator("#now")).to_be_hidden()


def test_all_games_of_a_pair_are_reached_from_its_list(visit: Visit, arena: Server) -> None:
    plan = Plan(spec=Spec(game="isolation", variants=[{}], agents=[*SEATS[0], "mm_null"]), pairs=21)
    with Store(arena.store) as store:
        run = store.new_run("tournament", plan.as_dict()).id
        for pair, games in (("0-1", 42), ("0-2", 60)):
            for game in range(games):
                record = Record(game="isolation", options={}, start="?", seats=SEATS[game % 2], plies=(), winner=0)
                store.add_game(run, f"{pair}/{game // 2}/{game % 2}", record)
        store.finish(run)
    page = visit(f"/contests/{run}?pair=0-1", base=arena.url)
    expect(page.locator(".list tbody tr")).to_have_count(40)
    page.get_by_role("link", name="All 42 games of these two").click()
    expect(page.get_by_role("status").first).to_have_text("42 games that fit")
    expect(page.locator(".games tbody tr")).to_have_count(42)
    page.get_by_label("Result").select_option("draw")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_role("status").first).to_have_text("0 games that fit")  # still of these two
    assert "pair=0-1" in page.url
    page.goto(f"{arena.url}games?run={run}&pair=0-2")
    page.get_by_role("link", name="Older").click()
    expect(page.locator(".games tbody tr")).to_have_count(10)


def test_the_columns_of_the_history_are_those_of_all_runs(visit: Visit, arena: Server) -> None:
    spec = Spec(game="isolation", variants=[{}], agents=[*SEATS[0]])
    with Store(arena.store) as store:
        for pairs in (1, 200):
            store.finish(store.new_run("tournament", Plan(spec=spec, pairs=pairs).as_dict()).id)
    page = visit("/contests", base=arena.url)
    expect(page.locator(".run .count", has_text="of 400 games")).to_have_count(1)
    kinds = page.locator(".run .kind").evaluate_all("all => all.map(one => one.getBoundingClientRect().x)")
    assert len(kinds) > 1 and len(set(kinds)) == 1


def test_a_tournament_is_stopped_and_resumed(visit: Visit, arena: Server) -> None:
    page = visit("/contests", base=arena.url)
    begin(page, ["random", "mm_open"], games=6000, kind="match")
    expect(page.locator("#part")).not_to_have_attribute("data-played", "0", timeout=PATIENCE)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#part")).to_have_attribute("data-status", "stopped", timeout=PATIENCE)
    played = int(page.locator("#part").get_attribute("data-played") or 0)
    assert 0 < played < 6000
    page.get_by_role("button", name="Resume").click()
    expect(page.locator("#part")).to_have_attribute("data-status", "running", timeout=PATIENCE)
    expect(page.locator("#part")).not_to_have_attribute("data-played", str(played), timeout=PATIENCE)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#part")).to_have_attribute("data-status", "stopped", timeout=PATIENCE)
    history = visit("/contests", base=arena.url, size="phone")
    expect(history.locator(".run").first.locator(".status")).to_have_text("stopped")


def test_a_mistake_is_told_beside_the_form_and_nothing_is_lost(careless: Page, arena: Server) -> None:
    page = careless
    page.goto(f"{arena.url}contests")
    if not page.locator("#new").is_visible():
        page.locator("summary").click()
    page.locator("#game").select_option("isolation")
    page.get_by_label("Others, one a line").fill("randm\nrandom")
    expect(page.locator("#agents-hint")).to_contain_text("2 chosen")
    with page.expect_response("**/api/contests") as told:
        page.get_by_role("button", name="Start").click()
    assert told.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("randm")
    expect(page.get_by_label("Others, one a line")).to_have_value("randm\nrandom")
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_the_leaderboard_is_for_everybody_and_starts_nothing(visit: Visit, arena: Server) -> None:
    records = [
        Record(game="isolation", options={}, start="?", seats=SEATS[swap], plies=(), winner=swap) for swap in (0, 1)
    ]
    plan = Plan(spec=Spec(game="isolation", variants=[{}], agents=list(SEATS[0])), pairs=1)
    with Store(arena.store) as store:
        run = store.new_run("tournament", plan.as_dict()).id
        for swap, record in enumerate(records):
            store.add_game(run, f"0-1/0/{swap}", record)
        store.finish(run)
    public = start_server(arena.store.parent, "--public")
    try:
        base, _, token = public.url.partition("?token=")
        assert token
        phone = visit(f"/leaderboard/{run}", base=base, size="phone")
        expect(phone.get_by_role("heading", level=1)).to_have_text("Leaderboard")
        assert phone.locator(".standings tbody th").all_inner_texts() == ["random", "mm_open"]
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")  # tables scroll by themselves
        reader = visit("/contests", base=base)
        assert reader.locator("#new").count() == 0 and "read-only" in reader.locator("footer").inner_text()
        owner = visit(f"/?token={token}", base=base)
        owner.goto(f"{base.rstrip('/')}/contests")
        assert owner.locator("#new").count() == 1
        phone.goto("about:blank")  # it listens no longer
    finally:
        public.stop()


def test_a_grading_with_many_levels_fits_and_names_stay_on_a_phone(visit: Visit, arena: Server) -> None:
    names, levels = ("ada", "somebody_with_a_long_name_in_one_word"), [one.player for one in GRADINGS["aind"].levels]
    agents = [f"aind:/x/{name}.py" for name in names]
    submissions = tuple(Submission(name=name, agent=text) for name, text in zip(names, agents, strict=True))
    spec = Spec(game="isolation", variants=[{}], agents=[*levels, *agents])
    refused = Submission(name="eve", refused="eve.zip is no zip " * 9)
    plan = Grading(course="aind", spec=spec, pairs=1, submissions=(*submissions, refused))
    with Store(arena.store) as store:
        run = store.new_run("grade", plan.as_dict()).id
        for slot in plan.slots():
            seats = (spec.agents[slot.seats[0]], spec.agents[slot.seats[1]])
            store.add_game(
                run,
                str(slot),
                Record(game="isolation", options={}, start="?", seats=seats, plies=(), winner=0),
            )
        store.finish(run)
    desk = visit(f"/leaderboard/{run}", base=arena.url)
    assert desk.locator(".wide").evaluate("box => box.scrollWidth <= box.clientWidth")
    assert desk.locator(".standings tr").evaluate_all("rows => rows.every(row => row.offsetHeight < 90)")
    phone = visit(f"/leaderboard/{run}", base=arena.url, size="phone")
    phone.locator(".wide").evaluate("box => { box.scrollLeft = 9999 }")
    name = phone.locator(".standings tbody th").first
    place = name.bounding_box()
    assert place is not None and 0 <= place["x"] < 60 and re.search(r"ada\s+50\.0", name.inner_text())
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_page_that_was_refused_asks_again(careless: Page, arena: Server) -> None:
    """A class behind one address may ask too often: nobody's page stays as it was."""
    plan = Plan(spec=Spec(game="isolation", variants=[{}], agents=list(SEATS[0])), pairs=1)
    with Store(arena.store) as store:
        run = store.new_run("tournament", plan.as_dict()).id
        with claimed(arena.store, run):
            careless.goto(f"{arena.url}contests/{run}")
            expect(careless.locator("#part")).to_have_attribute("data-played", "0")
            refused: list[str] = []

            def once(route: Route) -> None:
                if refused:
                    route.continue_()
                    return
                refused.append(route.request.url)
                route.fulfill(status=429, headers={"retry-after": "0.1"}, json={"detail": "too many requests"})

            careless.route("**/part*", once)
            seats = SEATS[0]
            store.add_game(
                run, "0-1/0/0", Record(game="isolation", options={}, start="?", seats=seats, plies=(), winner=0)
            )
            expect(careless.locator("#part")).to_have_attribute("data-played", "1", timeout=PATIENCE)
            assert refused
