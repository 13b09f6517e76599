"""Monte Carlo tree search as a search like the others: options in, limits in, a result out."""

import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from harena import calls
from harena.contract import CHANCE
from harena.errors import BadOption
from harena.kernel.rng import generator
from harena.kernel.values import coerce
from harena.search.greedy import legal_moves
from harena.search.grow import REMEMBERED, grow
from harena.search.result import NO_TURN, Limits, Result, RootMove, Turn
from harena.search.tree import (
    DRAWN,
    DREW,
    FIRST_WINS,
    LOST,
    NONE,
    PLAYER,
    PRIOR,
    PROVEN,
    REWARDS,
    UNKNOWN,
    VISITS,
    WON,
    Tree,
    child_by,
    children_of,
    move_of,
    new_tree,
    subtree,
)
from harena.search.uct import NoHandicap, Uct
from harena.search.workspace import NEVER, NODES, new_workspace

NO_HANDICAP = NoHandicap()
CHOICES = ("visits", "mean", "wins")
DEEPEST = 10**6


@dataclass
class Memory:
    """What is kept between the moves of one game, and for whoever wants to look at it."""

    tree: Tree | None = None


@dataclass(frozen=True, kw_only=True)
class Mcts:
    """A Monte Carlo search with its options, the heuristic they may use, and the rule for new children."""

    bounded_by: ClassVar[tuple[str, ...]] = ("seconds", "nodes", "iterations")
    options: Uct
    heuristic: Any
    rule: Any = NO_HANDICAP
    choice: str = "visits"  # the answer: the most visited move, that of the best mean, or of the most wins a game
    megabytes: float = 256.0
    keeps: bool = False  # use the tree again at the next move
    memory: Memory = field(default_factory=Memory, compare=False)

    def __post_init__(self) -> None:
        if self.choice not in CHOICES:
            raise BadOption(f"the choice is {', '.join(CHOICES[:-1])} or {CHOICES[-1]}, not {self.choice!r}")

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        begin = time.perf_counter()
        deadline = NEVER if limits.seconds is None else int(calls.clock() + limits.seconds * 1e9)
        look = calls.look(state)
        tree = self._tree_after(turn.path, look.max_moves)
        budgets = [budget for budget in (limits.nodes, limits.iterations) if budget is not None]
        work = new_workspace(look.max_moves, nodes=min(budgets, default=NEVER), deadline=deadline, flag=turn.flag)
        rng, marks = generator(turn.seed, turn.ply), np.full(2 * REMEMBERED, -1, np.int64)
        deepest = limits.depth or DEEPEST
        done = grow(tree, state, coerce(self.options), self.heuristic, self.rule, deepest, work, rng, marks)
        self.memory.tree = tree
        if tree.nodes[0, PROVEN] != UNKNOWN:
            stopped = "decided"
        elif turn.flag is not None and turn.flag[0]:
            stopped = "interrupted"
        else:
            limit = "iterations" if limits.nodes is None or limits.nodes != min(budgets) else "nodes"
            stopped = limit if work.counters[NODES] > min(budgets, default=NEVER) else "seconds"
        return self._result(tree, state, int(done), stopped, time.perf_counter() - begin)

    def forget(self) -> None:
        """Give back what was kept for a game."""
        self.memory.tree = None

    def _tree_after(self, path: tuple[int, ...] | None, max_moves: int) -> Tree:
        """The part of the last search's tree that still counts, or a new tree."""
        tree, self.memory.tree = self.memory.tree, None
        if tree is None or path is None or not self.keeps:
            tree = None  # given back before another is made
            return new_tree(self.megabytes, max_moves)
        return subtree(tree, list(path)) or new_tree(self.megabytes, max_moves)

    def _result(self, tree: Tree, state: Any, iterations: int, stopped: str, seconds: float) -> Result:
        rows = [self.root_move(tree, child) for child in self.ranked(tree, 0)]
        tried = {row.move for row in rows}
        untried = [RootMove(move=int(move)) for move in legal_moves(state) if int(move) not in tried]
        lost = [row for row in rows if row.proven == -1]
        rows = [row for row in rows if row.proven != -1] + untried + lost  # nothing is worse than a proven loss
        line = self.line(tree, rows[0].move)
        verdict = int(tree.nodes[0, PROVEN])
        return Result(
            move=rows[0].move,
            value=rows[0].value,
            depth=len(line),
            nodes=int(tree.used[0]),
            iterations=iterations,
            seconds=seconds,
            line=tuple(line),
            root=tuple(rows),
            proven=None if verdict == UNKNOWN else for_player(verdict, calls.look(state).mover),
            stopped=stopped,
        )

    def line(self, tree: Tree, move: int) -> list[int]:
        """The moves that the tree expects from this one on, up to a chance node."""
        line, node = [move], child_by(tree, 0, move)
        while node != NONE and (ranked := self.ranked(tree, node)) and tree.nodes[ranked[0], PLAYER] != CHANCE:
            node = ranked[0]
            line.append(move_of(tree, node))
        return line

    def ranked(self, tree: Tree, node: int) -> list[int]:
        """The children that were visited, the best first: proven wins, then by the rule of choice, losses last."""
        children = children_of(tree, node)
        children = children[tree.nodes[children, VISITS] > 0]
        if not len(children):
            return []
        visits, verdicts = tree.nodes[children, VISITS], tree.nodes[children, PROVEN]
        player = int(tree.nodes[children[0], PLAYER])
        mean, wins = tree.sums[children, REWARDS] / visits, tree.nodes[children, WON] / visits
        first, second = {"visits": (visits, mean), "mean": (mean, visits), "wins": (wins, visits)}[self.choice]
        is_won, is_lost = verdicts == FIRST_WINS + player, verdicts == FIRST_WINS + 1 - player
        order = np.lexsort((-second, -first, is_lost.astype(int) - is_won))
        if player == CHANCE:
            order = np.argsort(-visits, kind="stable")
        return [int(child) for child in children[order]]

    def root_move(self, tree: Tree, child: int) -> RootMove:
        """What the tree knows of the move into a node."""
        visits = float(tree.nodes[child, VISITS])
        return RootMove(
            move=move_of(tree, child),
            value=float(tree.sums[child, REWARDS]) / visits,
            visits=int(visits),
            won=int(tree.nodes[child, WON]),
            lost=int(tree.nodes[child, LOST]),
            drawn=int(tree.nodes[child, DREW]),
            proven=proven_for_mover(tree, child),
            prior=float(tree.shares[child, PRIOR]) if self.options.bias else None,
        )


def for_player(verdict: int, player: int) -> int:
    """1, 0 or -1 for what is proven, seen by a player."""
    return 0 if verdict == DRAWN else (1 if verdict == FIRST_WINS + player else -1)


def proven_for_mover(tree: Tree, child: int) -> int | None:
    """What is proven of a node, seen by the player who moved there; None where nothing is."""
    verdict, player = int(tree.nodes[child, PROVEN]), int(tree.nodes[child, PLAYER])
    return None if verdict == UNKNOWN or player == CHANCE else for_player(verdict, player)
