"""Boards as pixels, and games as animated GIFs: what `render/svg.py` draws, drawn again with Pillow.

Only the few elements and path commands that our own drawings use are known here; anything else is an error of ours.
Pillow is imported when something is drawn, and only then.
"""

import re
import xml.etree.ElementTree as Tree
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any

from harena.games.picture import Picture
from harena.render import svg
from harena.render.svg import Point

FINER = 2  # every pixel is drawn as so many by so many, which smooths the edges
COLOURS = 256
WAIT, LAST_WAIT = 700, 2500  # milliseconds of a position, and of the last one
LINE, PAD = 20, 12  # of the caption below a board, in pixels
SAMPLES = 8  # frames that the colours are chosen from
NAMESPACE = "{http://www.w3.org/2000/svg}"
PATH = re.compile(r"([MLHVhvla])|(-?[\d.]+)")
STYLES = {name: dict(part.strip().split(": ", 1) for part in style.split(";")) for name, style in svg.STYLES.items()}


def draw(picture: Picture, *, cell: int = 40) -> Any:
    """The board, without its caption, as an image of Pillow's; `cell` is the width of a cell in pixels."""
    root = Tree.fromstring(svg.draw(replace(picture, caption=""), cell=svg.UNIT))
    factor = cell / svg.UNIT
    wide, high = (round(float(root.attrib[side]) * factor) for side in ("width", "height"))
    image = import_module("PIL.Image").new("RGB", (wide * FINER, high * FINER), svg.STONE)
    _draw_all(root, _Pen(image, factor * FINER), (0.0, 0.0))
    return image.reduce(FINER)


