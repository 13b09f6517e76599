"""The top of a player's search tree as a document: of alpha-beta and its kin recorded anew, of MCTS read off."""

from dataclasses import replace
from typing import Any

from harena.agents.analysis import VERDICTS, behind
from harena.agents.chase import NOTHING, Chase, Trees
from harena.agents.player import Player
from harena.api import State
from harena.contract import CHANCE
from harena.errors import UsageError
from harena.search.deepening import Deepening
from harena.search.mcts import Mcts, proven_for_mover
from harena.search.record import Kind, Node, as_tree, record
from harena.search.result import Result
from harena.search.tree import COUNT, DREW, LOST, PLAYER, REWARDS, VISITS, WON, Tree, children_of, move_of

WIDTHS = {1: 8, 2: 5, 3: 3}  # children shown of each node, by levels, so that the picture can be read
NARROWEST = 2
BELOW = 2  # decisions that are searched below the recorded ones: the whole depth of a long search would take as long


def check_tree(player: Player) -> None:
    """Complain about a player whose search has no tree."""
    if not isinstance(behind(player.search), (Deepening, Trees, Mcts)):
        raise UsageError(f"{player.text} has no tree: try id, alphabeta, minimax, star or mcts")


def recorded(player: Player, state: State, result: Result, levels: int) -> dict[str, Any]:
    """The document of `render/tree.py`."""
    search, width = behind(player.search), WIDTHS.get(levels, NARROWEST)
    half: Any = state.value
    if isinstance(search, Trees):
        half, search = search.half_of(state.value)
    if isinstance(search, Deepening):
        depth = max(1, min(result.depth or 1, levels + BELOW))
        root = record(search.algorithm, search.heuristic, half, depth, levels=levels, width=width)
        value = "" if result.value is None else f", {result.value:g}"
        found = f"{state.named(result.move)}{value}"
        caption = f"searched anew to depth {depth}; to depth {result.depth} the player found {found}"
    else:
        assert isinstance(search, Mcts) and search.memory.tree is not None  # see check_tree
        root = tree_of(search, search.memory.tree, levels, width)
        caption = f"{result.iterations:,} iterations"
    return as_tree(
        root,
        half,
        lambda value, move: _text(state, value, move),
        game=state.game.name,
        position=state.text,
        algorithm=player.text,
        caption=caption,
    )


def _text(state: State, value: Any, move: int) -> str:
    """A move's text; the halves of Trap! number their moves as the game does, and one more: nothing happens."""
    return "no effect" if isinstance(value, Chase) and move == NOTHING else state.game.face.format_move(value, move)


def tree_of(search: Mcts, tree: Tree, levels: int, width: int) -> Node:
    """The top of a Monte Carlo tree: the most visited children of each node, with their means and visits."""
    children = children_of(tree, 0)
    me = int(tree.nodes[children[0], PLAYER]) if len(children) else 0
    return _node(search, tree, 0, levels, width, me, is_best=True)


def _node(search: Mcts, tree: Tree, node: int, levels: int, width: int, me: int, *, is_best: bool) -> Node:
    children = search.ranked(tree, node)
    player = int(tree.nodes[children[0], PLAYER]) if children else None
    shown = children[:width] if levels > 0 else []
    total = sum(float(tree.nodes[child, VISITS]) for child in children)
    below = []
    for rank, child in enumerate(shown):
        made = _node(search, tree, child, levels - 1, width, me, is_best=is_best and rank == 0 and player != CHANCE)
        share = float(tree.nodes[child, VISITS]) / total if player == CHANCE else None
        below.append(replace(made, move=move_of(tree, child), probability=share))
    if levels > 0 and len(children) > len(shown):
        rest = sum(float(tree.nodes[child, VISITS]) for child in children[width:])
        below.append(
            Node(kind="more", count=len(children) - len(shown), probability=rest / total if player == CHANCE else None)
        )
    listed = int(tree.nodes[node, COUNT])
    if levels > 0 and listed > len(children) and player != CHANCE:
        below.append(Node(kind="pruned", count=listed - len(children), note="never tried"))
    kind: Kind = "leaf" if player is None else "chance" if player == CHANCE else "max" if player == me else "min"
    return Node(
        kind=kind,
        player=None if player == CHANCE else player,
        value=mean_for(tree, node, me, search),
        visits=int(tree.nodes[node, VISITS]),
        best=is_best,
        note="" if node == 0 else VERDICTS[proven_for_mover(tree, node)],
        deeper=0 if levels > 0 or not children else 1,
        children=tuple(below),
    )


def mean_for(tree: Tree, node: int, me: int, search: Mcts) -> float | None:
    """The mean reward, for the player at the root; chance and the root have none of their own."""
    player, visits = int(tree.nodes[node, PLAYER]), float(tree.nodes[node, VISITS])
    if node == 0 or player == CHANCE or not visits:
        return None
    if player == me:
        return float(tree.sums[node, REWARDS]) / visits
    won, lost, drawn = (int(tree.nodes[node, column]) for column in (WON, LOST, DREW))
    options, judged = search.options, visits - won - lost - drawn  # by the heuristic, in place of an end
    theirs = float(tree.sums[node, REWARDS]) - won * options.win - lost * options.loss - drawn * options.draw
    mine = won * options.loss + lost * options.win + drawn * options.draw  # a draw may be bad for both
    return (mine + judged * (options.win + options.loss) - theirs) / visits
