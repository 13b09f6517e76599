"""`harena tune`: several parameters at once, by SPSA."""

import shlex
import time
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from harena.arena import words
from harena.arena.conditions import conditions, pairs_of
from harena.arena.contest import Spec
from harena.arena.machine import where
from harena.arena.record import Record
from harena.arena.repetition import warning
from harena.arena.running import play_missing, stored
from harena.arena.slot import Slot
from harena.arena.store import Run, Store
from harena.arena.sweep import holes
from harena.arena.tune import Plan, Trace, parameters, plan_of, usual_rate
from harena.cli.carrying import carried, games_line, going_on, new_contest
from harena.cli.results_json import tune_json
from harena.cli.sweep import experiment, form_of, output
from harena.cli.telling import clean
from harena.errors import BadOption, UsageError
from harena.files import write_output
from harena.render import plot, spreadsheet
from harena.search.result import Limits

PROOF = 1000  # games of the match that is proposed


def new_tune(
    game: str,
    template: str,
    opponent: str | None,
    start: str,
    steps: int,
    limits: Limits,
    *,
    scale: str | None,
    within: str | None,
    linear: str | None,
    whole: str | None,
    games: int,
    rate: float | None,
    sizes: str | None,
    setup: str | None,
    seed: int | None,
    margin: float,
    memory: float | None,
    concurrency: int,
    store: str | None,
    plot_file: str | None,
    csv_file: str | None,
    as_json: bool = False,
) -> None:
    """Tune an agent and print where its parameters went."""
    pairs = pairs_of(games)
    if opponent is not None and holes(opponent):
        raise BadOption(f"{opponent!r}: the opponent has no parameters in braces")
    chosen = usual_rate(steps) if rate is None else rate
    shapes = parameters(template, start, scale, within, linear, whole)
    others = [opponent] if opponent is not None else []
    first = Plan(
        spec=Spec(game=game, variants=[{}], agents=others),
        template=template,
        parameters=shapes,
        steps=steps,
        rate=chosen,
    )
    beginning = (*Trace(first).path, *Trace(first).shaken(), first.clip((0.01,) * len(shapes)))
    try:
        spec = experiment(
            game,
            [*map(first.agent, beginning), *others],  # what the first steps play is looked at before a run is begun
            limits,
            sizes=sizes,
            setup=setup,
            seed=seed,
            margin=margin,
            memory=memory,
        )
    except BadOption as error:
        if "whole number" in str(error):
            raise BadOption(f"{error}: if it is tuned, name its parameter with --whole") from None
        raise
    plan = Plan(
        spec=replace(spec, agents=others),
        template=template,
        parameters=shapes,
        steps=steps,
        pairs=pairs,
        rate=chosen,
        plot=output(plot_file, "--plot"),
        csv=output(csv_file, "--csv"),
    )
    with Store(store) as kept:
        run = kept.new_run("tune", plan.as_dict())
        carry_on(kept, run, plan, concurrency, is_new=True, as_json=as_json)


def resume_tune(kept: Store, run: Run, concurrency: int, *, as_json: bool = False) -> None:
    """Go on with a tuning that was interrupted."""
    carry_on(kept, run, plan_of(run.spec), concurrency, as_json=as_json)


def carry_on(
    kept: Store, run: Run, plan: Plan, concurrency: int, *, is_new: bool = False, as_json: bool = False
) -> None:
    """Make the steps that are missing, with a display, and report."""
    trace = Trace(plan, dict(stored(kept, run.id)))

    def watch(slot: Slot, record: Record) -> bool:
        trace.records[slot] = record
        return False

    with carried(
        kept,
        run,
        Display(trace),
        lambda console: report(console, trace, run.id),
        concurrency,
        result=(lambda: tune_json(run, trace, proof(plan, trace))) if as_json else None,
    ) as say:
        if is_new:
            say(going_on(kept, run, concurrency))
        while not trace.is_over:
            contest = new_contest(plan.step_spec(*trace.shaken()))
            play_missing(kept, run.id, contest, plan.slots(trace.step), concurrency, watch)
            if not trace.advance():
                raise UsageError(f"a game of step {trace.step + 1} is damaged: run {run.id} cannot go on")
    write(Console(highlight=False, stderr=as_json), trace)


