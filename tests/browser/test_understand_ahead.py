"""Looking ahead on the page Understand, in a real browser; what fits the first screen, and what is explained."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import PATIENCE, Server, Visit, noted
from browser.understanding import ISOLATION, TRAP, analyse, items, pane

pytestmark = pytest.mark.process


@pytest.fixture
def small(server: Server, browser: Browser) -> Iterator[Visit]:
    """Pages on a small screen, as many laptops have."""
    pages: list[Page] = []
    complaints: list[list[str]] = []

    def open_page(path: str) -> Page:
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        pages.append(page)
        complaints.append(noted(page, refusals=True))
        page.goto(server.url.rstrip("/") + path)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not [one for page in complaints for one in page]


def bottom_of(where: Locator) -> float:
    box = where.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def looked_ahead(page: Page) -> tuple[Locator, str]:
    """A pane that shows the board after the third of its moves, and that move."""
    only = pane(page)
    analyse(only, "alphabeta(heuristic=improved)", "3")
    row = only.locator(".root tbody tr").nth(2)
    row.get_by_role("button").click()
    expect(only.get_by_role("button", name="Back", exact=True)).to_be_visible()
    return only, row.get_attribute("data-move") or ""


def test_a_look_ahead_says_what_it_is_and_every_way_leads_back(visit: Visit) -> None:
    page = visit(ISOLATION)
    only, move = looked_ahead(page)
    at_home, away = (only.locator(f'[data-piece="player 1"][data-at="{cell}"]') for cell in ("c3", move))
    expect(away).to_be_visible()
    expect(only.locator(".caption")).to_have_text(f"After {move}: player 2 to move")
    expect(only.locator(".summary")).to_contain_text(f"Before {move}: ")  # the answer is about another board
    expect(only.locator(".board .heat")).to_have_count(0)

    def again() -> None:
        expect(at_home).to_be_visible()
        expect(only.locator(".ahead")).to_be_hidden()
        expect(only.locator(".summary")).not_to_contain_text("Before")
        only.locator(f'.root [data-move="{move}"] button').click()
        expect(away).to_be_visible()

    only.get_by_role("button", name="Back", exact=True).click()
    expect(only.locator(".board-place .board")).to_be_focused()
    again()
    only.get_by_role("button", name="One move back").click()
    again()
    only.get_by_role("button", name="To the position").click()
    again()
    page.keyboard.press("Escape")
    expect(at_home).to_be_visible()
    only.get_by_role("button", name="One move on").click()
    page.locator("h1").click()
    page.keyboard.press("Escape")  # wherever the focus is
    expect(at_home).to_be_visible()


def test_whoever_looks_ahead_goes_on_from_there(visit: Visit) -> None:
    page = visit(ISOLATION)
    only, move = looked_ahead(page)
    position = page.get_by_label("Position", exact=True)
    before = position.input_value()
    only.get_by_role("button", name="Analyse").click()  # what is seen is analysed
    expect(position).to_have_value(re.compile(" 2$"))
    expect(only.locator(".summary .best")).to_be_visible()
    expect(only.locator(".caption")).to_have_text("player 2 to move")
    expect(only.locator(f'.board-place [data-piece="player 1"][data-at="{move}"]')).to_be_visible()
    page.go_back()
    expect(position).to_have_value(before)
    only, move = looked_ahead(page)
    only.get_by_role("button", name="Go on from here").click()
    expect(position).to_have_value(re.compile(" 2$"))
    page.go_back()
    expect(position).to_have_value(before)


def test_moves_can_be_made_on_a_board_ahead(visit: Visit) -> None:
    page = visit(ISOLATION)
    only, move = looked_ahead(page)
    only.locator(".board-place .board").focus()
    page.keyboard.press("ArrowDown")  # the first cell of a move
    page.keyboard.press("Enter")
    expect(page.get_by_label("Position", exact=True)).to_have_value(re.compile("1.*2.*x|x.*[12].* 1$"))
    expect(only.locator(".caption")).to_have_text("player 1 to move")
    expect(only.locator(f'.board-place [data-piece="player 1"][data-at="{move}"]')).to_be_visible()


def test_a_throw_ahead_goes_on_as_if_it_hits(visit: Visit) -> None:
    page = visit(TRAP)
    only = pane(page)
    analyse(only, "star(heuristic=improved)", "1")
    only.locator(".root tbody button").first.click()
    expect(only.locator(".caption")).to_contain_text("in the air")
    only.get_by_role("button", name="Analyse").click()
    expect(only.locator(".caption")).to_have_text("player 2 to walk")
    expect(only.locator(".summary .best")).to_be_visible()


def test_two_searches_look_ahead_each_for_itself_and_analyse_what_is_seen(visit: Visit) -> None:
    page = visit(ISOLATION)
    page.get_by_role("button", name="Two side by side").click()
    first, second = pane(page, 0), pane(page, 1)
    analyse(first, "greedy(heuristic=open)")
    analyse(second, "greedy(heuristic=improved)")
    second.locator(".root tbody button").first.click()
    expect(second.locator(".ahead")).to_be_visible()
    expect(first.locator(".ahead")).to_be_hidden()
    page.get_by_role("button", name="Analyse both").click()
    expect(page.get_by_label("Position", exact=True)).to_have_value(re.compile(" 2$"))
    for each in (first, second):
        expect(each.locator(".caption")).to_have_text("player 2 to move")
        expect(each.locator(".summary .best")).to_be_visible()


def test_the_first_screen_has_the_whole_board_and_what_belongs_to_it(small: Visit) -> None:
    page = small("/understand")
    for part in (".board-place .board", ".whereabouts", ".analyse"):
        assert bottom_of(pane(page).locator(part)) <= 800
    page.get_by_role("button", name="Two side by side").click()
    for number in (0, 1):
        assert bottom_of(pane(page, number).locator(".board-place .board")) <= 800
        assert bottom_of(pane(page, number).locator(".analyse")) <= 800
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_example_is_open_and_its_tree_agrees_with_the_champion(small: Visit) -> None:
    page = small("/understand")
    only = pane(page)
    only.get_by_role("button", name="Analyse").click()
    expect(only.locator(".worth")).to_contain_text("expected score")
    assert len(set(only.locator(".board-place .warmth").all_text_contents())) >= 4  # varied
    best = only.locator(".summary .best").inner_text()
    only.get_by_role("button", name="Open the tree").click()
    expect(only.locator(".tree .best > .row .move").first).to_have_text(best)
    expect(only.locator(".doubt")).to_be_hidden()


def test_a_tree_that_prefers_another_move_says_why(visit: Visit) -> None:
    only = pane(visit(ISOLATION))
    analyse(only, "alphabeta(heuristic=improved)", "6")
    expect(only.locator(".summary .best")).to_have_text("d1")
    only.locator(".tree-depth").fill("3")
    only.get_by_role("button", name="Open the tree").click()
    expect(only.locator(".tree .best > .row .move").first).to_have_text("b1")
    expect(only.locator(".doubt")).to_have_text("Depth 3 only: it may prefer another move (here b1, the search d1).")
    only.locator(".tree-depth").fill("6")
    only.get_by_role("button", name="Open the tree").click()
    expect(only.locator(".tree .best > .row .move").first).to_have_text("d1")
    expect(only.locator(".doubt")).to_be_hidden()


@pytest.mark.parametrize("player", [1, 2])
def test_the_legend_has_the_colours_of_the_nodes(visit: Visit, player: int) -> None:
    page = visit(f"/understand?game=isolation&position=...../...../..1../...2./..... {player}")
    only = pane(page)
    analyse(only, "alphabeta(heuristic=improved)", "2")
    only.get_by_role("button", name="Open the tree").click()
    most, least = (only.locator(".legend li").nth(number) for number in (0, 1))
    expect(most).to_have_text(f"player {player} maximises")
    expect(least).to_have_text(f"player {3 - player} minimises")
    tree = only.get_by_role("tree")
    for told, level in ((most, 1), (least, 2)):
        drawn = items(tree, level).first.locator("> .row .shape polygon")
        assert told.locator("polygon").get_attribute("class") == drawn.get_attribute("class")


def test_strange_words_are_explained(visit: Visit) -> None:
    page = visit(ISOLATION)
    only = pane(page)
    analyse(only, "mcts", "300", "iterations")
    for option in ("c", "expansion", "choice"):
        expect(only.locator(f"label:has([data-option={option}])")).to_have_attribute("title", re.compile(r"\w+ \w+"))
    expect(only.locator(".root th", has_text="warmth")).to_have_attribute("title", re.compile("9 is the best"))
    only.get_by_role("button", name="Open the tree").click()
    expect(only.locator(".legend li", has_text="judged")).to_have_attribute("title", re.compile("heuristic"))


def test_on_a_phone_the_board_comes_into_view_when_it_is_asked_about(visit: Visit) -> None:
    page = visit(ISOLATION, size="phone")
    only = pane(page)
    board = only.locator(".board-place .board")
    only.get_by_role("combobox", name="Player").select_option("mcts")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    only.get_by_role("button", name="Analyse").click()
    expect(board).to_be_in_viewport(ratio=0.99)
    expect(only.locator(".summary .best")).to_be_visible()
    only.locator(".root tbody button").last.click()
    expect(only.locator(".ahead")).to_be_in_viewport()
    expect(board).to_be_in_viewport(ratio=0.99)
