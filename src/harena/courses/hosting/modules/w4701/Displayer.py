"""Shows a grid in the terminal."""

import os

from BaseDisplayer import BaseDisplayer

SIGNS = {0: "", 1: "1", 2: "2", -1: "x"}
BACKGROUNDS = {0: 100, 1: 102, 2: 105, -1: 40}
WIDTH = 7


class Displayer(BaseDisplayer):
    """Coloured cells, or a table of lines on Windows."""

    def display(self, grid):
        (self.winDisplay if os.name == "nt" else self.unixDisplay)(grid)

    def unixDisplay(self, grid):
        for row in grid.map:
            print("".join(f"\x1b[{BACKGROUNDS[value]}m{SIGNS[value]:^{WIDTH}}\x1b[0m" for value in row), end="\n\n")

    def winDisplay(self, grid):
        line = "-" * (4 * len(grid.map) + 1)
        print(line)
        for row in grid.map:
            print("|" + "|".join(f"{SIGNS[value]:^3}" for value in row) + "|")
            print(line)
