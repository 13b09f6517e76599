"""Isolation by symmetry: who can answer every jump at the opposite point of the board wins.

If the free cells are the same when the board is turned by half, the knights stand at opposite points, and the cell in
the middle is not free, then whatever jump the player to move makes, its image is possible too: that cell was free
because its image was, and no cell is its own image. So the other always has an answer, and the player to move is the
first who has none.
"""

from harena.champions.isolation_openings import cells
from harena.games.isolation import NOWHERE, Isolation, targets


def opposite(state: Isolation, cell: int) -> int:
    """The cell where this one is when the board is turned by half."""
    return 8 * (state.rows - 1 - cell // 8) + state.columns - 1 - cell % 8


def mirroring_move(state: Isolation) -> int | None:
    """The move to the point opposite to the other knight, if the position is symmetric then: it wins for sure."""
    if state.theirs == NOWHERE:
        return None
    move = opposite(state, state.theirs)
    if not int(targets(state)) >> move & 1:
        return None
    return move if is_symmetric(state, free_cells(state) - {move}) else None


def is_mirrored(state: Isolation) -> bool:
    """Whether the other player has a mirroring answer to every move, so that the position is lost."""
    is_opposite = state.theirs == (NOWHERE if state.mine == NOWHERE else opposite(state, state.mine))
    return is_opposite and is_symmetric(state, free_cells(state))


def free_cells(state: Isolation) -> set[int]:
    """Where nobody has been."""
    return {cell for cell in cells(state.rows, state.columns) if not int(state.blocked) >> cell & 1}


def is_symmetric(state: Isolation, free: set[int]) -> bool:
    """Whether the point opposite to each of these cells is another of them."""
    return all(opposite(state, cell) in free and opposite(state, cell) != cell for cell in free)
