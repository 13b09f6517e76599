"""Tiles: remove a tile of your own colour; each orthogonal neighbour left with two open sides or more falls with it.

A side is open when it faces an empty cell; walls of the board hold. One pass: what falls does not make others fall. You
win when your colour has vanished and the other has not; an empty board is a draw. A move is the cell of the tile.
"""

from typing import Any, NamedTuple

import numpy as np

from harena.contract import (
    DRAW,
    RUNNING,
    Moves,
    Outcome,
    initial,
    key,
    max_moves,
    mover,
    moves,
    outcome,
    play,
    random_move,
    without_points,
)
from harena.kernel.bits import mix
from harena.kernel.boards import (
    Medium,
    Small,
    board_key,
    both,
    count,
    down,
    either,
    is_empty,
    left,
    minus,
    nth_cell,
    right,
    single,
    up,
    width,
)
from harena.kernel.generic import generic, helper
from harena.kernel.rng import Rng, below

RED, BLUE = 0, 1
LAST_COLUMN = np.uint64(0x8080808080808080)  # of Small, the only layout that a board can fill to the edge


class TilesSetup(NamedTuple):
    """The options of a game: `empty` is a board without cells, of the class that the size needs."""

    empty: Any
    size: int
    first: int  # the colour that moves first, RED or BLUE
    shuffled: bool  # equal counts at random cells, in place of the checkerboard


class TilesBoard(NamedTuple):
    """A given board to start from."""

    red: Any
    blue: Any
    gaps: Any
    first: int  # the colour that moves first


class Tiles(NamedTuple):
    """A position, seen by the player to move. Every cell is in exactly one of the three sets."""

    mine: Any
    theirs: Any
    gaps: Any  # the empty cells
    player: int  # who is to move, 0 or 1
    colour: int  # of the player to move


@generic
def around(board: Any) -> Any:
    """The orthogonal neighbours of a set of cells (cells off the board may be among them)."""


@around.method(Small)
def _(board: Any) -> Any:
    inner = ~LAST_COLUMN
    return Small(
        (board.a & inner) << np.uint64(1)
        | (board.a >> np.uint64(1)) & inner
        | board.a << np.uint64(8)
        | board.a >> np.uint64(8)
    )


@around.method(Medium)
def _(board: Any) -> Any:
    return either(either(right(board), left(board)), either(down(board), up(board)))


@helper
def falling(state: Tiles, tile: Any) -> Any:
    """The neighbours of the removed tile that fall: those with an open side besides the one towards it."""
    return both(both(around(tile), either(state.mine, state.theirs)), around(state.gaps))


@initial.method(TilesSetup)
def _(setup: TilesSetup, rng: Rng) -> Tiles:
    red = setup.empty
    blue = setup.empty
    cells = setup.size * setup.size
    blues = (cells + 1) // 2  # odd boards have one B more
    left_over = cells
    for row in range(setup.size):
        for column in range(setup.size):
            cell = single(setup.empty, width(setup.empty) * row + column)
            is_blue = below(rng, left_over) < blues if setup.shuffled else (row + column) % 2 == 0
            if is_blue:
                blue = either(blue, cell)
                blues -= 1
            else:
                red = either(red, cell)
            left_over -= 1
    if setup.first == RED:
        return Tiles(red, blue, setup.empty, 0, RED)
    return Tiles(blue, red, setup.empty, 0, BLUE)


@initial.method(TilesBoard)
def _(setup: TilesBoard, rng: Rng) -> Tiles:
    if setup.first == RED:
        return Tiles(setup.red, setup.blue, setup.gaps, 0, RED)
    return Tiles(setup.blue, setup.red, setup.gaps, 0, BLUE)


@mover.method(Tiles)
def _(state: Tiles) -> int:
    return state.player


@max_moves.method(Tiles)
def _(state: Tiles) -> int:
    return max(count(state.mine), count(state.theirs))


@moves.method(Tiles)
def _(state: Tiles, out: Moves, at: int) -> int:
    number = count(state.mine)
    for index in range(number):
        out[at + index] = nth_cell(state.mine, index)
    return number


@random_move.method(Tiles)
def _(state: Tiles, rng: Rng) -> int:
    return nth_cell(state.mine, below(rng, count(state.mine)))


@play.method(Tiles)
def _(state: Tiles, move: int) -> Tiles:
    tile = single(state.gaps, move)
    gone = either(tile, falling(state, tile))
    return Tiles(
        minus(state.theirs, gone), minus(state.mine, gone), either(state.gaps, gone), 1 - state.player, 1 - state.colour
    )


@outcome.method(Tiles)
def _(state: Tiles) -> Outcome:
    if is_empty(state.mine):
        return without_points(DRAW if is_empty(state.theirs) else state.player)
    return without_points(1 - state.player if is_empty(state.theirs) else RUNNING)


@key.method(Tiles)
def _(state: Tiles) -> np.uint64:
    side = np.uint64(2 * state.player + state.colour)
    return mix(mix(board_key(state.mine) ^ side) ^ board_key(state.theirs))
