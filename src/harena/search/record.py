"""The top of a search tree, recorded for people to look at: what each node was worth, and where the search cut.

The first few plies are walked here in Python, by the text of alpha-beta with Star1 at chance nodes (or of minimax), in
the game's own order of moves; below them the algorithm itself is asked, with the window that is current there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from harena import calls
from harena.contract import CHANCE, FIRST, RUNNING
from harena.errors import BadOption
from harena.kernel.compile import kernel
from harena.kernel.values import coerce
from harena.search.alphabeta import AlphaBeta
from harena.search.expectiminimax import PLAIN, STAR1
from harena.search.workspace import SLICE, STOPPED, WIN, Workspace, new_workspace, search

Kind = Literal["max", "min", "chance", "leaf", "end", "pruned", "more"]
Bound = Literal["=", "<=", ">="]

OPEN = 2 * WIN  # the end of a window without a bound
DEEPEST_RECORD = 60
MEGABYTES = 4.0  # for the table, where the algorithm has one


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node of a recorded tree. Values are those for the player who moves at the root (FIRST, if chance does)."""

    kind: Kind  # "leaf": judged by the heuristic; "end": game over; "pruned": never searched; "more": not shown
    move: int | None = None  # that led here
    player: int | None = None  # who decides here; None at chance nodes and ends
    value: float | None = None
    bound: Bound = "="  # "<=": the true value is at most this one
    alpha: float | None = None  # the window when the node was entered; None where the algorithm has none
    beta: float | None = None
    probability: float | None = None  # of this outcome, below a chance node
    visits: int | None = None
    best: bool = False  # on the principal line
    note: str = ""  # anything else worth saying: "proven win", the terms of a formula
    count: int = 1  # of "pruned" and "more": how many nodes this one stands for
    deeper: int = 0  # plies that were searched below this node and are not shown
    children: tuple["Node", ...] = ()

    @property
    def worth(self) -> float:
        """The value of a node that has one."""
        assert self.value is not None
        return self.value

    def as_dict(self, state: Any, format_move: Callable[[Any, int], str]) -> dict[str, Any]:
        """As plain data for JSON, of this node's state; `format_move` gives the text of a move in a state.

        Beside the numbers there are texts to show: `label` for the value, `window` for alpha and beta.
        """
        children = []
        for child in self.children:
            after = state if child.move is None else coerce(calls.step(state, child.move))
            text = None if child.move is None else format_move(state, child.move)
            children.append({**child.as_dict(after, format_move), "move": text})
        sign = {"=": "", "<=": "≤ ", ">=": "≥ "}[self.bound]
        is_windowed = self.alpha is not None and self.beta is not None
        return {
            "kind": self.kind,
            "move": None,
            "player": self.player,
            "value": self.value,
            "bound": self.bound,
            "label": "" if self.value is None else sign + as_number(self.value),
            "alpha": self.alpha,
            "beta": self.beta,
            "window": f"[{as_number(self.alpha, -1)}, {as_number(self.beta, 1)}]" if is_windowed else "",
            "probability": self.probability,
            "visits": self.visits,
            "best": self.best,
            "note": self.note,
            "count": self.count,
            "deeper": self.deeper,
            "children": children,
        }


def as_tree(
    root: Node,
    state: Any,
    format_move: Callable[[Any, int], str],
    *,
    game: str,
    position: str = "",
    algorithm: str = "",
    caption: str = "",
) -> dict[str, Any]:
    """The whole as plain data for JSON and for `render.tree.draw`, which documents the format."""
    heading = {"harena-tree": 1, "game": game, "position": position, "algorithm": algorithm, "caption": caption}
    return {**heading, "root": root.as_dict(state, format_move)}


