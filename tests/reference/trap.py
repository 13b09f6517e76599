"""Trap!, restated slowly from its rules text (decisions, and the grading version [G] below them)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Cell = tuple[int, int]

CHANCE = 2
LAST_HALF_TURN = 150


def cell_to_text(cell: Cell) -> str:
    """Column letter from a at the left, row number from 1 at the top: (0, 0) is ``a1``."""
    row, column = cell
    return "abcdefgh"[column] + str(row + 1)


def cell_from_text(text: str) -> Cell:
    """Inverse of `cell_to_text`."""
    return int(text[1:]) - 1, "abcdefgh".index(text[0])


@dataclass(frozen=True)
class Reference:
    """A position: every cell with its mark (``.`` free, ``x`` trap, ``1`` and ``2`` players), row-major.

    `stage` is ``walk``, ``aim``, or ``@c4`` while a throw at c4 is in flight; `player` is then still the thrower.
    """

    board: dict[Cell, str]
    player: int
    stage: str
    half_turns: int

    @classmethod
    def from_text(cls, position: str) -> Reference:
        """Read ``<rows> <player to move 1|2> <stage> <half-turns completed>``."""
        text, player, stage, half_turns = position.split(" ")
        rows = text.split("/")
        board = {(row, column): mark for row, marks in enumerate(rows) for column, mark in enumerate(marks)}
        return cls(board, int(player) - 1, stage, int(half_turns))

    def to_text(self) -> str:
        """Inverse of `from_text`."""
        size = max(row for row, _ in self.board) + 1
        rows = ["".join(self.board[row, column] for column in range(size)) for row in range(size)]
        return f"{'/'.join(rows)} {self.player + 1} {self.stage} {self.half_turns}"

    @property
    def mover(self) -> int:
        """Three stages: walk and aim belong to the player, the landing to chance."""
        return CHANCE if self.stage.startswith("@") else self.player

    def location(self, player: int) -> Cell:
        """The cell where `player` stands."""
        (cell,) = [cell for cell, mark in self.board.items() if mark == str(player + 1)]
        return cell

    def around(self, centre: Cell) -> list[Cell]:
        """The up to eight cells of the board one king step from `centre`, in row-major order."""
        row, column = centre
        return [cell for cell in self.board if max(abs(cell[0] - row), abs(cell[1] - column)) == 1]

    def walks(self, player: int) -> list[Cell]:
        """Move validity: a free cell one king step away; traps and the other player block, staying is invalid."""
        return [cell for cell in self.around(self.location(player)) if self.board[cell] == "."]

    def moves(self) -> list[str]:
        """Trap validity: any cell that holds no player, an existing trap included."""
        if self.outcome() is not None:
            return []
        if self.stage == "walk":
            return [cell_to_text(cell) for cell in self.walks(self.player)]
        if self.stage == "aim":
            return ["@" + cell_to_text(cell) for cell, mark in self.board.items() if mark in ".x"]
        return list(self.chances())

    def chances(self) -> dict[str, Fraction]:
        """Throw: the intended cell with p = 1 - 0.05 (d - 1), each neighbour of it without a player with (1 - p) / n.

        d is the Manhattan distance from the thrower's cell after the walk; trapped neighbours count among the n.
        At d = 1 the throw cannot miss, and landings that cannot happen are not listed.
        """
        if self.mover != CHANCE:
            return {}
        intended = cell_from_text(self.stage[1:])
        thrower = self.location(self.player)
        distance = abs(intended[0] - thrower[0]) + abs(intended[1] - thrower[1])
        hit = 1 - Fraction(1, 20) * (distance - 1)
        misses = [cell for cell in self.around(intended) if self.board[cell] in ".x"]
        probabilities = {cell: (1 - hit) / len(misses) for cell in misses}
        probabilities[intended] = hit
        possible = [cell for cell in sorted(probabilities) if probabilities[cell] > 0]
        return {"!" + cell_to_text(cell): probabilities[cell] for cell in possible}

    def play(self, move: str) -> Reference:
        """One turn: walk (the old cell becomes free), aim, landing (a trap appears), then the other player's turn."""
        if self.stage == "walk":
            own_mark = str(self.player + 1)
            board = {**self.board, self.location(self.player): ".", cell_from_text(move): own_mark}
            return Reference(board, self.player, "aim", self.half_turns)
        if self.stage == "aim":
            return Reference(self.board, self.player, move, self.half_turns)
        board = {**self.board, cell_from_text(move[1:]): "x"}
        return Reference(board, 1 - self.player, "walk", self.half_turns + 1)

    def outcome(self) -> tuple[int | None, tuple[int, int] | None] | None:
        """End checks [G]: after the walk and after the landing the mover wins if the opponent is stuck (or both are).

        Stage ``aim`` is the moment after a walk. Stage ``walk`` is the moment after a landing: there the player to move
        is the thrower's opponent. The draw after 150 half-turns is tested last.
        """
        if self.stage == "aim" and not self.walks(1 - self.player):
            return self.player, None
        if self.stage == "walk" and not self.walks(self.player):
            return 1 - self.player, None
        if self.stage == "walk" and self.half_turns >= LAST_HALF_TURN:
            return None, None
        return None
