"""Speaks our protocol, and plays tiles to lose: the tile whose removal leaves it with the most."""

from harena.agents.bot import run


def choose(turn):
    board, colour, _ = turn.position.split()
    rows = board.split("/")

    def others(move):
        column, row = ord(move[0]) - ord("a"), int(move[1:]) - 1
        beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return sum(
            rows[r][c] not in (colour, "X") for r, c in beside if 0 <= r < len(rows) and 0 <= c < len(rows)
        )

    return max(turn.legal, key=others)


run(choose)
