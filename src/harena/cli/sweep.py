"""`harena sweep`: a match for each value of one parameter, and the score over the values."""

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from harena.arena import words
from harena.arena.conditions import conditions, pairs_of, spec_of
from harena.arena.contest import Contest, Spec
from harena.arena.machine import where
from harena.arena.record import Record
from harena.arena.repetition import warning
from harena.arena.running import play_missing, stored
from harena.arena.slot import Slot
from harena.arena.store import Run, Store
from harena.arena.sweep import Plan, Table, fill, plan_of, values_of
from harena.cli.carrying import carried, games_line, going_on, new_contest
from harena.cli.results_json import sweep_json
from harena.cli.telling import clean
from harena.errors import UsageError
from harena.files import write_output
from harena.render import plot, spreadsheet
from harena.search.result import Limits

BAR = 24  # letters of a bar from 0 to 100 %


def new_sweep(
    game: str,
    template: str,
    opponent: str,
    over: str,
    games: int,
    limits: Limits,
    *,
    sizes: str | None,
    setup: str | None,
    seed: int | None,
    margin: float,
    memory: float | None,
    openings: str | None = None,
    concurrency: int,
    store: str | None,
    plot_file: str | None,
    csv_file: str | None,
    as_json: bool = False,
) -> None:
    """Play a sweep and print what it shows."""
    pairs = pairs_of(games)
    name, values = values_of(over, template)
    spec = experiment(
        game,
        [*(fill(template, {name: value}) for value in values), opponent],
        limits,
        sizes=sizes,
        setup=setup,
        seed=seed,
        margin=margin,
        memory=memory,
        openings=openings,
    )
    plot_file, csv_file = output(plot_file, "--plot"), output(csv_file, "--csv")
    plan = Plan(spec=spec, template=template, name=name, values=values, pairs=pairs, plot=plot_file, csv=csv_file)
    contest = new_contest(spec)
    with Store(store) as kept:
        run = kept.new_run("sweep", plan.as_dict())
        carry_on(kept, run, plan, contest, concurrency, is_new=True, as_json=as_json)


def experiment(game: str, agents: list[str], limits: Limits, **options: Any) -> Spec:
    """How games are played: in this process, unless somebody has a clock, a limit of memory, or is not ours."""
    spec = spec_of(game, agents, limits, **options)
    contest = new_contest(replace(spec, local=True))  # complains about anything that makes no sense
    allowed = [terms.limits for terms in contest.terms]
    for agent, own in zip(contest.agents, allowed, strict=True):
        needed = agent.player(contest.games[0]).search.bounded_by if agent.is_trusted else ()
        if needed and not any(getattr(own, limit) for limit in needed):
            limits_of = " or ".join(f"--{limit}" for limit in needed)
            raise UsageError(f"{agent.text} needs a limit, in its own text or as {limits_of}")
    return replace(spec, local=spec.memory is None and all(own.seconds is None for own in allowed))


def output(file: str | None, option: str) -> str | None:
    """A file to write when all is played, looked at before anything is: its folder, its format, matplotlib."""
    if file is None:
        return None
    path = os.path.abspath(os.path.expanduser(file))
    if not os.path.isdir(os.path.dirname(path)) or os.path.isdir(path):
        raise UsageError(f"{option}: {file!r} cannot be written: there is no such folder, or it is one")
    if option == "--plot":
        form_of(path)
        try:
            plot.require()
        except ImportError as error:
            raise UsageError(str(error)) from None
    return path


def form_of(file: str) -> str:
    """The format of a plot, by the file's name."""
    form = os.path.splitext(file)[1].lower().removeprefix(".")
    if form not in plot.FORMATS:
        raise UsageError(f"--plot: a file that ends in .png or .svg, not {os.path.basename(file)!r}")
    return form


def resume_sweep(kept: Store, run: Run, concurrency: int, *, as_json: bool = False) -> None:
    """Go on with a sweep that was interrupted."""
    plan = plan_of(run.spec)
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
        result=(lambda: sweep_json(run, table)) if as_json else None,
    ) as say:
        if is_new:
            say(going_on(kept, run, concurrency))
        play_missing(kept, run.id, contest, plan.slots(), concurrency, watch)
    write(Console(highlight=False, stderr=as_json), table)


