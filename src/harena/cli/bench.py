"""`harena bench`: how fast it is here."""

import json
import platform
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from harena import __version__
from harena.bench import playouts, starts
from harena.bench.limit import find_compiler
from harena.errors import BadOption, UnknownName
from harena.games.catalogue import CATALOGUE


def run(games: list[str], seconds: float, as_json: bool) -> None:
    """Measure the named games, or all, and print a table or JSON."""
    names = chosen(games, seconds)
    cases = [case for case in playouts.CASES if case.game in names]
    progress = Console(stderr=True, highlight=False)
    measured, started = [], []
    with progress.status("") as status:
        for case in cases:
            status.update(f"{case.game} {case.size}: random playouts")
            measured.append(playouts.measure(case, seconds))
        for name in names:
            status.update(f"{name}: first game of a new process, cold and warm")
            started.append(starts.measure(name))
    if as_json:
        print(json.dumps(_report(measured, started), indent=2))
    else:
        _print_tables(measured, started)


def chosen(games: list[str], seconds: float) -> list[str]:
    """The games to measure, in the catalogue's order; complains about anything that makes no sense."""
    for name in games:
        if name not in CATALOGUE:
            raise UnknownName("game", name, CATALOGUE)
    if not 0.01 <= seconds <= 600:
        raise BadOption(f"--seconds is 0.01 to 600, not {seconds:g}")
    return [name for name in CATALOGUE if not games or name in games]


def _report(measured: list[playouts.Measurement], started: list[starts.Start]) -> dict[str, Any]:
    return {
        "harena": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "c_compiler": find_compiler() is not None,
        "playouts": [asdict(one) for one in measured],
        "starts": [asdict(one) for one in started],
    }


def _print_tables(measured: list[playouts.Measurement], started: list[starts.Start]) -> None:
    console = Console(highlight=False)
    table = Table(title="Random playouts to the end, one thread", title_justify="left", title_style="bold", box=None)
    for heading in ("game", "size", "playouts/s", "plies/s", "C playouts/s", "ratio to C"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for one in measured:
        plies = one.playouts_per_second * one.plies_per_playout
        c_rate = "-" if one.c_playouts_per_second is None else f"{one.c_playouts_per_second:,.0f}"
        ratio = "-" if one.ratio_to_c is None else f"{one.ratio_to_c:.2f}"
        table.add_row(one.game, str(one.size), f"{one.playouts_per_second:,.0f}", f"{plies / 1e6:.1f} M", c_rate, ratio)
    console.print(table)
    if find_compiler() is None:
        console.print("no C compiler here, so no ratio: install gcc to see it")
    else:
        console.print(
            "[dim]C: the same loop by hand, gcc -O3 -march=native. Both played the same games; medians.[/dim]"
        )
    console.print()
    console.print("[bold]From starting Python to the end of a first random game[/bold]")
    table = Table(box=None)
    for heading in ("game", "cold", "warm"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for start in started:
        table.add_row(start.game, f"{start.cold_seconds:.2f} s", f"{start.warm_seconds:.2f} s")
    console.print(table)
