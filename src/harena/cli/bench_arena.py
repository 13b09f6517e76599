"""`harena bench --arena`: how quickly contests are played, and what the referee costs."""

import json
from dataclasses import asdict

from rich.console import Console

from harena.arena.runs.display import draw_block
from harena.arena.runs.presentation import Facts
from harena.bench.contests import Aim, Part, measure_aims, measure_parts
from harena.bench.matches import AGENT, SECONDS, Throughput, measure

GAMES, FEW_GAMES = 100, 20
MOST_LOST = 2.0  # percent of the workers' time


def run_arena(as_json: bool, *, quick: bool = False) -> None:
    """Measure, and print the figures."""
    games = FEW_GAMES if quick else GAMES
    with Console(stderr=True).status("") as status:
        aims = measure_aims(quick=quick, say=status.update)
        status.update(f"{games} games of isolation, {AGENT}, {1000 * SECONDS:.0f} ms a move, two at once")
        found = measure(games)
        status.update("where the referee's time goes")
        parts = measure_parts(games // 4)
    aims.append(referee_aim(found))
    if as_json:
        plain = [asdict(aim) | {"met": aim.is_met} for aim in aims]
        print(json.dumps({**asdict(found), "aims": plain, "parts": [asdict(part) for part in parts]}, indent=2))
        return
    console = Console(highlight=False)
    console.print("[bold]aims[/bold]")
    console.print(draw_block(Facts([aim_line(one) for one in aims])))
    console.print(
        f"\n[bold]isolation 7x7, {AGENT} against itself, {1000 * SECONDS:.0f} ms a move, two games at once[/bold]"
    )
    console.print(draw_block(Facts([*lines(found), ("where it goes", where(parts))])))


def referee_aim(found: Throughput) -> Aim:
    """The referee's cost beside its aim."""
    about = f"of the workers' time, at {1000 * SECONDS:.0f} ms a move"
    return Aim(name="lost to the referee", value=100 * found.lost, aim=MOST_LOST, unit="%", about=about)


def aim_line(one: Aim) -> tuple[str, str]:
    """A figure beside what it shall be."""
    figure = f"{one.value:.2f}" if one.value < 10 else f"{one.value:,.0f}"
    bound = f"{'at least' if one.at_least else 'at most'} {one.aim:g}"
    return one.name, f"{figure} {one.unit}; aim {bound}: {'met' if one.is_met else 'MISSED'} ({one.about})"


def where(parts: list[Part]) -> str:
    """The parts of the referee's work, the largest first."""
    ordered = sorted(parts, key=lambda part: -part.share)
    return ", ".join(f"{part.name} {100 * part.share:.1f} %" for part in ordered)


def lines(found: Throughput) -> list[tuple[str, str]]:
    """The figures in words."""
    return [
        ("games", f"{found.games:,} in {found.seconds:.1f} s: {found.games_per_minute:,.0f} a minute"),
        ("moves", f"{found.moves_per_game:.1f} a game"),
        (
            "lost to the referee",
            f"{100 * found.lost:.1f} % of the workers' time; {found.referee_ms:.2f} ms of CPU time a move",
        ),
        (
            "beyond 10 ms",
            f"median {found.overrun_median:.2f} ms, 99 % {found.overrun_p99:.2f}, 99.9 % {found.overrun_p999:.2f}, "
            f"worst {found.overrun_worst:.2f}",
        ),
        ("lost by time", "; ".join([str(found.time_losses), *found.time_details])),
        ("played again", f"{found.replays}, because the machine was overloaded"),
        ("load", f"{found.runnable:.1f} threads that run or wait, on average"),
    ]
