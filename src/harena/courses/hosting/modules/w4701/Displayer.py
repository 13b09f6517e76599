"""Shows a grid in the terminal."""

import os
import platform

from BaseDisplayer import BaseDisplayer

SIGNS = {0: "", 1: "1", 2: "2", -1: "x"}
colorMap = {0: 100, 1: 102, 2: 105, -1: 40}  # the background of a cell by its value
cTemp = "\x1b[%dm%s\x1b[0m"  # a background and a text
WIDTH = 7


class Displayer(BaseDisplayer):
    """Coloured cells, or a table of lines on Windows; `display` of an instance is one of the two."""

    def __init__(self):
        super().__init__()
        self.display = self.winDisplay if platform.system() == "Windows" else self.unixDisplay

    def display(self, grid):
        """Show it."""

    def unixDisplay(self, grid):
        for row in grid.map:
            print("".join(cTemp % (colorMap[value], f"{SIGNS[value]:^{WIDTH}}") for value in row), end="\n\n")

    def winDisplay(self, grid):
        line = "-" * (4 * len(grid.map) + 1)
        print(line)
        for row in grid.map:
            print("|" + "|".join(f"{SIGNS[value]:^3}" for value in row) + "|")
            print(line)
