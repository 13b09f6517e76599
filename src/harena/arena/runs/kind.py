"""What a kind of run is: its stored form, the games it needs next, what the games say, and how it presents that.

Everything follows from the stored form and the games: an interrupted run goes on exactly where it stopped.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

from harena.arena.conditions import conditions
from harena.arena.contest import Spec
from harena.arena.machine import where
from harena.arena.outputs import Outputs
from harena.arena.record import Record
from harena.arena.runs.executors import Batch, Play
from harena.arena.runs.presentation import Block, Line, ReportPart, Summary
from harena.arena.runs.results import RunResult
from harena.arena.scores import Pairs
from harena.arena.slot import Slot, slot_of
from harena.arena.store import Row, Status
from harena.termination import Termination

CHANGING = threading.RLock()  # held while a run takes a game in, and by another thread that looks at the run


@dataclass(frozen=True, kw_only=True)
class ResultPlace:
    """Where a run lies, and how it stands there."""

    run: str
    status: Status
    store: Path
    option: str  # that names the store to a command
    numbers: Mapping[str, int]  # of the games, by slot


class RunKind(ABC):
    """A run: its specification and the games so far. Games are only ever added."""

    kind: ClassVar[str]  # its name in stores
    needs_all: ClassVar[bool] = False  # whether an agent that cannot be started ends the run
    needs_moves: ClassVar[bool] = False  # whether its pages are made from whole records
    writes_files: ClassVar[bool] = False  # whether it may write files at its end (`plot` and `csv` of its stored form)
    unit: ClassVar[str] = "games"  # of its progress
    prints_lines: ClassVar[bool] = False  # whether lines of its report are printed as games end (`new_lines`)

    spec: Spec
    records: dict[Slot, Record]
    play: Play | None = None  # what plays it now, or did last
    outputs: Outputs | None = None  # where what agents print is to go
    objects: Mapping[str, object] = MappingProxyType({})  # agents that are objects of this process, by their texts

    # The stored form

    @classmethod
    @abstractmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The run of a stored form, without games."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The stored form, as JSON-ready data."""

    # The games

    @abstractmethod
    def needed(self) -> list[Slot]:
        """The games to be played next, those already played included; nothing is missing when the run is over."""

    def missing(self) -> list[Slot]:
        """The games that are needed next and not yet played."""
        return [slot for slot in self.needed() if slot not in self.records]

    def add(self, slot: Slot, record: Record) -> None:
        """Take a game in."""
        self.records[slot] = record

    def add_all(self, games: Iterable[tuple[Slot, Record]]) -> Self:
        """Take many games in; the run itself."""
        for slot, record in games:
            self.add(slot, record)
        return self

    @property
    def is_decided(self) -> bool:
        """Whether nothing more is to be played."""
        return not self.missing()

    @property
    def ends_early(self) -> bool:
        """Whether the games so far decide the run although more were needed."""
        return False

    @property
    @abstractmethod
    def planned(self) -> int | None:
        """The games in all; None where nobody knows."""

    def spec_for_next(self) -> Spec:
        """How the games that are needed next are played."""
        return self.spec

    def batch(self) -> Batch:
        """The games that are needed next, as an executor takes them."""
        return Batch(spec=self.spec_for_next(), needs_all=self.needs_all, outputs=self.outputs, objects=self.objects)

    def check(self, play: Play) -> None:
        """Complain, before the run is begun, about what only a try shows."""
        return

    def after_games(self) -> Iterator[str]:
        """The work after the last game, before the run is finished; yields what it does."""
        return iter(())

    # How it presents itself

    @abstractmethod
    def summary(self) -> Summary:
        """The run in a line of a list."""

    @classmethod
    def summarise(cls, plain: Mapping[str, Any], rows: Sequence[Row]) -> Summary:
        """The same from a stored form and the rows of a list."""
        return cls.from_dict(plain).add_all(without_moves(rows)).summary()

    @property
    def has_end(self) -> bool:
        """Whether it can be told how long the run takes."""
        return True

    def progress(self) -> tuple[int, int | None]:
        """How many of how many units are done."""
        return len(self.records), self.planned

    def progress_line(self, before: int, begin: float) -> str:
        """How far the run has come since `begin`, when there were so many games `before`, on one line."""
        games = games_line(len(self.records), self.progress()[1], before=before, begin=begin)
        return "; ".join(filter(None, (games, *self.progress_notes())))

    def progress_notes(self) -> list[str]:
        """What is said after the number of games."""
        return []

    def live(self) -> list[Block]:
        """What a live display shows below its bar."""
        return []

    def new_lines(self) -> list[str]:
        """The lines of the report that have become known since the last call."""
        return []

    def report(self, run: str, option: str, numbers: Mapping[str, int]) -> list[Block]:
        """The result, what it shows and its conditions; `option` names the store, `numbers` are the games' by slot."""
        return []

    def to_result(self, place: ResultPlace) -> RunResult:
        """The result as an object for programs."""
        return RunResult(**self.common_fields(place))

    def sentences(self) -> list[str]:
        """What the numbers do and do not show."""
        return []

    def result_dict(self, run: str) -> dict[str, Any] | None:
        """The result as JSON-ready data; None of a kind whose report is the course's own."""
        return None

    def report_part(self) -> ReportPart | None:
        """What it adds to the page of `harena report`; None of a kind that has none."""
        return None

    def page_names(self, shown: Mapping[str, str], *, hidden: bool) -> Mapping[str, str]:
        """What a page calls each agent; `hidden` asks for pseudonyms, where the kind has any."""
        return shown

    def page(self, names: Mapping[str, str], *, hidden: bool) -> dict[str, Any] | None:
        """What a page shows: table, crosstable, sentences; None of a kind that has nothing of its own to show."""
        return None

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The files to be written when all is played: paths and contents."""
        return iter(())

    # Parts of presentations

    def common_fields(self, place: ResultPlace) -> dict[str, Any]:
        """What the results of all runs have, by the names of `RunResult`."""
        return {
            "run": place.run,
            "kind": self.kind,
            "game": self.spec.game,
            "agents": tuple(self.spec.agents),
            "status": place.status,
            "conditions": conditions(self.spec),
            "sentences": tuple(self.sentences()),
            "store": place.store,
            "blocks": tuple(self.report(place.run, place.option, place.numbers)),
            "plain": self.result_dict(place.run) or self.common_result(place.run),
        }

    def common_result(self, run: str) -> dict[str, Any]:
        """What the results of all runs begin with."""
        return {
            "kind": self.kind,
            "run": run,
            "game": self.spec.game,
            "agents": list(self.spec.agents),
            "seed": self.spec.seed,
            "conditions": conditions(self.spec),
        }

    def place_line(self, run: str) -> Line:
        """Conditions, machine and run on a line."""
        parts = (conditions(self.spec), where(self.records.values()), f"run {run}")
        return Line("; ".join(part for part in parts if part), "dim")

    def lost_by_faults(self) -> Iterator[tuple[str, Record]]:
        """The games that were lost by faults, in the order of the schedule, each with its loser."""
        for slot, record in sorted(self.records.items()):
            if record.reason != Termination.RULES and record.winner is not None:
                yield self.spec.agents[slot.seats[1 - record.winner]], record

    def faults(self) -> dict[str, Counter[str]]:
        """The faults of each agent."""
        counts: dict[str, Counter[str]] = {agent: Counter() for agent in self.spec.agents}
        for agent, record in self.lost_by_faults():
            counts[agent][record.reason] += 1
        return counts


def games_line(played: int, total: int | None, *, before: int, begin: float) -> str:
    """How many games are played, and how quickly since `begin`, when there were so many `before`."""
    rate = 60 * (played - before) / max(1e-9, time.perf_counter() - begin)
    of = f" of {total:,}" if total is not None else ""
    return f"{played:,}{of} games, {rate:,.0f} a minute"


def evidence_dict(pairs: Pairs) -> dict[str, Any]:
    """The intervals of a score and of its Elo; the score itself may count more games than these."""
    low, high = pairs.interval
    return {"score_low": low, "score_high": high, "elo": dict(vars(pairs.elo))}


def without_moves(rows: Sequence[Row]) -> list[tuple[Slot, Record]]:
    """Games without their moves, in the order of the schedule: enough to count with."""
    games = []
    for row in rows:
        seats, winner, reason = row.seats, row.winner, row.reason
        record = Record(game=row.game, options={}, start="", seats=seats, plies=(), winner=winner, reason=reason)
        games.append((slot_of(row.slot), record))
    return sorted(games, key=lambda game: game[0])


def games_summary(rows: Sequence[Row]) -> Summary:
    """What the games say, where a run itself does not."""
    agents = list(dict.fromkeys(seat for row in rows for seat in row.seats))
    return Summary(game=rows[0].game if rows else "", agents=agents)
