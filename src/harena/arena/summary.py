"""A run in a few words: who plays, how many games are planned, and the result so far."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harena.arena import match, sweep, tournament, tune, words
from harena.arena.bracket import bracket
from harena.arena.record import Record
from harena.arena.slot import Slot, slot_of
from harena.arena.store import Row, Run, Store
from harena.errors import HarenaError

TEST = {"H1": ", test passed", "H0": ", test failed"}


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a list says of a run; nothing where it cannot be told."""

    game: str
    agents: list[str]
    planned: int | None = None
    result: str = ""


def summary(store: Store, run: Run) -> Summary:
    """Of any run, also of one that describes itself in a way that this harena does not know."""
    return summary_of(run, list(store.rows(run.id, lambda damage: None)))  # whoever lists its games is told


def summary_of(run: Run, rows: list[Row]) -> Summary:
    """The same from the games that are there."""
    try:
        return KINDS.get(run.kind, _any)(run, rows)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, HarenaError):
        return _any(run, rows)


def _any(run: Run, rows: list[Row]) -> Summary:
    """What its games say."""
    agents = list(dict.fromkeys(seat for row in rows for seat in row.seats))
    return Summary(game=rows[0].game if rows else "", agents=agents)


def results(rows: list[Row]) -> dict[Slot, Record]:
    """Games without their moves: enough to count with."""
    return {
        slot_of(row.slot): Record(
            game=row.game, options={}, start="", seats=row.seats, plies=(), winner=row.winner, reason=row.reason
        )
        for row in sorted(rows, key=lambda row: slot_of(row.slot))
    }


def _match(run: Run, rows: list[Row]) -> Summary:
    plan = match.plan_of(dict(run.spec))
    standing = match.Standing(plan)
    for slot, record in results(rows).items():
        standing.add(slot, record)
    pairs, said = standing.pairs, ""
    if pairs.games:
        leader, lead = ("the first", pairs) if pairs.score > 0.5 else ("the second", pairs.flipped())
        said = "even" if pairs.score == 0.5 else f"{words.percent(lead.score)} for {leader}"
        said += TEST.get(standing.state.verdict, "") if standing.state else ""
    return Summary(game=plan.spec.game, agents=plan.spec.agents, planned=standing.planned, result=said)


def _tournament(run: Run, rows: list[Row]) -> Summary:
    plan = tournament.plan_of(run.spec)
    table = tournament.Table(plan, results(rows))
    names, said = words.short_names(plan.spec.agents), ""
    if plan.type == "knockout":
        won = bracket(table).winner
        said = f"{names[won]} won" if won else ""
    elif rows:
        points = table.standings()
        most = max(points.values())
        leaders = [names[name] for name, made in points.items() if made == most]
        said = f"{leaders[0]} has most points" if len(leaders) == 1 else f"{len(leaders)} share the lead"
    return Summary(game=plan.spec.game, agents=plan.spec.agents, planned=table.total, result=said)


def _sweep(run: Run, rows: list[Row]) -> Summary:
    plan = sweep.plan_of(run.spec)
    points = [point for point in sweep.Table(plan, results(rows)).points() if point.pairs.games]
    best = max(points, key=lambda point: point.pairs.score, default=None)
    said = ""
    if best is not None:
        is_even = sweep.are_alike([point.pairs.score for point in points])
        said = f"{'all scored alike' if is_even else f'{plan.name}={best.value} scored best'}, "
        said += words.percent(best.pairs.score)
    agents = [plan.template, plan.opponent]
    return Summary(game=plan.spec.game, agents=agents, planned=len(plan.slots()), result=said)


def _tune(run: Run, rows: list[Row]) -> Summary:
    plan = tune.plan_of(run.spec)
    trace = tune.Trace(plan, results(rows))
    now = ", ".join(f"{name}={values[-1]:.3g}" for name, values in trace.lines().items())
    planned = plan.steps * len(plan.slots(0))
    agents = [plan.template, *plan.spec.agents]
    return Summary(game=plan.spec.game, agents=agents, planned=planned, result=now if trace.step else "")


def _course(run: Run, rows: list[Row]) -> Summary:
    """Of a course's own command, which says itself what its games show."""
    spec = run.spec["spec"]
    return Summary(game=spec["game"], agents=[str(agent) for agent in spec["agents"]], planned=run.spec["planned"])


def _play(run: Run, rows: list[Row]) -> Summary:
    agents = [str(agent) for agent in run.spec["agents"]]
    won = ["draw" if row.winner is None else f"player {row.winner + 1} won" for row in rows]
    return Summary(game=run.spec["game"], agents=agents, planned=1, result=won[0])


KINDS: Mapping[str, Callable[[Run, list[Row]], Summary]] = {
    "match": _match,
    "tournament": _tournament,
    "sweep": _sweep,
    "tune": _tune,
    "play": _play,
    "isolation-tournament": _course,
    "trap-game": _course,
}
