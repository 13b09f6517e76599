"""`harena isolation-tournament`: the Isolation course's table, line by line as the games end."""

import os
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from harena.arena import words
from harena.arena.conditions import sandboxes
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.running import play_missing, stored
from harena.arena.slot import Slot
from harena.arena.store import Run, Store
from harena.cli.carrying import carried, games_line, going_on, new_contest, plain_progress
from harena.cli.losses import where_lost
from harena.courses.isolation_tournament import GAME, KIND, USUAL, Tournament, tournament, tournament_of
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
    store: str | None,
    against: str = USUAL,
) -> None:
    """Play the tournament and print its table; Ctrl-C prints what there is, and how to go on."""
    texts = [*agents, *(HEURISTICS[GAME] if every else ())]
    if not texts and os.path.isfile(OWN):
        texts = [OWN]
    limits = Limits(seconds=seconds) if nodes is None else Limits(nodes=nodes)
    held = tournament(texts, games=games, limits=limits, seed=seed, sandbox=sandbox, against=against)
    contest = new_contest(held.spec)
    contest.try_out(number for number, agent in enumerate(contest.agents) if not agent.is_trusted)
    with Store(store) as kept:
        run = kept.new_run(KIND, held.as_dict())
        carry_on(kept, run, held, contest, concurrency, news=going_on(kept, run, concurrency))


def resume_isolation_tournament(kept: Store, run: Run, concurrency: int) -> None:
    """Go on with a tournament that was interrupted: its table is printed from the beginning."""
    held = tournament_of(run.spec)
    carry_on(kept, run, held, new_contest(held.spec), concurrency)


def carry_on(kept: Store, run: Run, held: Tournament, contest: Contest, concurrency: int, news: str = "") -> None:
    """Play what is missing, with a bar below the table while somebody watches, and say what it shows.

    The news go to standard error, before all else: the table is the course's.
    """
    console = Console(highlight=False)
    for slot, record in stored(kept, run.id):
        held.add(slot, record)

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    task = progress.add_task("", total=len(held.slots()), completed=len(held.records))

    def watch(slot: Slot, record: Record) -> bool:
        held.add(slot, record)
        progress.update(task, advance=1)
        _say(console, held.news())
        return False

    with carried(kept, run, None, lambda console: report(console, kept, run, held), concurrency) as say:
        if news:
            say(news)
        begin, before = time.perf_counter(), len(held.records)

        def line() -> str:
            return games_line(len(held.records), len(held.slots()), before=before, begin=begin)

        with plain_progress(line) if progress.disable else progress:
            _say(console, held.news())
            try:
                play_missing(kept, run.id, contest, held.slots(), concurrency, watch)
            finally:
                contest.abort()


def report(console: Console, kept: Store, run: Run, held: Tournament) -> None:
    """The last lines, before them what there is of a tournament that was stopped; then where its games are."""
    if len(held.records) < len(held.slots()):
        _say(console, ["", "so far:"])
        for number in range(len(held.entrants)):
            if held.scores(number).games:
                _say(console, held.results(number))
    _say(console, [_conditions(held.spec), *held.verdicts()])
    tested = list(enumerate(held.entrants))[1:] or [(0, held.entrants[0])]
    console.print(where_lost(kept, run, {one.label: held.lost(number) for number, one in tested}), soft_wrap=True)


def _say(console: Console, lines: list[str]) -> None:
    for line in lines:
        console.print(Text(line), soft_wrap=True)


def _conditions(spec: Spec) -> str:
    """How it was played, on a line."""
    return ", ".join([f"{words.limits(spec.limits)} a move", f"seed {spec.seed}", *sandboxes(spec)])
