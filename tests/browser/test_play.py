"""Playing by click, tap and keys, in a real browser, until games are over."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.conftest import Server, Visit, noted, quiet_port, start_server

pytestmark = pytest.mark.process

OFFSETS = {"u": (0, -0.4), "r": (0.4, 0), "d": (0, 0.4), "l": (-0.4, 0), "": (0, 0)}
SETTLED = "before => { const { plies, turn } = board.dataset; return Number(plies) > before && turn !== 'agent' }"


def open_table(page: Page, base: str, **given: Any) -> dict[str, Any]:
    """Begin a game through the API, the same one every time, and look at it."""
    wanted = {"seats": ["human", "random"], "seed": 4, **given}
    answer = page.request.post(base.rstrip("/") + "/api/tables", data=wanted)
    assert answer.status == 201, answer.text()
    told: dict[str, Any] = answer.json()
    page.goto(f"{base.rstrip('/')}/play/{told['id']}")
    page.wait_for_selector("#board[data-turn=human]")
    return told


def look(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.request.get(page.url.replace("/play/", "/api/tables/")).json()
    return found


def place_of(page: Page, cell: list[int], side: str = "") -> tuple[float, float]:
    """Where a cell is on the screen, or its part beside one of its sides."""
    name = f"{chr(97 + cell[1])}{cell[0] + 1}"
    spot = page.locator(f"[data-cell={name}]")
    spot.scroll_into_view_if_needed()
    box = spot.bounding_box()
    assert box is not None
    right, down = OFFSETS[side]
    return box["x"] + box["width"] * (0.5 + right), box["y"] + box["height"] * (0.5 + down)


def click_move(page: Page, move: dict[str, Any]) -> None:
    """Make a move as people do: a click on the cell, and where a wall belongs to it another beside its side."""
    page.mouse.click(*place_of(page, move["cell"]))
    if move.get("side"):
        expect(page.locator(f"[data-move={move['text']}]")).to_have_count(1)
        page.mouse.click(*place_of(page, move["cell"], move["side"]))


def wait_after(page: Page, plies: int) -> None:
    page.wait_for_function(SETTLED, arg=plies)


def play_out(page: Page, most: int = 200) -> dict[str, Any]:
    """Click until the game is over: the move in the middle of the list, throws as near to the opponent as may be."""
    for _ in range(most):
        told = look(page)
        if told["over"]:
            break
        state = told["state"]
        move = state["moves"][len(state["moves"]) // 2]
        if "spread" in move:
            row, column = next(
                cell[:2] for cell in state["picture"]["cells"] if cell[2] == f"player {2 - state['mover']}"
            )
            move = min(state["moves"], key=lambda one: max(abs(one["cell"][0] - row), abs(one["cell"][1] - column)))
        click_move(page, move)
        wait_after(page, len(told["plies"]))
    return look(page)


@pytest.mark.parametrize(("game", "size"), [("trap", "4"), ("colosseum", "4"), ("isolation", "4"), ("tiles", "4")])
def test_a_whole_game_is_played_by_clicks(visit: Visit, server: Server, game: str, size: str) -> None:
    page = visit("/play")
    open_table(page, server.url, game=game, size=size, seed=4)
    told = play_out(page)
    assert told["over"] and told["number"]
    expect(page.locator("#status")).to_have_text(told["result"])
    expect(page.locator("#replay")).to_have_attribute("href", f"/games/{told['number']}")
    assert told["why"]
    expect(page.locator("#why")).to_have_text(told["why"])
    expect(page.locator("#moves")).to_contain_text(told["plies"][-1]["move"])
    last = page.locator("#moves a").last
    expect(last).to_have_attribute("href", f"/games/{told['number']}#ply={len(told['plies'])}")
    listed = " ".join(page.locator("#moves .text").all_inner_texts()).split()
    assert listed == [ply["move"] for ply in told["plies"]]
    expect(page.locator(".targets *")).to_have_count(0)


def test_the_form_begins_the_game_that_was_chosen(visit: Visit) -> None:
    page = visit("/play?game=isolation")
    page.get_by_label("Tile removal").check()
    page.get_by_label("player 2", exact=True).check()
    offered = page.locator("#opponent optgroup").evaluate_all("groups => groups.map(one => one.label)")
    assert offered == ["Champion", "Players of the courses", "Sparring partners"]
    page.locator("#opponent").select_option("random")
    page.locator("#limit").select_option("iterations")
    page.locator("#amount").fill("50")
    page.locator("#rows").select_option("3")
    page.locator("#setup").select_option("random")
    page.locator("#first").select_option("B")
    page.locator("#seed").fill("9")
    expect(page.locator("[data-cell=c3]")).to_be_visible()
    expect(page.locator("[data-cell=d4]")).to_have_count(0)  # the board shows how it begins
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_selector("#board[data-turn=human]")
    told = look(page)
    assert told["seats"] == ["random", "human"] and told["seed"] == 9 and told["limits"] == {"iterations": 50}
    assert told["state"]["game"] == "tiles" and told["state"]["picture"]["rows"] == 3
    assert told["state"]["position"].split()[1] == "R"  # blue has begun
    expect(page.locator("#piece-1")).to_have_attribute("data-piece", "red")


def test_the_form_says_what_is_wrong_and_goes_on(careless: Page, server: Server) -> None:
    page = careless
    page.goto(server.url + "play?game=isolation&position=1.../..../...2%201")
    expect(page.locator("#position")).to_have_value("1.../..../...2 1")
    page.locator("#opponent").select_option(label="a player by its text …")
    page.locator("#text").fill("nobody(depth=3)")
    with page.expect_response("**/api/tables") as answered:
        page.get_by_role("button", name="Begin the game").click()
    assert answered.value.status == 422
    expect(page.locator("#error")).to_contain_text("no player 'nobody'")
    page.locator("#text").fill("minimax(depth=1)")
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_selector("#board[data-turn=human]")
    assert look(page)["state"]["position"] == "1.../..../...2 1"


def test_a_position_in_the_address_that_is_wrong_is_explained_in_the_form(careless: Page, server: Server) -> None:
    page = careless
    answer = page.goto(server.url + "play?game=isolation&position=1..2/nonsense%201")
    assert answer is not None and answer.status == 200
    expect(page.locator("#error")).not_to_be_empty()
    expect(page.locator("#position")).to_have_value("1..2/nonsense 1")
    expect(page.locator("[data-cell=g7]")).to_be_visible()  # the usual start
    page.locator("#position").fill("1.../..../...2 1")
    page.locator("#position").press("Tab")
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("[data-cell=d3]")).to_be_visible()
    expect(page.locator("[data-cell=d4]")).to_have_count(0)
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_selector("#board[data-plies]")
    assert look(page)["state"]["position"] == "1.../..../...2 1"


def test_a_move_and_who_thinks_are_shown_before_the_server_has_answered(visit: Visit, server: Server) -> None:
    page, held, agent = visit("/play"), list[Route](), "mcts(solver=false)"  # which uses all its time

    def hold(route: Route) -> None:
        held.append(route)

    told = open_table(page, server.url, game="isolation", size="5", seats=["human", agent], limits={"seconds": 4})
    page.route("**/move?*", hold)
    move = told["state"]["moves"][7]
    page.mouse.click(*place_of(page, move["cell"]))
    expect(page.locator(f"[data-piece='player 1'][data-at={move['text']}]")).to_be_visible()
    expect(page.locator("#status")).to_have_text(f"You go to {move['text']}")
    expect(page.locator("#thinking-1 .ring")).to_be_visible()
    expect(page.locator("#seat-1")).to_have_class(re.compile("turn"))
    assert not look(page)["plies"] and len(held) == 1  # the server knows nothing of it yet
    expect(page.locator("#board")).to_have_attribute("data-plies", "0")
    held[0].continue_()
    share = page.locator("#thinking-1 .share")
    expect(share).to_be_visible()
    page.wait_for_function("() => document.querySelector('#thinking-1 .share').style.getPropertyValue('--share') > 0.2")
    expect(page.locator("#status")).to_have_text(f"{agent} is thinking")
    wait_after(page, 1)
    expect(page.locator("#thinking-1")).to_be_hidden()


def test_a_step_that_fails_does_not_freeze_the_board(browser: Browser, server: Server) -> None:
    page = browser.new_page()  # with motion
    faults = noted(page, refusals=True)
    told = open_table(page, server.url, game="isolation", size="4", seats=["human", "human"])
    page.evaluate("() => { Element.prototype.animate = () => { throw new Error('no motion today') } }")
    for plies in range(2):
        click_move(page, told["state"]["moves"][5 + plies])
        wait_after(page, plies)
    assert len(faults) == 2 and all("no motion today" in fault for fault in faults)
    page.close()


def test_hint_undo_resign_and_rematch(visit: Visit, server: Server) -> None:
    page = visit("/play")
    told = open_table(page, server.url, game="tiles", size="3", limits={"seconds": 0.1})
    expect(page.locator("#undo")).to_be_disabled()
    page.locator("#hint").click()
    expect(page.locator(".advised")).to_have_count(1)
    expect(page.locator("#advice")).to_contain_text("The champion would ")
    click_move(page, told["state"]["moves"][0])
    wait_after(page, 0)
    expect(page.locator("#advice")).to_be_empty()
    page.locator("#undo").click()
    page.wait_for_selector("#board[data-plies='0']")
    assert look(page)["state"]["position"] == told["state"]["position"]
    page.locator("#resign").click()
    expect(page.locator("#resign")).to_have_text("Really resign?")
    assert not look(page)["over"]
    page.locator("#resign").click()
    expect(page.locator("#status")).to_have_text("You lose: you resigned")
    before = page.url
    page.locator("#rematch").click()
    page.wait_for_url(lambda url: url != before)
    page.wait_for_selector("#board[data-turn=human]")
    again = look(page)
    assert again["seats"] == ["random", "human"] and again["plies"][0]["by"] == 0
    expect(page.locator("#seat-1 b")).to_have_text("You")
    page.reload()
    expect(page.locator("#told")).to_have_text(f"random removes {again['plies'][-1]['move']}")  # also of a move before


def test_two_people_at_one_screen(visit: Visit, server: Server) -> None:
    page = visit("/play")
    open_table(page, server.url, game="isolation", size="3x4", seats=["human", "human"])
    expect(page.locator("#status")).to_have_text("Player 1: put your knight on any free cell")
    click_move(page, {"cell": [0, 0]})
    expect(page.locator("#status")).to_have_text("Player 2: put your knight on any free cell")
    told = play_out(page)
    assert told["over"] and told["result"].startswith("Player ")
    expect(page.locator("#status")).to_have_text(told["result"])


def test_a_game_by_keys_alone(visit: Visit, server: Server) -> None:
    page = visit("/play")
    open_table(page, server.url, game="isolation", size="4", seed=1)
    for _ in range(30):  # as far as Tab takes us to the board
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#board svg')"):
            break
    for _ in range(20):
        told = look(page)
        if told["over"]:
            break
        to_row, to_column = told["state"]["moves"][-1]["cell"]
        page.keyboard.press("ArrowUp")  # the cursor appears
        for _ in range(4):
            page.keyboard.press("ArrowUp")
            page.keyboard.press("ArrowLeft")
        for _ in range(to_row):
            page.keyboard.press("ArrowDown")
        for _ in range(to_column):
            page.keyboard.press("ArrowRight")
        expect(page.locator("#announce")).to_contain_text("can be chosen")
        page.keyboard.press("Enter")
        wait_after(page, len(told["plies"]))
    assert look(page)["over"]
    expect(page.locator("#announce")).to_contain_text(look(page)["result"])


def test_walls_by_keys_and_moves_as_text(careless: Page, server: Server) -> None:
    page = careless
    open_table(page, server.url, game="colosseum", size="4", setup="empty", seats=["human", "human"])
    page.locator("#board svg").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#sides")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#sides")).to_be_hidden()
    page.keyboard.press("Enter")
    cell = page.locator(".chosen")
    expect(cell).to_have_count(1)
    side = look(page)["state"]["moves"][0]["side"]
    page.keyboard.press({"u": "ArrowUp", "r": "ArrowRight", "d": "ArrowDown", "l": "ArrowLeft"}[side])
    expect(page.locator("#board .preview")).to_have_count(1)
    expect(page.locator("#announce")).to_contain_text("Enter builds it")
    assert not look(page)["plies"]  # an arrow only shows the wall
    page.keyboard.press("Enter")
    wait_after(page, 0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(cell).to_have_count(1)
    page.keyboard.press(next(one["side"] for one in look(page)["state"]["moves"]))  # a letter builds it at once
    wait_after(page, 1)
    page.locator("#typed").fill("z9")
    with page.expect_response("**/move?*") as answered:
        page.keyboard.press("Enter")
    assert answered.value.status == 422
    expect(page.locator("#error")).to_contain_text("z9")
    page.locator("#typed").fill(look(page)["state"]["moves"][-1]["text"].upper())
    page.keyboard.press("Enter")
    wait_after(page, 2)
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("#typed")).to_have_value("")


@pytest.mark.parametrize("path", ["/play", "game"])
@pytest.mark.parametrize("dark", [False, True])
def test_everything_fits_on_a_phone(visit: Visit, server: Server, path: str, dark: bool) -> None:
    page = visit("/play", size="phone", dark=dark)
    if path == "game":
        open_table(page, server.url, game="colosseum", size="12", setup="empty")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_killed_server_goes_on_with_the_game(careless: Page, tmp_path: Path) -> None:
    first, page = start_server(tmp_path, port=quiet_port()), careless
    try:
        open_table(page, first.url, game="isolation", size="4", seed=3)
        told = look(page)
        click_move(page, told["state"]["moves"][0])
        wait_after(page, 0)
        plies = look(page)["plies"]
    finally:
        first.stop()
    expect(page.locator("#connection")).to_contain_text("does not answer")
    second = start_server(tmp_path, port=int(first.url.rstrip("/").rpartition(":")[2]))
    try:
        expect(page.locator("#connection")).to_have_text("The server is back.")
        assert [ply["move"] for ply in look(page)["plies"]] == [ply["move"] for ply in plies]
        assert play_out(page)["over"]
        expect(page.locator("#status")).to_have_text(look(page)["result"])
        page.reload()
        expect(page.locator("#status")).to_have_text(look(page)["result"])
    finally:
        page.goto("about:blank")
        second.stop()
        shutil.rmtree(tmp_path, ignore_errors=True)
