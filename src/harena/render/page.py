"""One HTML page without anything from elsewhere: headings, tables, and small drawings made here.

Everything a page shows arrives as plain text and numbers, and is escaped here. Colours are those of the boards, light
or dark as the reader's system is; drawings say in words what they show, and no number is in a drawing only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, ROW = 720, 26  # of a drawing: its width, and the height of a line
LETTER, LABEL = 7.4, 180  # the width of a letter, and the least room for names
STYLE = """
:root { color-scheme: light dark; --page: #fdfaf2; --panel: #fbf3de; --line: #dfcba1; --edge: #b99b64; --ink: #3a2d1a;
  --soft: #6f5833; --mark: #2f6f7c; --alarm: #b02a18; --bar: #c9a961; }
@media (prefers-color-scheme: dark) { :root { --page: #1d1914; --panel: #2a241c; --line: #4b4035; --edge: #8a6d3f;
  --ink: #f3e8d0; --soft: #c9b48a; --mark: #7cc3d0; --alarm: #ff8d78; --bar: #8a6d3f; } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .3rem; overflow-wrap: anywhere }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem; border-bottom: 2px solid var(--edge) }
p { margin: .4rem 0; max-width: 48rem; overflow-wrap: anywhere }
nav { font-size: .9rem } nav a { margin-right: .9rem; white-space: nowrap }
a, summary { color: var(--mark) }
a:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
.lead { color: var(--soft) }
.verdict { background: var(--panel); border-left: 4px solid var(--mark); padding: .5rem .9rem; border-radius: 4px }
.alarm { background: var(--panel); border-left: 4px solid var(--alarm); padding: .5rem .9rem; border-radius: 4px;
  margin-top: .5rem }
.wide { overflow-x: auto; margin: .6rem 0 }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem }
th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
thead th { background: var(--panel); white-space: nowrap } tbody th { font-weight: 600; white-space: nowrap }
pre { overflow-x: auto }
.number { text-align: right; white-space: nowrap }
svg { display: block; min-width: 36rem; max-width: 100%; height: auto; background: var(--panel); border-radius: 8px }
svg text { fill: var(--ink); font: 13px system-ui, 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif }
svg .soft { fill: var(--soft); font-size: 12px } svg .axis { stroke: var(--line); stroke-width: 1 }
svg .zero { stroke: var(--edge); stroke-width: 1.5; stroke-dasharray: 5 4 }
svg .span { stroke: var(--ink); stroke-width: 2; stroke-linecap: round; fill: none }
svg .dot { fill: var(--mark) } svg .bar { fill: var(--bar) }
@media (max-width: 40rem) { table { font-size: .85rem } th, td { padding: .25rem .45rem } }
@media print { body { max-width: none } details:not([open]) > * { display: revert } }
"""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading and what is under it, as HTML."""

    name: str
    heading: str
    body: str


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
    links = " ".join(f'<a href="#{one.name}">{text(one.heading)}</a>' for one in sections)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="generator" content="harena">',
        f"<title>{text(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        "<header>",
        f"<h1>{text(title)}</h1>",
        *(f'<p class="lead">{text(line)}</p>' for line in lead),
        f'<nav aria-label="Sections">{links}</nav>',
        "</header>",
        "<main>",
    ]
    for one in sections:
        parts += [
            f'<section id="{one.name}" aria-labelledby="{one.name}-heading">',
            f'<h2 id="{one.name}-heading">{text(one.heading)}</h2>',
            one.body,
            "</section>",
        ]
    return "\n".join([*parts, "</main>", "</body>", "</html>", ""])


def text(words: object) -> str:
    """Anybody's text, on one line, without what a page or a terminal would take for its own."""
    plain = "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in str(words))
    return escape(plain)


def preformatted(words: str) -> str:
    """Anybody's text of several lines, with its blanks."""
    return f'<pre tabindex="0">{chr(10).join(text(line) for line in words.splitlines())}</pre>'


def paragraphs(lines: Iterable[str], name: str = "") -> str:
    """Each a paragraph; with a name, together in a box of that class."""
    body = "\n".join(f"<p>{text(line)}</p>" for line in lines)
    return f'<div class="{name}">{body}</div>' if name and body else body


def table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()) -> str:
    """A table whose first column heads its rows; the columns in `numbers` stand at the right."""

    def kind(column: int) -> str:
        return ' class="number"' if column in numbers else ""

    head = "".join(f'<th scope="col"{kind(index)}>{text(heading)}</th>' for index, heading in enumerate(headings))
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td{kind(index)}>{text(cell)}</td>" for index, cell in enumerate(rest, 1))
        lines.append(f'<tr><th scope="row"{kind(0)}>{text(first)}</th>{cells}</tr>')
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{text(caption)}"><table>'
        f"<caption>{text(caption)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"
    )


def folded(summary: str, body: str, is_open: bool) -> str:
    """What a reader may open."""
    return f"<details{' open' if is_open else ''}><summary>{text(summary)}</summary>\n{body}\n</details>"


