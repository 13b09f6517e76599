"""A recorded search tree as a self-contained SVG document, like the figures of a textbook.

Upward triangles maximise, downward ones minimise, circles are chance, boxes are leaves; an edge carries its move. Every
subtree has a strip of its own, so nothing overlaps; a parent stands above the middle of its children. A page restyles
it by the classes in STYLES with any selector that outweighs `.harena-tree .name`.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import atan2, degrees
from typing import Any, NamedTuple

Point = tuple[float, float]

SIZE, SMALL = 14, 11  # of letters
HALF, HEIGHT = 20, 34  # of a triangle: half its width, and its height
BOX = 26  # the height of a leaf
LINE, GAP, FAMILY = 14, 12, 26  # between lines, neighbours, and neighbours with children of their own
ASIDE = 5  # from a shape to the texts beside it
DROP, HIGHEST, FLATTEST = 46, 180, 0.2  # the slanting part of edges: its least and most height, and its least slope
MARGIN, NARROWEST = 24, 480

FONT = "font-family: system-ui, 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif"
INK, PAPER, EARTH, FADED = "#3a2d1a", "#fbf3de", "#6f5630", "#a08a63"
STYLES = {
    "panel": f"fill: {PAPER}; stroke: #b99b64; stroke-width: 2",
    "edge": f"fill: none; stroke: {EARTH}; stroke-width: 1.4; stroke-linejoin: round",
    "best-edge": f"fill: none; stroke: {INK}; stroke-width: 4; stroke-linejoin: round",
    "pruned-edge": f"fill: none; stroke: {FADED}; stroke-width: 1.4; stroke-dasharray: 4 4",
    "more-edge": f"fill: none; stroke: {FADED}; stroke-width: 1.4; stroke-dasharray: 1 4; stroke-linecap: round",
    "cut": "fill: none; stroke: #c8321e; stroke-width: 2.2; stroke-linecap: round",
    "dots": f"fill: {FADED}",
    "player-1": "fill: #f5a81c; stroke: #6b4300; stroke-width: 2; stroke-linejoin: round",
    "player-2": "fill: #6c3fa6; stroke: #2c124d; stroke-width: 2; stroke-linejoin: round",
    "chance": "fill: #8cc4cd; stroke: #1f5661; stroke-width: 2",
    "leaf": f"fill: #ffffff; stroke: {EARTH}; stroke-width: 1.6",
    "end": f"fill: #e3cc9b; stroke: {INK}; stroke-width: 2.6",
    "pruned": f"fill: none; stroke: {FADED}; stroke-width: 1.4; stroke-dasharray: 4 4",
    "halo": f"fill: {PAPER}",
    "title": f"{FONT}; fill: {INK}; font-size: 16px; font-weight: 700",
    "caption": f"{FONT}; fill: {INK}; font-size: {SIZE}px",
    "value": f"{FONT}; fill: {INK}; font-size: {SIZE}px; font-weight: 700",
    "move": f"{FONT}; fill: {INK}; font-size: {SIZE - 1}px",
    "small": f"{FONT}; fill: {EARTH}; font-size: {SMALL}px",
    "faded": f"{FONT}; fill: {EARTH}; font-size: {SMALL + 1}px",
}
DARK = {
    "panel": "fill: #221b11; stroke: #6f5630",
    "edge": "stroke: #b89d6c",
    "best-edge": "stroke: #fbf3de",
    "pruned-edge": "stroke: #7d6a48",
    "more-edge": "stroke: #7d6a48",
    "cut": "stroke: #ff7a63",
    "dots": "fill: #b89d6c",
    "player-1": "stroke: #ffd891",
    "player-2": "fill: #8a5cc9; stroke: #d9c4f5",
    "chance": "fill: #2f7480; stroke: #a9dbe2",
    "leaf": "fill: #3a2f1e; stroke: #b89d6c",
    "end": "fill: #5d4a29; stroke: #f0dfb8",
    "pruned": "stroke: #7d6a48",
    "halo": "fill: #221b11",
    **dict.fromkeys(("title", "caption", "value", "move"), "fill: #f6ead0"),
    **dict.fromkeys(("small", "faded"), "fill: #cdb78d"),
}
BOLD = ("title", "value")
LETTERS = {"title": 16, "caption": SIZE, "value": SIZE, "move": SIZE - 1, "small": SMALL, "faded": SMALL + 1}
BOXES = ("leaf", "end", "pruned")
KINDS = {"max": "max", "min": "min", "chance": "chance", "leaf": "judged by the heuristic", "end": "game over"}
CUT = '<path class="cut" d="M-7 -2.5H7M-7 2.5H7"/>'  # across an edge that goes down
DOTS = "".join(f'<circle class="dots" cy="{y}" r="1.6"/>' for y in (-6, 0, 6))


class Text(NamedTuple):
    """A line of letters: the middle (or, with `start`, the left end) of its base line."""

    x: float
    y: float
    style: str
    text: str
    start: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what it covers, about."""
        width, size = measure(self.text, self.style), LETTERS[self.style]
        left = self.x if self.start else self.x - width / 2
        return left, self.y - 0.78 * size, left + width, self.y + 0.22 * size

    def __str__(self) -> str:
        anchor = "" if self.start else ' text-anchor="middle"'
        return f'<text class="{self.style}" x="{self.x:.1f}" y="{self.y:.1f}"{anchor}>{escape(self.text)}</text>'


