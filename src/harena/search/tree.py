"""The tree of a Monte Carlo search: arrays of fixed size, so that it stops growing at its limit instead of failing.

A node's moves are listed when it is visited for the second time, into a block of the pool; children are made one by
one as they are tried. So a tree of Colosseum's, with hundreds of moves a node, costs one node an iteration.

A large tree is waited for in memory, so what is needed together lies together: a node is one cache line, read as
integers and as numbers, and the choice among its children runs along its block of the pool:

    words of a node    0 parent  1 place in the pool  2 player who moved  3 block  4 count  5 tried  6 won  7 lost
                       8 drawn  9 visits  10-11 rewards  12 prior  13-14 RAVE visits, rewards  15 what is proven
    words of a move    0 move  1 child  2 the child's mean reward  3 its 1 / sqrt(visits)
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.kernel.compile import kernel
from harena.kernel.generic import helper

UNKNOWN, FIRST_WINS, SECOND_WINS, DRAWN = 0, 1, 2, 3  # what is proven of a node
NONE, FULL, NOT_LISTED = -1, -1, -1

# Words of a node. Results, visits and rewards are seen by the player who moved into it.
PARENT, PLACE, PLAYER, BLOCK, COUNT, TRIED, WON, LOST, DREW, VISITS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9  # in `nodes`
REWARDS = 5  # in `sums`, whose words are twice as long
PRIOR, RAVE_VISITS, RAVE_REWARDS = 12, 13, 14  # in `shares`
PROVEN = 15  # in `nodes`
NODE_WORDS = 16
# Words of a move.
MOVE, CHILD = 0, 1  # in `pool`
MEAN, WIDTH = 2, 3  # in `scores`
MOVE_WORDS = 4
UNVISITED, AVOIDED = 1e30, -1e30  # the mean of a node to be tried first, and of one proven to be lost
FEWEST, MOST, SHARE = 2, 64, 8  # moves in the pool for each node: an eighth of what a node may have, within bounds


class Tree(NamedTuple):
    """Rows over nodes (thrice the same memory) and over moves (twice); node 0 is the root, children follow parents."""

    nodes: NDArray[np.int32]
    sums: NDArray[np.float64]
    shares: NDArray[np.float32]
    pool: NDArray[np.int32]
    scores: NDArray[np.float32]
    used: NDArray[np.int64]  # nodes, and moves of the pool, in use


def new_tree(megabytes: float, max_moves: int) -> Tree:
    """A tree of only a root, which never takes more than so much memory, for a game with so many moves at most.

    Few nodes are ever listed, and those in part: what the pool holds for each node was measured.
    """
    spare = min(max(max_moves // SHARE, FEWEST), MOST)
    node_bytes = 4 * (NODE_WORDS + spare * MOVE_WORDS)
    count = int(min(max(64, megabytes * 1e6 / node_bytes), 2**31 / spare - 1))
    memory = np.zeros(NODE_WORDS * (count + 1), np.int32)
    begin = -(memory.ctypes.data // 4) % NODE_WORDS  # where a cache line does
    nodes = memory[begin : begin + NODE_WORDS * count].reshape(count, NODE_WORDS)
    pool = np.zeros((count * spare, MOVE_WORDS), np.int32)
    tree = Tree(
        nodes, nodes.view(np.float64), nodes.view(np.float32), pool, pool.view(np.float32), np.array([1, 0], np.int64)
    )
    nodes[0, : COUNT + 1] = (NONE, NONE, NONE, 0, NOT_LISTED)
    return tree


@helper
def number(entry: Any) -> int:
    """An entry of these arrays as the integer that rules and indices are made of."""
    whole: Any = np.int64(entry)
    return whole


@helper
def add_node(tree: Tree, parent: int, place: int, player: int) -> int:
    """A new node behind a move of the pool, or FULL."""
    node = tree.used[0]
    if node >= len(tree.nodes):
        return FULL
    tree.used[0] += 1
    tree.pool[place, CHILD] = node
    tree.scores[place, MEAN] = UNVISITED
    tree.scores[place, WIDTH] = 0.0
    tree.nodes[parent, TRIED] += 1
    tree.nodes[node, PARENT] = parent
    tree.nodes[node, PLACE] = place
    tree.nodes[node, PLAYER] = player
    tree.nodes[node, COUNT] = NOT_LISTED
    return node


@helper
def add_moves(tree: Tree, node: int, out: NDArray[np.int64], count: int) -> bool:
    """Give a node its moves; False when there is no room."""
    begin = tree.used[1]
    if begin + count > len(tree.pool):
        return False
    for index in range(count):
        tree.pool[begin + index, MOVE] = out[index]
        tree.pool[begin + index, CHILD] = NONE
    tree.used[1] += count
    tree.nodes[node, BLOCK] = begin
    tree.nodes[node, COUNT] = count
    return True


@helper
def add_reward(tree: Tree, node: int, games: int, rewards: float) -> None:
    """Count games of a node, and what the choice among its siblings looks at."""
    tree.nodes[node, VISITS] += games
    tree.sums[node, REWARDS] += rewards
    visits = tree.nodes[node, VISITS]
    if visits > 0:
        place = number(tree.nodes[node, PLACE])
        tree.scores[place, WIDTH] = 1.0 / np.sqrt(float(visits))
        if tree.scores[place, MEAN] != np.float32(AVOIDED):
            tree.scores[place, MEAN] = tree.sums[node, REWARDS] / visits


@helper
def prove(tree: Tree, node: int, verdict: int) -> None:
    """Note what is proven of a node; one that is lost for the player who moves there is avoided from now on."""
    tree.nodes[node, PROVEN] = verdict
    if verdict != UNKNOWN and verdict == FIRST_WINS + 1 - tree.nodes[node, PLAYER] and tree.nodes[node, PARENT] != NONE:
        tree.scores[number(tree.nodes[node, PLACE]), MEAN] = AVOIDED


@helper
def is_full(tree: Tree) -> bool:
    """Whether there is no room for another node."""
    return tree.used[0] >= len(tree.nodes)


def block_of(tree: Tree, node: int) -> NDArray[np.int32]:
    """The rows of a node's moves in the pool; none before they are listed."""
    begin = int(tree.nodes[node, BLOCK])
    return tree.pool[begin : begin + max(int(tree.nodes[node, COUNT]), 0)]


