"""Games of tiles between searches within compiled code: data to fit evaluations to."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.champions.tiles_evaluation import TRAITS, both_traits
from harena.contract import DRAW, RUNNING, Moves, Probabilities, mover, moves, outcome, play, random_move
from harena.games.tiles import Tiles
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from harena.kernel.rng import Rng, below, uniform
from harena.search.deepening import search_root
from harena.search.workspace import HORIZON, NEXT_LOOK, NODE_LIMIT, NODES, STOPPED, WIN, Workspace, new_workspace

LONGEST = 100  # plies
DEEPEST = 60


class Desk(NamedTuple):
    """What one player works with: the workspace of the search, and what is known of the moves of the root."""

    work: Workspace
    root: Moves
    values: Probabilities
    exact: NDArray[np.bool_]


class Recorder(NamedTuple):
    """Positions of one game as the player to move sees them, and how it ended for him."""

    traits: NDArray[np.float64]  # a row each
    results: NDArray[np.float64]  # 1, 1/2 or 0
    movers: NDArray[np.int64]


def new_desk(megabytes: float) -> Desk:
    """A desk with an empty table."""
    values, exact = np.zeros(LONGEST), np.zeros(LONGEST, np.bool_)
    return Desk(new_workspace(LONGEST, megabytes=megabytes), np.zeros(LONGEST, np.int64), values, exact)


def new_recorder() -> Recorder:
    """Room for one game."""
    traits, movers = np.zeros((LONGEST, 2 * TRAITS)), np.zeros(LONGEST, np.int64)
    return Recorder(traits, np.zeros(LONGEST), movers)


@helper
def write_traits(state: Tiles, row: NDArray[np.float64]) -> None:
    """The traits of the player to move, then of the other."""
    mine, theirs = both_traits(state)
    for index in range(TRAITS):
        row[index] = mine[index]
        row[TRAITS + index] = theirs[index]


@helper
def bring_best_first(root: Moves, values: Probabilities) -> None:
    """Move the one with the highest value to the front; the others keep their order."""
    best = 0
    for index in range(1, len(root)):
        if values[index] > values[best]:
            best = index
    value, move = values[best], root[best]
    while best > 0:
        root[best], values[best] = root[best - 1], values[best - 1]
        best -= 1
    root[0], values[0] = move, value


@helper
def think(algorithm: Any, heuristic: Any, state: Tiles, nodes: int, desk: Desk, rng: Rng) -> int:
    """The best move by iterative deepening within so many nodes; `desk.values[0]` is its value."""
    number = moves(state, desk.root, 0)
    root = desk.root[:number]
    for index in range(number - 1):  # equal moves in random order
        other = index + below(rng, number - index)
        root[index], root[other] = root[other], root[index]
    counters = desk.work.counters
    counters[NODES], counters[STOPPED], counters[NEXT_LOOK], counters[NODE_LIMIT] = 0, 0, 1, nodes
    value = 0.0
    for depth in range(1, DEEPEST):
        counters[HORIZON] = 0
        done = search_root(
            algorithm, state, mover(state), heuristic, depth, desk.work, root, desk.values, desk.exact, False
        )
        bring_best_first(root[:done], desk.values[:done])  # the best of the depth before comes first: a part counts
        value = desk.values[0] if done == number else value
        if done < number or counters[HORIZON] == 0 or abs(value) == WIN:
            break
    desk.values[0] = value
    return root[0]


@kernel
def play_game(
    algorithm: Any,
    heuristic: Any,
    state: Tiles,
    nodes: int,
    opening: int,
    stray: float,
    desk: Desk,
    rng: Rng,
    recorder: Recorder,
) -> int:
    """A game of a player with itself, `opening` random moves first and a share of `stray` later.

    Returns the number of positions that were recorded.
    """
    count, ply = 0, 0
    while outcome(state).result == RUNNING:
        if ply < opening or uniform(rng) < stray:
            state = play(state, random_move(state, rng))
        else:
            move = think(algorithm, heuristic, state, nodes, desk, rng)
            write_traits(state, recorder.traits[count])
            recorder.movers[count] = mover(state)
            count += 1
            state = play(state, move)
        ply += 1
    result = outcome(state).result
    for index in range(count):
        recorder.results[index] = 0.5 if result == DRAW else (1.0 if result == recorder.movers[index] else 0.0)
    return count
