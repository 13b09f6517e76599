"""The position editor: set up by clicks, checked by the server, as text and back, and on to the analysis."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.conftest import Visit

pytestmark = pytest.mark.process

Cell = tuple[int, int]
UNIT, LEFT, TOP = 48, 34, 34


def click_at(page: Page, row: float, column: float) -> None:
    """Click on a place of the board, in cells."""
    board = page.locator("#board svg")
    place = board.bounding_box()
    assert place is not None
    _, _, width, _ = (float(part) for part in (board.get_attribute("viewBox") or "").split())
    scale = place["width"] / width
    board.click(position={"x": (LEFT + column * UNIT) * scale, "y": (TOP + row * UNIT) * scale})


def put(page: Page, tool: str, *cells: Cell) -> None:
    page.get_by_role("button", name=tool, exact=True).click()
    for row, column in cells:
        click_at(page, row + 0.5, column + 0.5)


def text_of(page: Page) -> Locator:
    return page.get_by_label("Position as text")


def set_up(page: Page, game: str, size: str) -> None:
    page.get_by_label("Game").select_option(game)
    expect(page).to_have_url(re.compile(f"game={game}"))
    page.get_by_role("combobox", name="Rows" if game == "isolation" else "Size").select_option(size)


def set_up_trap(page: Page) -> str:
    set_up(page, "trap", "5")
    put(page, "Player 1", (0, 0))
    put(page, "Player 2", (4, 4))
    put(page, "Trap", (1, 1), (2, 2))
    put(page, "Empty", (2, 2))
    page.get_by_role("combobox", name="To move", exact=True).select_option("2")
    page.get_by_label("Stage").select_option("aim")
    page.get_by_label("Half-turns").fill("3")
    page.get_by_label("Half-turns").blur()
    return "1..../.x.../...../...../....2 2 aim 3"


def set_up_colosseum(page: Page) -> str:
    set_up(page, "colosseum", "4")
    page.get_by_role("button", name="Clear the board").click()
    put(page, "Player 1", (0, 1))
    put(page, "Player 2", (3, 2))
    page.get_by_role("button", name="Wall", exact=True).click()
    click_at(page, 1.5, 1.9)  # the right side of b2
    click_at(page, 2.1, 0.5)  # the upper side of a3: the lower one of a2
    click_at(page, 0.5, 3.95)  # the border stays
    return "4 b1 c4 1 a2d,b2r"


def set_up_isolation(page: Page) -> str:
    set_up(page, "isolation", "4")
    page.get_by_label("Columns").select_option("5")
    page.get_by_role("button", name="Clear the board").click()
    put(page, "Player 2", (3, 4))
    put(page, "Player 1", (0, 0), (1, 0))
    put(page, "Visited", (0, 0), (2, 2))
    return "x..../1..../..x../....2 1"


def set_up_tiles(page: Page) -> str:
    set_up(page, "tiles", "3")
    page.get_by_role("button", name="Clear the board").click()
    put(page, "Red tile", (0, 0), (1, 1))
    put(page, "Blue tile", (0, 1), (2, 2))
    page.get_by_label("Colour to move").select_option("B")
    page.get_by_role("combobox", name="To move", exact=True).select_option("2")
    return "RBX/XRX/XXB B 2"


GAMES = {
    "trap": set_up_trap,
    "colosseum": set_up_colosseum,
    "isolation": set_up_isolation,
    "tiles": set_up_tiles,
}


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_set_up_by_clicks_and_goes_there_and_back_as_text(visit: Visit, game: str) -> None:
    page = visit("/editor?game=tiles" if game == "trap" else "/editor")
    wanted = GAMES[game](page)
    expect(text_of(page)).to_have_value(wanted)
    expect(page.locator("#verdict")).to_contain_text("Legal: player")
    drawn = page.locator("#board svg").inner_html()
    page.get_by_role("button", name="Set it up").click()
    expect(text_of(page)).not_to_have_value(wanted)
    text_of(page).fill(wanted)
    page.get_by_role("button", name="Use this text").click()
    expect(page).to_have_url(re.compile(re.escape(quote_plus(wanted))))
    expect(text_of(page)).to_have_value(wanted)
    assert pieces(page.locator("#board svg").inner_html()) == pieces(drawn)
    page.get_by_role("link", name="Analyse it").click()
    expect(page.get_by_label("Position", exact=True)).to_have_value(wanted)


def pieces(drawing: str) -> list[str]:
    """What stands on a drawn board, and where."""
    return sorted(re.findall(r'data-piece="[^"]*"(?: data-at="[^"]*")?|class="wall" d="[^"]*"', drawing))


def test_what_is_wrong_is_said_in_words_and_nothing_starts_from_it(visit: Visit) -> None:
    page = visit("/editor?game=trap")
    put(page, "Player 1", (0, 3))  # where it stands: it is taken away
    expect(page.locator("#verdict")).to_contain_text("both players must stand on the board")
    expect(page.get_by_role("link", name="Play from here")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("link", name="Analyse it").click(force=True)
    assert "/editor" in page.url
    put(page, "Player 1", (2, 2))
    expect(page.locator("#verdict")).to_contain_text("Legal")
    put(page, "Throw in the air", (4, 4))
    expect(text_of(page)).to_have_value(re.compile(r"1 @e5 0$"))
    expect(page.locator("#verdict")).to_contain_text("in the air")


def draw_over(page: Page, *places: tuple[float, float]) -> None:
    """Press at the first place (row and column, in cells), draw over the others, and let go."""
    board = page.locator("#board svg")
    board.scroll_into_view_if_needed()
    place = board.bounding_box()
    assert place is not None
    scale = place["width"] / float((board.get_attribute("viewBox") or "").split()[2])
    for number, (row, column) in enumerate(places):
        page.mouse.move(
            place["x"] + (LEFT + column * UNIT) * scale,
            place["y"] + (TOP + row * UNIT) * scale,
            steps=2 if number else 1,
        )
        if not number:
            page.mouse.down()
    page.mouse.up()


def test_cells_and_walls_are_painted_by_drawing_over_them(visit: Visit) -> None:
    page = visit("/editor?game=isolation&position=1.../..../..../...2 1")
    page.get_by_role("button", name="Visited", exact=True).click()
    draw_over(page, (1.5, 0.5), (1.5, 3.5), (2.5, 3.5))
    expect(text_of(page)).to_have_value("1.../xxxx/...x/...2 1")
    draw_over(page, (1.5, 1.5), (1.5, 2.5))  # what is there is taken away
    expect(text_of(page)).to_have_value("1.../x..x/...x/...2 1")
    page.get_by_role("button", name="Player 1", exact=True).click()
    draw_over(page, (0.5, 0.5), (0.5, 2.5))  # a player goes along
    expect(text_of(page)).to_have_value("..1./x..x/...x/...2 1")
    expect(page.locator("#verdict")).to_contain_text("Legal")
    page.goto(page.url.split("?")[0] + "?game=colosseum&position=5 a1 e5 1 -")
    page.get_by_role("button", name="Wall", exact=True).click()
    draw_over(page, (1.95, 0.5), (1.95, 3.5))
    expect(text_of(page)).to_have_value("5 a1 e5 1 a2d,b2d,c2d,d2d")
    draw_over(page, (1.9, 1.5), (2.1, 2.5))
    expect(text_of(page)).to_have_value("5 a1 e5 1 a2d,d2d")


def test_a_size_that_is_chosen_while_a_position_comes_is_not_lost(visit: Visit) -> None:
    page = visit("/editor?game=isolation")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)
        if len(waiting) == 2:  # both were asked for before anything came
            for one in waiting:
                one.continue_()

    page.route("**/api/position", hold)
    page.get_by_label("Game").select_option("tiles")
    page.get_by_role("combobox", name="Rows").select_option("4")
    expect(text_of(page)).to_have_value(re.compile(r"^([RBX]{4}/){3}[RBX]{4} [RB] [12]$"))
    expect(page.get_by_role("combobox", name="Size")).to_have_value("4")
    expect(page.locator("#verdict")).to_contain_text("Legal")


@pytest.mark.parametrize(
    ("game", "wanted", "cells"),
    [
        ("isolation", "x..../1..../..x../....2 1", 20),
        ("colosseum", "4 b1 c4 1 a2d,b2r", 16),
        ("tiles", "RBX/XRX/RXB R 2", 9),
    ],
)
def test_play_and_analysis_begin_with_the_position_and_its_size(
    visit: Visit, game: str, wanted: str, cells: int
) -> None:
    page = visit(f"/editor?game={game}&position={wanted}")
    page.get_by_role("link", name="Analyse it").click()
    expect(page.get_by_label("Position", exact=True)).to_have_value(wanted)
    expect(page.locator(".pane [data-cell]")).to_have_count(cells)
    page.go_back()
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator("#board [data-cell]")).to_have_count(cells)
    page.locator("#opponent").select_option("random")  # whatever else is chosen, the position stays
    expect(page.locator("#beginning")).to_be_hidden()
    page.get_by_label("two people", exact=False).check()
    page.get_by_role("button", name="Begin the game").click()
    page.wait_for_selector("#board[data-turn=human]")
    expect(page.locator("#position")).to_have_value(wanted)
    expect(page.locator("#board [data-cell]")).to_have_count(cells)


def test_the_editor_obeys_keys(visit: Visit) -> None:
    page = visit("/editor?game=colosseum&position=4 a1 d4 1 -", size="phone")
    page.get_by_role("button", name="Player 1", exact=True).click()
    page.locator("#board svg").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(text_of(page)).to_have_value("4 b2 d4 1 -")
    page.get_by_role("button", name="Wall", exact=True).click()
    page.locator("#board svg").focus()
    page.keyboard.press("l")
    expect(text_of(page)).to_have_value("4 b2 d4 1 a2r")


def test_the_text_is_copied(visit: Visit) -> None:
    page = visit("/editor?game=tiles")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("window.setTimeout = () => 0")  # what the button says stays
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text_of(page).input_value()


def test_the_board_and_its_tools_are_on_the_first_screen(visit: Visit) -> None:
    page = visit("/editor?game=trap")
    page.set_viewport_size({"width": 1280, "height": 800})
    for part in ("#board .board", "#tools", "#verdict", "#to-play"):
        box = page.locator(part).bounding_box()
        assert box is not None and box["y"] + box["height"] <= 800
    board, tools = page.locator("#board .board").bounding_box(), page.locator("#tools").bounding_box()
    assert board is not None and tools is not None and tools["x"] > board["x"] + board["width"]  # beside it


def test_on_a_phone_the_tools_are_above_the_board(visit: Visit) -> None:
    page = visit("/editor?game=trap", size="phone")
    board, tools = page.locator("#board .board").bounding_box(), page.locator("#tools").bounding_box()
    assert board is not None and tools is not None and tools["y"] + tools["height"] < board["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
