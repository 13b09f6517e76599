"""The results of runs: frozen objects for programs, which show themselves in a notebook."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from harena.arena.export import game_row, load_pyarrow
from harena.arena.ratings import Rating
from harena.arena.reading import StoredGame, games_in
from harena.arena.report_html import write_report
from harena.arena.runs.presentation import Block, Facts, Line, TextTable
from harena.arena.scores import Estimate, Pairs
from harena.arena.sprt import State
from harena.arena.store import Status, Store
from harena.arena.troubles import DamagedRecord
from harena.render import plot
from harena.render.page import Mark, intervals, paragraphs, table

NO_ARROW = "to_arrow needs pyarrow: pip install pyarrow"


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What a run has shown so far: how it stands, its games, and its report."""

    run: str
    kind: str
    game: str
    agents: tuple[str, ...]
    status: Status  # finished, or stopped: then it can go on
    conditions: str
    sentences: tuple[str, ...]  # what the numbers do and do not show
    store: Path = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False, compare=False)
    plain: Mapping[str, Any] = field(repr=False, compare=False)

    @cached_property
    def games(self) -> list[StoredGame]:
        """The games, read from the store when they are first asked for."""
        return list(games_in(self.store, run=self.run))

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write the run as one HTML page that needs nothing else; the path of the page."""
        with Store(self.store, writing=False) as store:
            write_report(store, store.run(self.run), path, lambda line: None)
        return Path(path)

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-ready data: what `--json` prints."""
        return {**self.plain, "status": self.status}

    def to_arrow(self) -> Any:
        """The games as a `pyarrow.Table`, one row a game: the columns of `harena records export`."""
        pyarrow, rows = load_pyarrow(NO_ARROW), []
        with Store(self.store, writing=False) as store:
            for row in store.rows(self.run, lambda line: None):
                try:
                    rows.append(game_row(row, store.record(row.id)))
                except DamagedRecord:
                    continue
        return pyarrow.Table.from_pylist(rows)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        """The report as a notebook shows it, with a drawing."""
        parts = [*map(_block_html, self.blocks), self.drawing()]
        return f'<div class="harena-result">{"".join(parts)}{self._links()}</div>'

    def drawing(self) -> str:
        """A drawing of the result as HTML; empty where there is none."""
        return ""

    def _links(self) -> str:
        with Store(self.store, writing=False) as store:
            numbers = sorted(store.numbers(self.run).values())
        if not numbers:
            return ""
        return paragraphs([f"games {numbers[0]} to {numbers[-1]}: result.games, or harena replay {numbers[0]}"])


@dataclass(frozen=True, kw_only=True)
class MatchResult(RunResult):
    """What a match says of its first agent, A."""

    wins: int
    draws: int
    losses: int
    score: float  # share of the points, 0 to 1
    interval: tuple[float, float]  # of the score, 95 %
    elo: Estimate
    normalised_elo: float | None
    los: float  # likelihood of superiority
    pairs: Pairs
    sprt: State | None  # where the test stands, if there is one
    verdict: str

    def drawing(self) -> str:
        """Both agents with their Elo."""
        if not self.pairs.games:
            return ""
        elo, names = self.elo, self.agents
        marks = [
            Mark(name=f"A {names[0]}", value=elo.value, low=elo.low, high=elo.high),
            Mark(name=f"B {names[1]}", value=-elo.value, low=-elo.high, high=-elo.low),
        ]
        return intervals(marks, title="Elo over the other", unit="Elo", zero=0, ends=None)


@dataclass(frozen=True, kw_only=True)
class TournamentResult(RunResult):
    """What a tournament says of all its agents."""

    type: str
    ratings: tuple[Rating, ...]  # the best first
    points: Mapping[str, float]
    winner: str | None  # of a knockout

    def drawing(self) -> str:
        """All agents with their Elo."""
        marks = [Mark(name=row.name, value=row.elo, low=row.low, high=row.high) for row in self.ratings]
        return intervals(marks, title="Ratings", unit="Elo", zero=0, ends=None) if marks else ""


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """One value of a parameter: what it scored."""

    value: float
    agent: str
    games: int
    score: float
    interval: tuple[float, float]
    elo: Estimate


@dataclass(frozen=True, kw_only=True)
class SweepResult(RunResult):
    """The score of each value of a parameter, in ascending order."""

    parameter: str
    opponent: str
    points: tuple[SweepPoint, ...]

    def drawing(self) -> str:
        """The score over the values."""
        points = [(one.value, one.score, *one.interval) for one in self.points if one.games]
        if not points:
            return ""
        return _plotted(lambda: plot.sweep(points, name=self.parameter, title="", against=self.opponent, form="svg"))


@dataclass(frozen=True, kw_only=True)
class TuneResult(RunResult):
    """Where each parameter began, and the way it went."""

    paths: Mapping[str, Sequence[float]]  # by parameter, the start first
    differences: tuple[float, ...]  # between the two variants, by step
    tuned: str | None  # the agent with the last values; None while these are those of the start
    match: str | None  # the command of a match that would tell whether it is better

    @property
    def values(self) -> dict[str, float]:
        """Where each parameter is now."""
        return {name: path[-1] for name, path in self.paths.items()}

    def drawing(self) -> str:
        """The paths of all parameters."""
        return _plotted(lambda: plot.trace(self.paths, title="", form="svg"))


def _plotted(draw: Any) -> str:
    """A plot as HTML; nothing where there is no matplotlib."""
    try:
        svg: str = draw().decode("utf-8")
    except ImportError:
        return ""
    return svg[svg.index("<svg") :]


def _block_html(block: Block) -> str:
    if isinstance(block, Line):
        return paragraphs([block.text]) if block.text else ""
    if isinstance(block, Facts):
        return table("", ("", ""), block.rows)
    assert isinstance(block, TextTable)
    numbers = [number for number in range(len(block.headings)) if number not in block.left]
    return table("", block.headings, block.rows, numbers)
