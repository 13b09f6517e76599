"""`harena bench --search`: how fast the searches are here, and how well they keep their time."""

import json
import platform
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from harena import __version__
from harena.bench import searches
from harena.bench.playouts import CASES
from harena.cli.bench import chosen

MOVES = 1000
SUSTAINED_MEGABYTES = 1000.0


def run_searches(games: list[str], seconds: float, sustain: int, as_json: bool) -> None:
    """Measure the named games, or all, and print tables or JSON."""
    cases = [case for case in CASES if case.game in chosen(games, seconds)]
    progress = Console(stderr=True, highlight=False)
    speeds, overruns, long_runs = [], [], []
    with progress.status("") as status:
        for case in cases:
            status.update(f"{case.game} {case.size}: searches")
            speeds.append(searches.measure(case, seconds))
        firsts = [case for index, case in enumerate(cases) if case.game not in [one.game for one in cases[:index]]]
        for case in firsts:
            for text in (f"id(heuristic={searches.HEURISTICS[case.game]})", "mcts"):
                status.update(f"{case.game}: {MOVES} moves of 10 ms by {text}")
                overruns.append(searches.overrun(case, text, MOVES))
            if sustain:
                status.update(f"{case.game}: one search of {sustain} s")
                long_runs.append(searches.sustained(case, sustain, SUSTAINED_MEGABYTES))
    if as_json:
        report = {
            "harena": __version__,
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}",
            "searches": [asdict(one) for one in speeds],
            "overruns": [asdict(one) for one in overruns],
            "sustained": [asdict(one) for one in long_runs],
        }
        print(json.dumps(report, indent=2))
        return
    console = Console(highlight=False)
    console.print(_speeds(speeds))
    console.print(
        "[dim]plain alpha-beta, the same text as a file of a user's own with its share of that speed, and id (table, "
        "ordering, limits): M nodes/s; UCT: full playouts[/dim]\n"
    )
    console.print(_overruns(overruns))
    if long_runs:
        console.print()
        console.print(_long_runs(long_runs))


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("game", "search") else "right")
    return table


def _speeds(speeds: list[searches.Speed]) -> Table:
    headings = ("game", "size", "plain", "own", "share", "id", "UCT iterations/s", "playouts/s", "UCT share")
    table = _table("Searches, one thread", *headings)
    for one in speeds:
        table.add_row(
            one.game,
            str(one.size),
            f"{one.alphabeta / 1e6:.1f}",
            f"{one.own / 1e6:.1f}",
            f"{one.own_share:.2f}",
            f"{one.deepening / 1e6:.1f}",
            f"{one.mcts:,.0f}",
            f"{one.playouts:,.0f}",
            f"{one.mcts_share:.2f}",
        )
    return table


def _overruns(overruns: list[searches.Overrun]) -> Table:
    title = f"Milliseconds beyond a limit of 10 ms, {MOVES:,} moves each"
    table = _table(title, "game", "search", "median", "99 %", "99.9 %", "worst")
    for one in overruns:
        late = (one.median, one.p99, one.p999, one.worst)
        table.add_row(one.game, one.search, *(f"{number:.2f}" for number in late))
    return table


def _long_runs(runs: list[searches.Sustained]) -> Table:
    title = f"One tree grown for {runs[0].seconds} s within {runs[0].megabytes:,.0f} MB, iterations/s"
    table = _table(title, "game", "first second", "last seconds", "share", "nodes")
    for one in runs:
        table.add_row(one.game, f"{one.first:,.0f}", f"{one.last:,.0f}", f"{one.share:.2f}", f"{one.nodes:,}")
    return table
