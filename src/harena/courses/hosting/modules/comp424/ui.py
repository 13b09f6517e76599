"""The board in the terminal, in the place of the course's window.

`plt` is matplotlib's pyplot, imported when it is first asked for: nothing here draws with it.
"""

import importlib
from pathlib import Path

from base_constants import *
from constants import *

NO_WINDOW = "the board is printed as text here: there is no window to draw in"


def __getattr__(name):
    """`plt`, and for `from ui import *` it among the names of this module."""
    if name == "plt":
        return importlib.import_module("matplotlib.pyplot")
    if name == "__all__":
        return [*(key for key in globals() if not key.startswith("_")), "plt"]
    raise AttributeError(f"module 'ui' has no attribute {name!r}")


class UIEngine:
    """Prints the boards of a world."""

    def __init__(self, grid_width=5, world=None):
        self.grid_size = (grid_width, grid_width)
        self.world = world
        self.step_number = 0

    def plot_box(
        self,
        x,
        y,
        w,
        text="",
        set_left_wall=False,
        set_right_wall=False,
        set_top_wall=False,
        set_bottom_wall=False,
        color="silver",
    ):
        """A single cell cannot be shown in text."""
        print(NO_WINDOW)

    def plot_grid(self):
        """Print an empty board."""
        size = self.grid_size[0]
        _print_board(size, lambda row, column, side: _is_border(size, row, column, side), lambda cell: " ")

    def plot_game_boundary(self):
        """The border is part of every board that is printed."""
        print(NO_WINDOW)

    def plot_grid_with_board(self, chess_board, player_1_pos=None, player_2_pos=None, debug=False):
        """Print the board: A and B are the players, lines are walls."""
        marks = {
            tuple(pos): name
            for pos, name in ((player_2_pos, PLAYER_2_NAME), (player_1_pos, PLAYER_1_NAME))
            if pos is not None
        }
        _print_board(
            chess_board.shape[0],
            lambda row, column, side: chess_board[row, column, side],
            lambda cell: marks.get(cell, " "),
        )

    def fix_axis(self):
        """Text has no axes."""
        print(NO_WINDOW)

    def plot_text_info(self):
        """Print who plays, and the areas where the world has counted them."""
        if self.world is None:
            return
        print(f"{PLAYER_1_NAME}: {self.world.p0}, {PLAYER_2_NAME}: {self.world.p1}, max steps: {self.world.max_step}")
        if self.world.results_cache:
            is_end, first, second = self.world.results_cache
            print(f"{'over' if is_end else 'not over'}: {first} to {second} cells")

    def render(self, chess_board, p1_pos, p2_pos, debug=False):
        """Print the board: A and B are the players, lines are walls."""
        self.plot_grid_with_board(chess_board, p1_pos, p2_pos, debug=debug)
        self.step_number += 1


def _is_border(size, row, column, side):
    return (row == 0, column == size - 1, row == size - 1, column == 0)[side]


def _print_board(size, is_wall, mark):
    for row in range(size):
        print("+" + "".join("---+" if is_wall(row, column, DIRECTION_UP) else "   +" for column in range(size)))
        left = ("|" if is_wall(row, column, DIRECTION_LEFT) else " " for column in range(size))
        print("".join(f"{wall} {mark((row, column))} " for column, wall in enumerate(left)) + "|")
    print("+" + "---+" * size, flush=True)
