"""Animations: the colours of the drawing, letters on every machine, a caption below, and a frame for each position."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

import harena
from harena.games.picture import Picture
from harena.render import raster, svg


def frames(positions: list[tuple[Picture, str]]) -> list[Any]:
    animation: Any = Image.open(BytesIO(raster.animation(positions)))
    out = []
    for number in range(animation.n_frames):
        animation.seek(number)
        out.append(animation.convert("RGB"))
    return out


def colour(text: str) -> tuple[int, ...]:
    return tuple(int(text[start : start + 2], 16) for start in (1, 3, 5))


def colours(image: Any) -> list[tuple[int, ...]]:
    return [pixel for _, pixel in image.getcolors(image.width * image.height)]


def is_like(pixel: tuple[int, ...], text: str) -> bool:
    return all(abs(one - other) <= 4 for one, other in zip(pixel, colour(text), strict=True))


@pytest.mark.parametrize("game", ["trap", "colosseum", "isolation", "tiles"])
def test_a_frame_has_the_colours_of_the_drawing(game: str) -> None:
    state = harena.game(game).initial()
    assert state.picture is not None
    (frame,) = frames([(state.picture, "the start")])
    cell, left, top = 40, svg.LEFT * 40 / svg.UNIT, svg.TOP * 40 / svg.UNIT
    wide = round((svg.LEFT + state.picture.columns * svg.UNIT + svg.RIGHT) * cell / svg.UNIT)
    assert frame.width == max(wide, round(svg.NARROWEST * cell / svg.UNIT))
    assert is_like(frame.getpixel((0, 0)), svg.STONE) and is_like(frame.getpixel((frame.width - 1, 0)), svg.STONE)
    if wide == frame.width:
        empty = next(
            (row, column)
            for row in range(state.picture.rows)
            for column in range(state.picture.columns)
            if state.picture.cells.get((row, column), "free") == "free"
        )
        middle = (left + (empty[1] + 0.5) * cell, top + (empty[0] + 0.5) * cell)
        assert is_like(frame.getpixel(tuple(map(round, middle))), svg.SAND)


def test_letters_are_drawn_without_any_font_of_the_system() -> None:
    picture = Picture(rows=1, columns=6, cells={(0, 0): "player 1", (0, 3): "Q"})
    (frame,) = frames([(picture, "")])
    box = [round(number * 40 / svg.UNIT) for number in (svg.LEFT, svg.TOP, svg.UNIT)]
    for column in (0, 3):
        at = frame.crop((box[0] + 40 * column, box[1], box[0] + 40 * (column + 1), box[1] + 40))
        assert min(sum(pixel) for pixel in colours(at)) < 200  # dark letters
    labels = frame.crop((box[0], 0, frame.width, box[1] - 2))
    assert any(is_like(pixel, svg.EARTH) for pixel in colours(labels))


def test_every_position_has_its_frame_and_its_words() -> None:
    start = harena.game("isolation", size=4).initial()
    second = start.play(start.moves()[0])
    assert start.picture is not None and second.picture is not None
    first, after, last = frames([(start.picture, "one"), (second.picture, "two"), (second.picture, "x" * 200)])
    below = (0, first.height - 2 * raster.LINE - raster.PAD, first.width, first.height)
    assert len({image.crop(below).tobytes() for image in (first, after, last)}) == 3
    assert first.crop((0, 0, first.width, below[1])).tobytes() != after.crop((0, 0, after.width, below[1])).tobytes()
    assert after.crop((0, 0, after.width, below[1])).tobytes() == last.crop((0, 0, last.width, below[1])).tobytes()