def measure(text: str, style: str) -> float:
    """The width of a text, about, and rather too much."""
    return sum(map(_width, text)) * LETTERS[style] * (1.1 if style in BOLD else 1.0)


def _width(letter: str) -> float:
    if letter > "\u2000":  # signs of mathematics, and scripts with wide letters
        return 0.86 if letter < "\u2e80" else 1.05
    return 0.4 if letter in " .,:;|!'()[]ijl" else 0.98 if letter in "mwMW%@" else 0.66


@dataclass
class Spot:
    """A node on its way to a place on the page."""

    node: dict[str, Any]
    level: int
    children: list["Spot"]
    x: float = 0.0
    left: float = 0.0  # how far the subtree reaches to both sides of x
    right: float = 0.0

    @property
    def kind(self) -> str:
        """That of the node."""
        return str(self.node["kind"])

    @property
    def on_edge(self) -> list[tuple[str, str]]:
        """What is written on the edge above: styles and texts."""
        move, chance = self.node["move"], self.node["probability"]
        lines = [("move", _clean(move))] if move else []
        return lines if chance is None else [*lines, ("small", f"{chance:.3g}")]

    @property
    def inside(self) -> str:
        """What is written in a box."""
        if self.kind == "pruned":
            return f"×{self.node['count']}" if self.node["count"] > 1 else ""
        return _clean(self.node["label"]) if self.kind in ("leaf", "end") else ""

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What is written to the right of a node with children, or below one without."""
        node = self.node
        if self.kind == "more":
            return [("value", f"+{node['count']}"), ("small", "more")]
        value = "" if self.inside else _clean(node["label"])
        window = _clean(node["window"]) if self.children else ""
        visits = "" if node["visits"] is None else f"n = {node['visits']}"
        lines = [("value", value), ("small", window), ("small", visits), ("small", _clean(node["note"]))]
        return [line for line in lines if line[1]]

    @property
    def half(self) -> float:
        """Half the width of the shape."""
        return max(BOX, measure(self.inside, "value") + 10) / 2 if self.kind in BOXES else HALF

    def arrange(self) -> None:
        """Give every subtree its strip, with x counted from the parent's."""
        for child in self.children:
            child.arrange()
        for before, child in pairwise(self.children):
            gap = FAMILY if before.children or child.children else GAP
            child.x = before.x + before.right + gap + child.left
        middle = self.children[-1].x / 2 if self.children else 0.0
        for child in self.children:
            child.x -= middle
        label = max((measure(text, style) / 2 for style, text in self.on_edge), default=0.0)
        beside = max((measure(text, style) for style, text in self.lines), default=0.0)
        to_right = self.half + ASIDE + beside if self.children else beside / 2
        self.left = max(
            [self.half, label, 0.0 if self.children else beside / 2, *(c.left - c.x for c in self.children)]
        )
        self.right = max([self.half, label, to_right, *(child.x + child.right for child in self.children)])

    def settle(self, x: float) -> None:
        """Turn distances from the parent into places on the page."""
        self.x += x
        for child in self.children:
            child.settle(self.x)

    def all(self) -> Iterator["Spot"]:
        """The spot itself and all below it."""
        yield self
        for child in self.children:
            yield from child.all()


def _spot(node: dict[str, Any], level: int = 0) -> Spot:
    return Spot(node, level, [_spot(child, level + 1) for child in node["children"]])


