"""Plots for a paper or a screen, as PNG or SVG; matplotlib is imported when one is drawn, and only then.

`sweep`, `trace`, `growth` and `reliability` take plain numbers and return the file's bytes. ImportError says in one
line what to install.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from typing import Any

FORMATS = ("png", "svg")
SAND, EARTH, INK, ALARM, WATER = "#fbf3de", "#8a6d3f", "#3a2d1a", "#c8321e", "#3c7f8c"
LINES = ("#3c7f8c", "#c8541e", "#4f2683", "#2463a8", "#6b8e23", "#8f2410")
MARKS = ("o", "s", "^", "D", "v", "P")  # lines are told apart without hue, too
SETTINGS = {
    "font.family": "sans-serif",
    "axes.edgecolor": EARTH,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "axes.facecolor": SAND,
    "svg.hashsalt": "harena",
    "svg.fonttype": "none",
}


def require() -> None:
    """ImportError, with what to do, if there is no matplotlib."""
    try:
        import_module("matplotlib.figure")
    except ImportError:
        raise ImportError("plots need matplotlib: pip install '.[plot]' in a checkout of Harena") from None


def sweep(
    points: Sequence[tuple[float, float, float, float]], *, name: str, title: str, against: str, form: str
) -> bytes:
    """Scores, 0 to 1, over a parameter: (value, score, low, high), drawn with the intervals as error bars."""
    xs = [point[0] for point in points]

    def draw(axes: Any) -> None:
        scores = [100 * score for _, score, _, _ in points]
        below = [100 * (score - low) for _, score, low, _ in points]
        above = [100 * (high - score) for _, score, _, high in points]
        axes.axhline(50, color=EARTH, linewidth=1, linestyle="--")
        axes.errorbar(xs, scores, yerr=[below, above], fmt="o-", color=WATER, ecolor=INK, capsize=4, elinewidth=1.2)
        if is_wide(xs):
            axes.set_xscale("log")
        axes.set_xticks(xs, [f"{x:g}" for x in xs])
        axes.minorticks_off()
        axes.set_ylim(-3, 103)
        axes.set_xlabel(name)
        axes.set_ylabel(f"win rate against {_short(against)} in %\n(draws half; bars: 95 %)")
        axes.grid(axis="y", color="#dfcba1", linewidth=0.8)
        axes.set_axisbelow(True)

    return _drawn(draw, title, form)


def trace(lines: Mapping[str, Sequence[float]], *, title: str, form: str) -> bytes:
    """Parameters over the steps of a tuning, one panel each."""

    def draw(*panels: Any) -> None:
        for index, (axes, (name, values)) in enumerate(zip(panels, lines.items(), strict=True)):
            steps = range(len(values))
            mark = {"marker": MARKS[index % len(MARKS)], "markevery": max(1, len(values) // 12), "markersize": 4}
            axes.plot(steps, values, color=LINES[index % len(LINES)], linewidth=1.5, **mark)
            axes.axhline(values[0], color=EARTH, linewidth=1, linestyle="--")
            axes.set_ylabel(name)
            axes.set_xlim(0, max(1, len(values) - 1))
            if is_wide(values):
                axes.set_yscale("log")
            axes.grid(color="#dfcba1", linewidth=0.8)
        panels[-1].set_xlabel("step (dashed: the start)")

    return _drawn(draw, title, form, panels=len(lines))


def growth(points: Sequence[tuple[float, float, float, float]], *, span: str, title: str, form: str) -> bytes:
    """Elo over seconds a decision or another span: (seconds, Elo above the first, how far the bar goes down and up)."""

    def draw(axes: Any) -> None:
        xs, ys, below, above = zip(*points, strict=True)
        axes.errorbar(xs, ys, yerr=[below, above], fmt="o-", color=WATER, ecolor=INK, capsize=4, elinewidth=1.2)
        axes.set_xscale("log")
        axes.set_xticks(xs, [f"{x:g}" for x in xs])
        axes.minorticks_off()
        axes.set_xlabel(f"seconds a {span}")
        axes.set_ylabel(f"Elo above {xs[0]:g} s\n(bars: 95 %)")
        axes.grid(color="#dfcba1", linewidth=0.8)
        axes.set_axisbelow(True)

    return _drawn(draw, title, form)


def reliability(points: Sequence[tuple[float, float, float, float, int]], *, title: str, form: str) -> bytes:
    """Points made over points expected: (expected, made, low, high, positions) for each bin."""

    def draw(axes: Any) -> None:
        xs, made = [point[0] for point in points], [point[1] for point in points]
        below = [point[1] - point[2] for point in points]
        above = [point[3] - point[1] for point in points]
        axes.plot([0, 1], [0, 1], color=EARTH, linewidth=1, linestyle="--")
        axes.errorbar(xs, made, yerr=[below, above], fmt="o-", color=WATER, ecolor=INK, capsize=4, elinewidth=1.2)
        for x, y, _, _, number in points:
            axes.annotate(f"{number}", (x, y), textcoords="offset points", xytext=(6, -10), fontsize=7)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.set_xlabel("expected score (number: positions)")
        axes.set_ylabel("points made\n(draws half; bars: 95 %)")
        axes.grid(color="#dfcba1", linewidth=0.8)
        axes.set_axisbelow(True)

    return _drawn(draw, title, form)


def is_wide(values: Sequence[float]) -> bool:
    """Whether a logarithmic axis shows these better."""
    return min(values) > 0 and max(values) >= 8 * min(values)


def _drawn(draw: Any, title: str, form: str, panels: int = 1) -> bytes:
    require()
    matplotlib, figures = import_module("matplotlib"), import_module("matplotlib.figure")
    with matplotlib.rc_context(SETTINGS):
        figure = figures.Figure(figsize=(7, 4.2 if panels == 1 else 1 + 2 * panels), layout="constrained")
        axes = figure.subplots(panels, 1, squeeze=False)[:, 0]
        draw(*axes)
        figure.suptitle(_short(title, 90), fontsize=10, parse_math=False)
        for one in axes:
            for label in (one.xaxis.label, one.yaxis.label):
                label.set_parse_math(False)
        out = BytesIO()
        figure.savefig(out, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return out.getvalue()


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
