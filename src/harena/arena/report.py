"""A stored run as the numbers of a report: whatever kind it is, in one shape."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from harena.arena import match, sweep, tournament, words
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.repetition import warning
from harena.arena.scores import Pairs
from harena.arena.slot import Slot, slot_of
from harena.arena.store import Run, Store
from harena.arena.troubles import DamagedRecord
from harena.errors import UsageError
from harena.termination import Termination

KINDS = ("match", "tournament", "sweep")
SHOWN = 12  # of the last words of an agent that failed


@dataclass(frozen=True, kw_only=True)
class Rated:
    """A line of the first table: an estimate with its interval, and what it rests on."""

    name: str
    value: float
    low: float
    high: float
    games: int
    score: float
    open_low: bool = False  # the games do not bound it there
    open_high: bool = False
    normalised: float | None = None  # nElo, of a match


@dataclass(frozen=True, kw_only=True)
class Times:
    """What moves cost an agent, in seconds."""

    moves: int
    median: float
    slow: float  # 95 % of the moves were faster
    longest: float


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A game that was lost by a fault."""

    game: int
    agent: str
    reason: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class Played:
    """A line of the list of games."""

    number: int
    pair: int
    first: str
    second: str
    winner: int | None
    reason: str
    score: tuple[int, int] | None
    plies: int


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that a page shows."""

    run: Run
    spec: Spec
    title: str
    agents: list[str]  # full texts; a match calls them A and B
    names: list[str]  # what tables call them
    unit: str  # of the ratings: Elo, or % for scores
    ratings: list[Rated]
    about: str  # what the ratings are relative to
    verdict: list[str]
    columns: list[int]  # agents that have a column of the crosstable
    rows: list[int]
    cross: dict[tuple[int, int], Pairs]
    reasons: Counter[str]
    lengths: list[int]
    times: list[Times | None]
    faults: list[Fault]
    games: list[Played]
    first_seat: float
    planned: int | None
    conditions: dict[str, Any]  # of the first game: versions and machine


def report_of(store: Store, run: Run, complain: Callable[[str], None] | None = None) -> Report:
    """The report of a run; UsageError if it is of a kind that has none."""
    if run.kind not in KINDS:
        raise UsageError(f"run {run.id} is of kind {run.kind}: reports are of matches, tournaments and sweeps")
    numbers: dict[Slot, int] = {}
    records: dict[Slot, Record] = {}
    for row in store.rows(run.id, complain):
        try:
            records[slot_of(row.slot)] = store.record(row.id)
            numbers[slot_of(row.slot)] = row.id
        except DamagedRecord as damage:
            if complain is not None:
                complain(str(damage))
    records = dict(sorted(records.items()))
    try:
        kind = {"match": _match, "tournament": _tournament, "sweep": _sweep}[run.kind](run, records)
    except (KeyError, TypeError):
        raise UsageError(f"run {run.id} does not say how it was played: there is nothing to report") from None
    spec: Spec = kind["spec"]
    names: list[str] = kind["names"]
    first = next(iter(records.values()), None)
    return Report(
        run=run,
        agents=spec.agents,
        cross=_cross(records),
        reasons=Counter(record.reason for record in records.values()),
        lengths=[sum(ply.by < 2 for ply in record.plies) for record in records.values()],
        times=[_times(records, agent) for agent in range(len(spec.agents))],
        faults=_faults(records, numbers, names),
        games=[_played(slot, record, numbers[slot], names) for slot, record in records.items()],
        first_seat=sum(record.points(0) for record in records.values()) / max(1, len(records)),
        conditions=dict(first.conditions) if first else {},
        **kind,
    )


def _match(run: Run, records: dict[Slot, Record]) -> dict[str, Any]:
    plan = match.plan_of(dict(run.spec))
    standing = match.Standing(plan)
    for slot, record in records.items():
        standing.add(slot, record)
    pairs = standing.evidence
    rated = []
    if pairs.games:
        for name, result in (("A", pairs), ("B", pairs.flipped())):
            elo = result.elo
            rated.append(
                Rated(
                    name=name,
                    value=elo.value,
                    low=elo.low,
                    high=elo.high,
                    games=result.games,
                    score=result.score,
                    open_low=elo.bound == "at most" or round(elo.low) <= -words.FURTHEST,
                    open_high=elo.bound == "at least" or round(elo.high) >= words.FURTHEST,
                    normalised=result.normalised_elo,
                )
            )
    verdict = [words.verdict("A", "B", pairs)]
    if standing.state is not None and plan.test is not None:
        verdict.append(words.sequential("A", "B", plan.test, standing.state))
    if standing.repeats_itself:
        verdict.append(words.repeated(len(standing.different), standing.counted))
    return {
        "spec": plan.spec,
        "title": f"{plan.spec.game}: {' against '.join(plan.spec.agents)}",
        "names": ["A", "B"],
        "unit": "Elo",
        "ratings": rated,
        "about": "Elo over the other, from complete pairs of games",
        "verdict": verdict,
        "columns": [0, 1],
        "rows": [0, 1],
        "planned": standing.planned,
    }


def _tournament(run: Run, records: dict[Slot, Record]) -> dict[str, Any]:
    plan = tournament.plan_of(run.spec)
    table = tournament.Table(plan, records)
    fitted = table.ratings() if records else None
    order = {name: index for index, name in enumerate(plan.spec.agents)}
    everyone = [order[row.name] for row in fitted.rows] if fitted else list(order.values())
    return {
        "spec": plan.spec,
        "title": f"{plan.spec.game}: {plan.type} of {len(plan.spec.agents)} agents",
        "names": list(plan.spec.agents),
        "unit": "Elo",
        "ratings": [
            Rated(name=row.name, value=row.elo, low=row.low, high=row.high, games=row.games, score=row.score)
            for row in (fitted.rows if fitted else ())
        ],
        "about": "Elo over the mean of all, from one fit over all games",
        "verdict": [*words.ratings(fitted), *warning(records.values())] if fitted else [],
        "columns": everyone,
        "rows": everyone,
        "planned": table.total,
    }


def _sweep(run: Run, records: dict[Slot, Record]) -> dict[str, Any]:
    plan = sweep.plan_of(run.spec)
    table = sweep.Table(plan, records)
    names = [f"{plan.name}={value}" for value in plan.values]
    rated = []
    for name, point in zip(names, table.points(), strict=True):
        if point.pairs.games:
            score, (low, high) = point.pairs.score, point.pairs.interval
            rated.append(
                Rated(
                    name=name, value=100 * score, low=100 * low, high=100 * high, games=point.pairs.games, score=score
                )
            )
    return {
        "spec": plan.spec,
        "title": f"{plan.spec.game}: {plan.template} over {plan.name}",
        "names": [*names, "opponent"],
        "unit": "%",
        "ratings": rated,
        "about": f"score against {plan.opponent} in %, draws half",
        "verdict": [*table.verdict(), *warning(records.values(), words.swept)],
        "columns": [len(names)],
        "rows": list(range(len(names))),
        "planned": len(plan.slots()),
    }


def _cross(records: dict[Slot, Record]) -> dict[tuple[int, int], Pairs]:
    """What the one made against the other, by complete pairs."""
    points: dict[tuple[int, int, int], list[float]] = {}
    for slot, record in records.items():
        points.setdefault((slot.a, slot.b, slot.pair), []).append(record.points(int(slot.swapped)))
    found: dict[tuple[int, int], Pairs] = {}
    for (a, b, _), both in points.items():
        if len(both) == 2:
            found[a, b] = found.get((a, b), Pairs()).add(sum(both))
            found[b, a] = found[a, b].flipped()
    return found


def _times(records: dict[Slot, Record], agent: int) -> Times | None:
    spent = [
        ply.seconds
        for slot, record in records.items()
        for ply in record.plies
        if ply.seconds is not None and ply.by < 2 and slot.seats[ply.by] == agent
    ]
    if not spent:
        return None
    slow = quantiles(spent, n=20, method="inclusive")[-1] if len(spent) > 1 else spent[0]
    return Times(moves=len(spent), median=median(spent), slow=slow, longest=max(spent))


def _faults(records: dict[Slot, Record], numbers: dict[Slot, int], names: list[str]) -> list[Fault]:
    return [
        Fault(
            game=numbers[slot],
            agent=names[slot.seats[1 - record.winner]],
            reason=record.reason,
            detail=" ".join(record.detail.split()[-SHOWN:]),
        )
        for slot, record in records.items()
        if record.reason != Termination.RULES and record.winner is not None
    ]


def _played(slot: Slot, record: Record, number: int, names: list[str]) -> Played:
    first, second = (names[agent] for agent in slot.seats)
    return Played(
        number=number,
        pair=slot.pair + 1,
        first=first,
        second=second,
        winner=record.winner,
        reason=record.reason,
        score=record.score,
        plies=sum(ply.by < 2 for ply in record.plies),
    )
