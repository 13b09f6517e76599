"""`harena agents`: the players there are."""

import inspect

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harena.agents.names import PLAYERS
from harena.errors import UnknownName
from harena.games.catalogue import CATALOGUE


def list_agents(game: str | None) -> None:
    """Print the named players of one game or of all, the searches behind them, and the heuristics."""
    if game is not None and game not in CATALOGUE:
        raise UnknownName("game", game, CATALOGUE)
    console = Console(highlight=False, soft_wrap=False)
    for name in CATALOGUE if game is None else [game]:
        console.print(Text(name, "bold"))
        table = _table()
        for key, entry in PLAYERS[name].items():
            table.add_row(key, entry.about, entry.origin if game is None else f"{entry.origin}: {entry.text}")
        console.print(table)
        console.print()
    if game is None:
        console.print(
            "[dim]harena agents GAME shows what each name stands for, with the searches and heuristics.[/dim]"
        )
        return
    _print_searches(console, game)
    _print_heuristics(console, game)


def _print_searches(console: Console, game: str) -> None:
    from harena.agents.player import builders, options_of

    console.print(Text("searches, and their options", "bold"))
    table = _table()
    for key, build in builders(game).items():
        about = (inspect.getdoc(build) or "").splitlines()[0]
        options = ", ".join(f"{option.name}={_shown(option.default)}" for option in options_of(build))
        table.add_row(key, about, options)
    console.print(table)
    console.print("every search: seconds, nodes, iterations, depth; e.g. mcts(c=0.5, rave=true, seconds=1)\n")


def _print_heuristics(console: Console, game: str) -> None:
    from harena.heuristics.names import TABLES

    console.print(Text("heuristics", "bold"))
    table = _table()
    for key, named in TABLES[game].items():
        table.add_row(key, named.about, "")
    console.print(table)
    console.print("sums: 0.5*improved + proximity   phases: phased(early, late)   your own: mine.py:my_score")


def _table() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="cyan")
    table.add_column()
    table.add_column(style="dim")
    return table


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, int) and default >= 10**9:
        return "all"
    return f"{default:g}" if isinstance(default, (int, float)) else str(default) or "-"
