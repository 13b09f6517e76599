"""`harena demo`: a small tournament in each game, between players of the courses and the champion."""

import contextlib
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from harena.agents.spawn import check_processes
from harena.arena.contest import Spec
from harena.arena.replay import states
from harena.arena.report import report_of
from harena.arena.report_html import document
from harena.arena.runs.display import draw_block
from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.runner import GameFinished, Runner
from harena.arena.runs.tournament import Tournament, ratings_table
from harena.arena.store import Store
from harena.cli.start import board
from harena.files import write_output
from harena.games.catalogue import CATALOGUE

FIELDS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "trap": ({}, ["random", "easy", "medium", "champion"]),
    "colosseum": ({"size": "7"}, ["random_agent", "greedy", "lookahead2", "champion"]),
    "isolation": ({"setup": "random-placements"}, ["random", "mm_open", "mm_improved", "champion"]),
    "tiles": ({"size": "6", "setup": "random"}, ["random", "greedy", "uct1000", "champion"]),
}
PREFIX = "harena-demo-"  # of its folder among temporary files
LONGEST_DEMO = 600.0  # seconds after which a folder that nothing was added to belongs to a demo that has ended
SECONDS = 0.02  # a move: starting the players takes longer than their games
NOWHERE = subprocess.DEVNULL
READY = """import json, sys, harena
game = harena.game(sys.argv[1], **json.loads(sys.argv[2]))
for text in sys.argv[3:]:
    harena.player(text, game).ready()"""
TIME = "about two minutes the first time, when the players are compiled, and one later"


def exhibit(seed: int, games: int) -> None:
    """Play all four; print the table and the last position of each as it ends, and name the pages written of them."""
    check_processes()
    console = Console(highlight=False)
    remove_earlier(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    console.print(Text(f"Four small tournaments, {TIME}."))
    try:
        pages = _play_all(console, folder, seed, games)
    except BaseException:  # Ctrl-C, too: nothing of it was announced
        shutil.rmtree(folder, ignore_errors=True)
        raise
    command = "harena" if shutil.which("harena") else shlex.quote(os.path.relpath(sys.argv[0]))
    console.print(Text("\nA page about each tournament (the next harena demo removes them):"))
    for page in pages:
        console.print(Text(str(page), "cyan"), soft_wrap=True)
    console.print(Text("The first game again, move by move:"))
    again = f"{command} replay 1 --store {shlex.quote(str(folder / 'games.sqlite'))}"
    console.print(Text(again, "cyan"), soft_wrap=True)


def remove_earlier(parent: Path) -> None:
    """Remove what earlier demos of this user have left here, but not what one that still plays has just made."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            is_own = stat.S_ISDIR(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())
            if is_own and time.time() - found.st_mtime > LONGEST_DEMO:
                shutil.rmtree(folder, ignore_errors=True)


def _play_all(console: Console, folder: Path, seed: int, games: int) -> list[Path]:
    """Play the tournaments one after the other; the pages written of them."""
    pages = []
    with Store(folder / "games.sqlite") as store:
        for name in CATALOGUE:
            begin = time.perf_counter()
            tournament = _tournament(name, seed, games)
            run = _play(store, tournament, CATALOGUE[name].title)
            _print(console, tournament, CATALOGUE[name].title, time.perf_counter() - begin)
            pages.append(folder / f"{name}.html")
            write_output(str(pages[-1]), document(report_of(store, store.run(run))).encode())
    return pages


def _play(store: Store, tournament: Tournament, title: str) -> str:
    """Play all games of one tournament, with a bar; its run."""
    columns = (TextColumn("{task.description:<44}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    runner = Runner(store, LocalExecutor(os.cpu_count() or 1))
    run = runner.begin(tournament)
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"{title}: compiling (the first time only)", total=tournament.planned)
        _compile(tournament.spec)
        for event in runner.play(run, tournament):
            if isinstance(event, GameFinished):
                progress.update(task, advance=1, description=f"{title}: {' - '.join(event.record.seats)}")
    return run


def _compile(spec: Spec) -> None:
    """Make the players ready in two processes, the champion in one: each by itself would compile everything twice."""
    command = [sys.executable, "-P", "-c", READY, spec.game, json.dumps(spec.variants[0])]
    *others, champion = spec.agents
    started = [
        subprocess.Popen([*command, *players], stdin=NOWHERE, stdout=NOWHERE, stderr=NOWHERE)
        for players in ([champion], others)
    ]
    try:
        for process in started:
            process.wait()  # whatever may go wrong in it goes wrong in the game, where it is told
    finally:
        for process in started:
            process.kill()
            process.wait()


def _print(console: Console, tournament: Tournament, title: str, seconds: float) -> None:
    """The ratings, and the last position of the last game."""
    console.print(Text(f"\n{title}: {len(tournament.records)} games in {seconds:.0f} s", "bold"))
    console.print(draw_block(ratings_table(tournament.ratings())))
    last = tournament.records[max(tournament.records)]
    console.print(Text(f"\nthe last game: {last.seats[0]} (1) against {last.seats[1]} (2)\n"))
    print(board(list(states(last))[-1]), flush=True)


def _tournament(name: str, seed: int, games: int) -> Tournament:
    variant, agents = FIELDS[name]
    spec = Spec(
        game=name, variants=[variant], agents=agents, limits={"seconds": SECONDS}, seed=seed, margin=1.0
    )  # busy machines are welcome
    return Tournament(spec=spec, pairs=max(1, games // 2))
