"""What a search found, put on the board: which cells it likes, and its line as moves."""

from collections.abc import Mapping
from dataclasses import replace

from harena.agents.algorithms import megabytes
from harena.agents.player import Player
from harena.api import Move, State
from harena.games.picture import Cell
from harena.heuristics.separated import Separated
from harena.search.deepening import Deepening
from harena.search.prove import NoShortcut
from harena.search.result import Limits, Result, RootMove
from harena.search.solver import Solution, Solver

HOTTEST = 9


def analyst(player: Player) -> Player:
    """The same player, made to find the exact value of every move where its search otherwise proves only bounds."""
    if isinstance(player.search, Deepening) and player.search.algorithm.windows:
        return Player(player.text, player.game, replace(player.search, full=True), player.limits)
    return player


def warmths(root: tuple[RootMove, ...]) -> dict[int, int]:
    """For each move of which something is known how good it looks, 0 to 9: by visits, or by value."""
    if any(one.visits for one in root):
        most = max(one.visits or 0 for one in root)
        return {one.move: round(HOTTEST * (one.visits or 0) / most) for one in root}
    open_values = [one.value for one in root if one.value is not None and one.proven is None]
    has_proof = len(open_values) < len([one for one in root if one.value is not None])
    coldest, hottest = (1, HOTTEST - 1) if has_proof else (0, HOTTEST)
    low, high = (min(open_values), max(open_values)) if open_values else (0.0, 0.0)
    found = {}
    for one in root:
        if one.proven is not None:
            found[one.move] = (0, HOTTEST // 2, HOTTEST)[one.proven + 1]
        elif one.value is not None:
            share = (one.value - low) / (high - low) if high > low else 0.5 if has_proof else 1.0
            found[one.move] = round(coldest + (hottest - coldest) * share)
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


def solve(state: State, limits: Limits | None = None, *, complete: bool = True, memory: float = 256.0) -> Solution:
    """The exact value of a position, if the limits allow: 1 won, 0 drawn, -1 lost for the player to move."""
    return solver_for(state.game.name, complete, memory).run(state.value, limits or Limits())


def solver_for(game: str, complete: bool, memory: float) -> Solver:
    """The solver with the shortcut that a game has."""
    return Solver(Separated() if game == "isolation" else NoShortcut(), megabytes(memory), complete)
