"""`harena bench --arena`: how many games a minute, and what the referee costs."""

import json
from dataclasses import asdict

from rich.console import Console

from harena.bench.matches import AGENT, SECONDS, Throughput, measure
from harena.cli.match import grid

GAMES = 100


def run_arena(as_json: bool) -> None:
    """Measure, and print the figures."""
    with Console(stderr=True).status(
        f"{GAMES} games of isolation, {AGENT}, {1000 * SECONDS:.0f} ms a move, two at once"
    ):
        found = measure(GAMES)
    if as_json:
        print(json.dumps(asdict(found), indent=2))
        return
    console = Console(highlight=False)
    console.print(
        f"[bold]isolation 7x7, {AGENT} against itself, {1000 * SECONDS:.0f} ms a move, two games at once[/bold]"
    )
    console.print(grid(lines(found)))


def lines(found: Throughput) -> list[tuple[str, str]]:
    """The figures in words."""
    return [
        ("games", f"{found.games:,} in {found.seconds:.1f} s: {found.games_per_minute:,.0f} a minute"),
        ("moves", f"{found.moves_per_game:.1f} a game"),
        ("lost to the referee", f"{100 * found.lost:.1f} % of the workers' time"),
        (
            "beyond 10 ms",
            f"median {found.overrun_median:.2f} ms, 99 % {found.overrun_p99:.2f}, 99.9 % {found.overrun_p999:.2f}, "
            f"worst {found.overrun_worst:.2f}",
        ),
        ("lost by time", f"{found.time_losses}; played again because the machine was overloaded: {found.replays}"),
        ("load", f"{found.runnable:.1f} threads that run or wait, on average"),
    ]
