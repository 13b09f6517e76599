"""Bare lists of moves, as people and courses keep them: JSON, or Python as a course's program prints it.

* the Isolation course's list: `[[3, 3], [2, 1], ...]`, row and column from 0, both placements first;
* its older list of rounds: `[[(3, 3), (2, 1)], ...]`, whose last move may be the `(-1, -1)` or None that lost the game;
* moves in our notation: `["d4", "b3"]`, or words: `d4 b3`.

A list without the placements (the course leaves out an opening that it drew) cannot be told from one with them: its
first moves are shown as placements.
"""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harena.arena.replay import played
from harena.errors import BadText
from harena.games.notation import LETTERS, format_cell

if TYPE_CHECKING:
    from harena.api import State

NO_MOVE = ((-1, -1), None)


@dataclass(frozen=True, kw_only=True)
class MoveList:
    """The moves in our notation; `gave_up`: the last answer of the loser was no move."""

    moves: tuple[str, ...]
    gave_up: bool = False

    def states(self, start: "State") -> Iterator["State"]:
        """The start, and the position after each move; BadGame names the first that the rules forbid."""
        return played(start, self.moves)


def read_moves(text: str) -> MoveList:
    """The moves of such a text; BadText says what is wrong with any other."""
    plain = _data(text)
    if not isinstance(plain, list | tuple):
        raise BadText("a list of moves is a list like [[3, 3], [2, 1]], or words like d4 b3")
    if plain and all(_is_round(one) for one in plain):
        plain = [answer for one in plain for answer in one]
    gave_up = bool(plain) and _cell(plain[-1]) in NO_MOVE
    moves = plain[:-1] if gave_up else plain
    return MoveList(moves=tuple(_move(one, number) for number, one in enumerate(moves, 1)), gave_up=gave_up)


def _data(text: str) -> Any:
    if not text.lstrip().startswith(("[", "(", "{")):
        return [word.rstrip(",;") for word in text.split()]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise BadText("this is no list of moves: neither JSON nor Python can read it") from None


def _cell(one: Any) -> Any:
    return tuple(one) if isinstance(one, list) else one


def _is_number(one: Any) -> bool:
    return isinstance(one, int) and not isinstance(one, bool)


def _is_round(one: Any) -> bool:
    """One or two answers of the players, each a pair of numbers or None."""
    return (
        isinstance(one, list | tuple)
        and 1 <= len(one) <= 2
        and all(answer is None or (isinstance(answer, list | tuple) and len(answer) == 2) for answer in one)
    )


def _move(one: Any, number: int) -> str:
    if isinstance(one, str) and one.strip():
        return one.strip()
    cell = _cell(one)
    if isinstance(cell, tuple) and len(cell) == 2 and all(_is_number(part) for part in cell):
        row, column = cell
        if 0 <= row < 99 and 0 <= column < len(LETTERS):
            return format_cell(row, column)
    raise BadText(f"move {number}, {one!r:.40}, is none: write [row, column] from 0, or a move's text")
