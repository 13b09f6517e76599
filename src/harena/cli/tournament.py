"""`harena tournament`: many agents, a schedule, and one table of ratings."""

import os
import time
from collections.abc import Mapping
from typing import Any

from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as RichTable
from rich.text import Text

from harena.agents.spec import parse_agent
from harena.arena import words
from harena.arena.conditions import check_local, conditions, pairs_of, spec_of
from harena.arena.contest import Contest
from harena.arena.machine import where
from harena.arena.ratings import Ratings
from harena.arena.record import Record
from harena.arena.repetition import warning
from harena.arena.running import play_missing, stored
from harena.arena.slot import Slot
from harena.arena.store import Run, Store
from harena.arena.tournament import Plan, Table, from_toml, plan_of
from harena.cli.carrying import carried, games_line, going_on, new_contest
from harena.cli.knockout import print_bracket
from harena.cli.results_json import tournament_json
from harena.cli.telling import clean
from harena.errors import BadOption
from harena.search.result import Limits


def new_tournament(
    game: str,
    agents: list[str],
    limits: Limits,
    *,
    games: int,
    kind: str,
    rounds: int | None,
    concurrency: int,
    store: str | None,
    as_json: bool = False,
    **options: Any,
) -> None:
    """Play a tournament, described by options or by a file, and print its tables."""
    if game.endswith(".toml"):
        told = from_toml(game)
        folder = os.path.dirname(game)
        game, texts = told.pop("game"), told.pop("agents")
        agents = [*(parse_agent(text).from_folder(folder).text for text in texts), *agents]
        games, kind = told.pop("games", games), told.pop("type", kind)
        rounds, concurrency = told.pop("rounds", rounds), told.pop("concurrency", concurrency)
        limits = limits.over(Limits(**told.pop("limits", {})))
        if "size" in told:
            told["sizes"] = str(told.pop("size"))
        if "sandbox" in told:
            told["walls"] = told.pop("sandbox")
        if "openings" in told:
            told["openings"] = os.path.join(folder, told["openings"])
        options |= told
    if rounds is not None and kind != "swiss":
        raise BadOption(f"--rounds is for --type swiss, and this is {kind}")
    spec = spec_of(game, agents, limits, **options)
    check_local(spec)
    plan = Plan(spec=spec, type=kind, pairs=pairs_of(games), rounds=rounds)
    contest = new_contest(spec)
    with Store(store) as kept:
        run = kept.new_run("tournament", plan.as_dict())
        carry_on(kept, run, plan, contest, concurrency, is_new=True, as_json=as_json)


def resume_tournament(kept: Store, run: Run, concurrency: int, *, as_json: bool = False) -> None:
    """Go on with a tournament that was interrupted."""
    plan = plan_of(dict(run.spec))
    carry_on(kept, run, plan, new_contest(plan.spec), concurrency, as_json=as_json)


def carry_on(
    kept: Store,
    run: Run,
    plan: Plan,
    contest: Contest,
    concurrency: int,
    *,
    is_new: bool = False,
    as_json: bool = False,
) -> None:
    """Play what is missing, with a display, and report."""
    table = Table(plan, dict(stored(kept, run.id)))

    def watch(slot: Slot, record: Record) -> bool:
        table.records[slot] = record
        return False

    with carried(
        kept,
        run,
        Display(table),
        lambda console: report(console, table, run.id),
        concurrency,
        result=(lambda: tournament_json(run, table)) if as_json else None,
    ) as say:
        if is_new:
            say(going_on(kept, run, concurrency))
        while any(slot not in table.records for slot in table.needed()):
            play_missing(kept, run.id, contest, table.needed(), concurrency, watch)
            contest = new_contest(plan.spec)


