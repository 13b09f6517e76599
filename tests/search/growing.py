"""Small games and searches whose trees tests look into."""

from typing import Any

import pytest

import harena
from harena.heuristics.boxed import Boxed
from harena.heuristics.combine import Null
from harena.heuristics.mobility import Mobility
from harena.search.mcts import Mcts
from harena.search.result import Limits, Turn
from harena.search.tree import (
    BLOCK,
    COUNT,
    DREW,
    LOST,
    MOVE,
    PARENT,
    PLAYER,
    PROVEN,
    REWARDS,
    TRIED,
    VISITS,
    WON,
    Tree,
    children_of,
    move_of,
)
from harena.search.uct import AT_ONCE, BY_HALVES, IN_ORDER, SHUFFLED, NoHandicap, Uct

MEGABYTES = 20.0
LEAST_NODES = 64  # of the smallest tree
# One heuristic and one rule for each game, so that each game's search is compiled once.
GAMES: dict[str, tuple[harena.Game, Any, Any]] = {
    "isolation": (harena.game("isolation", size=4, setup="random-placements"), Mobility(1.0, -1.0), NoHandicap()),
    "tiles": (harena.game("tiles", size=4), Null(), NoHandicap()),
    "colosseum": (harena.game("colosseum", size=3), Null(), Boxed(0)),
    "trap": (harena.game("trap", size=4), Null(), NoHandicap()),
}
FIGURE = "RBBR/RBRB/BRBR/BBRR"
WIN_IN_ONE = "1.../x.../...x/.2.. 1"  # c2 is the last cell that player 2 can go to
every_game = pytest.mark.parametrize("name", GAMES)
every_expansion = pytest.mark.parametrize("expansion", [IN_ORDER, SHUFFLED, AT_ONCE, BY_HALVES])


def searcher(
    name: str, *, handicap: int = 0, choice: str = "visits", megabytes: float = MEGABYTES, **options: Any
) -> Mcts:
    """A search of a game that leaves its tree in its memory."""
    _, heuristic, rule = GAMES[name]
    rule = Boxed(handicap) if name == "colosseum" else rule
    return Mcts(options=Uct(**options), heuristic=heuristic, rule=rule, choice=choice, megabytes=megabytes, keeps=True)


def grown(search: Mcts, state: harena.State, iterations: int, seed: int = 0) -> Tree:
    """The tree after so many iterations."""
    search.run(state.value, Limits(iterations=iterations), Turn(seed=seed))
    assert search.memory.tree is not None
    return search.memory.tree


def after_plies(name: str, seed: int, plies: int) -> harena.State:
    """A state after some random plies, in which a player decides; or the end of the game."""
    game = GAMES[name][0]
    state, rng = game.initial(seed), harena.generator(seed)
    while not state.is_over and (plies > 0 or state.mover == harena.CHANCE):
        state, plies = state.play(state.random_move(rng)), plies - 1
    return state


def middle(name: str) -> harena.State:
    """A position with a game still ahead of it."""
    return after_plies(name, 3, 2 if name in ("tiles", "trap") else 0)


def used(tree: Tree) -> int:
    return int(tree.used[0])


def depths(tree: Tree) -> list[int]:
    """How deep each node lies."""
    found = [0]
    for node in range(1, used(tree)):
        found.append(found[tree.nodes[node, PARENT]] + 1)
    return found


def contents(tree: Tree) -> tuple[Any, ...]:
    """All that is in a tree, for comparisons."""
    return tree.used.tolist(), tree.nodes[: used(tree)].tolist(), tree.pool[: tree.used[1]].tolist()


def seen(tree: Tree, node: int = 0) -> Any:
    """A subtree as nested lists, without the numbers of its nodes and places."""
    begin = int(tree.nodes[node, BLOCK])
    listed = tree.pool[begin : begin + max(int(tree.nodes[node, COUNT]), 0), MOVE].tolist()
    words = tree.nodes[node, [PLAYER, COUNT, TRIED, WON, LOST, DREW, VISITS, PROVEN]].tolist()
    below = [(move_of(tree, child), seen(tree, child)) for child in children_of(tree, node)]
    return words, float(tree.sums[node, REWARDS]), listed, below
