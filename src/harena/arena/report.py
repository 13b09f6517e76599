"""A stored run as the numbers of a report: whatever kind it is, in one shape."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles

from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.runs.presentation import ReportPart
from harena.arena.runs.registry import kind_entry, kind_named
from harena.arena.scores import Pairs
from harena.arena.slot import Slot, slot_of
from harena.arena.store import Run, Store
from harena.arena.troubles import DamagedRecord
from harena.errors import UsageError
from harena.termination import Termination

SHOWN = 12  # of the last words of an agent that failed


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
    part: ReportPart  # what the kind of run says
    cross: dict[tuple[int, int], Pairs]
    reasons: Counter[str]
    lengths: list[int]
    times: list[Times | None]
    faults: list[Fault]
    games: list[Played]
    first_seat: float
    conditions: dict[str, object]  # of the first game: versions and machine


def report_of(store: Store, run: Run, complain: Callable[[str], None] | None = None) -> Report:
    """The report of a run; UsageError if it is of a kind that has none."""
    kind = kind_named(run.kind) if kind_entry(run.kind).has_report else None
    if kind is None:
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
        found = kind.from_dict(run.spec).add_all(records.items())
    except (KeyError, TypeError):
        raise UsageError(f"run {run.id} does not say how it was played: there is nothing to report") from None
    part = found.report_part()
    assert part is not None
    first = next(iter(records.values()), None)
    return Report(
        run=run,
        spec=found.spec,
        part=part,
        cross=_cross(records),
        reasons=Counter(record.reason for record in records.values()),
        lengths=[sum(ply.by < 2 for ply in record.plies) for record in records.values()],
        times=[_times(records, agent) for agent in range(len(found.spec.agents))],
        faults=_faults(records, numbers, part.names),
        games=[_played(slot, record, numbers[slot], part.names) for slot, record in records.items()],
        first_seat=sum(record.points(0) for record in records.values()) / max(1, len(records)),
        conditions=dict(first.conditions) if first else {},
    )


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
