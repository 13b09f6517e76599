"""A state as JSON: all that a page needs to draw it and to let somebody move. `static/board.js` is the other side.

| key | |
|---|---|
| `game`, `options`, `position` | what it is; `position` is the text that everything else takes |
| `mover` | 0, 1, or 2 for chance |
| `over`, `winner`, `score` | how it ended; `winner` is 0, 1 or null for a draw |
| `caption` | in words, whose turn it is or who has won |
| `picture` | rows, columns, cells, walls, marks, heat: as `games/picture.py`, cells as [row, column] |
| `moves` | each with its text, cell, and where there is one its wall's side; a throw with its hit chance and spread |
| | of a tile: `falls`, the cells of the tiles that its removal lets fall |
"""

from typing import Any

from harena.api import Move, State
from harena.contract import CHANCE
from harena.games.layout import cells_of
from harena.games.picture import Picture

SIDES = "urdl"


def seen(state: State) -> dict[str, Any]:
    """The state; of a game that draws no board `picture` is None."""
    outcome, picture = state.outcome, state.picture
    return {
        "game": state.game.name,
        "options": {key: str(value) for key, value in state.game.options.items()},
        "position": state.text,
        "mover": None if outcome else state.mover,
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "score": list(outcome.score) if outcome and outcome.score else None,
        "caption": state.caption,
        "last": None if state.last_move is None else str(state.last_move),
        "picture": None if picture is None else pictured(picture),
        "moves": [] if outcome or state.mover == CHANCE else [_move(state, move) for move in state.moves()],
    }


def pictured(picture: Picture) -> dict[str, Any]:
    """A picture as JSON."""
    return {
        "rows": picture.rows,
        "columns": picture.columns,
        "cells": [[row, column, holds] for (row, column), holds in sorted(picture.cells.items())],
        "walls": None if picture.walls is None else [list(side) for side in sorted(picture.walls)],
        "new_wall": None if picture.new_wall is None else list(picture.new_wall),
        "marks": [[row, column, sorted(marks)] for (row, column), marks in sorted(picture.marks.items())],
        "heat": [[row, column, warmth] for (row, column), warmth in sorted(picture.heat.items())],
        "caption": picture.caption,
    }


def _move(state: State, move: Move) -> dict[str, Any]:
    cell = state.game.face.cell_of(state.value, int(move))
    plain: dict[str, Any] = {"text": str(move), "cell": None if cell is None else list(cell)}
    if state.game.name == "colosseum":
        plain["side"] = str(move)[-1]
    if str(move).startswith("@"):
        plain |= _throw(state, move)
    if state.game.name == "tiles":
        gone = cells_of(state.play(move).value.gaps) - cells_of(state.value.gaps) - {cell}
        plain["falls"] = [list(one) for one in sorted(gone)]
    return plain


def _throw(state: State, move: Move) -> dict[str, Any]:
    """Where a throw may land: the chance of a hit, and every cell with its chance."""
    chances = state.play(move).chances()
    face, value = state.game.face, state.value
    spread = [[*(face.cell_of(value, int(landing)) or ()), round(chance, 6)] for landing, chance in chances]
    target = face.cell_of(value, int(move))
    hit = sum(chance for landing, chance in chances if face.cell_of(value, int(landing)) == target)
    return {"hit": round(hit, 6), "spread": spread}
