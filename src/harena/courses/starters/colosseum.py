"""A starter for Colosseum Survival!: it wants to be nearer to most cells than the opponent; beats random players.

Harena starts this file as a process of its own and asks `choose` for every move; harena/agents/bot.py says what a
`Turn` has. What to try next: another `value`; the opponent's best answer (minimax); random playouts (MCTS).
"""

import time
from collections import deque

from harena.agents.bot import Turn, run

STEPS = {"u": (-1, 0), "r": (0, 1), "d": (1, 0), "l": (0, -1)}
BACK = {"u": "d", "r": "l", "d": "u", "l": "r"}

Cell = tuple[int, int]  # row and column, from 0; row 0 is on top
Walls = set[tuple[int, int, str]]  # row, column and side; each wall is there twice, once from either side


def read(position: str) -> tuple[int, Cell, Cell, Walls]:
    """The size, where I stand, where the opponent stands, and the walls.

    A position is `6 d1 c6 1 b2r,c3d`: size, cells of player 1 and 2, the player to move, the walls (- for none).
    """
    size, first, second, player, listed = position.split()
    me, opponent = (first, second) if player == "1" else (second, first)
    walls: Walls = set()
    for wall in listed.split(",") if listed != "-" else []:
        build(walls, cell_of(wall[:-1]), wall[-1])
    return int(size), cell_of(me), cell_of(opponent), walls


def cell_of(text: str) -> Cell:
    """Row and column: c4 is column 2, row 3."""
    return int(text[1:]) - 1, ord(text[0]) - ord("a")


def build(walls: Walls, cell: Cell, side: str) -> None:
    """Put a wall on a side of a cell, and on the other side of its neighbour."""
    row, column = cell
    down, right = STEPS[side]
    walls |= {(row, column, side), (row + down, column + right, BACK[side])}


def distances(start: Cell, walls: Walls, size: int) -> dict[Cell, int]:
    """How many steps away each cell is; cells that cannot be reached are missing."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        row, column = waiting.popleft()
        for side, (down, right) in STEPS.items():
            cell = row + down, column + right
            inside = 0 <= cell[0] < size and 0 <= cell[1] < size
            if inside and cell not in found and (row, column, side) not in walls:
                found[cell] = found[row, column] + 1
                waiting.append(cell)
    return found


def value(me: Cell, opponent: Cell, walls: Walls, size: int) -> float:
    """How good a position is for me: a decided game by its zones, any other by the cells I am nearer to."""
    mine, theirs = distances(me, walls, size), distances(opponent, walls, size)
    if opponent not in mine:
        if len(mine) == len(theirs):
            return 0.0
        return len(mine) - len(theirs) + (1000.0 if len(mine) > len(theirs) else -1000.0)
    return float(sum((mine[cell] < theirs[cell]) - (mine[cell] > theirs[cell]) for cell in mine))


def choose(turn: Turn) -> str:
    """One of `turn.legal`: the best that was seen before half of the time was over."""
    begin = time.perf_counter()
    size, _, opponent, walls = read(turn.position)
    best, best_value = turn.legal[0], float("-inf")  # the first move stands even if all are lost: never give up
    for move in turn.legal:
        after = set(walls)
        build(after, cell_of(move[:-1]), move[-1])
        found = value(cell_of(move[:-1]), opponent, after, size)
        if found > best_value:
            best, best_value = move, found
        if turn.seconds is not None and time.perf_counter() - begin > turn.seconds / 2:
            break
    return best


if __name__ == "__main__":
    run(choose, name="my Colosseum agent")
