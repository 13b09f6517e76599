"""`harena demo`: a short exhibition of random games."""

import os
import shutil
import sys
from collections import Counter
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from harena.api import State
from harena.cli.start import board
from harena.find import game
from harena.games.catalogue import CATALOGUE
from harena.kernel.rng import generator

GAMES = 5
SETUPS: dict[str, dict[str, Any]] = {
    "isolation": {"setup": "random-placements"},
    "colosseum": {"size": 7},
    "tiles": {"size": 6, "setup": "random"},
}


def exhibit(seed: int) -> None:
    """Play a few random games of each game; draw the last position of each with its result."""
    console = Console(highlight=False)
    columns = (TextColumn("{task.description:<34}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    last: dict[str, State] = {}
    results: dict[str, Counter[str]] = {name: Counter() for name in CATALOGUE}
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=GAMES * len(CATALOGUE))
        for name, entry in CATALOGUE.items():
            progress.update(task, description=f"{entry.title}: compiling (only once)")
            for number in range(GAMES):
                last[name] = _random_game(name, seed + number)
                results[name][_winner(last[name])] += 1
                progress.update(task, advance=1, description=f"{entry.title}: random games")
    for name, state in last.items():
        plies = sum(1 for _ in state.history()) - 1
        console.print(
            f"\n[bold]{CATALOGUE[name].title}[/bold]  the last of {GAMES} random games, after {plies} plies\n"
        )
        print(board(state))
        console.print("\n  " + ", ".join(f"{who}: {count}" for who, count in sorted(results[name].items())))
    command = "harena" if shutil.which("harena") else os.path.relpath(sys.argv[0])
    console.print(f"\n[dim]Next: {command} games, {command} show colosseum --seed 7, {command} perft isolation 4[/dim]")


def _random_game(name: str, seed: int) -> State:
    state, rng = game(name, **SETUPS.get(name, {})).initial(seed), generator(seed, 1)
    while not state.is_over:
        state = state.play(state.random_move(rng))
    return state


def _winner(state: State) -> str:
    outcome = state.outcome
    assert outcome is not None
    return "draws" if outcome.winner is None else f"won by player {outcome.winner + 1}"
