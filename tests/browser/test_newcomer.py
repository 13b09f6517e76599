"""What somebody sees who is here for the first time, in a real browser: nothing misleads, nothing is cut off."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import Server, Visit, start_server
from browser.test_play import click_move, look, open_table, place_of, wait_after
from harena.arena.contest import Spec
from harena.arena.store import Store
from harena.arena.tournament import Plan
from web.shelves import played

pytestmark = pytest.mark.process

MUTE = """
import json, sys
print(json.dumps({"type": "ready", "harena": 1}), flush=True) if json.loads(input())["type"] == "hello" else None
for line in sys.stdin:
    pass
"""
NOT_SIDEWAYS = "document.documentElement.scrollWidth <= innerWidth"
HEARD = """() => {
  window.heard = [];
  const turn = () => document.querySelector('.seat.turn')?.id;
  const told = () => heard.push([status.textContent, moves.textContent, position.value, turn()]);
  const [status, moves, position] = ['status', 'moves', 'position'].map(name => document.getElementById(name));
  new MutationObserver(told).observe(status, { childList: true, characterData: true, subtree: true });
}"""


def test_games_that_end_alike_have_a_board_each(visit: Visit, server: Server) -> None:
    plan = Plan(spec=Spec(game="isolation", variants=[{"size": "4"}], agents=["random", "mm_open"]), pairs=2)
    with Store(server.store) as store:
        run = store.new_run("tournament", plan.as_dict()).id
        for number in range(4):
            store.add_game(run, f"0-1/{number // 2}/{number % 2}", played("isolation", seed=1 + number // 3))
        store.finish(run)
    page = visit(f"/contests/{run}")
    expect(page.locator(".boards .small")).to_have_count(4)
    expect(page.locator(".boards .small > svg.board")).to_have_count(4)


def test_a_leaderboard_and_the_games_of_a_tournament_fit_a_phone(visit: Visit, server: Server) -> None:
    agents = ["alphabeta(heuristic=improved)", "mm_open"]
    plan = Plan(spec=Spec(game="isolation", variants=[{"size": "4"}], agents=agents), pairs=1)
    with Store(server.store) as store:
        run = store.new_run("tournament", plan.as_dict()).id
        for swapped in (False, True):
            seats = (agents[swapped], agents[not swapped])
            store.add_game(run, f"0-1/0/{int(swapped)}", played("isolation", seats=seats))
        store.finish(run)
    page = visit(f"/leaderboard/{run}", size="phone")
    assert page.locator(".standings thead th:visible").all_inner_texts() == ["#", "Agent", "Score", "Games", "Elo"]
    expect(page.locator(".standings .stacked").first).to_be_visible()
    assert page.evaluate("[...document.querySelectorAll('.wide')].every(one => one.scrollWidth <= one.clientWidth)")
    page.goto(f"{server.url}contests/{run}")
    game = page.locator(".games tbody tr").first
    game.scroll_into_view_if_needed()
    box = game.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # anywhere in it
    page.wait_for_url("**/games/*")


def test_a_game_with_an_agent_of_a_folder_fits_a_phone_and_can_be_removed(visit: Visit, tmp_path: Path) -> None:
    agent = tmp_path / "agents" / "a-team-with-a-very-long-name-indeed-that-has-no-blank" / "mute.py"
    agent.parent.mkdir(parents=True)
    agent.write_text(MUTE)
    started = start_server(tmp_path, "--agents", str(tmp_path / "agents"))
    try:
        page = visit("/play", base=started.url, size="phone")
        seats = ["human", str(agent)]
        told = open_table(page, started.url, game="isolation", size="4", seats=seats, limits={"seconds": 25})
        click_move(page, told["state"]["moves"][0])
        expect(page.locator("#board")).to_have_attribute("data-turn", "agent")
        open_table(page, started.url, game="isolation", size="4", seats=seats)  # without a move: it is not listed
        page.goto(f"{started.url}play")
        expect(page.locator(".open-games li")).to_have_count(1)
        expect(page.locator(".open-games li")).to_contain_text("very-long-name-indeed-that-has-no-blank/mute.py")
        assert str(tmp_path) not in page.locator(".open-games").inner_text()
        assert page.evaluate(NOT_SIDEWAYS)
        page.locator(".remove").click()
        expect(page.locator(".open-games li")).to_have_count(1)  # a second click is sure
        page.locator(".remove").click()
        expect(page.locator(".open-games")).to_have_count(0)
        assert page.request.get(f"{started.url}api/tables/{told['id']}").status == 404
    finally:
        started.stop()


def test_what_stands_beside_the_board_tells_of_the_ply_that_is_shown(server: Server, browser: Browser) -> None:
    page = browser.new_page()  # not `visit`: here things move
    told = open_table(page, server.url, game="tiles", size="4", seats=["human", "greedy"], seed=3)
    page.evaluate(HEARD)
    click_move(page, told["state"]["moves"][0])
    wait_after(page, 0)
    after = look(page)
    mine, other = (ply["move"] for ply in after["plies"][:2])
    heard = page.evaluate("heard")
    assert heard[0][0] == f"You remove {mine}"
    [(_, moves, position, turn)] = [one for one in heard if one[0] == f"greedy removes {other}"]
    assert other in moves and position == after["state"]["position"] and turn == "seat-1"
    assert heard[-1][0].startswith("Your turn")
    page.close()


def test_a_click_on_a_cell_that_is_no_move_is_answered(visit: Visit, server: Server) -> None:
    page = visit("/play")
    open_table(page, server.url, game="isolation", size="5", position="1..../...../..x../...../....2 1")
    page.mouse.click(*place_of(page, [2, 2]))
    expect(page.locator("#told")).to_contain_text("c3 is no move now")
    expect(page.locator("#board .refused")).to_have_count(1)


def test_what_was_said_is_gone_with_the_next_deed(careless: Page, server: Server) -> None:
    page = careless
    position = "1..../...../..x../...../....2 1"
    open_table(page, server.url, game="isolation", size="5", position=position, limits={"seconds": 0.1})
    told, error = page.locator("#told"), page.locator("#error")
    page.mouse.click(*place_of(page, [2, 2]))
    expect(told).to_contain_text("c3 is no move now")
    page.locator("#typed").fill("zz")
    page.keyboard.press("Enter")
    expect(error).to_contain_text("zz")
    expect(told).not_to_contain_text("no move now")
    page.mouse.click(*place_of(page, [2, 2]))
    expect(error).to_be_empty()
    expect(told).to_contain_text("c3 is no move now")
    page.locator("#hint").click()
    expect(told).to_be_empty()


def test_the_heading_asks_for_the_side_of_a_wall_until_it_is_given_up(visit: Visit, server: Server) -> None:
    page = visit("/play")
    told = open_table(page, server.url, game="colosseum", size="6", setup="empty", seats=["human", "random"])
    status = page.locator("#status")
    expect(status).to_contain_text("choose a cell")
    page.mouse.click(*place_of(page, told["state"]["moves"][0]["cell"]))
    expect(status).to_have_text("Your turn: choose a side for your wall")
    page.locator("#board svg").press("Escape")
    expect(status).to_contain_text("choose a cell")
    expect(page.locator("#told")).not_to_contain_text("side of your wall")


def test_a_champion_can_be_made_weaker(visit: Visit) -> None:
    page = visit("/play")
    expect(page.locator("#level")).to_be_visible()  # the champion is what is offered first
    page.locator("#level").select_option("1")
    page.locator("#begin").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#seat-1 b")).to_have_text("champion, level 1")
    page.goto(page.url.rsplit("/", 1)[0])
    page.locator("#opponent").select_option("random")
    expect(page.locator("#level")).to_be_hidden()


def test_the_champion_that_is_watched_can_be_made_weaker(visit: Visit) -> None:
    page = visit("/watch")
    expect(page.locator("[name=first_level]")).to_be_hidden()
    page.locator("[name=first]").select_option("champion")
    page.locator("[name=first_level]").select_option("2")
    with page.expect_request("**/api/watch") as asked:
        page.locator("#new [type=submit]").click()
    assert asked.value.post_data_json["first"] == "champion(level=2)"
    page.wait_for_url("**/watch/*")
    page.goto(page.url.split("/watch")[0] + "/contests")
    page.locator("#begin").evaluate("details => { details.open = true }")
    expect(page.locator("#level-field")).to_be_hidden()
    page.locator("[name=agent][value=champion]").check()
    expect(page.locator("#level-field")).to_be_visible()


def test_the_zones_are_shaded_at_the_end(visit: Visit, server: Server) -> None:
    page = visit("/play")
    open_table(page, server.url, game="colosseum", position="3 a1 c3 1 a1r,b1d,c1d,b2r")
    expect(page.locator("#board [class^=zone]")).to_have_count(0)
    page.locator("#typed").fill("a1d")
    page.locator("#typing button").click()
    expect(page.locator("#board .zone-1")).to_have_count(1)
    expect(page.locator("#board .zone-2")).to_have_count(6)  # b1 and c1 are nobody's


DRAWN = """async scales => {
  const { drawnSeats } = await import('/static/graphs.js');
  const plies = [[null, null], [0, 0.3], [1, -7], [0, 0.4], [1, -7.1]].map(([by, value]) => ({ by, value }));
  return drawnSeats({ plies, scales });
}"""


def test_numbers_that_only_a_player_understands_are_not_drawn_beside_what_another_expects(visit: Visit) -> None:
    page = visit("/")
    shares, heuristic = {"win": 1, "loss": 0}, {"win": 10000, "loss": -10000}
    assert page.evaluate(DRAWN, [shares, heuristic]) == [0]
    assert page.evaluate(DRAWN, [None, shares]) == [1]
    assert page.evaluate(DRAWN, [heuristic, None]) == page.evaluate(DRAWN, [shares, shares]) == [0, 1]


GRAPHS = """async () => {
  const { ValueGraph, scaleOf } = await import('/static/graphs.js');
  const plies = [[null, null], [0, 3], [1, null], [0, 9990], [0, 10000]].map(([by, value]) => ({ by, value }));
  const game = { plies, scales: [{ win: 10000, loss: -10000 }, null] }, { place } = scaleOf(game, 0);
  const graph = new ValueGraph(game, () => undefined);
  graph.draw([1, 2].map(ply => ({ ply, kind: 'blunder', sign: '??', words: '' })));
  const height = note => Number(/ ([\\d.]+)h/.exec(note.getAttribute('d'))[1]);
  const heights = [...graph.svg.querySelectorAll('.note')].map(height);
  return { places: [3, 9990, 10000].map(value => place({ value })), heights };
}"""


def test_a_value_near_a_win_does_not_flatten_the_graph_and_marks_stand_on_its_line(visit: Visit) -> None:
    found = visit("/").evaluate(GRAPHS)
    small, near, won = found["places"]
    assert 0.5 < small < near < won == 1
    (with_value,) = found["heights"]
    assert with_value < 62  # the middle


def test_heat_on_tiles_is_a_digit_over_the_piece(visit: Visit) -> None:
    page = visit("/understand?game=tiles&position=BRXR/RBRB/BXBR/RBRB R 1")
    page.get_by_text("The player as text").click()  # it is folded away
    page.get_by_label("The player as text").fill("greedy")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".summary .best")).to_be_visible()  # it may have to be compiled
    expect(page.locator(".badge-of")).to_have_count(7)
    assert set(page.locator(".badge-of").all_text_contents()) <= set("0123456789")


def test_a_chance_on_a_trap_stands_on_a_plate(visit: Visit, server: Server) -> None:
    page = visit("/play")
    open_table(page, server.url, game="trap", position="1.../.x../..x./...2 1 aim 2")
    expect(page.locator(".targets .plate")).to_have_count(2)
    expect(page.locator(".targets .odds")).to_have_count(14)


def test_the_rules_follow_the_game_that_is_chosen(visit: Visit, server: Server) -> None:
    page = visit("/play?game=isolation")
    page.locator(".rules summary").click()
    expect(page.locator(".rules")).to_contain_text("jumps as in chess")
    page.get_by_role("radio", name="Colosseum Survival!").check()
    expect(page.locator("[data-rules=colosseum]")).to_be_visible()
    expect(page.locator("[data-rules=isolation]")).to_be_hidden()
    open_table(page, server.url, game="tiles")
    page.locator(".rules summary").click()
    expect(page.locator(".rules")).to_contain_text("the edge of the board holds")
    page.goto(server.url)
    expect(page.locator(".game .rules")).to_have_count(4)


def test_a_move_is_tried_by_a_click_and_the_address_keeps_it_and_the_player(visit: Visit) -> None:
    page = visit("/understand?game=isolation&position=...../...../..1../...2./..... 1")
    page.get_by_text("The player as text").click()  # it is folded away
    page.get_by_label("The player as text").fill("mm_open")
    expect(page).to_have_url(re.compile("player=mm_open"))
    page.mouse.click(*place_of(page, [0, 1]))
    expect(page.get_by_label("Position", exact=True)).to_have_value(".1.../...../..x../...2./..... 2")
    expect(page).to_have_url(re.compile(r"position=\.1\.\.\..*player=mm_open"))
    page.go_back()
    expect(page.get_by_label("Position", exact=True)).to_have_value("...../...../..1../...2./..... 1")
    page.reload()
    expect(page.get_by_label("The player as text")).to_have_value("mm_open")


def test_the_tree_says_that_it_grows_and_how_deep_the_search_went(visit: Visit) -> None:
    page = visit("/understand?game=isolation&position=...../...../..1../...2./..... 1")
    page.get_by_text("The player as text").click()  # it is folded away
    page.get_by_label("The player as text").fill("alphabeta(heuristic=open)")
    page.get_by_label("Limit", exact=True).fill("7")
    page.get_by_label("Unit of the limit").select_option("depth")
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".explorer")).to_contain_text("the search went to depth 7")
    held: list[Route] = []
    page.route("**/api/tree", lambda route: held.append(route))  # noqa: PLW0108 (it is asked for its signature)
    page.locator(".tree-depth").fill("2")
    page.get_by_role("button", name="Open the tree").click()
    expect(page.locator(".explorer .growing")).to_have_text("growing the tree …")
    held[0].continue_()
    expect(page.get_by_role("treeitem").first).to_be_visible()
    expect(page.locator(".explorer .growing")).to_be_hidden()


def test_a_wrong_position_in_the_address_of_the_editor_is_told(visit: Visit) -> None:
    page = visit("/editor?game=trap&position=zzz")
    expect(page.locator("#verdict")).to_contain_text("The position in the address cannot be shown")
    expect(page.locator("#verdict")).to_have_class("error")
    expect(page.locator("#board svg")).to_be_visible()
