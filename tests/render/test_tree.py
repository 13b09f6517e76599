"""What the drawing of a search tree promises."""

import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from harena.render.tree import DARK, STYLES, Page, draw

NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert('x')</script>&\"\x00\x1b[2J\ud800\uffff"


def node(kind: str = "leaf", *children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    plain = {
        "kind": kind,
        "move": None,
        "player": {"max": 0, "min": 1}.get(kind),
        "value": 1.0,
        "bound": "=",
        "label": "" if kind in ("pruned", "more") else "1",
        "alpha": None,
        "beta": None,
        "window": "",
        "probability": None,
        "visits": None,
        "best": False,
        "note": "",
        "count": 1,
        "deeper": 0,
    }
    return {**plain, **fields, "children": list(children)}


def tree(root: dict[str, Any], **fields: str) -> dict[str, Any]:
    heading = {"harena-tree": 1, "game": "trap", "position": "x/y 1", "algorithm": "star2", "caption": "player 1 aims"}
    return {**heading, **fields, "root": root}


def example() -> dict[str, Any]:
    """A node of every kind, with everything that can be written at one."""
    leaves = [node(move=move, label=label) for move, label in (("a1", "−3.25"), ("b2", "4"), ("c3", "≤ 5"))]
    low = node("min", *leaves, node("pruned", count=7), move="d4", label="≤ −3.25", window="[4, ∞]", note="proven loss")
    dice = [
        node("max", move="!a1", probability=0.9, label="win", deeper=3, visits=1200, note="0.52 + 0.31"),
        node("end", move="!b2", probability=0.05, label="loss"),
        node("pruned", move="!c3", probability=0.02),
        node("more", count=12, probability=0.03),
    ]
    throw = node("chance", *dice, move="@e5", label="≥ 17.5", window="[−563.85, 10]", best=True)
    more = node("more", count=11)
    return node("max", low, throw, more, label="17.5", window="[−∞, ∞]", visits=99, note="a note", best=True)


def deep(levels: int, width: int) -> dict[str, Any]:
    children = [{**deep(levels - 1, width), "move": f"{'abcdef'[i]}{levels}"} for i in range(width)] if levels else []
    return node(["leaf", "min", "max"][levels and 1 + levels % 2], *children, label="≥ −12.75", window="[−1.25, 13.5]")


TREES = {
    "every kind": example(),
    "wide": deep(2, 6),
    "deep": deep(4, 2),
    "single": node("end", label="win"),
    "one child": node("max", node(move="a-very-long-move-indeed", label="0"), label="≥ −9999.75"),
}
every_tree = pytest.mark.parametrize("root", TREES.values(), ids=TREES)


def parsed(root: dict[str, Any], **fields: str) -> ElementTree.Element:
    return ElementTree.fromstring(draw(tree(root, **fields)))


def elements(root: dict[str, Any], name: str) -> list[ElementTree.Element]:
    return [element for element in parsed(root).iter() if element.get("class") == name]


def texts(root: dict[str, Any], *styles: str, **fields: str) -> list[str]:
    found = parsed(root, **fields).iter(f"{NAMESPACE}text")
    return [element.text or "" for element in found if not styles or element.get("class") in styles]


def everything(root: dict[str, Any]) -> list[dict[str, Any]]:
    return [root, *(one for child in root["children"] for one in everything(child))]


def test_the_document_is_an_image_with_a_title_and_a_description() -> None:
    root = parsed(example())
    assert (root.tag, root.get("role")) == (f"{NAMESPACE}svg", "img")
    assert [root[0].tag, root[1].tag] == [f"{NAMESPACE}title", f"{NAMESPACE}desc"]
    assert root[0].text == "trap: star2"
    assert root[1].text == (
        "Position x/y 1. The root: max, player 1, 17.5, [−∞, ∞], 99 visits, a note. Principal line: @e5."
    )


@every_tree
def test_everything_is_written_once(root: dict[str, Any]) -> None:
    written = texts(root, "move", "value", "small")
    for one in everything(root):
        assert one["move"] is None or one["move"] in written
        assert one["label"] in written or not one["label"]
        assert not one["children"] or one["window"] in written or not one["window"]
        assert one["probability"] is None or f"{one['probability']:.3g}" in written
    assert len(texts(root, "move")) == sum(one["move"] is not None for one in everything(root))


@every_tree
def test_no_text_covers_another_or_leaves_the_panel(root: dict[str, Any]) -> None:
    page = Page(tree(root, caption="values for player 1, " * 12))
    boxes = [(text.box, text.text) for text in page.texts]
    for (left, top, right, bottom), text in boxes:
        assert left >= 0 and top >= 0 and right <= page.width and bottom <= page.height, text
    for (one, first), (other, second) in combinations(boxes, 2):
        is_apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert is_apart, f"{first} and {second}"


def test_parents_stand_above_the_middle_of_their_children() -> None:
    root = deep(2, 3)
    moves = {text.text: text.x for text in Page(tree(root)).texts if text.style == "move"}
    assert moves["a2"] < moves["b2"] < moves["c2"]
    [apex] = [one for one in elements(root, "player-1") if one.get("points", "").startswith("0,0")][:1]
    assert apex is not None
    lines = [one.get("points", "").split() for one in elements(root, "edge")]
    starts = {line[0] for line in lines}
    for start in starts:
        ends = [float(line[-1].split(",")[0]) for line in lines if line[0] == start]
        assert float(start.split(",")[0]) == pytest.approx((ends[0] + ends[-1]) / 2, abs=0.11)


def test_each_kind_has_its_shape_and_each_edge_its_line() -> None:
    root = example()
    legend = 1  # each shape once more below
    assert len(elements(root, "player-1")) == 2 + legend  # two max nodes
    assert len(elements(root, "player-2")) == 1 + legend
    assert len(elements(root, "chance")) == 1 + legend
    assert len(elements(root, "leaf")) == 3 + legend
    assert len(elements(root, "end")) == 1 + legend
    assert len(elements(root, "pruned")) == 2
    assert len(elements(root, "cut")) == 2 + legend
    assert [len(elements(root, name)) for name in ("best-edge", "pruned-edge", "more-edge", "edge")] == [2, 3, 2, 6]
    assert {"×7", "+12", "+11", "n = 1200", "0.52 + 0.31"} <= set(texts(root))
    assert len(elements(root, "dots")) == 3 + 3


def test_the_colour_is_the_players_and_the_direction_says_max_or_min() -> None:
    second = node("max", node("min", node(move="b1"), player=0, move="a1"), player=1)
    [up, *_] = [one.get("points") for one in elements(second, "player-2")]
    [down, *_] = [one.get("points") for one in elements(second, "player-1")]
    assert (up, down) == ("0,0 20,34 -20,34", "-20,0 20,0 0,34")
    assert {"max: player 2", "min: player 1"} <= set(texts(second))


def test_the_legend_explains_only_what_occurs() -> None:
    assert texts(node("end", label="win"), "small") == ["game over"]
    everywhere = texts(example(), "small")
    assert {"chance", "cut", "principal line", "searched deeper", "[α, β]: window on entry"} <= set(everywhere)


def test_foreign_texts_are_escaped_and_cleaned() -> None:
    root = node("max", node(move=HOSTILE, label=HOSTILE, note=HOSTILE), label=HOSTILE, window=HOSTILE, note=HOSTILE)
    fields = dict.fromkeys(("game", "position", "algorithm", "caption"), HOSTILE)
    cleaned = "</text><script>alert('x')</script>&\"??[2J??"
    assert texts(root, "move", **fields) == [cleaned]
    assert texts(root, "title", **fields) == [f"{cleaned}: {cleaned}"]
    assert not list(parsed(root, **fields).iter(f"{NAMESPACE}script"))


def test_it_is_readable_in_the_dark() -> None:
    text = draw(tree(example()))
    light, dark = text.split("@media (prefers-color-scheme: dark) {")
    assert re.findall(r"^\.harena-tree \.(\S+) \{", light, re.MULTILINE) == list(STYLES)
    assert re.findall(r"^\.harena-tree \.(\S+) \{", dark, re.MULTILINE) == list(DARK)
    assert set(DARK) == set(STYLES)


@every_tree
def test_the_document_stands_alone_and_is_the_same_every_time(root: dict[str, Any]) -> None:
    text = draw(tree(root))
    assert text == draw(tree(root))
    assert not re.search(r"\bid=|href|url\(|<script|@import|@font-face", text)
    names = {element.get("class") for element in ElementTree.fromstring(text).iter()} - {None, "harena-tree"}
    assert names <= set(STYLES)


def test_without_a_game_there_is_still_a_title() -> None:
    assert parsed(node(), game="", algorithm="", position="")[0].text == "search tree"
