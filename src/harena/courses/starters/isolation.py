"""A starter for knight Isolation: it looks at its moves and the answers to them, and already beats random players.

Harena starts this file as a process of its own and asks `choose` for every move; harena/agents/bot.py says what a
`Turn` has. What to try next: another `value`; more moves ahead (minimax); as many as `turn.seconds` allow.
"""

from harena.agents.bot import Turn, run

JUMPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
LOST = 1000.0

Cell = tuple[int, int]  # row and column, from 0; row 0 is on top


def read(position: str) -> tuple[set[Cell], list[Cell | None]]:
    """The blank cells, and where the knights stand: first mine, then the opponent's; None until placed.

    A position is its rows and the player to move: `..1/.x./2.. 1` (. blank, x visited, 1 and 2 the knights).
    """
    board, player = position.split()
    cells = {(row, column): mark for row, line in enumerate(board.split("/")) for column, mark in enumerate(line)}
    knights = [next((cell for cell, mark in cells.items() if mark == number), None) for number in "12"]
    if player == "2":
        knights.reverse()
    return {cell for cell, mark in cells.items() if mark == "."}, knights


def cell_of(move: str) -> Cell:
    """Row and column of a move: c4 is column 2, row 3."""
    return int(move[1:]) - 1, ord(move[0]) - ord("a")


def jumps(knight: Cell | None, blank: set[Cell]) -> list[Cell]:
    """Where a knight can go: anywhere blank as long as it is not on the board."""
    if knight is None:
        return list(blank)
    row, column = knight
    return [cell for down, right in JUMPS if (cell := (row + down, column + right)) in blank]


def value(me: Cell, opponent: Cell, blank: set[Cell]) -> float:
    """How good a position is for me when I am to move: the larger, the better. This is the place for your ideas."""
    mine, theirs = len(jumps(me, blank)), len(jumps(opponent, blank))
    return -LOST if mine == 0 else mine - theirs


def after_best_answer(me: Cell, opponent: Cell | None, blank: set[Cell]) -> float:
    """How good a position is for me when the opponent is to move: he takes the answer that is worst for me."""
    answers = jumps(opponent, blank)
    return min((value(me, answer, blank - {answer}) for answer in answers), default=LOST)  # no answer: I have won


def choose(turn: Turn) -> str:
    """One of `turn.legal`: the move with the best value."""
    blank, (_, opponent) = read(turn.position)
    best, best_value = turn.legal[0], float("-inf")  # the first move stands even if all are lost: never give up
    for move in turn.legal:
        cell = cell_of(move)
        found = after_best_answer(cell, opponent, blank - {cell})
        if found > best_value:
            best, best_value = move, found
    return best


if __name__ == "__main__":
    run(choose, name="my isolation agent")