def draw(tree: dict[str, Any]) -> str:
    """The document of a tree, which is plain data, as JSON has it.

        {"harena-tree": 1, "game": text, "position": text, "algorithm": text, "caption": text, "root": node}

    A node has all of these fields:

        kind          "max", "min", "chance", "leaf" (judged by the heuristic), "end" (game over), "pruned" (never
                      searched because of a cut), "more" (children that are not shown)
        move          the text of the move that led here, or null
        player        who decides here, 0 or 1; null at chance nodes and ends
        value, bound  a number or null, and "=", "<=" or ">="; `label` is the text to show
        alpha, beta   the window on entry, numbers or null; `window` is the text to show, or ""
        probability   of the outcome below a chance node, else null
        visits        a number or null
        best          true on the principal line
        note          a short text, or ""
        count         of "pruned" and "more": how many nodes it stands for
        deeper        plies that were searched below and are not shown
        children      nodes, in the order of the search

    Equal trees give equal documents. Texts are escaped, and what XML does not allow becomes a question mark.
    """
    page = Page(tree)
    width, height = f"{page.width:.0f}", f"{page.height:.0f}"
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" class="harena-tree" role="img" '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
            f"<title>{escape(page.title)}</title>",
            f"<desc>{escape(_describe(tree))}</desc>",
            "<style>",
            *(f".harena-tree .{name} {{ {style} }}" for name, style in STYLES.items()),
            "@media (prefers-color-scheme: dark) {",
            *(f".harena-tree .{name} {{ {style} }}" for name, style in DARK.items()),
            "}",
            "</style>",
            f'<rect class="panel" x="1" y="1" width="{page.width - 2:.0f}" height="{page.height - 2:.0f}" rx="12"/>',
            *page.edges,
            *page.shapes,
            *map(str, page.texts),
            "</svg>\n",
        ]
    )


class Page:
    """Where everything goes: edges and shapes as SVG, and the texts."""

    def __init__(self, tree: dict[str, Any]) -> None:
        self.edges: list[str] = []
        self.shapes: list[str] = []
        self.texts: list[Text] = []
        self.title = _clean(": ".join(part for part in (tree["game"], tree["algorithm"]) if part)) or "search tree"
        root = _spot(tree["root"])
        root.arrange()
        spots = list(root.all())
        self.width = max(NARROWEST, root.left + root.right + 2 * MARGIN)
        root.settle(root.left + (self.width - root.left - root.right) / 2)
        self.height = MARGIN + 12.0
        self.lowest = 0.0  # what was drawn below the last level
        self._write_head(tree["caption"])
        self._place(spots)
        self._write_legend(spots)

    def _write_head(self, caption: str) -> None:
        """Title and caption."""
        letters = int((self.width - 2 * MARGIN) / (0.6 * SIZE))
        lines = [line for part in caption.splitlines() for line in textwrap.wrap(_clean(part), letters)]
        for style, text in [("title", self.title), *(("caption", line) for line in lines)]:
            self.texts.append(Text(MARGIN, self.height, style, text, start=True))
            self.height += 20
        self.height += 8

    def _place(self, spots: list[Spot]) -> None:
        """All nodes, level by level, with the edges above them."""
        parents: list[tuple[Spot | None, Spot]] = [(None, spots[0])]
        while parents:
            reach = max(abs(spot.x - above.x) if above else 0.0 for above, spot in parents)
            is_root = parents[0][0] is None
            start = self.height
            bend = start if is_root else start + min(max(DROP, FLATTEST * reach), HIGHEST)
            lift = max((LINE * len(spot.lines) - HEIGHT for _, spot in parents if spot.children), default=0)
            written = LINE * max(len(spot.on_edge) for _, spot in parents)
            top = bend + written + max(lift, 0) + (0 if is_root else 10)
            for above, spot in parents:
                if above:
                    self._draw_edge((above.x, start), spot, bend, top)
                self._draw_node(spot, bend, top)
            self.height = top + HEIGHT
            parents = [(spot, child) for _, spot in parents for child in spot.children]
        self.height = max(self.height, self.lowest, *(text.y for text in self.texts)) + 12

    def _draw_edge(self, start: Point, spot: Spot, bend: float, top: float) -> None:
        """A slanting line to the texts above a node, and on through them to the node."""
        x, y = start
        name = "best-edge" if spot.node["best"] else f"{spot.kind}-edge" if spot.kind in ("pruned", "more") else "edge"
        end = bend if spot.kind == "more" else top
        course = f"{x:.1f},{y:.1f} {spot.x:.1f},{bend:.1f} {spot.x:.1f},{end:.1f}"
        self.edges.append(f'<polyline class="{name}" points="{course}"/>')
        if spot.kind == "pruned":
            turn = -degrees(atan2(spot.x - x, bend - y))
            self.edges.append(_moved(x + 0.7 * (spot.x - x), y + 0.7 * (bend - y), CUT, f" rotate({turn:.1f})"))
        for index, (style, text) in enumerate(spot.on_edge):
            one = Text(spot.x, bend + 13 + index * LINE, style, text)
            left, upper, right, lower = one.box
            size = f'width="{right - left + 2:.1f}" height="{lower - upper + 3:.1f}"'
            self.edges.append(f'<rect class="halo" x="{left - 1:.1f}" y="{upper - 2:.1f}" {size}/>')
            self.texts.append(one)

    def _draw_node(self, spot: Spot, bend: float, top: float) -> None:
        """The shape with what is written in, beside or below it."""
        self.shapes.append(_moved(spot.x, top, f"<title>{escape(_words(spot.node))}</title>" + _shape(spot)))
        if spot.inside:
            self.texts.append(Text(spot.x, top + BOX / 2 + 5, "value", spot.inside))
        if spot.children:
            x, y = spot.x + spot.half + ASIDE, top + HEIGHT - max(LINE * len(spot.lines) - 8, HEIGHT / 2)
        elif spot.kind == "more":
            x, y = spot.x, bend + LINE * (1 + len(spot.on_edge)) + 1
        else:
            x, y = spot.x, top + (BOX if spot.kind in BOXES else HEIGHT) + LINE + 3
        for style, text in spot.lines:
            self.texts.append(Text(x, y, style, text, start=bool(spot.children)))
            y += LINE
        if spot.node["deeper"]:
            self.shapes.append(_moved(spot.x, y - 1, DOTS))
            self.lowest = max(self.lowest, y + 6)

    def _write_legend(self, spots: list[Spot]) -> None:
        """What the signs mean, of those that occur, in as many rows as it takes."""
        x, y = float(MARGIN), self.height + 18
        for sign, text in _legend(spots):
            width = measure(text, "small") + (30 if sign else 0)
            if x > MARGIN and x + width > self.width - MARGIN:
                x, y = float(MARGIN), y + 22
            self.shapes.append(_moved(x + 12, y - 12.5, sign, " scale(.5)"))
            self.texts.append(Text(x + (30 if sign else 0), y, "small", text, start=True))
            x += width + 16
        self.height = y + MARGIN - 6


