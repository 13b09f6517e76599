"""What a search found, put on the board: which cells it likes, and its line as moves."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harena.agents.algorithms import megabytes
from harena.agents.player import Player
from harena.api import Move, State
from harena.errors import BadOption
from harena.games.picture import Cell
from harena.heuristics.separated import Separated
from harena.kernel import patience
from harena.search.deepening import Deepening
from harena.search.prove import NoShortcut
from harena.search.result import Limits, Result, RootMove, Search
from harena.search.solver import Solution, Solver
from harena.search.workspace import WIN

HOTTEST = 9
UNPROVEN = (2, 5)  # of moves beside proven losses at least, and beside proven wins at most
LEAST_SPAN, LEAST_DIFFERENCE = 0.2, 0.02  # from the best to a cold move: a share of the values, and by itself
ALMOST = 0.8 * WIN  # what is nearly won or lost does not make all others look alike
LONGEST_LINE = 8  # moves of a line in words
VERDICTS = {1: "proven win", 0: "proven draw", -1: "proven loss", None: ""}


def behind(search: Search) -> Search:
    """The search that a player looks at a position with, where something else may decide before or after it."""
    return getattr(search, "search", search)


def analyst(player: Player) -> Player:
    """The same player, made to find the exact value of every move where its search otherwise proves only bounds."""
    search = behind(player.search)
    if isinstance(search, Deepening) and search.algorithm.windows:
        return Player(player.text, player.game, replace(search, full=True), player.limits, player.usual)
    return player


def warmths(root: tuple[RootMove, ...]) -> dict[int, int]:
    """For each move of which something is known how good it looks, 0 to 9: by visits, or by value.

    Values that hardly differ look alike, and what is proven stands apart from what is not.
    """
    if any(one.visits for one in root):
        most = max(one.visits or 0 for one in root)
        found = {one.move: round(HOTTEST * one.visits / most) for one in root if one.visits is not None}
        return found | {root[0].move: HOTTEST}  # its choice, by whatever rule
    judged = [one.value for one in root if one.value is not None and one.proven is None]
    coldest = UNPROVEN[0] if any(one.proven == -1 for one in root) else 0
    hottest = UNPROVEN[1] if any(one.proven == 1 for one in root) else HOTTEST
    plain = [value for value in judged if abs(value) < ALMOST] or [0.0]
    best, span = max(plain), max(max(plain) - min(plain), LEAST_SPAN * max(map(abs, plain)), LEAST_DIFFERENCE)
    found = {}
    for one in root:
        if one.proven is not None:
            found[one.move] = (0, HOTTEST // 2, HOTTEST)[one.proven + 1]
        elif one.value is not None:
            share = min(max((best - one.value) / span, 0.0), 1.0)
            found[one.move] = round(hottest - (hottest - coldest) * share)
    return found


def heat(state: State, root: tuple[RootMove, ...]) -> Mapping[Cell, int]:
    """For each cell the warmth of the best move there."""
    cells: dict[Cell, int] = {}
    for move, warmth in warmths(root).items():
        cell = state.game.face.cell_of(state.value, move)
        if cell is not None:
            cells[cell] = max(warmth, cells.get(cell, 0))
    return cells


def line(state: State, result: Result | Solution) -> list[Move]:
    """The line of best play as moves; it ends where it no longer fits, as after a chance node."""
    found: list[Move] = []
    for number in result.line:
        if number not in state.moves():
            break
        found.append(state.named(number))
        state = state.play(number)
    return found


def as_dict(state: State, found: Result | Solution) -> dict[str, Any]:
    """All that a search or the solver found of a position, for a program to read: moves are texts."""
    plain = {key: value for key, value in vars(found).items() if key not in ("move", "line", "root")}
    root = [
        {"move": str(state.named(one.move))}
        | {key: value for key, value in vars(one).items() if key != "move" and value is not None}
        for one in found.root
    ]
    words = [str(move) for move in line(state, found)]
    return {"game": state.game.name, "position": state.text, **plain, "line": words, "root": root}


def worth(found: Result, score: float | None = None) -> str:
    """What a search thinks of its move: what is proven, else the score to expect where it is known, else its value."""
    if found.proven is not None:
        return VERDICTS[found.proven]
    if score is not None:
        return f"expected score {100 * score:.0f} %"
    return "" if found.value is None else own_scale(found.value, "value" if found.iterations is None else "mean reward")


def own_scale(value: float, what: str = "value") -> str:
    """A number of which only the search or agent that says it knows the meaning."""
    shown = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{what} {shown} on its own scale"


def reason(state: State, found: Result, score: float | None = None) -> str:
    """Why a search likes its move: what it is worth, how deep it looked, and how the game may go on."""
    parts = [said] if (said := worth(found, score)) else []
    if found.depth is not None:
        parts.append(f"depth {found.depth}")
    if len(moves := line(state, found)) > 1:
        more = " ..." if len(moves) > LONGEST_LINE else ""
        parts.append(f"line {' '.join(map(str, moves[:LONGEST_LINE]))}{more}")
    return ", ".join(parts) or "it draws at random"


def solve(state: State, limits: Limits | None = None, *, complete: bool = True, memory: float = 256.0) -> Solution:
    """The exact value of a position for the player to move, if the limits allow: 1 won, 0 drawn, -1 lost.

    Of the limits, seconds and nodes count.

    Ctrl-C stops it with what is proven so far.
    """
    if not isinstance(state, State) or not isinstance(limits or Limits(), Limits):
        raise BadOption(f"solve takes a State and harena.Limits, not {state!r} and {limits!r}")
    solver, allowed = solver_for(state.game.name, complete, memory), limits or Limits()
    if threading.current_thread() is threading.main_thread():
        return patience.run_until_stopped(lambda flag: solver.run(state.value, allowed, flag=flag))
    return solver.run(state.value, allowed)


def solver_for(game: str, complete: bool, memory: float) -> Solver:
    """The solver with the shortcut that a game has."""
    return Solver(Separated() if game == "isolation" else NoShortcut(), megabytes(memory), complete)
