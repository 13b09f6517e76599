"""A search tree opened node by node, for whoever wants to see why: what each node says, and what its children say.

`opened(...)` gives the node behind a path of moves with its children, as plain data. A node has the keys of
`Node.as_dict`, and besides

| key | |
|---|---|
| `opens` | whether it can be opened |
| `terms` | of a child in a Monte Carlo tree, for the player who chooses: `mean` + `exploration` = `bound`; `visits` |
| `picture` | the board there (a `Picture`), or None |

and the opened one `children`, `more` (how many are not listed), and `cut`: the moves that were never searched, and why.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import log, sqrt
from typing import Any

from harena import calls
from harena.agents.analysis import VERDICTS, behind
from harena.agents.chase import NOTHING, Chase, Trees, whole
from harena.agents.player import Player
from harena.agents.recording import check_tree, mean_for
from harena.api import State
from harena.contract import CHANCE, RUNNING
from harena.errors import BadOption
from harena.kernel.values import coerce
from harena.search.deepening import Deepening
from harena.search.greedy import legal_moves
from harena.search.mcts import Mcts, proven_for_mover
from harena.search.record import Kind, Node, as_number, open_node
from harena.search.result import Result
from harena.search.tree import COUNT, REWARDS, VISITS, Tree, move_of
from harena.search.uct import Uct

DEEPEST = 6  # decisions of a tree that is searched anew, unless more are asked for


def opened(
    player: Player,
    state: State,
    result: Result,
    path: Sequence[str],
    *,
    depth: int | None = None,
    width: int = 12,
    flag: Any = None,
) -> dict[str, Any]:
    """The node behind a path of moves (texts), with the `width` best of its children.

    A Monte Carlo tree is the one that `result` came from; any other is searched anew, `depth` decisions deep.
    """
    check_tree(player)
    search, value = behind(player.search), state.value
    if isinstance(search, Mcts):
        return _in_tree(search, state, path, width)
    if isinstance(search, Trees):
        value, search = search.half_of(value)
    assert isinstance(search, Deepening)  # see check_tree
    deep = depth or max(1, min(result.depth or 1, DEEPEST))
    return _in_search(search, state, value, path, deep, width, flag)


def _in_search(
    search: Deepening, state: State, root: Any, path: Sequence[str], depth: int, width: int, flag: Any
) -> dict[str, Any]:
    numbers, value = [], root
    for text in path:
        numbers.append(_move_of(state, value, text))
        value = coerce(calls.step(value, numbers[-1]))
    found = open_node(search.algorithm, search.heuristic, root, depth, numbers, flag)
    node, here = found.node, found.state
    searched = [child for child in node.children if child.kind != "pruned"]
    unseen = found.moves[len(searched) :]
    children = []
    for child in _shown(node, searched, width, bool(unseen)):
        assert child.move is not None
        after = coerce(calls.step(here, child.move))
        said = _said(child, after, state.game.face.format_move, _text(state, here, child.move), state)
        children.append(said | {"picture": _board(state, after, here, child.move)})
    document = _said(node, here, state.game.face.format_move, None, state)
    cut = {"moves": [_text(state, here, move) for move in unseen], "why": _why_cut(node)} if unseen else None
    return document | {
        "opens": bool(children),
        "children": children,
        "more": len(searched) - len(children),
        "cut": cut,
        "depth": depth,
        "path": list(path),
    }


def _shown(node: Node, children: list[Node], width: int, is_cut: bool) -> list[Node]:
    """The best children in the search's order, and always the one that cut."""
    sign = {"max": -1.0, "min": 1.0}.get(node.kind, 0.0)
    ranks = [(-(child.probability or 0.0), sign * child.worth, index) for index, child in enumerate(children)]
    kept = sorted(range(len(children)), key=ranks.__getitem__)[:width]
    if is_cut and children and len(children) - 1 not in kept:
        kept[-1] = len(children) - 1
    return [children[index] for index in sorted(kept)]


def _why_cut(node: Node) -> str:
    """What ended the search of a node before its last move."""
    value = as_number(node.value)
    if node.kind == "max":
        return f"{value} ≥ β = {as_number(node.beta)}: min has better elsewhere"
    if node.kind == "min":
        return f"{value} ≤ α = {as_number(node.alpha)}: max has better elsewhere"
    if node.bound == "<=":
        return f"even if all the others were won, {value} ≤ α = {as_number(node.alpha)}"
    return f"even if all the others were lost, {value} ≥ β = {as_number(node.beta)}"