def _legend(spots: list[Spot]) -> Iterator[tuple[str, str]]:
    """Signs of twice their size around (0, 17), and what they say."""
    for kind, words in KINDS.items():
        found = {spot.node["player"] if kind in ("max", "min") else None: spot for spot in spots if spot.kind == kind}
        for player, spot in sorted(found.items(), key=lambda one: one[0] or 0):
            small = Spot({**spot.node, "label": "", "count": 1}, 0, [])
            down = 4 if kind in BOXES else 0
            yield _moved(0, down, _shape(small)), words if player is None else f"{words}: player {player + 1}"
    if any(spot.kind == "pruned" for spot in spots):
        yield f'<path class="pruned-edge" d="M-24 17H24"/>{_moved(0, 17, CUT, " rotate(90)")}', "cut"
    if any(spot.node["best"] for spot in spots if spot.level):
        yield '<path class="best-edge" d="M-24 17H24"/>', "principal line"
    if any(spot.node["deeper"] for spot in spots):
        yield _moved(0, 17, DOTS, " scale(1.6)"), "searched deeper"
    if any(spot.node["window"] and spot.children for spot in spots):
        yield "", "[α, β]: window on entry"


def _shape(spot: Spot) -> str:
    """The shape of a node, the middle of its upper side at the origin."""
    if spot.kind in BOXES:
        size = f'x="{-spot.half:.1f}" y="0" width="{2 * spot.half:.1f}" height="{BOX}"'
        return f'<rect class="{spot.kind}" {size} rx="{2 if spot.kind == "end" else 4}"/>'
    if spot.kind == "chance":
        return f'<circle class="chance" cy="{HEIGHT / 2:g}" r="{HEIGHT / 2:g}"/>'
    if spot.kind == "more":
        return ""
    points = f"0,0 {HALF},{HEIGHT} {-HALF},{HEIGHT}" if spot.kind == "max" else f"{-HALF},0 {HALF},0 0,{HEIGHT}"
    return f'<polygon class="player-{(spot.node["player"] or 0) + 1}" points="{points}"/>'


def _moved(x: float, y: float, shapes: str, turn: str = "") -> str:
    return f'<g transform="translate({x:.1f} {y:.1f}){turn}">{shapes}</g>'


def _words(node: dict[str, Any]) -> str:
    """A node in words."""
    many = f"{node['count']} {node['kind']}" if node["kind"] in ("pruned", "more") else ""
    parts = [
        many or KINDS[node["kind"]],
        "" if node["player"] is None else f"player {node['player'] + 1}",
        node["label"],
        node["window"],
        "" if node["visits"] is None else f"{node['visits']} visits",
        f"searched {node['deeper']} plies deeper" if node["deeper"] else "",
        node["note"],
    ]
    return _clean(", ".join(part for part in parts if part))


def _describe(tree: dict[str, Any]) -> str:
    """What there is to see, in words."""
    node, line = tree["root"], []
    sentences = [f"Position {tree['position']}."] if tree["position"] else []
    sentences.append(f"The root: {_words(node)}.")
    while node := next((child for child in node["children"] if child["best"]), None):
        line.append(node["move"])
    return _clean(" ".join([*sentences, f"Principal line: {', '.join(line)}." if line else ""]).strip())


def _clean(text: str) -> str:
    """The text on one line, with a question mark for every character that is not printable."""
    return "".join(" " if letter.isspace() else letter if letter.isprintable() else "?" for letter in text)
