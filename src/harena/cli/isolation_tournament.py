"""`harena isolation-tournament`: the Isolation course's table, line by line as the games end."""

import os
import threading

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from harena.arena import words
from harena.arena.conditions import levels
from harena.arena.contest import Contest, Spec
from harena.courses.isolation_tournament import GAME, Tournament, tournament
from harena.heuristics.catalogue import HEURISTICS
from harena.search.result import Limits

OWN = "game_agent.py"  # who is tested where nobody is named, as in the course's folder


def hold(
    agents: list[str],
    *,
    every: bool,
    games: int,
    seconds: float,
    nodes: int | None,
    seed: int,
    concurrency: int,
    sandbox: str,
) -> None:
    """Play the tournament and print its table; Ctrl-C prints what there is."""
    texts = [*agents, *(HEURISTICS[GAME] if every else ())]
    if not texts and os.path.isfile(OWN):
        texts = [OWN]
    limits = Limits(seconds=seconds) if nodes is None else Limits(nodes=nodes)
    held = tournament(texts, games=games, limits=limits, seed=seed, sandbox=sandbox)
    contest = Contest(held.spec)
    console = Console(highlight=False)
    try:
        _play(held, contest, concurrency, console)
    except KeyboardInterrupt:
        _say(console, ["", "stopped; so far:"])
        for number in range(len(held.entrants)):
            if held.scores(number).games:
                _say(console, held.results(number))
        _say(console, [_conditions(held.spec), *held.verdicts()])
        raise SystemExit(130) from None
    _say(console, [_conditions(held.spec), *held.verdicts()])


def _play(held: Tournament, contest: Contest, concurrency: int, console: Console) -> None:
    """Play all games, with a bar below the table while somebody watches."""
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    slots = held.slots()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(slots))
        _say(console, held.news())
        try:
            for slot, record in contest.run(slots, concurrency, threading.Event()):
                held.add(slot, record)
                progress.update(task, advance=1)
                _say(console, held.news())
        finally:
            contest.abort()


def _say(console: Console, lines: list[str]) -> None:
    for line in lines:
        console.print(Text(line), soft_wrap=True)


def _conditions(spec: Spec) -> str:
    """How it was played, on a line."""
    walls = [f"sandbox {level}" for level in sorted(set(levels(spec).values()))]
    return ", ".join([f"{words.limits(spec.limits)} a move", f"seed {spec.seed}", *walls])
