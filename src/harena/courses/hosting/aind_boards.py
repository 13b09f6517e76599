"""Positions as the course's Board, ours or a submission's own: any start, whoever is to move."""

from __future__ import annotations

from typing import Any

NUMBERS = {"1": -1, "2": -2}  # where the list keeps the cells of the players
SIDE = -3


def can_restore(board: Any) -> bool:
    """Whether positions can be set up on boards of this class: it keeps its cells in one of the course's two ways."""
    try:
        empty = board(object(), object(), 4, 3)
        return _is_flat(empty, 12) or _is_nested(empty)
    except Exception:  # a student's own class may raise anything: then it is no board of the course
        return False


def _is_flat(game: Any, cells: int) -> bool:
    state = getattr(game, "_board_state", None)
    return isinstance(state, list) and len(state) == cells + 3


def _is_nested(game: Any) -> bool:
    return isinstance(getattr(game, "__board_state__", None), list) and hasattr(game, "__last_player_move__")


def restored(board: Any, players: tuple[Any, Any], text: str) -> Any:
    """The position of a text, with these players; every cell that is not blank counts as a move made."""
    rows, side = text.split(" ")
    signs = rows.split("/")
    game = board(*players, len(signs[0]), len(signs))
    cells = {(row, column): sign for row, line in enumerate(signs) for column, sign in enumerate(line)}
    taken = sum(sign != "." for sign in cells.values())
    if _is_nested(game):
        _fill_rows(game, players, cells)
        names = ("__active_player__", "__inactive_player__")
    else:
        _fill_list(game, len(signs), cells, int(side) - 1)
        names = ("_active_player", "_inactive_player")
    game.move_count = taken
    for name, player in zip(names, players if side == "1" else players[::-1]):
        setattr(game, name, player)
    return game


def _fill_rows(game: Any, players: tuple[Any, Any], cells: dict[tuple[int, int], str]) -> None:
    """Rows of 0, and of 1 and 2 for whoever was there; who visited a cell before the start is not known: 1."""
    game.__last_player_move__ = dict.fromkeys(players)
    for (row, column), sign in cells.items():
        game.__board_state__[row][column] = {".": 0, "2": 2}.get(sign, 1)
        if sign in "12":
            game.__last_player_move__[players[int(sign) - 1]] = (row, column)


def _fill_list(game: Any, height: int, cells: dict[tuple[int, int], str], side: int) -> None:
    """One list: 0 or 1 by row + column * height, then the side to move and where the players are."""
    state = game._board_state
    state[SIDE:] = [side, None, None]
    for (row, column), sign in cells.items():
        state[row + column * height] = int(sign != ".")
        if sign in NUMBERS:
            state[NUMBERS[sign]] = row + column * height
