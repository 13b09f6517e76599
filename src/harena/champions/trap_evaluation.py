"""What a position of Trap! is worth to the player who is about to walk: a small network on counts of free cells.

    meetings    free cells by how many king's steps they are from the mover and from the other: 1, 2, 3, more, no way
    degrees     the free neighbours of each player by how many free neighbours they have: 0, 1, 2, 3, 4-5, 6-8
    one of many the number of free neighbours of each player, the steps between the players, the number of free cells

    counts -> 16 hidden units (the larger of 0 and a weighted sum) -> a weighted sum, the logarithm of the odds to win

Four hidden units share a word, sixteen bits each: their weights are whole numbers from 1 to 255 (128 stands for 0), so
that one multiplication serves four of them and no sum runs over. What comes once a position has an offset of 8192.
`data/trap_network.csv` has the weights and says where they come from.
"""

from math import exp
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.games.trap import NEIGHBOURS, WALK, Trap
from harena.kernel.bits import ONE, ZERO, bit, entry, integer, popcount
from harena.kernel.generic import helper, routine
from harena.search.workspace import WIN, evaluate

Words = NDArray[np.uint64]
Numbers = NDArray[np.float64]

NOT_RIGHT, NOT_LEFT = ~np.uint64(0x8080808080808080), ~np.uint64(0x0101010101010101)
EIGHT = np.uint64(8)
# Rows of the network's first layer: counts, then what is one of many.
STEPS, DEGREE_CLASSES = 5, 6
DEGREES = STEPS * STEPS
COUNTED = DEGREES + 2 * DEGREE_CLASSES
EXITS, OTHER_EXITS = COUNTED, COUNTED + 9
DISTANCE = OTHER_EXITS + 9
FREE = DISTANCE + 7
ROWS, FREE_ROWS, MANY = FREE + 65, 65, 47  # from so many free cells on their row is the same
HIDDEN, WORDS = 16, 4
MIDDLE, OFFSET, ONCE = 128, 8192, 4  # of counted weights; of the others, of which each position has four
LANE, LANE_MASK = 16, np.uint64(0xFFFF)
JUDGED = 0.99  # the evaluation is never surer than that: what lies beyond is decided
DATA = Path(__file__).parent / "data" / "trap_network.csv"


class Odds(NamedTuple):
    """The evaluation as a value."""

    rows: Words  # four words a row
    outputs: Numbers  # a weight for each hidden unit, then the constant


class Degrees(NamedTuple):
    """For each cell the number of its free neighbours, one binary digit in each word."""

    ones: np.uint64
    twos: np.uint64
    fours: np.uint64
    eights: np.uint64


class Layers(NamedTuple):
    """The free cells by their distance from a player."""

    first: np.uint64
    second: np.uint64
    third: np.uint64
    further: np.uint64
    never: np.uint64


class Sums(NamedTuple):
    """The hidden units, four in each word."""

    a: np.uint64
    b: np.uint64
    c: np.uint64
    d: np.uint64


@helper
def spread(cells: np.uint64) -> np.uint64:
    """These cells and all their neighbours, blocked or not."""
    wide = cells | (cells & NOT_RIGHT) << ONE | (cells & NOT_LEFT) >> ONE
    return wide | wide << EIGHT | wide >> EIGHT


@helper
def degrees(free: np.uint64) -> Degrees:
    """How many of its eight neighbours are free, for all cells at once."""
    left, right = (free & NOT_RIGHT) << ONE, (free & NOT_LEFT) >> ONE
    pair, pair_twos = left ^ right, left & right
    triple, triple_twos = pair ^ free, pair_twos | pair & free
    above, below = triple << EIGHT, triple >> EIGHT
    ones = above ^ below ^ pair
    carry = above & below | pair & (above ^ below)
    above, below = triple_twos << EIGHT, triple_twos >> EIGHT
    half, half_fours = above ^ below, above & below
    other, other_fours = pair_twos ^ carry, pair_twos & carry
    twos, last = half ^ other, half & other
    fours = half_fours ^ other_fours ^ last
    return Degrees(ones, twos, fours, half_fours & other_fours | last & (half_fours ^ other_fours))


@helper
def layers(free: np.uint64, cell: int) -> Layers:
    """How far the free cells are from a player on a cell."""
    first = entry(NEIGHBOURS, cell) & free
    two = spread(first) & free
    three = spread(two) & free
    reached, wider = three, spread(three) & free
    while wider != reached:
        reached, wider = wider, spread(wider) & free
    return Layers(first, two & ~first, three & ~two, reached & ~three, free & ~reached)


@helper
def king_distance(cell: int, other: int) -> int:
    """How many king's steps apart two cells are."""
    return max(abs((cell >> 3) - (other >> 3)), abs((cell & 7) - (other & 7)))


@helper
def added(sums: Sums, rows: Words, row: int, cells: np.uint64) -> Sums:
    """With a row for each of these cells."""
    count, at = np.uint64(popcount(cells)), WORDS * row
    return Sums(
        sums.a + count * entry(rows, at),
        sums.b + count * entry(rows, at + 1),
        sums.c + count * entry(rows, at + 2),
        sums.d + count * entry(rows, at + 3),
    )


