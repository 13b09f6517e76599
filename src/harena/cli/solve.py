"""`harena solve`: the exact value of a position."""

import json
import sys
import time
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harena.agents.analysis import as_dict, heat, line, solver_for
from harena.api import State
from harena.cli.compiling import announced
from harena.cli.start import draw, find_state
from harena.contract import CHANCE
from harena.errors import UsageError
from harena.kernel import patience
from harena.search.result import Limits
from harena.search.solver import Solution

WORDS = {1.0: "wins", 0.0: "draws", -1.0: "loses"}
STOPPABLE = "Ctrl-C stops it with what is proven so far"
STOPPED = {
    "seconds": "the time was up",
    "nodes": "the positions were used up",
    "interrupted": "you stopped it",
    "too long": "its games are too long",
}


class Working:
    """What stands beside the spinner, with the seconds since it began."""

    def __init__(self) -> None:
        self.begin = time.perf_counter()

    def __rich__(self) -> Text:
        return Text(f"solving, {time.perf_counter() - self.begin:,.0f} s ({STOPPABLE})")


def solve(
    name: str,
    options: dict[str, Any],
    seed: int,
    position: str | None,
    limits: Limits,
    *,
    complete: bool,
    memory: float,
    as_json: bool,
) -> None:
    """Prove and print the value and a best line, or say how far it got."""
    progress = Console(stderr=True, highlight=False)
    with progress.status("") as status, announced(is_shown=True):
        state = patience.run(find_state, name, options, seed, position)
        if state.is_over:
            raise UsageError(f"there is nothing to solve: {state.outcome}")
        solver = solver_for(state.game.name, complete, memory)
        if not progress.is_terminal:
            print(f"solving {state.game.name}; {STOPPABLE}", file=sys.stderr, flush=True)
        status.update("compiling (only once)")
        patience.run(replace(solver, megabytes=1.0).run, state.value, Limits(nodes=2))
        status.update(Working())
        solution = patience.run_until_stopped(lambda flag: solver.run(state.value, limits, flag=flag))
    if as_json:
        print(json.dumps(as_dict(state, solution), indent=2))
    else:
        _print(Console(highlight=False), state, solution)


def _print(console: Console, state: State, solution: Solution) -> None:
    picture = state.picture
    if picture is not None:
        print(draw(replace(picture, heat=heat(state, solution.root) if state.mover != CHANCE else {})))
        console.print()
    console.print(f"[bold]{_verdict(state, solution)}[/bold]")
    rate = f" ({solution.positions / solution.seconds:,.0f} a second)" if solution.seconds > 0.01 else ""
    console.print(f"{solution.positions:,} positions visited in {solution.seconds:.3f} s{rate}")
    if moves := line(state, solution):
        console.print("line: " + " ".join(str(move) for move in moves))
    if solution.root:
        console.print()
        console.print(_table(state, solution))
    console.print(f"\nposition: {state.text}", soft_wrap=True)


def _verdict(state: State, solution: Solution) -> str:
    who = "player 1" if state.mover == CHANCE else f"player {state.mover + 1}"
    if solution.value is None:
        why = STOPPED.get(solution.stopped, solution.stopped)
        known = {(-1.0, 0.0): f"{who} does not win", (0.0, 1.0): f"{who} does not lose"}
        told = known.get((solution.low, solution.high), f"the value is between {solution.low:g} and {solution.high:g}")
        settled = sum(one.bound == "=" for one in solution.root)
        return f"not solved, {why}; proven so far: {told}; {settled} of {len(state.moves())} moves settled"
    if solution.value in WORDS:
        return f"{who} {WORDS[solution.value]}"
    return f"{who} expects {solution.value:+.6g} (1 is a win, -1 a loss)"


BOUNDS = {("<=", 0.0): "does not win", (">=", 0.0): "does not lose", ("<=", -1.0): "loses", (">=", 1.0): "wins"}


def _table(state: State, solution: Solution) -> Table:
    groups: dict[str, list[str]] = {}
    for one in solution.root:
        value = one.value if one.value is not None else 0.0
        exact = WORDS.get(value, f"{value:+.4g}")
        word = exact if one.bound == "=" else BOUNDS.get((one.bound, value), f"{one.bound} {value:+.4g}")
        groups.setdefault(word, []).append(str(state.named(one.move)))
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="cyan")
    table.add_column()
    for word, moves in groups.items():
        table.add_row(word, " ".join(moves))
    if unknown := len(state.moves()) - len(solution.root):
        table.add_row(
            "not known", f"{unknown} more moves" + (" (--all settles them too)" if solution.value is not None else "")
        )
    return table
