"""One HTML page without anything from elsewhere: headings, tables, and small drawings made here.

Whatever a page shows arrives as plain text and numbers; the templates escape it, and a text that is HTML already has
the type Markup. Colours are those of the boards, light or dark as the reader's system is; drawings say in words what
they show, and no number is in a drawing only. Jinja2 is imported when something is drawn, and only then.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

WIDTH, ROW = 720, 26  # of a drawing: its width, and the height of a line
LETTER, LABEL = 7.4, 180  # the width of a letter, and the least room for names


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading and what is under it."""

    name: str
    heading: str
    body: "Markup"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A line of a drawing of intervals; an open end has an arrow."""

    name: str
    value: float
    low: float
    high: float
    open_low: bool = False
    open_high: bool = False


def page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """The document."""
    return _templates().get_template("page.html").render(title=title, lead=lead, sections=sections)


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        finalize=_printable,
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )


def _printable(value: object) -> object:
    """A text from outside on one line, without what a page or a terminal would take for its own."""
    if hasattr(value, "__html__"):
        return value
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in str(value))


def _part(name: str, *values: object, **named: object) -> "Markup":
    """A part of a page, by the name of its macro."""
    macros: Any = _templates().get_template("parts.html").module
    part: Markup = getattr(macros, name)(*values, **named)
    return part


def join(parts: "Iterable[Markup]") -> "Markup":
    """Parts of a page, one after another."""
    from markupsafe import Markup

    return Markup("").join(parts)


def preformatted(text: str) -> "Markup":
    """A text of several lines, with its blanks."""
    return _part("preformatted", text.splitlines())


def paragraphs(lines: Iterable[str], box: str = "") -> "Markup":
    """Each line as a paragraph; with the name of a box, together in an element of that class."""
    texts = list(lines)
    return _part("paragraphs", texts, box if texts else "")


def position(caption: str, text: str) -> "Markup":
    """A paragraph with the text of a position."""
    return _part("position", caption, text)


def image(caption: str, svg: str) -> "Markup":
    """A drawing as an image within the page."""
    return _part("image", caption, b64encode(svg.encode()).decode())


def link(address: str, words: str) -> "Markup":
    """A paragraph with a link."""
    return _part("link", address, words)


def table(
    caption: str, headings: Iterable[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()
) -> "Markup":
    """A table whose first column heads its rows; the columns in `numbers` stand at the right."""
    return _part("table", caption, headings, rows, numbers)


def folded(summary: str, body: "Markup", is_open: bool) -> "Markup":
    """What a reader may open."""
    return _part("folded", summary, body, is_open)


def intervals(
    marks: Sequence[Mark], *, title: str, unit: str, zero: float, ends: tuple[float, float] | None
) -> "Markup":
    """Estimates as dots on their intervals, one line each, over a common axis; `zero` is a dashed line."""
    low = min(zero, *(mark.low for mark in marks)) if ends is None else ends[0]
    high = max(zero, *(mark.high for mark in marks)) if ends is None else ends[1]
    step = nice((high - low or 1) / 6)
    low, high = step * floor(low / step), step * max(ceil(high / step), floor(low / step) + 1)
    room = max(LABEL, 30 + LETTER * max(len(short(mark.name)) for mark in marks))

    def at(value: float) -> float:
        return room + (WIDTH - room - 30) * (value - low) / (high - low)

    places = [low + index * step for index in range(round((high - low) / step) + 1)]
    rows = []
    for index, mark in enumerate(marks):
        y, left, right = 10 + ROW * index + ROW // 2, at(mark.low), at(mark.high)
        span = f"M{left:.1f} {y}H{right:.1f}{_end(left, y, mark.open_low, -1)}{_end(right, y, mark.open_high, 1)}"
        rows.append({"y": y, "name": short(mark.name), "span": span, "x": f"{at(mark.value):.1f}"})
    return _part(
        "intervals",
        frame=_frame(ROW * len(marks) + 44, title, _describe(marks, unit)),
        unit=unit,
        ticks=[(f"{at(place):.1f}", f"{place:g}") for place in places],
        zero=f"{at(zero):.1f}",
        rows=rows,
    )


def _frame(height: int, title: str, description: str) -> dict[str, object]:
    return {"width": WIDTH, "height": height, "title": title, "description": description}


def _end(x: float, y: float, is_open: bool, way: int) -> str:
    """A bar across the end, or an arrow where it is open."""
    if is_open:
        return f"M{x - 6 * way:.1f} {y - 5:g}L{x:.1f} {y:g}L{x - 6 * way:.1f} {y + 5:g}"
    return f"M{x:.1f} {y - 5:g}V{y + 5:g}"


def _describe(marks: Sequence[Mark], unit: str) -> str:
    return "; ".join(
        f"{mark.name}: {mark.value:.0f} {unit}, "
        f"{'open' if mark.open_low else f'{mark.low:.0f}'} to {'open' if mark.open_high else f'{mark.high:.0f}'}"
        for mark in marks
    )


def histogram(values: Sequence[int], *, title: str, unit: str) -> "Markup":
    """How often whole numbers occur, in bins of equal width, at most about 30 of them."""
    first, last = min(values), max(values)
    width = max(1, ceil((last - first + 1) / 30))
    counts = [0] * ((last - first) // width + 1)
    for value in values:
        counts[(value - first) // width] += 1
    starts = range(first, last + 1, width)
    names = [str(start) if width == 1 else f"{start}-{start + width - 1}" for start in starts]
    most, height, left = max(counts), 220, 50
    size = min((WIDTH - left - 20) / len(counts), 60.0)
    every = ceil(len(counts) / (12 if width == 1 else 8))
    bars = []
    for index, (name, count) in enumerate(zip(names, counts, strict=True)):
        tall, x = (height - 64) * count / most, left + index * size
        bar = {"name": name, "count": count, "x": f"{x + 1:.1f}", "y": f"{height - 44 - tall:.1f}"}
        bar |= {"width": f"{max(1, size - 2):.1f}", "height": f"{tall:.1f}"}
        bars.append(bar | {"middle": f"{x + size / 2:.1f}" if index % every == 0 else ""})
    listed = "; ".join(f"{name}: {count}" for name, count in zip(names, counts, strict=True) if count)
    ticks = range(0, most + 1, max(1, int(nice(most / 4))))
    return _part(
        "histogram",
        frame=_frame(height, title, f"{unit}: {listed}"),
        unit=unit,
        left=left,
        ticks=[(height - 44 - (height - 64) * tick / most, tick) for tick in ticks],
        bars=bars,
    )


def nice(step: float) -> float:
    """1, 2 or 5 times a power of ten, not less than this."""
    power = 10.0 ** floor(log10(step)) if step > 0 else 1.0
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * 0.999999)


def short(name: str, most: int = 36) -> str:
    """A name that fits beside a drawing."""
    return name if len(name) <= most else name[: most - 1] + "…"
