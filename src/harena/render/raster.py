"""Games as animated GIFs: resvg turns the drawings of `render/svg.py` into pixels, Pillow makes the animation of them.

Both are imported when something is drawn, and only then.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harena.games.picture import Picture
from harena.render import svg

COLOURS = 256
WAIT, LAST_WAIT = 700, 2500  # milliseconds of a position, and of the last one
LINE, PAD = 20, 12  # of the caption below a board, in pixels
SAMPLES = 8  # frames that the colours are chosen from
FILL = re.compile(r"fill: (#\w+)")
# Pillow's own font is the only one that every machine has, and it has no bold letters: an outline makes up for that.
BOLD = " ".join(
    f".harena .{name} {{ stroke: {FILL.findall(style)[0]}; stroke-width: .8 }}"
    for name, style in svg.STYLES.items()
    if "font-weight" in style
)


def animation(positions: Sequence[tuple[Picture, str]], *, cell: int = 40) -> bytes:
    """A GIF with one frame for each picture, and its own line of words below it (and the picture's caption)."""
    images = import_module("PIL.Image")
    with TemporaryDirectory() as folder:
        font = Path(folder) / "font.ttf"
        font.write_bytes(_font(LINE).path.getvalue())
        frames = [_captioned(_draw(picture, cell, font), (words, picture.caption)) for picture, words in positions]
    chosen = frames[:: max(1, len(frames) // SAMPLES)]
    wide, high = frames[0].size
    sheet = images.new("RGB", (wide, high * len(chosen)))
    for index, frame in enumerate(chosen):
        sheet.paste(frame, (0, high * index))
    palette = sheet.quantize(COLOURS, method=images.Quantize.FASTOCTREE)
    plain = [frame.quantize(palette=palette, dither=images.Dither.NONE) for frame in frames]
    out = BytesIO()
    waits = [WAIT] * (len(plain) - 1) + [LAST_WAIT]
    plain[0].save(out, "GIF", save_all=True, append_images=plain[1:], duration=waits, loop=0, optimize=False)
    return out.getvalue()


def _draw(picture: Picture, cell: int, font: Path) -> Any:
    """The board, without its caption, as an image of Pillow's; `cell` is the width of a cell in pixels."""
    png = import_module("resvg_py").svg_to_bytes(
        svg_string=svg.draw(replace(picture, caption=""), cell=cell),
        background=svg.STONE,
        style_sheet=BOLD,
        skip_system_fonts=True,
        font_files=[str(font)],
        sans_serif_family=_font(LINE).getname()[0],
    )
    return import_module("PIL.Image").open(BytesIO(png)).convert("RGB")


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
