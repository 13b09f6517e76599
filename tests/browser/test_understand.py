"""What a search thinks, in a real browser: the analysis, its line, two side by side, and the tree node by node."""

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.test_replay import is_accessible
from browser.understanding import ISOLATION, TRAP, analyse, items, name, pane

pytestmark = pytest.mark.process


def test_an_analysis_is_shown_and_its_line_can_be_played(visit: Visit) -> None:
    page = visit(ISOLATION)
    only = pane(page)
    expect(only.get_by_text("Nothing analysed yet")).to_be_visible()
    analyse(only, "mcts", "3000", "iterations")
    best = only.locator(".summary .best").inner_text()
    assert re.fullmatch(r"[a-e][1-5]", best)
    expect(only.locator(".effort")).to_contain_text("3,000 iterations")
    rows = only.locator(".root tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.first).to_have_attribute("data-move", best)
    expect(only.locator(".heat")).to_have_count(8)
    only.get_by_role("button", name="No colours").click()
    expect(only.locator(".heat")).to_have_count(0)
    only.get_by_role("button", name="Values").click()
    expect(only.locator(".heat")).to_have_count(8)
    only.get_by_role("button", name="One move on").click()
    expect(only.locator(f'[data-piece="player 1"][data-at="{best}"]')).to_be_visible()
    expect(only.locator(".caption")).to_have_text(f"After {best}: player 2 to move")
    only.get_by_role("button", name="One move on").press("End")
    expect(only.get_by_role("button", name="One move on")).to_be_disabled()
    only.get_by_role("button", name="To the position").click()
    expect(only.locator('[data-piece="player 1"][data-at="c3"]')).to_be_visible()
    rows.nth(3).get_by_role("button").click()
    move = rows.nth(3).get_attribute("data-move")
    expect(only.locator(f'[data-piece="player 1"][data-at="{move}"]')).to_be_visible()
    only.get_by_role("button", name="Go on from here").click()
    expect(page.get_by_label("Position", exact=True)).to_have_value(re.compile(" 2$"))
    expect(only.get_by_text("Nothing analysed yet")).to_be_visible()


def test_a_player_is_put_together_in_the_form(visit: Visit) -> None:
    page = visit(ISOLATION, size="phone")
    only = pane(page)
    text = only.get_by_label("The player as text")
    expect(text).to_be_hidden()
    only.get_by_text("The player as text").click()
    only.get_by_role("combobox", name="Player").select_option("alphabeta()")
    expect(text).to_have_value("alphabeta")
    only.get_by_role("combobox", name="heuristic").select_option("open")
    only.get_by_role("checkbox", name="deepen").check()
    expect(text).to_have_value("alphabeta(heuristic=open, deepen=true)")
    text.fill("alphabeta(heuristic=improved)")
    expect(only.get_by_role("combobox", name="heuristic")).to_have_value("improved")
    expect(only.get_by_role("checkbox", name="deepen")).not_to_be_checked()
    only.get_by_role("combobox", name="Player").select_option("mm_open")
    expect(text).to_have_value("mm_open")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_champion_below_its_highest_level_has_one_thread(visit: Visit) -> None:
    only = pane(visit("/understand?game=isolation&player=champion(threads=2)"))
    only.get_by_text("More options").click()
    only.get_by_text("The player as text").click()
    text, level = only.get_by_label("The player as text"), only.get_by_role("combobox", name="Level")
    threads = only.get_by_label("threads")
    expect(threads).to_have_value("2")
    level.select_option("9")
    expect(threads).to_be_disabled()
    expect(threads).to_have_value("1")
    expect(text).to_have_value("champion(level=9)")
    level.select_option("10")
    expect(threads).to_be_enabled()
    text.fill("champion(level=3, threads=2)")
    expect(threads).to_have_value("2")  # the form says what the text does
    level.select_option("4")
    expect(text).to_have_value("champion(level=4)")
    text.fill("champion(level=3)")
    expect(threads).to_be_disabled()


@pytest.mark.parametrize("game", ["trap", "colosseum", "isolation", "tiles"])
def test_every_player_is_offered_once(visit: Visit, game: str) -> None:
    page = visit(f"/understand?game={game}&player=champion(level=3)")
    menu = pane(page).get_by_role("combobox", name="Player")
    names = menu.locator("option").all_inner_texts()
    assert len(names) == len(set(names)) and {"champion", "random", "mcts"} <= set(names)
    expect(menu).to_have_value("champion")
    expect(pane(page).get_by_role("combobox", name="Level")).to_have_value("3")  # its options are in the form too
    expect(pane(page).get_by_role("combobox", name="Level").locator("option").first).to_have_text("10, all it can")
    menu.select_option("random")
    expect(pane(page).get_by_label("The player as text")).to_have_value("random")


def test_a_champion_tells_the_score_that_it_expects(visit: Visit) -> None:
    only = pane(visit("/understand?game=trap"))
    analyse(only, "champion", "500", "nodes")
    expect(only.locator(".worth")).to_contain_text(re.compile(r"expected score \d+ % \(value"))
    expect(only.locator(".root thead")).to_contain_text("expected")


def test_a_long_search_is_shown_as_thinking_and_stops_when_told_to(visit: Visit) -> None:
    page = visit(ISOLATION)
    only = pane(page)
    name(only, "mcts(solver=false)")
    only.get_by_label("Limit", exact=True).fill("25")
    only.get_by_role("button", name="Analyse").click()
    expect(only.locator(".ring")).to_be_visible()
    expect(only.locator(".busy")).to_contain_text("thinking")
    only.get_by_role("button", name="Stop").click()
    expect(only.locator(".effort")).to_contain_text("it was stopped")
    expect(only.locator(".busy")).to_be_hidden()


def test_two_searches_side_by_side_show_where_they_differ(visit: Visit) -> None:
    page = visit(ISOLATION)
    page.get_by_role("button", name="Two side by side").click()
    analyse(pane(page, 0), "alphabeta(heuristic=improved)", "3")
    expect(page.locator("#differences")).to_be_hidden()
    analyse(pane(page, 1), "greedy(heuristic=open)")
    expect(page.locator("#agreement")).to_have_text(re.compile("Both play|They differ"))
    expect(page.locator("#both tbody tr")).to_have_count(8)
    page.get_by_role("button", name="Two side by side").click()
    expect(page.locator("#differences")).to_be_hidden()
    expect(page.locator(".pane")).to_have_count(1)


def test_the_tree_opens_node_by_node_and_shows_what_was_cut(visit: Visit) -> None:
    page = visit(ISOLATION)
    only = pane(page)
    analyse(only, "alphabeta(heuristic=improved)", "3")
    only.get_by_role("button", name="Open the tree").click()
    tree = only.get_by_role("tree")
    root = items(tree, 1)
    expect(root).to_have_attribute("aria-label", re.compile("player 1 maximises, value −2, window"))
    expect(items(tree, 2)).to_have_count(8)
    second = items(tree, 2).nth(1)
    second.locator("> .row").click()
    cut = second.locator(".cut")
    expect(cut.locator("s")).to_have_count(3)
    expect(cut).to_contain_text("≤ α = −2")
    expect(second.locator("> .row .window")).to_contain_text("[−2, ∞]")
    expect(only.locator('.tree-board [data-piece="player 1"]')).to_have_attribute("data-at", "d1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(items(tree, 4).first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(items(tree, 4).first).to_be_hidden()
    page.keyboard.press("Home")
    expect(root).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(items(tree, 2).first).to_be_hidden()


def test_the_tree_of_trap_has_chance_nodes_with_their_probabilities(visit: Visit) -> None:
    page = visit(TRAP, size="phone", dark=True)
    only = pane(page)
    analyse(only, "star(heuristic=improved)", "1")
    only.get_by_role("button", name="Open the tree").click()
    tree = only.get_by_role("tree")
    throw = items(tree, 2).first
    expect(throw).to_have_attribute("data-kind", "chance")
    throw.locator("> .row").click()
    chances = items(throw, 3).locator("> .row .odds")
    expect(chances.first).to_be_visible()
    assert abs(sum(float(text.split()[0]) for text in chances.all_inner_texts()) - 100) < 0.5
    more = tree.locator(".more").first
    more.locator(".row").click()
    expect(tree.locator('[aria-level="2"].more')).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_tree_is_drawn_as_in_a_textbook_and_opened_there(visit: Visit) -> None:
    page = visit(ISOLATION)
    only = pane(page)
    analyse(only, "alphabeta(heuristic=improved)", "3")
    only.get_by_role("button", name="Open the tree").click()
    expect(items(only.get_by_role("tree"), 2)).to_have_count(8)
    only.get_by_role("button", name="Drawing").click()
    drawing = only.get_by_role("tree")
    expect(drawing).to_have_count(1)  # the outline is out of the way
    expect(drawing).to_have_attribute("aria-label", re.compile("alphabeta.*drawn"))
    root = items(drawing, 1)
    expect(root).to_have_attribute("data-kind", "max")
    expect(items(drawing, 2)).to_have_count(8)
    expect(drawing.locator(".edge .best")).to_have_count(1)
    items(drawing, 2).nth(1).locator("polygon").click()
    second = items(drawing, 2).nth(1)
    expect(second).to_have_attribute("aria-expanded", "true")
    expect(second).to_contain_text("[−2, ∞]")
    cut = items(drawing, 3).and_(drawing.locator('[data-kind="cut"]'))
    expect(cut).to_have_attribute("aria-label", "3 moves cut off: −2 ≤ α = −2: max has better elsewhere")
    expect(drawing.locator(".bars")).to_have_count(1)
    expect(only.locator('.tree-board [data-piece="player 1"]')).to_have_attribute("data-at", "d1")
    page.keyboard.press("ArrowUp")
    expect(root).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(items(drawing, 2).nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(items(drawing, 2).nth(2)).to_have_attribute("aria-expanded", "true")
    expect(items(drawing, 2).nth(2)).to_be_focused()
    only.get_by_role("button", name="Outline").click()
    expect(items(only.get_by_role("tree"), 2).nth(2)).to_have_attribute("aria-expanded", "true")


def test_a_drawn_tree_has_circles_of_chance_with_probabilities_and_can_be_read(visit: Visit) -> None:
    page = visit(TRAP, size="phone")
    only = pane(page)
    analyse(only, "star(heuristic=improved)", "1")
    only.get_by_role("button", name="Open the tree").click()
    only.get_by_role("button", name="Drawing").click()
    drawing = only.get_by_role("tree")
    throw = items(drawing, 2).first
    expect(throw.locator("circle")).to_have_count(1)
    throw.focus()
    page.keyboard.press("ArrowDown")
    odds = drawing.locator(".edge .odds")
    expect(odds.first).to_be_attached()
    assert abs(sum(float(words.split()[0]) for words in odds.all_text_contents()) - 100) < 0.5
    more = drawing.locator('[data-kind="more"]').first
    more.focus()
    page.keyboard.press("Enter")
    expect(drawing.locator('[aria-level="2"][data-kind="more"]')).to_have_count(0)
    is_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_tree_that_nobody_waits_for_is_given_up(visit: Visit) -> None:
    page, given_up = visit(ISOLATION), list[str]()
    only = pane(page)
    analyse(only, "alphabeta(heuristic=improved)", "3")
    page.route("**/api/tree", lambda route: None)  # never answered
    page.on("requestfailed", lambda request: given_up.append(request.url))
    only.get_by_role("button", name="Open the tree").click()
    expect(only.locator(".growing")).to_be_visible()
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/tree")):
        page.get_by_role("button", name="Start position").click()
    expect(only.get_by_text("Nothing analysed yet")).to_be_visible()
    expect(only.get_by_role("alert")).to_have_count(0)
    assert len(given_up) == 1


def test_the_tree_of_mcts_shows_the_terms_of_its_formula(visit: Visit) -> None:
    page = visit(ISOLATION)
    only = pane(page)
    analyse(only, "mcts(c=0.5)", "1000", "iterations")
    only.get_by_role("button", name="Open the tree").click()
    first = items(only.get_by_role("tree"), 2).first
    expect(first.locator("> .row .terms")).to_have_count(2)
    terms = first.locator("> .row .terms").all_inner_texts()
    found = re.fullmatch(r"([\d.]+) \+ ([\d.]+) = ([\d.]+)", terms[1])
    assert terms[0].startswith("n = ") and found
    assert abs(float(found[1]) + float(found[2]) - float(found[3])) < 0.002
