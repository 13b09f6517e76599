"""`harena games`: what there is."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harena.games.catalogue import CATALOGUE, Entry


def list_games() -> None:
    """Print every game with its sizes, set-ups, defaults and notation."""
    console = Console(highlight=False)
    for entry in CATALOGUE.values():
        console.print(Text.assemble((entry.name, "bold"), f"  {entry.title}: {entry.summary}"))
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="dim")
        table.add_column()
        for label, text in _lines(entry):
            table.add_row(f"  {label}", text)
        console.print(table)
        console.print()
    console.print("A cell is a letter for the column and a number for the row; a1 is at the top left.")
    console.print("[dim]harena show GAME draws a board; the path of a Python file names a game of your own.[/dim]")


def _lines(entry: Entry) -> list[tuple[str, str]]:
    smallest, largest = entry.sizes or (0, 0)
    shape = "rows x columns, each" if entry.rectangles else "square,"
    lines = [("size", f"{shape} {smallest} to {largest}; default {entry.default_size}")]
    for number, (name, meaning) in enumerate(entry.setups.items()):
        lines.append(("set-up" if number == 0 else "", f"{name}{' (default)' if number == 0 else ''}: {meaning}"))
    if entry.firsts:
        others = " or ".join(f"--first {colour}" for colour in entry.firsts[1:])
        lines.append(("first", f"{entry.firsts[0]} moves first (default), {others} otherwise"))
    lines += [("notation" if number == 0 else "", text) for number, text in enumerate(entry.notation)]
    return lines
