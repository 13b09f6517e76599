"""The bracket of a knockout tournament, printed."""

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from harena.arena import words
from harena.arena.bracket import bracket, rows, winner
from harena.arena.tournament import Table


def print_bracket(console: Console, table: Table) -> None:
    """If it is a knockout: a line a match, round by round, and then the winner."""
    if table.plan.type != "knockout":
        return
    found, names = bracket(table), words.short_names(table.plan.spec.agents)
    lines = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("round", "", "points", "", ""):
        lines.add_column(heading, justify="right" if heading == "points" else "left", overflow="fold")
    before = ""
    for name, *rest in rows(found, names):
        lines.add_row("" if name == before else name, *map(Text, rest))
        before = name
    console.print(lines)
    console.print(Text(f"\n{winner(found, names)}\n", "bold"))