class Display:
    """The sweep as it goes."""

    def __init__(self, table: Table) -> None:
        self.table, self.before, self.begin = table, len(table.records), time.perf_counter()
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.progress = Progress(*columns)
        self.task = self.progress.add_task("", total=len(table.plan.slots()), completed=self.before)

    def __rich__(self) -> Group:
        played = len(self.table.records)
        self.progress.update(self.task, completed=played)
        rate = 60 * (played - self.before) / max(1e-9, time.perf_counter() - self.begin)
        return Group(self.progress, scores(self.table), Text(f"{rate:,.0f} games a minute", "dim"))

    def progress_line(self) -> str:
        """Games of all values together."""
        total = len(self.table.plan.slots())
        return games_line(len(self.table.records), total, before=self.before, begin=self.begin)


def scores(table: Table) -> RichTable:
    """A line for each value: score, interval, and the same as a bar from 0 to 100 %."""
    lines = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in (table.plan.name, "score", "95 %", "Elo", "games"):
        lines.add_column(heading, justify="right", no_wrap=True)
    lines.add_column(f"0 %{'50 %':^{BAR - 8}}100 %", no_wrap=True)
    for point in table.points():
        pairs = point.pairs
        if not pairs.games:
            lines.add_row(point.value, "", "", "", "0", "")
            continue
        low, high = pairs.interval
        span = f"{100 * low:.1f} to {100 * high:.1f} %"
        cells = (words.percent(pairs.score), span, words.elo(pairs.elo.value), f"{pairs.games:,}")
        lines.add_row(point.value, *cells, Text(bar(pairs.score, low, high)))
    return lines


def bar(score: float, low: float, high: float) -> str:
    """The interval as a line with its score on it, and half of the points as a dot."""
    place, first, last = (round((BAR - 1) * share) for share in (score, low, high))
    letters = ["·" if index == round((BAR - 1) / 2) else " " for index in range(BAR)]
    for index in range(first, last + 1):
        letters[index] = "─"
    letters[first], letters[last] = "├", "┤"
    letters[place] = "●"
    return "".join(letters)


def report(console: Console, table: Table, run: str) -> None:
    """The table, what it does and does not show, and its conditions."""
    plan = table.plan
    console.print(Text(f"{plan.spec.game}: {plan.template} against {plan.opponent}", "bold"))
    console.print(scores(table))
    for name, faults in table.faults().items():
        if faults:
            listed = ", ".join(f"{reason} {number}" for reason, number in faults.most_common())
            console.print(Text(f"faults of {name}: {listed}"))
    console.print()
    for sentence in [*table.verdict(), *warning(table.records.values(), words.swept)]:
        console.print(Text(sentence))
    place = clean(where(table.records.values()))
    console.print(Text("; ".join(part for part in (conditions(plan.spec), place, f"run {run}") if part), "dim"))


def write(console: Console, table: Table) -> None:
    """The files that were asked for."""
    plan = table.plan
    if plan.csv:
        write_output(plan.csv, csv_text(table).encode())
        console.print(Text(f"wrote {plan.csv}", "dim"), soft_wrap=True)
    if plan.plot:
        points = [(float(point.value), point.pairs.score, *point.pairs.interval) for point in table.points()]
        title = f"{plan.spec.game}: {plan.template}, {words.count(2 * plan.pairs, 'game')} a value"
        try:
            drawn = plot.sweep(points, name=plan.name, title=title, against=plan.opponent, form=form_of(plan.plot))
        except ImportError as error:
            raise UsageError(str(error)) from None
        write_output(plan.plot, drawn)
        console.print(Text(f"wrote {plan.plot}", "dim"), soft_wrap=True)


def csv_text(table: Table) -> str:
    """One line for each value; scores from 0 to 1."""
    headings = "games,wins,draws,losses,score,score_low,score_high,elo,elo_low,elo_high,agent,opponent"
    rows: list[Sequence[object]] = [[table.plan.name, *headings.split(",")]]
    for point in table.points():
        pairs, elo = point.pairs, point.pairs.elo
        numbers = [f"{number:.6f}" for number in (pairs.score, *pairs.interval)]
        elos = [f"{number:.1f}" for number in (elo.value, elo.low, elo.high)]
        results = (pairs.games, point.wins, point.draws, point.losses)
        rows.append([point.value, *results, *numbers, *elos, point.agent, table.plan.opponent])
    return spreadsheet.csv_text(rows)
