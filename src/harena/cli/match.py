"""`harena match`: two agents, many games, and what the result means."""

import sys
import time
from collections.abc import Sequence

import numpy as np
from rich.console import Console, Group
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from harena.agents.spec import parse_agent
from harena.arena import words
from harena.arena.conditions import check_local, conditions, pairs_of
from harena.arena.contest import Contest, NotStarted, Spec
from harena.arena.machine import where
from harena.arena.match import Plan, Standing, plan_of
from harena.arena.outputs import Outputs
from harena.arena.record import Record
from harena.arena.running import play_missing, stored
from harena.arena.slot import Slot
from harena.arena.sprt import Sprt, parse
from harena.arena.store import Run, Store
from harena.cli.carrying import carried, games_line, going_on, new_contest
from harena.cli.results_json import match_json
from harena.cli.telling import clean
from harena.errors import UsageError
from harena.termination import Termination


def new_match(
    spec: Spec,
    games: int | None,
    sprt: str | None,
    concurrency: int,
    store: str | None,
    output: str | None = None,
    *,
    as_json: bool = False,
) -> None:
    """Play a match and print what it shows; without a number of games as many as a test may need, or the usual ones.

    What agents print goes into a folder for `output`.
    """
    test = parse(sprt) if sprt is not None else None
    check_local(spec)
    most = games if games is not None else test.most_games if test else GAMES
    plan = Plan(spec=spec, pairs=pairs_of(most), sprt=sprt)
    contest = new_contest(spec, needs_all=True)  # complains about anything that makes no sense before a run is begun
    if output is not None:
        if spec.local:
            raise UsageError("--output is for agents in processes of their own: leave --local out")
        contest.outputs = Outputs(output, spec.agents)
    with Store(store) as kept:
        run = kept.new_run("match", plan.as_dict())
        news = [going_on(kept, run, concurrency), *([expectation(test, 2 * plan.pairs)] if test is not None else [])]
        try:
            carry_on(kept, run, plan, contest, concurrency, news, as_json=as_json)
        except NotStarted:
            if contest.outputs is not None and contest.outputs.files:
                print(*printed(contest), file=sys.stderr)
            raise


def printed(contest: Contest) -> list[str]:
    """Where what agents printed is to be found, where that was asked for."""
    if contest.outputs is None:
        return []
    files = ", ".join(str(file) for file in contest.outputs.files)
    return [f"what agents printed: {files}" if files else "no agent printed anything to standard error"]


def expectation(test: Sprt, games: int) -> str:
    """How many games a test takes, and where it is given up."""
    few, many = map(words.about, test.usual_games)
    enough = "" if games >= test.usual_games[1] else ", which may not be enough"
    usual = f"the test takes about {few} to {many} games, fewer if A and B differ much"
    return f"{usual}; at most {games:,} are played{enough}"


def resume_match(kept: Store, run: Run, concurrency: int, *, as_json: bool = False) -> None:
    """Go on with a match that was interrupted."""
    plan = plan_of(dict(run.spec))
    carry_on(kept, run, plan, new_contest(plan.spec, needs_all=True), concurrency, as_json=as_json)


def carry_on(
    kept: Store,
    run: Run,
    plan: Plan,
    contest: Contest,
    concurrency: int,
    news: Sequence[str] = (),
    *,
    as_json: bool = False,
) -> None:
    """Play what is missing of a match, with a display, and report; the news are said once all agents are ready."""
    standing = Standing(plan)
    for slot, record in stored(kept, run.id):
        standing.add(slot, record)

    def watch(slot: Slot, record: Record) -> bool:
        standing.add(slot, record)
        return standing.is_decided

    display = Display(standing, contest, before=len(standing.records))
    with carried(
        kept,
        run,
        display,
        lambda console: report(console, standing, contest, run.id, kept.option),
        concurrency,
        result=(lambda: match_json(run, standing, contest)) if as_json else None,
    ) as say:
        contest.when_ready = (lambda: say("\n".join(news))) if news else None
        if not standing.is_decided:
            play_missing(kept, run.id, contest, plan.slots(), concurrency, watch)