class Display:
    """The tuning as it goes."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.before, self.begin = trace, len(trace.records), time.perf_counter()
        columns = (TextColumn("steps"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.progress = Progress(*columns)
        self.task = self.progress.add_task("", total=trace.plan.steps, completed=trace.step)

    def __rich__(self) -> Group:
        self.progress.update(self.task, completed=self.trace.step)
        rate = 60 * (len(self.trace.records) - self.before) / max(1e-9, time.perf_counter() - self.begin)
        return Group(self.progress, values(self.trace), Text(f"{rate:,.0f} games a minute", "dim"))

    def progress_line(self) -> str:
        """Steps and games."""
        games = games_line(len(self.trace.records), None, before=self.before, begin=self.begin)
        return f"{self.trace.step} of {self.trace.plan.steps} steps, {games}"


def values(trace: Trace) -> RichTable:
    """Where each parameter began, where it is, and the range of its last quarter."""
    lines = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("parameter", "start", "now", "in the last quarter"):
        lines.add_column(heading, justify="left" if heading == "parameter" else "right", overflow="fold")
    for name, path in trace.lines().items():
        last = path[-max(1, len(path) // 4) :]
        lines.add_row(Text(name), told(path[0]), told(path[-1]), f"{told(min(last))} to {told(max(last))}")
    return lines


def told(value: float) -> str:
    """Four digits, or a whole number as it is."""
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def report(console: Console, trace: Trace, run: str) -> None:
    """The values, and that they are not yet known to be better."""
    plan = trace.plan
    against = f" against {plan.opponent}" if plan.opponent else ""
    made = f"{trace.step} of {words.count(plan.steps, 'step')}"
    console.print(Text(f"{plan.spec.game}: {plan.template}{against}", "bold"))
    console.print(Text(f"SPSA, {made}, {words.count(len(trace.records), 'game')}"))
    console.print(values(trace))
    if trace.differences and not any(trace.differences):
        console.print(Text("no step found any difference: nothing was learnt; --scale shakes the values further"))
    for sentence in warning(trace.records.values(), words.wasted):
        console.print(Text(sentence))
    console.print()
    if not trace.step:
        console.print(Text("no step is complete: nothing was learnt yet"))
    elif plan.agent(trace.path[-1]) == plan.agent(trace.path[0]):
        console.print(Text("the values are those of the start: there is nothing to try in a match"))
    else:
        console.print(Text(f"tuned: {plan.agent(trace.path[-1])}"), soft_wrap=True)
        console.print(Text("This is where noisy games led: only a match tells whether these values are better."))
        console.print(Text(proof(plan, trace), "bold"), soft_wrap=True)
    place = clean(where(trace.records.values()))
    console.print(Text("; ".join(part for part in (conditions(plan.spec), place, f"run {run}") if part), "dim"))


def proof(plan: Plan, trace: Trace) -> str:
    """The command of a match between the end and the start, on starts that the tuning has not seen."""
    spec = plan.spec
    words_ = ["harena", "match", spec.game, plan.agent(trace.path[-1]), plan.agent(trace.path[0])]
    words_ += ["--games", str(PROOF), "--seed", str(spec.seed + 1)]
    words_ += [part for name, limit in spec.limits.items() for part in (f"--{name}", f"{limit:g}")]
    sizes = [str(one["size"]) for one in spec.variants if "size" in one]
    if sizes:
        words_ += ["--size", sizes[0] if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"]
    if spec.variants[0].get("setup"):
        words_ += ["--setup", str(spec.variants[0]["setup"])]
    words_ += ["--local"] if spec.local else ["--margin", f"{spec.margin:g}"]
    return shlex.join(words_)


def write(console: Console, trace: Trace) -> None:
    """The files that were asked for."""
    plan = trace.plan
    if plan.csv:
        write_output(plan.csv, csv_text(trace).encode())
        console.print(Text(f"wrote {plan.csv}", "dim"), soft_wrap=True)
    if plan.plot:
        title = f"{plan.spec.game}: SPSA of {plan.template}"
        try:
            drawn = plot.trace(trace.lines(), title=title, form=form_of(plan.plot))
        except ImportError as error:
            raise UsageError(str(error)) from None
        write_output(plan.plot, drawn)
        console.print(Text(f"wrote {plan.plot}", "dim"), soft_wrap=True)


def csv_text(trace: Trace) -> str:
    """One line for each step: the difference that it found, and the values after it."""
    lines = trace.lines()
    rows: list[Sequence[object]] = [["step", "difference", *lines]]
    for step, after in enumerate(zip(*lines.values(), strict=True)):
        found = f"{trace.differences[step - 1]:.6g}" if step else ""
        rows.append([step, found, *(f"{value:.9g}" for value in after)])
    return spreadsheet.csv_text(rows)