@helper
def with_meetings(sums: Sums, rows: Words, row: int, cells: np.uint64, other: Layers) -> Sums:
    """With these cells, told apart by their distance from the other player."""
    sums = added(sums, rows, row, cells & other.first)
    sums = added(sums, rows, row + 1, cells & other.second)
    sums = added(sums, rows, row + 2, cells & other.third)
    sums = added(sums, rows, row + 3, cells & other.further)
    return added(sums, rows, row + 4, cells & other.never)


@helper
def with_degrees(sums: Sums, rows: Words, row: int, exits: np.uint64, around: Degrees) -> Sums:
    """With the free neighbours of a player, told apart by how many they have themselves."""
    few = exits & ~(around.fours | around.eights)
    sums = added(sums, rows, row, few & ~around.twos & ~around.ones)
    sums = added(sums, rows, row + 1, few & ~around.twos & around.ones)
    sums = added(sums, rows, row + 2, few & around.twos & ~around.ones)
    sums = added(sums, rows, row + 3, few & around.twos & around.ones)
    sums = added(sums, rows, row + 4, exits & around.fours & ~around.twos)
    return added(sums, rows, row + 5, exits & (around.eights | around.fours & around.twos))


@helper
def fired(outputs: Numbers, at: int, word: np.uint64, zero: int) -> float:
    """What four hidden units add to the output; `zero` is how their sums say 0."""
    total = 0.0
    for lane in range(WORDS):
        unit = integer(word >> np.uint64(LANE * lane) & LANE_MASK) - zero
        total += outputs[at + lane] * max(unit, 0)
    return total


@routine
def lean(odds: Odds, blocked: np.uint64, mine: int, theirs: int) -> float:
    """The logarithm of the odds that the player on `mine`, who is to walk, wins."""
    rows, outputs = odds.rows, odds.outputs
    free = ~(blocked | bit(mine) | bit(theirs))
    around, near, other = degrees(free), layers(free, mine), layers(free, theirs)
    exits, other_exits = popcount(near.first), popcount(other.first)
    sums = Sums(ZERO, ZERO, ZERO, ZERO)
    sums = added(sums, rows, FREE + popcount(free), ONE)
    sums = added(sums, rows, EXITS + exits, ONE)
    sums = added(sums, rows, OTHER_EXITS + other_exits, ONE)
    sums = added(sums, rows, DISTANCE + king_distance(mine, theirs) - 1, ONE)
    sums = with_meetings(sums, rows, 0, near.first, other)
    sums = with_meetings(sums, rows, STEPS, near.second, other)
    sums = with_meetings(sums, rows, 2 * STEPS, near.third, other)
    sums = with_meetings(sums, rows, 3 * STEPS, near.further, other)
    sums = with_meetings(sums, rows, 4 * STEPS, near.never, other)
    sums = with_degrees(sums, rows, DEGREES, near.first, around)
    sums = with_degrees(sums, rows, DEGREES + DEGREE_CLASSES, other.first, around)
    zero = ONCE * OFFSET + MIDDLE * (popcount(free) + exits + other_exits)
    total = fired(outputs, 0, sums.a, zero) + fired(outputs, 4, sums.b, zero)
    return total + fired(outputs, 8, sums.c, zero) + fired(outputs, 12, sums.d, zero) + outputs[HIDDEN]


@helper
def expected(odds: Odds, blocked: np.uint64, mine: int, theirs: int) -> float:
    """The expected result of the player who is to walk, from -1 (lost) to 1 (won)."""
    return JUDGED * (2.0 / (1.0 + exp(-lean(odds, blocked, mine, theirs))) - 1.0)


@evaluate.method(Odds, Trap)
def _(heuristic: Odds, state: Trap, me: int) -> float:
    sign = WIN if state.player == me else -WIN
    if state.stage == WALK:
        return sign * expected(heuristic, state.blocked, state.mine, state.theirs)
    return -sign * expected(heuristic, state.blocked, state.theirs, state.mine)


def packed(first: Numbers, outputs: Numbers) -> Odds:
    """The evaluation from a network's first layer (a row an input, a column a hidden unit) and its output weights.

    The last row of the first layer is added once for the full board, in proportion to the share of free cells; the row
    before it always. Each hidden unit has a scale of its own, which its output weight undoes.
    """
    scale = (MIDDLE - 1) / np.abs(first[:COUNTED]).max(axis=0)
    share = np.minimum(np.arange(FREE_ROWS) / MANY, 1.0)[:, None]
    once = np.concatenate([first[COUNTED:FREE], first[FREE] + share * first[FREE + 1]])
    counted = np.rint(first[:COUNTED] * scale) + MIDDLE
    others = np.clip(np.rint(once * scale), 1 - OFFSET, OFFSET - 1) + OFFSET
    lanes = np.concatenate([counted, others]).astype(np.uint64).reshape(ROWS, WORDS, 4)
    words = np.bitwise_or.reduce(lanes << (LANE * np.arange(4, dtype=np.uint64)), axis=2)
    return Odds(words.ravel(), np.append(outputs[:HIDDEN] / scale, outputs[HIDDEN]))


def loaded(path: Path) -> Odds:
    """The evaluation with the weights of a file."""
    numbers = np.loadtxt(path, delimiter=",", comments="#", usecols=range(1, HIDDEN + 1))
    return packed(numbers[:-2], np.append(numbers[-2], numbers[-1, 0]))


def fitted() -> Odds:
    """The evaluation that the champion plays with."""
    return loaded(DATA)
