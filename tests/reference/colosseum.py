"""Colosseum Survival!, restated slowly from its rules text (decisions and sections 1, 3 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Cell = tuple[int, int]
Wall = frozenset[Cell]
"""An interior wall is the pair of neighbouring cells that it parts."""

SIDES = {"u": (-1, 0), "r": (0, 1), "d": (1, 0), "l": (0, -1)}


def cell_to_text(cell: Cell) -> str:
    """Column letter from a at the left, row number from 1 at the top: (0, 0) is ``a1``."""
    row, column = cell
    return "abcdefghijkl"[column] + str(row + 1)


def cell_from_text(text: str) -> Cell:
    """Inverse of `cell_to_text`."""
    return int(text[1:]) - 1, "abcdefghijkl".index(text[0])


def beyond(cell: Cell, side: str) -> Cell:
    """The cell on the other side of `side`, perhaps off the board."""
    row_step, column_step = SIDES[side]
    return cell[0] + row_step, cell[1] + column_step


def wall_from_text(text: str) -> Wall:
    """The wall on one side of a cell, such as ``b2r``."""
    cell = cell_from_text(text[:-1])
    return frozenset({cell, beyond(cell, text[-1])})


@dataclass(frozen=True)
class Reference:
    """A position: the board's size, where the two players stand, who is to move, and the interior walls."""

    size: int
    locations: tuple[Cell, Cell]
    player: int
    walls: frozenset[Wall]

    @classmethod
    def from_text(cls, position: str) -> Reference:
        """Read ``<size> <cell of player 1> <cell of player 2> <player to move 1|2> <walls>``."""
        size, first, second, player, walls = position.split(" ")
        listed = [] if walls == "-" else walls.split(",")
        locations = (cell_from_text(first), cell_from_text(second))
        return cls(int(size), locations, int(player) - 1, frozenset(wall_from_text(wall) for wall in listed))

    def to_text(self) -> str:
        """Inverse of `from_text`: each wall once, row-major by cell, right before down."""
        walls = [
            cell_to_text(cell) + side
            for cell in self.cells()
            for side in "rd"
            if frozenset({cell, beyond(cell, side)}) in self.walls
        ]
        first, second = self.locations
        listed = ",".join(walls) or "-"
        return f"{self.size} {cell_to_text(first)} {cell_to_text(second)} {self.player + 1} {listed}"

    @property
    def mover(self) -> int:
        """The players alternate; no passing, no chance."""
        return self.player

    def cells(self) -> list[Cell]:
        """All cells of the board in row-major order."""
        return [(row, column) for row in range(self.size) for column in range(self.size)]

    def open_sides(self, cell: Cell) -> list[str]:
        """The sides of `cell` with neither wall nor border."""
        board_range = range(self.size)
        sides = [side for side in SIDES if all(coordinate in board_range for coordinate in beyond(cell, side))]
        return [side for side in sides if frozenset({cell, beyond(cell, side)}) not in self.walls]

    def reached(self, start: Cell, steps: int, forbidden: set[Cell]) -> set[Cell]:
        """Cells reached from `start` in at most `steps` steps through open sides, never entering a forbidden cell."""
        found = newest = {start}
        for _ in range(steps):
            entered = {beyond(cell, side) for cell in newest for side in self.open_sides(cell)}
            newest = entered - forbidden - found
            found = found | newest
        return found

    def moves(self) -> list[str]:
        """A move: walk 0 to K = (size + 1) // 2 steps round the adversary, then wall an open side of that cell."""
        if self.outcome() is not None:
            return []
        own, adversary = self.locations[self.player], self.locations[1 - self.player]
        destinations = self.reached(own, (self.size + 1) // 2, {adversary})
        return [cell_to_text(cell) + side for cell in sorted(destinations) for side in self.open_sides(cell)]

    def chances(self) -> dict[str, Fraction]:
        """Nothing is left to chance in this game."""
        return {}

    def play(self, move: str) -> Reference:
        """The player stands on the destination, the wall is set on both its cells, the turn passes."""
        destination = cell_from_text(move[:-1])
        first, second = self.locations
        locations = (destination, second) if self.player == 0 else (first, destination)
        return Reference(self.size, locations, 1 - self.player, self.walls | {wall_from_text(move)})

    def outcome(self) -> tuple[int | None, tuple[int, int] | None] | None:
        """End: the players' components differ (players do not block). The larger area wins, equal areas draw."""
        first, second = (self.reached(location, self.size * self.size, set()) for location in self.locations)
        if first == second:
            return None
        areas = (len(first), len(second))
        if areas[0] == areas[1]:
            return None, areas
        return (0 if areas[0] > areas[1] else 1), areas
