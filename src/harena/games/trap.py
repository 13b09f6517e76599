"""Trap!: step to a free neighbour, throw a trap that may miss, and leave the other player without a free neighbour.

    a turn is three plies:   WALK (player)  ->  AIM (player)  ->  LANDING (chance)

    a cell is 8 * row + column; a move is the cell of a walk, AIM_AT + the cell aimed at, or LAND_AT + the cell hit

A throw over the Manhattan distance d hits with probability 1 - (d - 1)/20, else it lands on one of the neighbours of
the target that hold no player, trapped ones included, all equally likely. After a walk and after a landing the opponent
of the thrower loses if he has no free neighbour; after 150 half-turns the game is a draw.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.contract import (
    CHANCE,
    DRAW,
    RUNNING,
    Moves,
    Outcome,
    Probabilities,
    chances,
    initial,
    key,
    max_moves,
    mover,
    moves,
    outcome,
    play,
    random_move,
    without_points,
)
from harena.kernel.bits import ONE, ZERO, bit, entry, integer, lowest, mix, nth, popcount
from harena.kernel.generic import helper
from harena.kernel.rng import Rng, below

WALK, AIM, LANDING = 0, 1, 2
AIM_AT, LAND_AT = 64, 128
NO_TARGET = 0
HALF_TURNS = 150


class TrapSetup(NamedTuple):
    """The options of a game."""

    size: int


class Trap(NamedTuple):
    """A position, seen by the player whose turn it is."""

    blocked: np.uint64  # traps, and everything off the board
    mine: int  # the cell of the player whose turn it is
    theirs: int
    player: int  # whose turn it is, 0 or 1
    stage: int  # WALK, AIM or LANDING
    target: int  # the cell aimed at, while the stage is LANDING
    half_turns: int  # completed ones
    size: int


def _neighbours() -> NDArray[np.uint64]:
    table = np.zeros(64, np.uint64)
    for cell in range(64):
        for other in range(64):
            if max(abs(cell // 8 - other // 8), abs(cell % 8 - other % 8)) == 1:
                table[cell] |= np.uint64(1 << other)
    return table


def _squares() -> NDArray[np.uint64]:
    """For each size the cells on the board."""
    return np.array(
        [sum(1 << (8 * row + column) for row in range(size) for column in range(size)) for size in range(9)], np.uint64
    )


def _hits() -> NDArray[np.uint64]:
    """For each cell and target, 64 * cell + target: how many of twenty throws hit."""
    rows, columns = np.divmod(np.arange(64), 8)
    distance = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)
    return (21 - distance).astype(np.uint64).ravel()


HITS = _hits()
NEIGHBOURS = _neighbours()
SQUARES = _squares()


@helper
def walks(state: Trap) -> np.uint64:
    """The free neighbours of the player whose turn it is."""
    return entry(NEIGHBOURS, state.mine) & ~(state.blocked | bit(state.theirs))


@helper
def escapes(state: Trap) -> np.uint64:
    """The free neighbours of the other player."""
    return entry(NEIGHBOURS, state.theirs) & ~(state.blocked | bit(state.mine))


@helper
def aims(state: Trap) -> np.uint64:
    """The cells that may be aimed at: all that hold no player, traps included."""
    return entry(SQUARES, state.size) & ~(bit(state.mine) | bit(state.theirs))


@helper
def misses(state: Trap) -> np.uint64:
    """Where a throw at the target may land when it misses."""
    return entry(NEIGHBOURS, state.target) & aims(state)


@helper
def hits_in_twenty(state: Trap) -> int:
    """How many of twenty throws at the target hit."""
    return integer(entry(HITS, state.mine << 6 | state.target))


@helper
def listed(cells: np.uint64, offset: int, out: Moves, at: int) -> int:
    """Write each cell plus the offset into out[at:]; return how many."""
    number = popcount(cells)
    for index in range(at, at + number):
        out[index] = offset + lowest(cells)
        cells &= cells - ONE
    return number


@initial.method(TrapSetup)
def _(setup: TrapSetup, rng: Rng) -> Trap:
    middle = setup.size // 2
    return Trap(~entry(SQUARES, setup.size), middle, 8 * (setup.size - 1) + middle, 0, WALK, NO_TARGET, 0, setup.size)


@mover.method(Trap)
def _(state: Trap) -> int:
    return CHANCE if state.stage == LANDING else state.player


@max_moves.method(Trap)
def _(state: Trap) -> int:
    return state.size * state.size - 2


@moves.method(Trap)
def _(state: Trap, out: Moves, at: int) -> int:
    if state.stage == WALK:
        return listed(walks(state), 0, out, at)
    if state.stage == AIM:
        return listed(aims(state), AIM_AT, out, at)
    landings = misses(state) if hits_in_twenty(state) < 20 else ZERO
    return listed(landings | bit(state.target), LAND_AT, out, at)


@random_move.method(Trap)
def _(state: Trap, rng: Rng) -> int:
    if state.stage == WALK:
        free = walks(state)
        return nth(free, below(rng, popcount(free)))
    if state.stage == AIM:
        return AIM_AT + nth(aims(state), below(rng, state.size * state.size - 2))
    if below(rng, 20) < hits_in_twenty(state):
        return LAND_AT + state.target
    cells = misses(state)
    return LAND_AT + nth(cells, below(rng, popcount(cells)))


@chances.method(Trap)
def _(state: Trap, out: Moves, probabilities: Probabilities, at: int) -> int:
    number = moves(state, out, at)
    hits = hits_in_twenty(state)
    for index in range(at, at + number):
        if out[index] == LAND_AT + state.target:
            probabilities[index] = hits / 20
        else:
            probabilities[index] = (20 - hits) / (20 * (number - 1))
    return number


@play.method(Trap)
def _(state: Trap, move: int) -> Trap:
    if state.stage == WALK:
        return Trap(state.blocked, move, state.theirs, state.player, AIM, NO_TARGET, state.half_turns, state.size)
    if state.stage == AIM:
        return Trap(
            state.blocked, state.mine, state.theirs, state.player, LANDING, move - AIM_AT, state.half_turns, state.size
        )
    blocked = state.blocked | bit(move - LAND_AT)
    return Trap(blocked, state.theirs, state.mine, 1 - state.player, WALK, NO_TARGET, state.half_turns + 1, state.size)


@outcome.method(Trap)
def _(state: Trap) -> Outcome:
    if state.stage == AIM and escapes(state) == ZERO:
        return without_points(state.player)
    if state.stage == WALK and walks(state) == ZERO:
        return without_points(1 - state.player)
    if state.stage == WALK and state.half_turns >= HALF_TURNS:
        return without_points(DRAW)
    return without_points(RUNNING)


@key.method(Trap)
def _(state: Trap) -> np.uint64:
    where = state.mine | state.theirs << 6 | state.target << 12 | state.half_turns << 18 | state.stage << 26
    return mix(mix(state.blocked) ^ np.uint64(where | state.player << 28))
