"""An agent in ten lines: the legal move nearest to the middle of the board."""

from harena.agents.bot import Turn, run


def choose(turn: Turn) -> str:
    """Cells are a letter for the column and a number for the row; Trap!'s aims have an @ before them."""
    board = turn.position.split()[0]
    size = int(board) if board.isdigit() else board.count("/") + 1

    def distance(move: str) -> float:
        cell = move.lstrip("@")
        column, row = ord(cell[0]) - ord("a"), int("".join(letter for letter in cell[1:] if letter.isdigit())) - 1
        return abs(column - (size - 1) / 2) + abs(row - (size - 1) / 2)

    return min(turn.legal, key=distance)


run(choose, name="centre")
