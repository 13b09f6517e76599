"""What is drawn on boards can be read, by day and by night: ratios of WCAG 2 from the colours that the browser uses.

axe looks at text of the page, not into drawings.
"""

import pytest
from playwright.sync_api import Page

from browser.conftest import Visit

pytestmark = pytest.mark.process

TEXT, SIGN = 4.5, 3.0  # least ratios: of small text; of large bold text, and of shapes that one has to tell apart

# A board with everything on it, drawn by the page's own module; `layers` are what lies under a shape, the lowest first.
DRAWN = """async picture => {
  const { Board } = await import('/static/board.js'), place = document.createElement('div');
  document.body.append(place);
  const board = new Board(place);
  board.show(picture);
  const spread = [[4, 0, 1], [4, 1, .5], [4, 2, .05], [0, 0, .3]], [free, full] = [[4, 0], [0, 1]];
  board.offer([{ text: '@a5', cell: free, hit: 1, spread }, { text: '@b1', cell: full, hit: .95, spread }], () => {});
}"""
RATIO = """([text, layers]) => {
  const parts = (name, kind) => {
    const style = getComputedStyle(document.querySelector(`.board ${name}`));
    const [red, green, blue, alpha = 1] = (style[kind].match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number); // or none
    return [[red, green, blue], alpha * Number(style[`${kind}Opacity`]) * Number(style.opacity)];
  };
  const over = (ground, [colour, alpha]) => ground.map((one, index) => (1 - alpha) * one + alpha * colour[index]);
  const light = colour => {
    const straight = share => share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4;
    const [red, green, blue] = colour.map(one => straight(one / 255));
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const of = name => name.startsWith('|') ? parts(name.slice(1), 'stroke') : parts(name, 'fill');
  const ground = layers.reduce((under, name) => over(under, of(name)), [0, 0, 0]);
  const [high, low] = [light(over(ground, of(text))), light(ground)].sort((one, other) => other - one);
  return (high + .05) / (low + .05);
}"""
HOLDS = ("player 1", "player 2", "trap", "blocked", "red", "blue", "gap")
PICTURE = {
    "rows": 5,
    "columns": 10,
    "cells": [[0, column, holds] for column, holds in enumerate(HOLDS)],
    "walls": [[2, 2, "r"]],
    "new_wall": [2, 4, "r"],
    "marks": [[3, 0, ["aimed at"]], [3, 1, ["moved to"]], [3, 2, ["came from"]], [3, 3, ["landed on"]]],
    "heat": [[2, number, number] for number in range(10)],
    "caption": "",
}
# What is read or seen (`|` is its line; of several parts the strongest counts), what it lies on, and the least ratio.
PAIRS = [
    (".label", [".panel"], TEXT),
    (".number-1", [".player-1"], TEXT),
    (".number-2", [".player-2"], TEXT),
    (".teeth", [".trap"], SIGN),
    (".letter", [".red"], SIGN),
    (".letter", [".blue"], SIGN),
    (".odds", [".cell"], TEXT),
    (".odds", [".cell", ".player-2", ".plate"], TEXT),
    (".odds", [".cell", ".trap", ".plate"], TEXT),
    (".player-1 |.player-1", [".cell"], SIGN),
    (".player-2 |.player-2", [".cell"], SIGN),
    (".trap |.trap", [".cell"], SIGN),
    (".red", [".cell"], SIGN),
    (".blue", [".cell"], SIGN),
    (".red .letter", [".gap"], SIGN),
    (".blue .letter", [".gap"], SIGN),
    ("|.wall", [".cell"], SIGN),
    ("|.new-wall |.core", [".cell"], SIGN),
    ("|.moved-to", [".cell"], SIGN),
    ("|.aimed-at", [".cell"], SIGN),
]


def drawn(visit: Visit, dark: bool) -> Page:
    page = visit("/", dark=dark)
    page.evaluate(DRAWN, PICTURE)
    return page


@pytest.mark.parametrize("dark", [False, True])
def test_pieces_letters_and_signs_stand_out(visit: Visit, dark: bool) -> None:
    page = drawn(visit, dark)
    faint = {}
    for shapes, under, least in PAIRS:
        ratio = max(page.evaluate(RATIO, [shape, under]) for shape in shapes.split())
        if ratio < least:
            faint[f"{shapes} on {' '.join(under)}"] = round(ratio, 2)
    assert not faint


@pytest.mark.parametrize("dark", [False, True])
def test_the_digits_of_a_heat_map_can_be_read_on_every_colour(visit: Visit, dark: bool) -> None:
    page = drawn(visit, dark)
    assert page.locator(".heat").count() == 10
    for number in range(10):
        ratio = page.evaluate(RATIO, [".warmth", [f"g:nth-child({number + 1} of :has(> .heat)) > .heat"]])
        assert ratio >= TEXT, (number, ratio)


@pytest.mark.parametrize("dark", [False, True])
def test_the_odds_of_a_throw_can_be_read_where_it_may_land(visit: Visit, dark: bool) -> None:
    page = drawn(visit, dark)
    page.locator("svg.board").last.focus()
    page.keyboard.press("ArrowUp")  # the cursor, on the first throw
    assert page.locator(".previews .chance").count() == 4
    for number in range(4):
        spot = f".previews > g:nth-child({number + 1})"
        ratio = page.evaluate(RATIO, [f"{spot} > .odds", [".cell", f"{spot} > .chance", f"{spot} > .plate"]])
        assert ratio >= TEXT, (number, ratio)
