"""A run drawn at a terminal or in a notebook: the blocks of its report, and a display while it plays."""

import time
from collections.abc import Iterable

from rich.console import Console, Group, OverflowMethod, RenderableType
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

from harena.arena.runs.kind import CHANGING, RunKind
from harena.arena.runs.presentation import Block, Facts, Line, TextTable
from harena.errors import clean


def print_blocks(console: Console, blocks: Iterable[Block]) -> None:
    """Print them one below the other."""
    for block in blocks:
        console.print(draw_block(block), soft_wrap=isinstance(block, Line) and block.is_whole)


def draw_block(block: Block) -> RenderableType:
    """A block as rich draws it; codes for a terminal in texts from outside are left out."""
    if isinstance(block, Line):
        return Text(clean(block.text), block.style)
    return _draw_facts(block) if isinstance(block, Facts) else _draw_table(block)


def _draw_facts(facts: Facts) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for name, text in facts.rows:
        table.add_row(clean(name), Text(clean(text)))
    return table


def _draw_table(block: TextTable) -> Table:
    table = Table(box=None, pad_edge=not block.is_tight, padding=(0, 2, 0, 0) if block.is_tight else (0, 1))
    overflow: OverflowMethod = "fold" if block.overflow == "fold" else "ellipsis"
    for number, heading in enumerate(block.headings):
        side = "left" if number in block.left else "right"
        table.add_column(
            Text(clean(heading)),
            justify="left" if side == "left" else "right",
            overflow=overflow,
            no_wrap=not block.overflow,
        )
    for row in block.rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    return table


class RunDisplay:
    """Any run as it goes: a bar, what the run says of itself, the speed."""

    def __init__(self, kind: RunKind) -> None:
        self.kind, self.before, self.begin = kind, len(kind.records), time.perf_counter()
        columns: list[ProgressColumn] = [
            TextColumn(kind.unit),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        ]
        if kind.has_end:
            columns.append(TimeRemainingColumn())
        done, total = kind.progress()
        self.bar = Progress(*columns)
        self.task = self.bar.add_task("", total=total, completed=done)

    def __rich__(self) -> Group:
        with CHANGING:  # never drawn while what it shows is changing
            self.bar.update(self.task, completed=self.kind.progress()[0])
            rate = 60 * (len(self.kind.records) - self.before) / max(1e-9, time.perf_counter() - self.begin)
            blocks = [*map(draw_block, self.kind.live())]
        return Group(self.bar, *blocks, Text(f"{rate:,.0f} games a minute", "dim"))

    def progress_line(self) -> str:
        """How far the run has come."""
        with CHANGING:
            return self.kind.progress_line(self.before, self.begin)
