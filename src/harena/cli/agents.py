"""`harena agents`: the players there are."""

import inspect
from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from harena.agents.names import PARTNER, PLAYERS, Entry
from harena.errors import UnknownName
from harena.games.catalogue import CATALOGUE
from harena.heuristics.catalogue import HEURISTICS


def list_agents(game: str | None) -> None:
    """Print the named players of one game or of all; of one game also the searches behind them, and the heuristics."""
    console = Console(highlight=False)
    if game is not None and game not in CATALOGUE:
        _print_own(console, game)
        return
    for name in CATALOGUE if game is None else [game]:
        console.print(Text(f"{name}: players", "bold"))
        table = _table()
        for key, entry in _folded(PLAYERS[name], partners=game is None).items():
            stands_for = "" if game is None or key == entry.text else f"\n[dim]{escape(entry.text)}[/dim]"
            table.add_row(escape(key), f"{escape(entry.about)}{stands_for}", entry.origin)
        console.print(table)
        console.print()
    if game is None:
        console.print("[dim]harena agents GAME shows what each stands for, its searches and its heuristics.[/dim]")
        return
    _print_searches(console, game)
    _print_heuristics(console, game)


def _print_own(console: Console, game: str) -> None:
    """A game of one's own has the searches, `null`, and whatever functions one writes."""
    if not game.endswith(".py") and ":" not in game:
        raise UnknownName("game", game, CATALOGUE)
    from harena.find import face

    name = face(game).entry.name
    _print_searches(console, name)
    console.print("heuristics: [cyan]null[/cyan], and your own: [cyan]mine.py:my_score[/cyan]")


def _folded(players: Mapping[str, Entry], *, partners: bool) -> dict[str, Entry]:
    """One row for the players that differ only in their heuristic, and on request one for all sparring partners."""
    families = {"id_": ("id(heuristic=NAME, seconds=0.15)", "iterative deepening with any of the heuristics")}
    if partners:
        families[PARTNER] = ("", "partners of other styles to try a champion against")
    found: dict[str, Entry] = {}
    for name, entry in players.items():
        family = next((one for one in families if name.startswith(one)), None)
        if family is None:
            found[name] = entry
        elif f"{family}NAME" not in found:
            text, about = families[family]
            names = " ".join(other.removeprefix(family) for other in players if other.startswith(family))
            found[f"{family}NAME"] = Entry(text=text, about=f"{about}: {names}", origin=entry.origin)
    return found


def _print_searches(console: Console, game: str) -> None:
    from harena.agents.player import builders, options_of

    console.print(Text("searches, with their options", "bold"))
    table = _table()
    for key, build in builders(game).items():
        if key.startswith(PARTNER):
            continue
        about = escape((inspect.getdoc(build) or "").splitlines()[0])
        options = ", ".join(_shown(option.name, option.default) for option in options_of(build))
        table.add_row(key, about + (f"\n[dim]{escape(options)}[/dim]" if options else ""), "")
    console.print(table)
    console.print("and for every search: seconds, nodes, iterations, depth. For example:")
    console.print("[cyan]mcts(c=0.5, rave=true, seconds=1)[/cyan]")
    console.print("your own: [cyan]mine.py:MySearch(width=4)[/cyan], docs/search/own.md\n")


def _print_heuristics(console: Console, game: str) -> None:
    console.print(Text("heuristics", "bold"))
    table = _table()
    for key, about in HEURISTICS[game].items():
        table.add_row(key, about, "")
    console.print(table)
    first, second = list(HEURISTICS[game])[1:3]
    console.print(f"sums [cyan]{first} + 0.5*{second}[/cyan], phases [cyan]phased({first}, {second})[/cyan]")
    console.print("your own [cyan]mine.py:my_score[/cyan]")


def _table() -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="cyan")
    table.add_column()
    table.add_column(style="dim")
    return table


def _shown(name: str, default: object) -> str:
    if isinstance(default, bool):
        return f"{name}={str(default).lower()}"
    shown = f"{default:g}" if isinstance(default, (int, float)) else str(default)
    return f"{name}={shown}" if shown else name
