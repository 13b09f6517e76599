"""`harena demo`: a small tournament in each game, between players of the courses and the champion."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from harena.arena.contest import Contest, Slot, Spec
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.running import play_missing
from harena.arena.store import FINISHED, Store
from harena.arena.tournament import Plan, Table
from harena.cli.start import board
from harena.cli.tournament import ranks
from harena.games.catalogue import CATALOGUE

FIELDS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "trap": ({}, ["random", "easy", "medium", "champion"]),
    "colosseum": ({"size": "7"}, ["random_agent", "greedy", "lookahead2", "champion"]),
    "isolation": ({"setup": "random-placements"}, ["random", "mm_open", "mm_improved", "champion"]),
    "tiles": ({"size": "6", "setup": "random"}, ["random", "greedy", "uct1000", "champion"]),
}
SECONDS = 0.05


def exhibit(seed: int, games: int) -> None:
    """Play all four, print a table and the last position of each, and name the file that keeps the games."""
    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="harena-demo-"))
    columns = (TextColumn("{task.description:<44}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    tables = {name: Table(_plan(name, seed, games)) for name in CATALOGUE}
    runs = {}
    with (
        Store(folder / "games.sqlite") as store,
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("", total=sum(table.total or 0 for table in tables.values()))
        for name, table in tables.items():
            title = CATALOGUE[name].title
            progress.update(task, description=f"{title}: compiling (the first time only)")
            run = store.new_run("tournament", table.plan.as_dict())
            runs[name] = run.id

            def watch(slot: Slot, record: Record, table: Table = table, title: str = title) -> bool:
                table.records[slot] = record
                progress.update(task, advance=1, description=f"{title}: {' - '.join(record.seats)}")
                return False

            play_missing(store, run.id, Contest(table.plan.spec), table.needed(), os.cpu_count() or 1, watch)
            store.finish(run.id, FINISHED)
    for name, table in tables.items():
        console.print(Text(f"\n{CATALOGUE[name].title}: {len(table.records)} games", "bold"))
        console.print(ranks(table.ratings()))
        last = table.records[max(table.records)]
        console.print(Text(f"\nthe last game: {last.seats[0]} (1) against {last.seats[1]} (2)\n"))
        print(board(list(states(last))[-1]))
    command = "harena" if shutil.which("harena") else os.path.relpath(sys.argv[0])
    console.print(Text(f"\nAll games are in {folder / 'games.sqlite'}. For example:"))
    console.print(Text(f"{command} report {runs['trap']} trap.html --store {folder / 'games.sqlite'}", "cyan"))
    console.print(Text(f"{command} replay 1 --store {folder / 'games.sqlite'}", "cyan"))


def _plan(name: str, seed: int, games: int) -> Plan:
    variant, agents = FIELDS[name]
    spec = Spec(
        game=name, variants=[variant], agents=agents, limits={"seconds": SECONDS}, seed=seed, margin=1.0
    )  # busy machines are welcome
    return Plan(spec=spec, pairs=max(1, games // 2))