def record(algorithm: Any, heuristic: Any, state: Any, depth: int, *, levels: int = 2, width: int = 6) -> Node:
    """The top `levels` plies, chance included, of a search that looks `depth` decisions ahead.

    The root has the search's own value. Of each node the `width` best children are kept, in the game's order and always
    with the one that caused a cut (of a chance node the likeliest); one node stands for the others, one for those that
    were pruned. Star2 is recorded as Star1: its probes are no part of the tree.
    """
    if not 0 <= depth <= DEEPEST_RECORD:
        raise BadOption(f"the depth of a recorded search is a number from 0 to {DEEPEST_RECORD}, not {depth}")
    if levels < 0 or width < 1:
        raise BadOption(f"a recorded tree has at least 0 levels and 1 child a node, not {levels} and {width}")
    look = calls.look(state)
    me = FIRST if look.mover == CHANCE or look.result != RUNNING else int(look.mover)
    work = new_workspace(look.max_moves, megabytes=MEGABYTES if algorithm.narrows else 0.0)
    walk = _Walk(algorithm=algorithm, heuristic=heuristic, me=me, work=work, levels=levels, width=width)
    return _with_line(walk.visit(state, depth, -OPEN, OPEN, 0))


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A node of which all children are known, none of them folded away."""

    node: Node
    state: Any
    moves: tuple[int, ...]  # of this node in the search's order; those beyond its children were pruned
    level: int  # plies from the root


def open_node(algorithm: Any, heuristic: Any, state: Any, depth: int, path: Sequence[int], flag: Any = None) -> Opened:
    """The node behind these moves in a search of `depth` decisions, with the window with which the search comes there.

    Only the nodes on the path are walked here, so any tree can be looked at node by node. BadOption if the search never
    comes there, or if the flag was set before it was through.
    """
    look = calls.look(state)
    me = FIRST if look.mover == CHANCE or look.result != RUNNING else int(look.mover)
    work = new_workspace(look.max_moves, megabytes=MEGABYTES if algorithm.narrows else 0.0, flag=flag)
    walk = _Walk(algorithm=algorithm, heuristic=heuristic, me=me, work=work, levels=1, width=look.max_moves + 1)
    alpha, beta = -OPEN, OPEN
    for level in range(len(path) + 1):
        node = walk.visit(state, depth, alpha, beta, 0)
        if work.counters[STOPPED]:
            raise BadOption(f"a tree of depth {depth} takes too long: choose a lower depth")
        if level == len(path):
            out = np.empty(calls.look(state).max_moves, np.int64)
            count = calls.list_moves(state, out, 0) if node.children else 0
            return Opened(node=_with_line(node), state=state, moves=tuple(out[:count].tolist()), level=level)
        child = next((one for one in node.children if one.move == path[level] and one.kind != "pruned"), None)
        if child is None:
            raise BadOption("the search never comes there")
        if child.alpha is not None and child.beta is not None:
            alpha, beta = child.alpha, child.beta
        state, depth = coerce(calls.step(state, path[level])), depth - (node.kind != "chance")
    raise AssertionError("the loop returns at its end")


@kernel
def value_below(
    algorithm: Any,
    state: Any,
    me: int,
    heuristic: Any,
    depth: int,
    alpha: float,
    beta: float,
    work: Workspace,
    ply: int,
) -> float:
    """As `search`, from Python."""
    return search(algorithm, state, me, heuristic, depth, alpha, beta, work, ply)


def cuts_chance(algorithm: Any) -> bool:
    """Whether it cuts at chance nodes too."""
    return bool(
        algorithm.windows and not isinstance(algorithm, AlphaBeta) and getattr(algorithm, "star", STAR1) != PLAIN
    )


@dataclass(frozen=True, kw_only=True)
class _Walk:
    """What stays the same for all nodes of one record."""

    algorithm: Any
    heuristic: Any
    me: int
    work: Workspace
    levels: int
    width: int

    def visit(self, state: Any, depth: int, alpha: float, beta: float, level: int) -> Node:
        """The node of a state, with the part of the tree below it that is kept."""
        look = calls.look(state)
        kind = self.kind_of(look, depth)
        is_last = kind in ("leaf", "end")
        node = Node(
            kind=kind,
            player=None if kind in ("end", "chance") else int(look.mover),
            alpha=alpha if self.algorithm.windows else None,
            beta=beta if self.algorithm.windows else None,
        )
        if not is_last and level < self.levels:
            walk = self.average if kind == "chance" else self.decide
            return walk(node, state, look.max_moves, depth, alpha, beta, level)
        low, high = min(alpha, WIN - SLICE), max(beta, SLICE - WIN)  # an empty window inside would bound nothing
        work = self.work
        value = float(value_below(self.algorithm, state, self.me, self.heuristic, depth, low, high, work, level))
        bound = "="
        if not is_last and self.algorithm.windows and not low < value < high:
            bound = "<=" if value <= low else ">="
        return _known(node, value, bound, deeper=0 if is_last else depth + (kind == "chance"))

    def kind_of(self, look: calls.Look, depth: int) -> Kind:
        if look.result != RUNNING:
            return "end"
        if look.mover == CHANCE:
            return "chance"
        if depth == 0:
            return "leaf"
        return "max" if look.mover == self.me else "min"

    def decide(self, node: Node, state: Any, room: int, depth: int, alpha: float, beta: float, level: int) -> Node:
        """A player's choice, by the text of `alphabeta`."""
        out = np.empty(room, np.int64)
        moves = out[: calls.list_moves(state, out, 0)].tolist()
        is_max = node.kind == "max"
        best = -OPEN if is_max else OPEN
        children: list[Node] = []
        is_cut = False
        for move in moves:
            child = self.visit(coerce(calls.step(state, move)), depth - 1, alpha, beta, level + 1)
            children.append(replace(child, move=move))
            best = max(best, child.worth) if is_max else min(best, child.worth)
            if self.algorithm.windows:
                alpha, beta = (max(alpha, child.worth), beta) if is_max else (alpha, min(beta, child.worth))
                is_cut = alpha >= beta
            if is_cut:
                break
        is_exact = len(children) == len(moves) and any(one.worth == best and one.bound == "=" for one in children)
        # else a cut bounds the value from the mover's side, and a failure from the other
        bound = "=" if is_exact else ">=" if is_max == is_cut else "<="
        ranks = [(-child.worth if is_max else child.worth, index) for index, child in enumerate(children)]
        return _known(node, best, bound, children=self.fold(children, ranks, is_cut, moves[len(children) :]))

    def average(self, node: Node, state: Any, room: int, depth: int, alpha: float, beta: float, level: int) -> Node:
        """A chance node, by the text of Star1 in `principal`; by that of `minimax` where nothing is cut."""
        out, chances = np.empty(room, np.int64), np.empty(room, np.float64)
        count = calls.list_chances(state, out, chances)
        moves, shares = out[:count].tolist(), chances[:count].tolist()
        cuts = cuts_chance(self.algorithm)
        low, high, value, bound = -WIN, WIN, 0.0, "="
        children: list[Node] = []
        if cuts and (high <= alpha or low >= beta):  # not even a sure win would matter
            pruned = self.fold([], [], False, moves, 1.0)
            return _known(node, WIN if high <= alpha else -WIN, "<=" if high <= alpha else ">=", children=pruned)
        for move, share in zip(moves, shares, strict=True):
            floor, ceiling = -OPEN, OPEN
            if cuts:
                floor, ceiling = max(WIN - (high - alpha) / share, -WIN), min((beta - low) / share - WIN, WIN)
            child = self.visit(coerce(calls.step(state, move)), depth, floor, ceiling, level + 1)
            children.append(replace(child, move=move, probability=share))
            low += share * (child.worth + WIN)
            high += share * (child.worth - WIN)
            value += share * child.worth
            if cuts and floor > -WIN and child.worth <= floor:
                value, bound = high, "<="
                break
            if cuts and ceiling < WIN and child.worth >= ceiling:
                value, bound = low, ">="
                break
        if len(children) == count and all(child.bound == "=" for child in children):
            bound = "="
        ranks = [(-share, index) for index, share in enumerate(shares[: len(children)])]
        kept = self.fold(children, ranks, bound != "=", moves[len(children) :], sum(shares[len(children) :]))
        return _known(node, value, bound, children=kept)

    def fold(
        self,
        children: list[Node],
        ranks: Sequence[tuple[float, int]],
        is_cut: bool,
        pruned: list[int],
        share: float | None = None,
    ) -> tuple[Node, ...]:
        """The children with the lowest ranks and the one that cut, a node for the rest, and one for the pruned."""
        kept = sorted(range(len(children)), key=ranks.__getitem__)[: self.width]
        if is_cut and len(children) - 1 not in kept:
            kept[max(1, self.width - 1) :] = [len(children) - 1]
        shown = [children[index] for index in sorted(kept)]
        rest = [child.probability for index, child in enumerate(children) if index not in kept]
        if rest:
            chance = None if share is None else sum(part or 0.0 for part in rest)
            shown.append(Node(kind="more", count=len(rest), probability=chance))
        if pruned:
            move = pruned[0] if len(pruned) == 1 else None
            shown.append(Node(kind="pruned", count=len(pruned), move=move, probability=share))
        return tuple(shown)


def _known(node: Node, value: float, bound: Any, **fields: Any) -> Node:
    """The node with its value; a bound that no value can pass is the value."""
    is_exact = (bound == "<=" and value <= -WIN) or (bound == ">=" and value >= WIN)
    return replace(node, value=value, bound="=" if is_exact else bound, **fields)


def _with_line(node: Node) -> Node:
    """The tree with its principal line marked: each player's first best move, up to a chance node."""
    line = [i for i, child in enumerate(node.children) if child.value == node.value and node.kind in ("max", "min")]
    children = tuple(_with_line(child) if index in line[:1] else child for index, child in enumerate(node.children))
    return replace(node, best=True, children=children)


def as_number(value: float | None, opened: int = 0) -> str:
    """A value as text; `opened` is the side on which a bound that no value reaches is none: -1 below, 1 above."""
    if value is None:
        return ""
    if opened and opened * value >= WIN:
        return "−∞" if opened < 0 else "∞"
    if abs(value) >= WIN:
        return "win" if value > 0 else "loss"
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")