class Display:
    """The tournament as it goes."""

    def __init__(self, table: Table) -> None:
        self.table, self.before, self.begin = table, len(table.records), time.perf_counter()
        self.progress = Progress(TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.task = self.progress.add_task("", total=table.total, completed=self.before)

    def __rich__(self) -> Group:
        self.progress.update(self.task, completed=len(self.table.records))
        standings = sorted(self.table.standings().items(), key=lambda item: -item[1])
        lines = RichTable.grid(padding=(0, 2))
        shown = words.short_names([name for name, _ in standings])
        for name, points in standings[:12]:
            lines.add_row(Text(shown[name]), f"{points:g}")
        return Group(self.progress, lines)

    def progress_line(self) -> str:
        """Games, and who leads."""
        played = len(self.table.records)
        line = games_line(played, self.table.total, before=self.before, begin=self.begin)
        if not played:
            return line
        leader, points = max(self.table.standings().items(), key=lambda item: item[1])
        return f"{line}; {words.short_names(self.table.plan.spec.agents)[leader]} leads with {points:g} points"


def report(console: Console, table: Table, run: str) -> None:
    """Ratings, crosstable, confidence, faults, and what they do and do not show."""
    spec = table.plan.spec
    console.print(Text(f"{spec.game}: {table.plan.type}, {words.count(len(table.records), 'game')}", "bold"))
    if not table.records:
        return
    print_bracket(console, table)
    fitted = table.ratings()
    names = [row.name for row in fitted.rows]
    console.print(ranks(fitted))
    console.print()
    console.print("score of the row against the column, by rank")
    console.print(_crosstable(table, names))
    console.print("\nconfidence that the row is better than the column, in %")
    console.print(confidence(fitted))
    shown = words.short_names(names)
    for name, faults in table.faults().items():
        if faults:
            listed = ", ".join(f"{reason} {number:,}" for reason, number in faults.most_common())
            console.print(Text(clean(f"faults of {shown[name]}: {listed}; the first: {table.first_fault(name)}")))
    console.print()
    for sentence in [*words.ratings(fitted, shown), *warning(table.records.values())]:
        console.print(Text(sentence))
    place = clean(where(table.records.values()))
    console.print(Text("; ".join(part for part in (conditions(spec), place, f"run {run}") if part), "dim"))


def ranks(fitted: Ratings, names: Mapping[str, str] | None = None) -> RichTable:
    """The ratings, best first; `names` are what agents are called, in place of `short_names`."""
    table = RichTable(box=None, padding=(0, 1))
    for heading in ("", "agent", "Elo", "95 %", "games", "score"):
        table.add_column(heading, justify="left" if heading == "agent" else "right", overflow="fold")
    shown = names or words.short_names([row.name for row in fitted.rows])
    for number, row in enumerate(fitted.rows, 1):
        span = f"{words.elo(row.low)} to {words.elo(row.high)}"
        table.add_row(
            str(number), Text(shown[row.name]), words.elo(row.elo), span, f"{row.games:,}", words.percent(row.score)
        )
    return table


def confidence(fitted: Ratings) -> RichTable:
    """How sure it is that the row is better than the column, by rank."""
    sure = RichTable(box=None, padding=(0, 1))
    for heading in ("", *(str(number) for number in range(1, len(fitted.rows) + 1))):
        sure.add_column(heading, justify="right")
    for number, row in enumerate(fitted.better):
        cells = ["·" if number == other else f"{100 * chance:.0f}" for other, chance in enumerate(row)]
        sure.add_row(str(number + 1), *cells)
    return sure


def _crosstable(table: Table, names: list[str]) -> RichTable:
    """Scores of the row against the column, by rank."""
    cross = RichTable(box=None, padding=(0, 1))
    cross.add_column("")
    number = {name: index for index, name in enumerate(table.plan.spec.agents)}
    for index in range(len(names)):
        cross.add_column(str(index + 1), justify="right")
    for index, name in enumerate(names):
        cells = []
        for other in names:
            result = table.result(number[name], number[other]) if other != name else None
            cells.append("·" if result is None else f"{100 * result.score:.0f} %" if result.games else "")
        cross.add_row(f"{index + 1}", *cells)
    return cross
