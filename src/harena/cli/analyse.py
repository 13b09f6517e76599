"""`harena analyse`: what a player thinks of a position."""

import json
from dataclasses import replace
from math import floor, log10
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from harena.agents.analyse import Analyst
from harena.agents.analysis import behind, heat, line, warmths
from harena.agents.expected import score_of
from harena.agents.player import Player
from harena.agents.recording import check_tree, recorded
from harena.agents.spec import parse_agent
from harena.api import State
from harena.arena.words import percent
from harena.cli.compiling import announced
from harena.cli.start import draw, find_state, has_unicode
from harena.errors import UsageError
from harena.kernel import patience
from harena.render import tree as tree_picture
from harena.search.mastery import NO_HANDICAP, Mastery
from harena.search.result import Limits, Result, RootMove
from harena.search.workspace import WIN

VERDICTS = {1: "won", 0: "drawn", -1: "lost"}
REASONS = {
    "depth": "the depth was reached",
    "seconds": "the time was up",
    "nodes": "the nodes were used up",
    "iterations": "the iterations were used up",
    "exhausted": "the whole tree was searched",
    "decided": "the game is decided",
    "settled": "three depths in a row named the same move",
    "interrupted": "you stopped it",
    "random": "it draws at random",
    "answered": "it says no more than its move",
    "chosen": "it chose its move",
}

MOST_DECIMALS = 6
WEAKENED = "a level has few nodes and noise: this is a weakened look; champion shows all"


def analyse(
    name: str,
    options: dict[str, Any],
    seed: int,
    position: str | None,
    agent: str | None,
    limits: Limits,
    *,
    shown: int,
    tree: str | None,
    levels: int,
    as_json: bool,
) -> None:
    """Search a position and print what was found."""
    console = Console(highlight=False)
    progress = Console(stderr=True, highlight=False)
    with progress.status("") as status, announced(is_shown=True):
        state = patience.run(find_state, name, options, seed, position)
        analyst = patience.run(Analyst, state, agent)
        thinker = analyst.thinker
        status.update(f"{analyst.agent}: compiling (only once)")
        if tree is not None:
            check_tree(thinker)
            if not Path(tree).parent.is_dir():
                raise UsageError(f"{tree!r} cannot be written: there is no folder {str(Path(tree).parent)!r}")
        patience.run(thinker.ready)
        status.update(f"{analyst.agent}: thinking (Ctrl-C stops it with the best move so far)")
        seconds = thinker.allowed(limits).seconds
        found = patience.run_until_stopped(lambda flag: analyst.think(limits, seed, flag), seconds)
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        _print(console, analyst.player, state, found.result, shown)
    if tree is not None:
        with progress.status("recording the tree"):
            files = patience.run(_write_tree, Path(tree), thinker, state, found.result, levels)
        (progress if as_json else console).print(f"wrote {' and '.join(files)}")


def _print(console: Console, found: Player, state: State, result: Result, shown: int) -> None:
    picture = state.picture
    if picture is not None:
        print(draw(replace(picture, heat=heat(state, result.root))))
        console.print()
    console.print(f"[bold]{state.named(result.move)}[/bold]  {_verdict(result)}{_expected(found, state, result)}")
    console.print(f"[dim]{escape(found.text)}: {_effort(result)}; {REASONS.get(result.stopped, result.stopped)}[/dim]")
    if _is_weakened(found):
        console.print(WEAKENED)
    for path in parse_agent(found.text).unwalled_files():
        console.print(f"{path} runs without a sandbox", style="dim", markup=False)
    if len(moves := line(state, result)) > 1:
        console.print("line: " + " ".join(str(move) for move in moves))
    if len(result.root) > 1 or result.value is not None:
        console.print()
        console.print(_table(state, result, shown))
        if len(result.root) > shown:
            console.print(f"[dim]... and {len(result.root) - shown} more (--moves {len(result.root)})[/dim]")
    console.print(f"\nposition: {state.text}", soft_wrap=True)


def _verdict(result: Result) -> str:
    if result.proven is not None:
        return f"[bold]{VERDICTS[result.proven]}[/bold], proven"
    if result.value is None:
        return ""
    if result.iterations is not None:
        return f"mean reward {result.value:.3f}"
    return f"value {result.value + 0.0:+.4g}"


def _expected(found: Player, state: State, result: Result) -> str:
    """What its value means, where that is known."""
    score = None if result.proven is not None else score_of(found, state, result.value)
    return "" if score is None else f", expected score {100 * score:.0f} %"


def _is_weakened(found: Player) -> bool:
    """Whether it is a champion with a level."""
    search = behind(found.search)
    return isinstance(search, Mastery) and search.handicap != NO_HANDICAP


def _effort(result: Result) -> str:
    counted = result.iterations or result.nodes
    rate = f" ({_rate(result)})" if counted and result.seconds >= 1e-4 else ""
    parts = []
    if result.iterations is not None:
        parts.append(f"{result.iterations:,} iterations" + (f", {result.nodes:,} nodes kept" if result.nodes else ""))
    elif result.nodes:
        parts.append(f"{result.nodes:,} nodes")
    if result.depth is not None:
        parts.append(f"depth {result.depth}" if result.iterations is None else f"line of {result.depth}")
    return ", ".join([*parts, f"{result.seconds:.3f} s{rate}"])


def _rate(result: Result) -> str:
    return f"{(result.iterations or result.nodes) / result.seconds:,.0f}/s"


def _table(state: State, result: Result, shown: int) -> Table:
    table = Table(box=None, padding=(0, 1))
    has_visits = any(one.visits is not None for one in result.root)
    headings = ["move", "value", "proven", *(["visits", "share", "won", "drawn", "lost"] if has_visits else []), ""]
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("move", "proven", "") else "right", no_wrap=True)
    total = sum(one.visits or 0 for one in result.root)
    warmth = warmths(result.root)
    bar, decimals = "█" if has_unicode() else "#", _decimals(result.root)
    for one in result.root[:shown]:
        verdict = VERDICTS[one.proven] if one.proven is not None else ""
        row = [str(state.named(one.move)), _value(one, decimals), verdict]
        if has_visits and one.visits is not None:
            counts = map(_count, (one.won, one.drawn, one.lost))
            row += [_count(one.visits), percent(one.visits / total), *counts]
        elif has_visits:
            row += [""] * 5  # never tried
        table.add_row(*row, bar * warmth.get(one.move, 0))
    return table


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _decimals(root: tuple[RootMove, ...]) -> int:
    """Of all values of a table: so many that the largest has four digits; none where all are whole numbers."""
    values = [abs(one.value) for one in root if one.value is not None and abs(one.value) < WIN]
    if all(value == int(value) for value in values):
        return 0
    return min(max(0, 3 - floor(log10(max(values)))), MOST_DECIMALS)


def _value(one: RootMove, decimals: int) -> str:
    if one.value is None:
        return "?"
    shown = {WIN: "win", -WIN: "loss"}.get(one.value) or f"{round(one.value, decimals) + 0.0:,.{decimals}f}"
    return shown if one.bound == "=" else f"{one.bound} {shown}"


def _write_tree(path: Path, thinker: Player, state: State, result: Result, levels: int) -> list[str]:
    document = recorded(thinker, state, result, levels)
    stem = path.with_suffix("") if path.suffix in (".json", ".svg") else path
    files = {f"{stem}.json": json.dumps(document, indent=1), f"{stem}.svg": tree_picture.draw(document)}
    for file, text in files.items():
        try:
            Path(file).write_text(text, "utf-8")
        except OSError as error:
            raise UsageError(f"{file!r} cannot be written: {error.strerror}") from None
    return list(files)