def child_by(tree: Tree, node: int, move: int) -> int:
    """The child behind a move, or NONE."""
    block = block_of(tree, node)
    places = np.flatnonzero(block[:, MOVE] == move)
    return int(block[places[0], CHILD]) if len(places) else NONE


def move_of(tree: Tree, node: int) -> int:
    """The move that leads into a node other than the root."""
    return int(tree.pool[tree.nodes[node, PLACE], MOVE])


def children_of(tree: Tree, node: int) -> NDArray[np.int32]:
    """The children that exist, in the order in which they were tried."""
    children = block_of(tree, node)[:, CHILD]
    return children[children != NONE]


@kernel
def keep_nodes(tree: Tree, node: int, places: NDArray[np.int32]) -> None:
    """Make a node the root and forget all nodes that are not below it; blocks of moves stay where they are.

    A child comes after its parent, so one pass in the order of the numbers moves every node to its new place. `places`
    is room for where each went (NONE at first). A node then knows its place in its parent's block only.
    """
    kept = 0
    for old in range(node, tree.used[0]):
        parent = tree.nodes[old, PARENT]
        if old != node and (parent == NONE or places[parent] == NONE):
            continue
        places[old] = kept
        for word in range(NODE_WORDS):
            tree.nodes[kept, word] = tree.nodes[old, word]
        tree.nodes[kept, PARENT] = NONE
        if old != node:
            tree.nodes[kept, PARENT] = places[parent]
            tree.nodes[kept, PLACE] -= tree.nodes[places[parent], BLOCK]
        kept += 1
    tree.used[0] = kept


@kernel
def keep_blocks(tree: Tree, order: NDArray[np.int64]) -> None:
    """Move the blocks together, given all nodes in the order of their blocks, and join them to their children again."""
    used = 0
    for index in range(len(order)):
        node = order[index]
        begin = tree.nodes[node, BLOCK]
        tree.nodes[node, BLOCK] = used
        for move in range(begin, begin + max(tree.nodes[node, COUNT], 0)):
            for word in range(MOVE_WORDS):
                tree.pool[used, word] = tree.pool[move, word]
            tree.pool[used, CHILD] = NONE
            used += 1
    for node in range(1, tree.used[0]):
        tree.nodes[node, PLACE] += tree.nodes[tree.nodes[node, PARENT], BLOCK]
        tree.pool[tree.nodes[node, PLACE], CHILD] = node
    tree.used[1] = used


def subtree(tree: Tree, path: list[int]) -> Tree | None:
    """The tree as it is seen after these moves, or None where nothing of it is known; the old one is used up."""
    node = 0
    for move in path:
        node = child_by(tree, node, move)
        if node == NONE:
            return None
    if node == 0:
        return tree
    nodes, moves = tree.used.tolist()
    keep_nodes(tree, node, np.full(nodes, NONE, np.int32))
    keep_blocks(tree, np.argsort(tree.nodes[: tree.used[0], BLOCK], kind="stable"))
    tree.nodes[tree.used[0] : nodes] = 0  # new nodes are taken to be empty
    tree.pool[tree.used[1] : moves] = 0
    return tree
