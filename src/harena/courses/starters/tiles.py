"""A starter for tile removal: it looks at its moves and the answers to them, and already beats random players.

Harena starts this file as a process of its own and asks `choose` for every move; harena/agents/bot.py says what a
`Turn` has. What to try next: another `value`; more moves ahead (minimax); random playouts (MCTS).
"""

import time

from harena.agents.bot import Turn, run

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
OTHER = {"R": "B", "B": "R"}
WON = 1000.0

Cell = tuple[int, int]  # row and column, from 0; row 0 is on top
Board = dict[Cell, str]  # every cell: R, B, or X where it is empty


def read(position: str) -> tuple[Board, str]:
    """The board and the colour to move, which is mine: `BRX/RBR/BRB R 1`."""
    board, colour, _ = position.split()
    rows = board.split("/")
    return {(row, column): tile for row, line in enumerate(rows) for column, tile in enumerate(line)}, colour


def cell_of(move: str) -> Cell:
    """Row and column of a move: c4 is column 2, row 3."""
    return int(move[1:]) - 1, ord(move[0]) - ord("a")


def neighbours(cell: Cell, board: Board) -> list[Cell]:
    """The cells beside it that are on the board."""
    row, column = cell
    return [beside for down, right in STEPS if (beside := (row + down, column + right)) in board]


def remove(cell: Cell, board: Board) -> Board:
    """The board after a removal: neighbours that then have two empty cells beside them fall too (walls hold)."""
    after = board | {cell: "X"}
    falling = [
        beside
        for beside in neighbours(cell, after)
        if after[beside] != "X" and sum(after[other] == "X" for other in neighbours(beside, after)) >= 2
    ]
    return after | dict.fromkeys(falling, "X")


def value(board: Board, mine: str) -> float:
    """How good a board is for me: who has no tile left wins, so few of mine and many of the others are good."""
    tiles = list(board.values())
    my_tiles, their_tiles = tiles.count(mine), tiles.count(OTHER[mine])
    if my_tiles == 0:
        return 0.0 if their_tiles == 0 else WON
    return -WON if their_tiles == 0 else their_tiles - my_tiles


def after_best_answer(board: Board, mine: str) -> float:
    """How good a board is for me when the opponent is to move: he takes the answer that is worst for me."""
    answers = [cell for cell, tile in board.items() if tile == OTHER[mine]]
    if not answers or mine not in board.values():  # the game is over
        return value(board, mine)
    return min(value(remove(cell, board), mine) for cell in answers)


def choose(turn: Turn) -> str:
    """One of `turn.legal`: the best that was seen before half of the time was over."""
    begin = time.perf_counter()
    board, mine = read(turn.position)
    best, best_value = turn.legal[0], float("-inf")  # the first move stands even if all are lost: never give up
    for move in turn.legal:
        found = after_best_answer(remove(cell_of(move), board), mine)
        if found > best_value:
            best, best_value = move, found
        if turn.seconds is not None and time.perf_counter() - begin > turn.seconds / 2:
            break
    return best


if __name__ == "__main__":
    run(choose, name="my tiles agent")