def _said(node: Node, value: Any, format_move: Any, text: str | None, state: State) -> dict[str, Any]:
    """A node without its children."""
    plain = replace(node, children=()).as_dict(value, format_move)
    return plain | {
        "move": text,
        "opens": node.deeper > 0,
        "terms": None,
        "picture": _board(state, value),
    }


def _board(state: State, value: Any, before: Any = None, move: int | None = None) -> Any:
    """What there is to see of a state of the tree, with the traces of the move that led there."""
    if isinstance(value, Chase):
        return State(state.game, coerce(whole(value))).picture
    if before is None or move is None:
        return State(state.game, value).picture
    above = State(state.game, before)
    return State(state.game, value, above, above.named(move)).picture


def _text(state: State, value: Any, move: int) -> str:
    if isinstance(value, Chase) and move == NOTHING:
        return "no effect"
    return state.game.face.format_move(value, move)


def _move_of(state: State, value: Any, text: str) -> int:
    """The move of a text in a state of the tree."""
    look = calls.look(value)
    if look.result == RUNNING:
        for move in legal_moves(value).tolist():
            if _text(state, value, move) == text:
                return int(move)
    raise BadOption(f"there is no move {text[:20]!r} there")


def _in_tree(search: Mcts, state: State, path: Sequence[str], width: int) -> dict[str, Any]:
    tree = search.memory.tree
    if tree is None:
        raise BadOption("the tree is no longer there: analyse the position again")
    node, here, me = 0, state, state.mover
    for text in path:
        move = _move_of(state, here.value, text)
        node = next((child for child in search.ranked(tree, node) if move_of(tree, child) == move), -1)
        if node < 0:
            raise BadOption("the search never comes there")
        here = here.play(move)
    ranked = search.ranked(tree, node)
    chances = {int(move): chance for move, chance in here.chances()}
    children = []
    for rank, child in enumerate(ranked[:width]):
        move = move_of(tree, child)
        made = _tree_node(search, tree, child, here.play(move), me, is_best=rank == 0 and here.mover != CHANCE)
        children.append(
            made
            | {
                "move": str(here.named(move)),
                "probability": chances.get(move),
                "terms": None if here.mover == CHANCE else _terms(search.options, tree, node, child),
            }
        )
    tried = {move_of(tree, child) for child in ranked}
    unseen = [str(move) for move in here.moves() if int(move) not in tried] if ranked else []
    return _tree_node(search, tree, node, here, me, is_best=False) | {
        "children": children,
        "more": len(ranked) - len(children),
        "cut": {"moves": unseen, "why": "never tried"} if unseen else None,
        "depth": None,
        "path": list(path),
    }


def _tree_node(search: Mcts, tree: Tree, node: int, here: State, me: int, *, is_best: bool) -> dict[str, Any]:
    kind: Kind = "end" if here.is_over else "chance" if here.mover == CHANCE else "max" if here.mover == me else "min"
    children = int(tree.nodes[node, COUNT]) > 0 and bool(search.ranked(tree, node))
    said = Node(
        kind="leaf" if kind != "end" and not children else kind,
        player=None if here.is_over or here.mover == CHANCE else here.mover,
        value=_mean(search, tree, node, me),
        visits=int(tree.nodes[node, VISITS]),
        best=is_best,
        note="" if node == 0 else VERDICTS[proven_for_mover(tree, node)],
        deeper=int(children),
    )
    return _said(said, here.value, here.game.face.format_move, None, here) | {"picture": here.picture}


def _mean(search: Mcts, tree: Tree, node: int, me: int) -> float | None:
    """The mean reward for the player at the root; where the tree counts none, that of the children together."""
    own = mean_for(tree, node, me, search)
    if own is not None:
        return own
    below = [
        (mean_for(tree, child, me, search), float(tree.nodes[child, VISITS])) for child in search.ranked(tree, node)
    ]
    known = [(value, visits) for value, visits in below if value is not None]
    total = sum(visits for _, visits in known)
    return sum(value * visits for value, visits in known) / total if total else None


def _terms(options: Uct, tree: Tree, parent: int, child: int) -> dict[str, float]:
    """The terms of the upper confidence bound by which the search chooses this child next."""
    visits, above = float(tree.nodes[child, VISITS]), float(tree.nodes[parent, VISITS])
    mean = float(tree.sums[child, REWARDS]) / visits
    exploration = options.c * sqrt(log(max(above, 1.0)) / visits)
    return {"mean": mean, "visits": visits, "above": above, "exploration": exploration, "bound": mean + exploration}