def animation(positions: Sequence[tuple[Picture, str]], *, cell: int = 40) -> bytes:
    """A GIF with one frame for each picture, and its own line of words below it (and the picture's caption)."""
    images, frames = import_module("PIL.Image"), []
    for picture, words in positions:
        frames.append(_captioned(draw(picture, cell=cell), (words, picture.caption)))
    chosen = frames[:: max(1, len(frames) // SAMPLES)]
    wide, high = frames[0].size
    sheet = images.new("RGB", (wide, high * len(chosen)))
    for index, frame in enumerate(chosen):
        sheet.paste(frame, (0, high * index))
    palette = sheet.quantize(COLOURS)
    plain = [frame.quantize(palette=palette, dither=images.Dither.NONE) for frame in frames]
    out = BytesIO()
    waits = [WAIT] * (len(plain) - 1) + [LAST_WAIT]
    plain[0].save(out, "GIF", save_all=True, append_images=plain[1:], duration=waits, loop=0, optimize=False)
    return out.getvalue()


def _captioned(board: Any, lines: Iterable[str]) -> Any:
    """The board on a stone that has room for these lines."""
    images, drawing = import_module("PIL.Image"), import_module("PIL.ImageDraw")
    shown = [line for line in lines if line]
    image = images.new("RGB", (board.width, board.height + 2 * LINE + PAD), svg.STONE)
    image.paste(board, (0, 0))
    pen = drawing.Draw(image)
    for index, line in enumerate(shown):
        size = 14
        while size > 8 and pen.textlength(line, font=_font(size)) > board.width - PAD:
            size -= 1
        pen.text((board.width / 2, board.height + LINE * (index + 0.5)), line, svg.INK, font=_font(size), anchor="mm")
    return image


@cache
def _font(size: int) -> Any:
    return import_module("PIL.ImageFont").load_default(size)


class _Pen:
    """Draws in the units of a drawing, on an image that has `factor` pixels for each."""

    def __init__(self, image: Any, factor: float) -> None:
        self.on = import_module("PIL.ImageDraw").Draw(image, "RGBA")
        self.factor = factor

    def at(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.factor, y * self.factor) for x, y in points]

    def fill(self, points: Sequence[Point], style: dict[str, str]) -> None:
        if style.get("fill", "none") != "none":
            self.on.polygon(self.at(points), _colour(style["fill"], style.get("fill-opacity")))

    def stroke(self, points: Sequence[Point], style: dict[str, str]) -> None:
        if style.get("stroke", "none") == "none":
            return
        colour, wide = _colour(style["stroke"], style.get("stroke-opacity")), float(style["stroke-width"])
        dashes = [float(part) for part in style.get("stroke-dasharray", "").split()]
        for piece in _dashed(points, dashes) if dashes else [points]:
            self.on.line(self.at(piece), colour, max(1, round(wide * self.factor)), joint="curve")
            if style.get("stroke-linecap") == "round":
                self._round([piece[0], piece[-1]], wide / 2, colour)

    def _round(self, ends: Iterable[Point], radius: float, colour: Any) -> None:
        for x, y in self.at(ends):
            reach = radius * self.factor
            self.on.ellipse((x - reach, y - reach, x + reach, y + reach), colour)

    def text(self, place: Point, words: str, size: float, style: dict[str, str]) -> None:
        font = _font(max(6, round(size * self.factor)))
        thick = round(size * self.factor / 24) if style.get("font-weight", "400") >= "600" else 0
        colour = _colour(style["fill"], None)
        self.on.text(self.at([place])[0], words, colour, font=font, anchor="mm", stroke_width=thick, stroke_fill=colour)


def _draw_all(element: Any, pen: _Pen, origin: Point) -> None:
    for child in element:
        kind = child.tag.removeprefix(NAMESPACE)
        if kind == "g":
            x, y = (float(part) for part in re.findall(r"-?[\d.]+", child.attrib["transform"]))
            _draw_all(child, pen, (origin[0] + x, origin[1] + y))
        elif kind in SHAPES or kind == "text":
            _draw_one(kind, child.attrib, child.text or "", pen, origin)


def _draw_one(kind: str, given: dict[str, str], words: str, pen: _Pen, origin: Point) -> None:
    style = STYLES[given["class"]] | {key: given[key] for key in ("fill",) if key in given}
    if kind == "text":
        size = float(given.get("font-size") or style["font-size"].removesuffix("px"))
        x, y = float(given.get("x", 0)) + origin[0], float(given.get("y", 0)) + origin[1]
        raised = 0 if "dy" in given else 0.35 * size  # a line of text stands on its y
        pen.text((x, y - raised), words, size, style)
        return
    for points in SHAPES[kind](given):
        moved = [(x + origin[0], y + origin[1]) for x, y in points]
        if kind not in ("path", "polyline"):
            pen.fill(moved, style)
        pen.stroke(moved, style)


def _rect(given: dict[str, str]) -> Iterator[list[Point]]:
    x, y, wide, high = (float(given[name]) for name in ("x", "y", "width", "height"))
    bend = float(given.get("rx", 0))
    corners = ((x + wide, y, -1, 1), (x + wide, y + high, -1, -1), (x, y + high, 1, -1), (x, y, 1, 1))
    points = []
    for quarter, (corner_x, corner_y, to_x, to_y) in enumerate(corners):
        points += _arc((corner_x + to_x * bend, corner_y + to_y * bend), bend, quarter * pi / 2, pi / 2)
    yield [*points, points[0]]


def _circle(given: dict[str, str]) -> Iterator[list[Point]]:
    yield _arc((0.0, float(given.get("cy", 0))), float(given["r"]), 0, 2 * pi)


def _polygon(given: dict[str, str]) -> Iterator[list[Point]]:
    for points in _polyline(given):
        yield [*points, points[0]]


def _polyline(given: dict[str, str]) -> Iterator[list[Point]]:
    numbers = [float(part) for part in given["points"].replace(",", " ").split()]
    yield list(zip(numbers[::2], numbers[1::2], strict=True))


def _path(given: dict[str, str]) -> Iterator[list[Point]]:
    """The lines of a path, each without a gap."""
    pieces: list[list[Point]] = []
    for command, numbers in _commands(given["d"]):
        x, y = pieces[-1][-1] if pieces else (0.0, 0.0)
        if command == "M":
            pieces.append([(numbers[0], numbers[1])])
        elif command == "a":  # only halves of circles, from left to right and back
            begin = -pi / 2 if numbers[5] > 0 else pi / 2
            pieces[-1] += [(px, py) for px, py in _arc((x + numbers[5] / 2, y), numbers[0], begin, -pi)]
        else:
            ends = {
                "L": (numbers[0], numbers[-1]),
                "H": (numbers[0], y),
                "V": (x, numbers[0]),
                "h": (x + numbers[0], y),
                "v": (x, y + numbers[0]),
            }
            pieces[-1].append(ends[command])
    yield from pieces


def _commands(text: str) -> Iterator[tuple[str, list[float]]]:
    command, numbers = "", list[float]()
    for letter, number in PATH.findall(text):
        if letter and command:
            yield command, numbers
        if letter:
            command, numbers = letter, []
        else:
            numbers.append(float(number))
    yield command, numbers


def _arc(middle: Point, radius: float, begin: float, turn: float) -> list[Point]:
    """Points on a circle from an angle on, clockwise from the top."""
    steps = max(2, round(abs(turn) * max(radius, 1) / 2))
    angles = [begin + turn * step / steps for step in range(steps + 1)]
    return [(middle[0] + radius * sin(angle), middle[1] - radius * cos(angle)) for angle in angles]


def _dashed(points: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
    """The drawn pieces of a dashed line."""
    index, left, piece = 0, dashes[0], [points[0]]
    for start, end in pairwise(points):
        length, done = hypot(end[0] - start[0], end[1] - start[1]), 0.0
        while length - done > left:
            done += left
            share = done / length
            spot = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            if index % 2 == 0:
                yield [*piece, spot]
            index, piece = index + 1, [spot]
            left = dashes[index % len(dashes)]
        left -= length - done
        piece.append(end)
    if index % 2 == 0 and len(piece) > 1:
        yield piece


def _colour(text: str, opacity: str | None) -> tuple[int, int, int, int]:
    red, green, blue = (int(text[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue, round(255 * float(opacity or 1))


SHAPES = {"rect": _rect, "circle": _circle, "polygon": _polygon, "polyline": _polyline, "path": _path}
