"""A game of your own in one file: tic-tac-toe, at native speed.

    harena show examples/tictactoe.py
    harena show examples/tictactoe.py --position "XO./.X./..O 1"
    harena perft examples/tictactoe.py 9

The rules are methods of the words in `harena.contract`; the Face below them is what people type and see.
"""

from typing import NamedTuple

import numpy as np

from harena import Entry, Face, Picture
from harena.contract import DRAW, RUNNING, initial, key, max_moves, mover, moves, outcome, play, without_points
from harena.games import notation
from harena.kernel.bits import bit, lowest, mix, popcount
from harena.kernel.generic import helper
from harena.kernel.values import coerce

BOARD = np.uint64(0b111_111_111)
LINES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.uint64)


class Start(NamedTuple):
    """The options of a game: here only who begins."""

    player: int


class TicTacToe(NamedTuple):
    """A position, seen by the player to move; a cell is 3 * row + column."""

    mine: np.uint64
    theirs: np.uint64
    player: int


@helper
def has_line(cells: np.uint64) -> bool:
    for line in LINES:
        if cells & line == line:
            return True
    return False


@initial.method(Start)
def _(setup, rng):
    return TicTacToe(np.uint64(0), np.uint64(0), setup.player)


@mover.method(TicTacToe)
def _(state):
    return state.player


@max_moves.method(TicTacToe)
def _(state):
    return 9


@moves.method(TicTacToe)
def _(state, out, at):
    free = BOARD & ~(state.mine | state.theirs)
    count = popcount(free)
    for index in range(at, at + count):
        out[index] = lowest(free)
        free &= free - np.uint64(1)
    return count


@play.method(TicTacToe)
def _(state, move):
    return TicTacToe(state.theirs, state.mine | bit(move), 1 - state.player)


@outcome.method(TicTacToe)
def _(state):
    if has_line(state.theirs):
        return without_points(1 - state.player)
    return without_points(DRAW if state.mine | state.theirs == BOARD else RUNNING)


@key.method(TicTacToe)
def _(state):
    return mix(mix(mix(state.mine) ^ state.theirs) ^ np.uint64(state.player))


class TicTacToeFace(Face):
    """Without this class's last five methods moves would be numbers, and positions rows of numbers."""

    entry = Entry(name="tictactoe", title="Tic-tac-toe", summary="three in a row win")
    state = TicTacToe

    def setup(self, **options):
        self.refuse(**options)
        return Start(0)

    def format_move(self, value, move):
        return notation.format_cell(*divmod(move, 3))

    def parse_move(self, value, text):
        row, column = notation.parse_cell(text, 3, 3)
        return 3 * row + column

    def format_position(self, value):
        marks = self.marks(value)
        return notation.format_rows(3, 3, lambda row, column: marks.get((row, column), ".")) + f" {value.player + 1}"

    def parse_position(self, text):
        board, player_text = notation.parse_fields(text, ("rows", "player to move"))
        player = notation.parse_player(player_text)
        cells = "".join(notation.parse_rows(board, ".XO", "board", 3, 3))
        crosses, noughts = (sum(1 << index for index in range(9) if cells[index] == mark) for mark in "XO")
        mine, theirs = (crosses, noughts) if player == 0 else (noughts, crosses)
        return coerce(TicTacToe(mine, theirs, player))

    def picture(self, value, trail):
        last = {divmod(move, 3): frozenset({"moved to"}) for _, move in trail[:1]}
        return Picture(rows=3, columns=3, cells=self.marks(value), marks=last)

    def marks(self, value):
        crosses, noughts = (value.mine, value.theirs) if value.player == 0 else (value.theirs, value.mine)
        marks = {divmod(index, 3): "X" for index in range(9) if crosses & bit(index)}
        return marks | {divmod(index, 3): "O" for index in range(9) if noughts & bit(index)}