def intervals(marks: Sequence[Mark], *, title: str, unit: str, zero: float, ends: tuple[float, float] | None) -> str:
    """Estimates as dots on their intervals, one line each, over a common axis; `zero` is a dashed line."""
    low = min(zero, *(one.low for one in marks)) if ends is None else ends[0]
    high = max(zero, *(one.high for one in marks)) if ends is None else ends[1]
    step = nice((high - low or 1) / 6)
    low, high = step * floor(low / step), step * max(ceil(high / step), floor(low / step) + 1)
    height = ROW * len(marks) + 44
    room = max(LABEL, 30 + LETTER * max(len(short(one.name)) for one in marks))

    def at(value: float) -> float:
        return room + (WIDTH - room - 30) * (value - low) / (high - low)

    out = [_start(height, title, _said(marks, unit))]
    for index in range(round((high - low) / step) + 1):
        place = low + index * step
        out.append(f'<path class="axis" d="M{at(place):.1f} 10V{height - 30}"/>')
        out.append(f'<text class="soft" x="{at(place):.1f}" y="{height - 12}" text-anchor="middle">{place:g}</text>')
    out.append(f'<path class="zero" d="M{at(zero):.1f} 10V{height - 30}"/>')
    out.append(f'<text class="soft" x="12" y="{height - 12}">{text(unit)}, with 95 % intervals</text>')
    for index, one in enumerate(marks):
        y = 10 + ROW * index + ROW / 2
        left, right = at(one.low), at(one.high)
        out.append(f'<text x="12" y="{y + 4:g}">{text(short(one.name))}</text>')
        out.append(f'<path class="span" d="M{left:.1f} {y:g}H{right:.1f}{_end(left, y, one.open_low, -1)}')
        out[-1] += f'{_end(right, y, one.open_high, 1)}"/>'
        out.append(f'<circle class="dot" cx="{at(one.value):.1f}" cy="{y:g}" r="5"/>')
    return "\n".join([*out, "</svg></div>"])


def _end(x: float, y: float, is_open: bool, way: int) -> str:
    """A bar across the end, or an arrow where it is open."""
    if is_open:
        return f"M{x - 6 * way:.1f} {y - 5:g}L{x:.1f} {y:g}L{x - 6 * way:.1f} {y + 5:g}"
    return f"M{x:.1f} {y - 5:g}V{y + 5:g}"


def _said(marks: Sequence[Mark], unit: str) -> str:
    return "; ".join(
        f"{one.name}: {one.value:.0f} {unit}, "
        f"{'open' if one.open_low else f'{one.low:.0f}'} to {'open' if one.open_high else f'{one.high:.0f}'}"
        for one in marks
    )


def histogram(values: Sequence[int], *, title: str, unit: str) -> str:
    """How often whole numbers occur, in bins of equal width, at most about 30 of them."""
    first, last = min(values), max(values)
    width = max(1, ceil((last - first + 1) / 30))
    counts = [0] * ((last - first) // width + 1)
    for value in values:
        counts[(value - first) // width] += 1
    most, height, left = max(counts), 220, 50
    room = (WIDTH - left - 20) / len(counts)
    size = min(room, 60.0)

    def binned(index: int) -> str:
        start = first + index * width
        return str(start) if width == 1 else f"{start}-{start + width - 1}"

    said = "; ".join(f"{binned(index)}: {count}" for index, count in enumerate(counts) if count)
    out = [_start(height, title, f"{unit}: {said}")]
    step = max(1, int(nice(most / 4)))
    for mark in range(0, most + 1, step):
        y = height - 44 - (height - 64) * mark / most
        out.append(f'<path class="axis" d="M{left} {y:.1f}H{WIDTH - 20}"/>')
        out.append(f'<text class="soft" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{mark}</text>')
    every = ceil(len(counts) / (12 if width == 1 else 8))
    for index, count in enumerate(counts):
        tall, x = (height - 64) * count / most, left + index * size
        out.append(
            f'<rect class="bar" x="{x + 1:.1f}" y="{height - 44 - tall:.1f}" width="{max(1, size - 2):.1f}" '
            f'height="{tall:.1f}"><title>{binned(index)}: {count}</title></rect>'
        )
        if index % every == 0:
            middle = x + size / 2
            out.append(
                f'<text class="soft" x="{middle:.1f}" y="{height - 28}" text-anchor="middle">{binned(index)}</text>'
            )
    out.append(f'<text class="soft" x="{left}" y="{height - 8}">{text(unit)}; upwards: games</text>')
    return "\n".join([*out, "</svg></div>"])


def _start(height: float, title: str, said: str) -> str:
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{text(title)}">\n'
        f'<svg viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" role="img" '
        f'aria-label="{text(title)}. {text(said)}"><title>{text(title)}</title><desc>{text(said)}</desc>'
    )


def nice(step: float) -> float:
    """1, 2 or 5 times a power of ten, not less than this."""
    power = 10.0 ** floor(log10(step)) if step > 0 else 1.0
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= step * 0.999999)


def short(name: str, most: int = 36) -> str:
    """A name that fits beside a drawing."""
    return name if len(name) <= most else name[: most - 1] + "…"
