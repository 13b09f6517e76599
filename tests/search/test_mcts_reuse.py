"""The tree of the move before, which the next search goes on from."""

import math

import numpy as np
import pytest

import harena
from harena.search.result import Limits, Turn
from harena.search.tree import (
    BLOCK,
    COUNT,
    MOVE,
    NONE,
    PARENT,
    PLAYER,
    VISITS,
    Tree,
    child_by,
    children_of,
    move_of,
    subtree,
)
from search.growing import FIGURE, GAMES, LEAST_NODES, every_game, grown, middle, searcher, seen, used


@every_game
def test_the_kept_tree_is_the_old_subtree(name: str) -> None:
    state = middle(name)
    old = grown(searcher(name, solver=False), state, 2000)
    paths = []
    for child in children_of(old, 0):
        paths.append([move_of(old, child)])
        paths += [[move_of(old, child), move_of(old, reply)] for reply in children_of(old, child)]
    for path in paths[::7]:
        copy = Tree(*(part.copy() for part in old))
        copy = copy._replace(
            sums=copy.nodes.view(np.float64), shares=copy.nodes.view(np.float32), scores=copy.pool.view(np.float32)
        )
        node = 0
        for move in path:
            node = child_by(old, node, move)
        kept = subtree(copy, path)
        assert kept is not None and seen(kept) == seen(old, node)
        assert kept.pool is copy.pool and kept.nodes is copy.nodes  # it takes no memory beside the old one
        assert not kept.pool[int(kept.used[1]) : int(old.used[1])].any()
        assert kept.nodes[0, PARENT] == NONE and not kept.nodes[used(kept) : used(old)].any()
        for child in children_of(kept, 0):  # what the choice among them looks at came along too
            assert kept.scores[kept.nodes[child, 1], 3] == np.float32(1 / math.sqrt(kept.nodes[child, VISITS])) or (
                kept.nodes[child, PLAYER] == harena.CHANCE
            )


@every_game
def test_a_search_goes_on_from_the_kept_tree(name: str) -> None:
    state, search = middle(name), searcher(name, solver=False)
    tree = grown(search, state, 2000)
    path: list[int] = []
    node = 0
    while not path or state.mover == harena.CHANCE or len(path) < 2:
        node = max(children_of(tree, node), key=lambda child: tree.nodes[child, VISITS])
        path.append(move_of(tree, node))
        state = state.play(path[-1])
    assert not state.is_over
    known = int(tree.nodes[node, VISITS])
    result = search.run(state.value, Limits(iterations=50), Turn(path=tuple(path)))
    assert search.memory.tree is not None and known > 1
    assert search.memory.tree.nodes[0, VISITS] == known + 50 and result.iterations == 50
    assert {one.move for one in result.root} <= set(state.moves())
    assert_legal(search.memory.tree, 0, state)


def assert_legal(tree: Tree, node: int, state: harena.State) -> None:
    """Every move of a subtree is legal where it stands, and every node's moves are all there are."""
    if tree.nodes[node, COUNT] > 0:
        begin = int(tree.nodes[node, BLOCK])
        block = tree.pool[begin : begin + int(tree.nodes[node, COUNT]), MOVE]
        assert sorted(block.tolist()) == sorted(state.moves())
    for child in children_of(tree, node):
        assert state.mover == tree.nodes[child, PLAYER]
        assert_legal(tree, child, state.play(move_of(tree, child)))


@pytest.mark.parametrize("path", [None, (99,), (0, 99)])
def test_nothing_is_kept_after_an_unknown_path(path: tuple[int, ...] | None) -> None:
    state, search = GAMES["tiles"][0].position(f"{FIGURE} R 1"), searcher("tiles", solver=False)
    grown(search, state, 500)
    search.run(state.value, Limits(iterations=50), Turn(path=path))
    assert search.memory.tree is not None and search.memory.tree.nodes[0, VISITS] == 50


def test_the_same_position_again_goes_on_with_the_whole_tree() -> None:
    state, search = GAMES["tiles"][0].position(f"{FIGURE} R 1"), searcher("tiles", solver=False)
    grown(search, state, 500)
    search.run(state.value, Limits(iterations=50), Turn(path=()))
    assert search.memory.tree is not None and search.memory.tree.nodes[0, VISITS] == 550


def test_a_full_tree_has_room_again_after_a_move() -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} R 1")
    search = searcher("tiles", solver=False, megabytes=1e-9)
    move = search.run(state.value, Limits(iterations=2000)).move
    reply = state.play(move).moves()[0]
    assert search.memory.tree is not None
    tree = search.memory.tree
    child = child_by(tree, child_by(tree, 0, move), reply)
    known = 0 if child == NONE else int(tree.nodes[child, VISITS])
    search.run(state.play(move).play(reply).value, Limits(iterations=500), Turn(path=(move, int(reply))))
    tree = search.memory.tree
    assert tree.nodes[0, VISITS] == known + 500
    assert used(tree) > LEAST_NODES // 2 and used(tree) <= LEAST_NODES
    assert_legal(tree, 0, state.play(move).play(reply))
