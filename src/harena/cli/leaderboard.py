"""A grading in the terminal: how far it is, and the leaderboard when it ends, in whatever width there is."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harena.arena.conditions import conditions
from harena.courses.gradebook import leaderboard_rows, rounds_text
from harena.courses.grading import GRADED, UNFINISHED, Book
from harena.errors import clean

NAME, SLOWEST = "name", "slowest move"
ROOM = 16  # letters of a name that a table keeps room for
SHORT = {SLOWEST: "slowest"}  # headings where there is little of it
LEFT_OUT = {SLOWEST: 16, "faults": 16, "beaten": 8, "passed": 8}  # what goes first, until names have that many letters
LEAST_ROOM = 6  # then all levels go
MOST_NAMED = 12  # of those that are not finished
INDENT = "  "  # of what is left of a long remark

Columns = dict[str, list[str]]  # by heading


def tell(console: Console, book: Book, shown: Mapping[str, str]) -> None:
    """The leaderboard, what is to be said about some, and how it was played; `shown` are the names to be shown."""
    headings, rows = leaderboard_rows(book, shown)
    rows = [[clean(cell) for cell in row] for row in rows]
    columns = {heading: [row[number] for row in rows] for number, heading in enumerate(headings[:-2])}
    if _width(columns) > console.width:
        columns = _narrow(console, book, columns)
    console.print(_table(columns))
    remarks = [f"{row[1]}: {row[-1]}" for row in rows if row[-1] not in (GRADED, UNFINISHED)]
    if unfinished := [row[1] for row in rows if row[-1] == UNFINISHED]:
        more = f" and {len(unfinished) - MOST_NAMED} more" if len(unfinished) > MOST_NAMED else ""
        remarks.append(f"{UNFINISHED}: {', '.join(unfinished[:MOST_NAMED])}{more}")
    if remarks:
        console.print()
    for remark in remarks:
        _remark(console, remark)
    said = ", ".join(filter(None, (conditions(book.plan.spec, seed=False), rounds_text(book))))
    console.print(Text(f"\n{said}", "dim"))


def tell_where(console: Console, target: Path, store: Path) -> None:
    """Where everything is; lines that stay whole, so that they can be copied."""
    console.print(f"leaderboard, reports and Gradescope's results are in {clean(target)}", markup=False, soft_wrap=True)
    command = f"harena serve --public --host 0.0.0.0 --store {clean(shlex.quote(str(store)))}"
    console.print(Text(f"to show it to the class, at /leaderboard: {command}", "dim"), soft_wrap=True)


def _width(columns: Columns, room: int = ROOM) -> int:
    """That a table needs, names being folded to so many letters."""
    longest = {heading: max(map(cell_len, (heading, *cells))) for heading, cells in columns.items()}
    return sum(2 + (min(width, room) if heading == NAME else width) for heading, width in longest.items())


def _narrow(console: Console, book: Book, columns: Columns) -> Columns:
    """Letters for levels, which are said before, and numbers alone; then without the columns that matter least."""
    letters = dict(zip((level.player for level in book.plan.levels), ascii_uppercase, strict=False))
    found = {
        letters.get(heading, heading): cells if heading == NAME else [cell.partition(" of ")[0] for cell in cells]
        for heading, cells in columns.items()
    }
    left_out = []
    for heading, room in LEFT_OUT.items():
        if heading in found and _width(_shortened(found), room) > console.width:
            del found[heading]
            left_out.append(heading)
    named = ", ".join(f"{letter}: {name}" for name, letter in letters.items())
    said = f"{named}; points of {2 * book.plan.pairs} against each"
    if _width(_shortened(found), LEAST_ROOM) > console.width:
        found = {heading: cells for heading, cells in found.items() if heading not in letters.values()}
        left_out, said = [*left_out, "levels"], ""
    missing = f"{', '.join(reversed(left_out))}: see leaderboard.csv" if left_out else ""
    console.print(Text("; ".join(filter(None, (said, missing))), "dim"))
    return _shortened(found)


def _shortened(columns: Columns) -> Columns:
    return {SHORT.get(heading, heading): cells for heading, cells in columns.items()}


def _table(columns: Columns) -> Table:
    made = Table(box=None, padding=(0, 1))
    for heading in columns:
        is_name = heading == NAME
        made.add_column(heading, justify="left" if is_name else "right", overflow="fold", no_wrap=not is_name)
    for row in zip(*columns.values(), strict=True):
        made.add_row(*map(Text, row))
    return made


def _remark(console: Console, remark: str) -> None:
    lines = Text(remark).wrap(console, max(1, console.width - len(INDENT)))
    for number, line in enumerate(lines):
        line.rstrip()
        console.print(Text(INDENT * bool(number)) + line, soft_wrap=True)