class Display:
    """The match as it goes."""

    def __init__(self, standing: Standing, contest: Contest, before: int) -> None:
        self.standing, self.contest, self.before = standing, contest, before
        self.begin = time.perf_counter()
        columns: list[ProgressColumn] = [TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
        if standing.plan.test is None:  # nobody knows when a test ends
            columns.append(TimeRemainingColumn())
        self.progress = Progress(*columns)
        self.task = self.progress.add_task("", total=2 * standing.plan.pairs, completed=before)

    def __rich__(self) -> Group:
        self.progress.update(self.task, completed=len(self.standing.records))
        played = len(self.standing.records) - self.before
        rate = 60 * played / max(1e-9, time.perf_counter() - self.begin)
        lines = [
            *facts(self.standing, self.contest),
            *details(self.standing, self.contest),
            ("speed", f"{rate:,.0f} games a minute"),
        ]
        if self.standing.counted and (said := starting(self.contest)):
            lines.append(("", said))
        return Group(self.progress, grid(lines))

    def progress_line(self) -> str:
        """Games, score, and which agents are not ready yet."""
        standing, total = self.standing, 2 * self.standing.plan.pairs
        line = games_line(len(standing.records), total, before=self.before, begin=self.begin)
        score = f"{words.percent(standing.pairs.score)} for A" if standing.pairs.games else ""
        return "; ".join(filter(None, (line, score, starting(self.contest))))


def facts(standing: Standing, contest: Contest) -> list[tuple[str, str]]:
    """What the numbers are so far."""
    pairs = standing.pairs
    if not pairs.games:
        return [("", starting(contest))]
    lines = [
        ("score", f"{words.percent(pairs.score)} of {words.count(pairs.games, 'game')} for A"),
        ("Elo", words.interval(standing.evidence.elo)),
        ("A is better", words.superiority(standing.evidence)),
    ]
    if standing.state is not None:
        test = standing.plan.test
        assert test is not None
        lines.append(("SPRT", f"LLR {standing.state.llr:+.2f}, bounds {test.lower:+.2f} and {test.upper:+.2f}"))
    for number, name in enumerate("AB"):
        times = standing.times[number]
        if times:
            middle, worst = 1000 * float(np.median(times)), 1000 * max(times)
            lines.append((f"time of {name}", f"median {middle:,.1f} ms, longest {worst:,.1f} ms a move"))
    return lines


def details(standing: Standing, contest: Contest) -> list[tuple[str, str]]:
    """The numbers for readers who know the statistics of pairs, and the stalls of the machine."""
    if not standing.pairs.games:
        return []
    counts = zip(POINTS, standing.pairs.counts, strict=True)
    normalised = standing.evidence.normalised_elo
    return [
        ("pairs", "  ".join(f"{points}: {number:,}" for points, number in counts)),
        ("nElo", "not known, as all pairs ended alike" if normalised is None else words.elo(normalised)),
        ("longest stall", f"{1000 * contest.probe.worst():,.1f} ms of this machine"),
    ]


def starting(contest: Contest) -> str:
    """Which agents are not ready yet."""
    texts = [text for text, number in contest.starting.copy().items() if number]
    if not texts:
        return ""
    is_compiled = any(parse_agent(text).is_trusted for text in texts)
    note = " (the first start compiles it; what is compiled is kept)" if is_compiled else ""
    return f"waiting for {', '.join(texts)}{note}"


GAMES = words.USUAL
POINTS = ("0", "½", "1", "1½", "2")


def grid(lines: list[tuple[str, str]]) -> Table:
    """Names at the left, what there is to say at the right."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, text in lines:
        table.add_row(name, Text(text))
    return table


def report(console: Console, standing: Standing, contest: Contest, run: str, option: str) -> None:
    """The result, its conditions, and what it does and does not show."""
    spec = standing.plan.spec
    shown = words.short_names(spec.agents)
    a, b = (clean(shown[text]) for text in spec.agents)
    console.print(Text(words.outcome(a, b, standing.results), "bold"))
    for sentence in sentences(standing, *((a, b) if a != b else ("A", "B"))):
        console.print(Text(sentence))
    console.print()
    reasons = ", ".join(f"{reason} {number:,}" for reason, number in standing.reasons.most_common())
    names = [("game", spec.game), ("A", a), ("B", b)]
    rows = [("ends", reasons or "none")]
    for number, name in enumerate("AB"):
        if faults := standing.faults(number):
            listed = ", ".join(f"{one} {many:,}" for one, many in faults.most_common())
            rows.append((f"faults of {name}", f"{listed}; the first: {clean(standing.first_fault(number))}"))
    if standing.counted:
        rows.append(("first seat", f"{words.percent(standing.first_seat)} of the points"))
    if contest.replays:
        rows.append(("played again", f"{sum(contest.replays.values()):,} because the machine stood still"))
    rows.append(("conditions", conditions(spec)))
    if place := where(record for _, record in standing.games):
        rows.append(("machine", clean(place)))
    rows.append(("run", run))
    console.print(grid([*names, *facts(standing, contest), *rows, *details(standing, contest)]))
    notes = printed(contest)
    if any(reason != Termination.RULES for reason in standing.reasons):
        listing = f"`harena records list --run {run}{option}` shows each"
        notes.insert(0, f"games lost by faults count as losses: {listing}")
    if notes:
        console.print()
    for line in notes:
        console.print(Text(line, "dim"), soft_wrap=True)


def sentences(standing: Standing, a: str, b: str) -> list[str]:
    """What the result does and does not show."""
    found = []
    if standing.games and all(record.reason != Termination.RULES for _, record in standing.games):
        found.append("every game ended by a fault: that says nothing about who is stronger")
    else:
        found.append(words.verdict(a, b, standing.evidence))
        if few := words.few_games(standing.evidence):
            found.append(few)
    if standing.repeats_itself:
        found.append(words.repeated(len(standing.different), standing.counted))
    if standing.state is not None and standing.plan.test is not None:
        found.append(words.sequential(a, b, standing.plan.test, standing.state))
    return found
