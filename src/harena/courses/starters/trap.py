"""A starter for Trap!: it walks where it has room, throws where the opponent has, and already beats random players.

Harena starts this file as a process of its own and asks `choose` for every walk and every aim; harena/agents/bot.py
says what a `Turn` has. What to try next: the throw that will answer your walk; the misses (expectiminimax).
"""

from harena.agents.bot import Turn, run

Cell = tuple[int, int]  # row and column, from 0; row 0 is on top


def read(position: str) -> tuple[set[Cell], Cell, Cell, str]:
    """The free cells, where I stand, where the opponent stands, and what is asked for: `walk` or `aim`.

    A position is its rows (. free, x trap, 1 and 2 the players), whose turn it is, the stage, and the half-turns.
    """
    board, player, stage, _ = position.split()
    cells = {(row, column): mark for row, line in enumerate(board.split("/")) for column, mark in enumerate(line)}
    places = {mark: cell for cell, mark in cells.items() if mark in "12"}
    free = {cell for cell, mark in cells.items() if mark == "."}
    return free, places[player], places["2" if player == "1" else "1"], stage


def cell_of(move: str) -> Cell:
    """Row and column of a walk c4 or an aim @c4: column 2, row 3."""
    cell = move.lstrip("@")
    return int(cell[1:]) - 1, ord(cell[0]) - ord("a")


def exits(cell: Cell, free: set[Cell]) -> list[Cell]:
    """The free cells around this one."""
    row, column = cell
    around = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return [beside for beside in around if beside in free]


def chance(thrower: Cell, target: Cell) -> float:
    """How likely a throw hits: certain one step away, 5 % less for each step more (no diagonal steps)."""
    return 1.05 - 0.05 * (abs(thrower[0] - target[0]) + abs(thrower[1] - target[1]))


def walk_value(me: Cell, free: set[Cell]) -> float:
    """How good it is to stand here: my exits, and a little for those that they have in turn."""
    mine = exits(me, free)
    return len(mine) + 0.1 * sum(len(exits(cell, free)) for cell in mine)


def aim_value(me: Cell, opponent: Cell, target: Cell, free: set[Cell]) -> float:
    """How good it is to throw there: it should be an exit of the opponent's, a good one, and none of mine."""
    if target not in exits(opponent, free):
        return -1.0 if target in free else -0.5  # if nothing else is left, a trap on a trap does no harm
    worth = 1 + 0.1 * len(exits(target, free)) - (0.5 if target in exits(me, free) else 0.0)
    return chance(me, target) * worth


def choose(turn: Turn) -> str:
    """One of `turn.legal`: the walk, or the aim, with the best value."""
    free, me, opponent, stage = read(turn.position)

    def value(move: str) -> float:
        cell = cell_of(move)
        return walk_value(cell, (free | {me}) - {cell}) if stage == "walk" else aim_value(me, opponent, cell, free)

    return max(turn.legal, key=value)  # `max` takes the first of equals, and always one: never give up


if __name__ == "__main__":
    run(choose, name="my Trap! agent")
