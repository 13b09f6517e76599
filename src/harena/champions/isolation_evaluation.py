"""What isolation's champion thinks of a position: the logarithm of the odds that the player to move wins.

A knight changes the colour of its cell with each jump. So one of the players, for the whole game, is the hunter: his
jumps go to cells that the other could jump to next, and never the other way round. It is the player to move if both
stand on one colour, else the other. Hunters win almost always: docs/strength/isolation-solved.md. The weights are one
row for each phase (four blank cells) and role of the player to move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.games.isolation import JUMPS, NOWHERE, Isolation
from harena.heuristics.separated import EVEN, jumps_from, most_jumps
from harena.kernel.bits import ZERO, bit, entry, popcount
from harena.kernel.compile import kernel
from harena.kernel.generic import helper

FEATURES = 12
PHASES = 17  # up to 64 cells, four a phase


class Domains(NamedTuple):
    """The cells that each gets to first, those that the player to move does first."""

    mine: np.uint64
    theirs: np.uint64
    apart: bool  # whether nobody can ever get to a cell of the other


@helper
def divided(free: np.uint64, targets: np.uint64, replies: np.uint64) -> Domains:
    """Who gets where first: targets are the next cells of the player to move, replies those of the other."""
    mine, theirs = targets, replies & ~targets
    front, other_front = mine, theirs
    rest = free & ~(mine | theirs)
    while front | other_front:
        front = jumps_from(front) & rest
        rest &= ~front
        other_front = jumps_from(other_front) & rest
        rest &= ~other_front
        mine |= front
        theirs |= other_front
    apart = targets & replies == ZERO and jumps_from(mine) & theirs == ZERO
    return Domains(mine, theirs, apart)


@helper
def row_of(free: np.uint64, mine: int, theirs: int) -> int:
    """Which weights count: by phase, and whether the player to move is the hunter."""
    same = (bit(mine) & EVEN != ZERO) == (bit(theirs) & EVEN != ZERO)
    return 2 * (popcount(free) // 4) + (1 if same else 0)


class Judgement(NamedTuple):
    """The weights as a value: a row of FEATURES for each phase and role."""

    weights: NDArray[np.float64]


class Counts(NamedTuple):
    """What is counted, for the player to move: one number for each weight of a row."""

    always: int
    targets: int
    replies: int
    near: int  # cells within two jumps
    near_theirs: int
    domain: int  # cells that he gets to first
    domain_theirs: int
    path: int  # a bound on the jumps in there
    path_theirs: int
    contested: int
    only_near: int
    only_near_theirs: int


@helper
def counted(free: np.uint64, mine: int, theirs: int, targets: np.uint64, replies: np.uint64, ground: Domains) -> Counts:
    """The features of a position with both knights on the board."""
    near, near_theirs = jumps_from(targets) & free, jumps_from(replies) & free
    return Counts(
        1,
        popcount(targets),
        popcount(replies),
        popcount(near),
        popcount(near_theirs),
        popcount(ground.mine),
        popcount(ground.theirs),
        most_jumps(mine, ground.mine),
        most_jumps(theirs, ground.theirs),
        popcount(targets & replies),
        popcount(near & ~near_theirs & ~replies),
        popcount(near_theirs & ~near & ~targets),
    )


@helper
def weighed(
    judgement: Judgement,
    free: np.uint64,
    mine: int,
    theirs: int,
    targets: np.uint64,
    replies: np.uint64,
    ground: Domains,
) -> float:
    """The logarithm of the odds that the player to move wins; even before both knights are on the board."""
    if NOWHERE in (mine, theirs):
        return 0.0
    counts = counted(free, mine, theirs, targets, replies, ground)
    at, value = FEATURES * row_of(free, mine, theirs), 0.0
    for index in range(FEATURES):
        value += judgement.weights[at + index] * counts[index]
    return value


@kernel
def count_features(state: Isolation, out: NDArray[np.float64]) -> int:
    """Write the features of a position with both knights on the board; returns which row of weights counts."""
    free = ~state.blocked
    targets, replies = entry(JUMPS, state.mine) & free, entry(JUMPS, state.theirs) & free
    counts = counted(free, state.mine, state.theirs, targets, replies, divided(free, targets, replies))
    for index in range(FEATURES):
        out[index] = counts[index]
    return row_of(free, state.mine, state.theirs)


def features_of(state: Isolation) -> tuple[int, NDArray[np.float64]]:
    """The row of weights that counts, and the features."""
    out = np.zeros(FEATURES)
    return int(count_features(state, out)), out


@kernel
def worth(judgement: Judgement, state: Isolation) -> float:
    """What the judgement says of a position, without any search."""
    free = ~state.blocked
    targets, replies = entry(JUMPS, state.mine) & free, entry(JUMPS, state.theirs) & free
    ground = divided(free, targets, replies)
    return weighed(judgement, free, state.mine, state.theirs, targets, replies, ground)
