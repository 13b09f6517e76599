"""Monte Carlo tree search: descend, add a node, play to the end at random, carry the result up.

Source: Browne et al., "A survey of Monte Carlo tree search methods" (2012); `uct.py` holds the formulas and options.
Chance nodes are nodes of their own, whose child is drawn by its probability. Rewards belong to the player who moved
into a node, whoever comes next, so nothing here assumes that sides alternate.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from harena import calls
from harena.contract import CHANCE, DRAW, RUNNING, mover, outcome, play, random_move
from harena.kernel.compile import kernel
from harena.kernel.generic import helper, routine
from harena.kernel.rng import Rng, uniform
from harena.search.greedy import best_move, judge
from harena.search.tree import (
    BLOCK,
    CHILD,
    COUNT,
    DRAWN,
    DREW,
    FIRST_WINS,
    FULL,
    LOST,
    MOVE,
    NONE,
    NOT_LISTED,
    PARENT,
    PLACE,
    PLAYER,
    PRIOR,
    PROVEN,
    RAVE_REWARDS,
    RAVE_VISITS,
    TRIED,
    UNKNOWN,
    VISITS,
    WON,
    Tree,
    add_moves,
    add_node,
    add_reward,
    is_full,
    number,
    prove,
)
from harena.search.uct import (
    AT_ONCE,
    Uct,
    arrange,
    first_share,
    handicap,
    place_of_best,
    place_to_expand,
    reward_of,
    share_of_win,
)
from harena.search.workspace import NEXT_LOOK, NODES, TOP, Workspace, enter

REMEMBERED = 1024  # moves told apart by RAVE
MOST_RAVE = 2.0**22
LOOK_EVERY = 4  # iterations between two looks at the clock


@routine
def result_of(state: Any) -> int:
    """The result of a state, as one function for all who ask."""
    return outcome(state).result


@kernel
def simulate(
    state: Any, options: Uct, heuristic: Any, rng: Rng, work: Workspace, marks: NDArray[np.int64], stamp: int
) -> tuple[int, float]:
    """Play on at random, or by the heuristic; the result, and the first player's share of a win."""
    plies = 0
    while True:
        end = outcome(state)
        if end.result != RUNNING:
            return end.result, first_share(end.result)
        if plies >= options.playout_plies and mover(state) != CHANCE:
            return RUNNING, share_of_win(options, judge(heuristic, state, 0))
        if options.greed > 0.0 and mover(state) != CHANCE and uniform(rng) < options.greed:
            move = best_move(heuristic, state, work)
        else:
            move = random_move(state, rng)
        if options.rave > 0.0 and mover(state) != CHANCE:
            marks[mover(state) * REMEMBERED + move % REMEMBERED] = stamp
        state = play(state, move)
        plies += 1


@helper
def list_moves(tree: Tree, node: int, state: Any, rule: Any, work: Workspace) -> bool:
    """Give a node its moves; False when there is no room."""
    count = calls.list_moves(state, work.out, TOP)
    arrange(rule, state, work.out)
    return add_moves(tree, node, work.out, count)


@helper
def add_child(
    tree: Tree, node: int, place: int, state: Any, player: int, options: Uct, heuristic: Any, rule: Any
) -> int:
    """Make the child behind a move; `state` is the one it leads to. FULL when there is no room."""
    child = add_node(tree, node, place, player)
    if child != FULL and player != CHANCE:
        games = handicap(rule, state, player)
        add_reward(tree, child, games, games * options.loss)
        tree.nodes[child, LOST] = games
        if options.bias != 0.0 and result_of(state) == RUNNING:
            tree.shares[child, PRIOR] = share_of_win(options, judge(heuristic, state, player))
    return child


@helper
def place_of(tree: Tree, node: int, move: int) -> int:
    """Where a move stands in the node's block."""
    place = number(tree.nodes[node, BLOCK])
    while tree.pool[place, MOVE] != move:
        place += 1
    return place


@routine
def proven_by_children(tree: Tree, node: int, player: int) -> int:
    """What the children prove of a listed node in which this player (or chance) decides."""
    begin = number(tree.nodes[node, BLOCK])
    has_draw, is_complete, common = False, True, number(-1)
    for place in range(begin, begin + number(tree.nodes[node, COUNT])):
        child = tree.pool[place, CHILD]
        verdict = number(UNKNOWN) if child == NONE else number(tree.nodes[child, PROVEN])
        if player != CHANCE and verdict == FIRST_WINS + player:
            return verdict
        is_complete = is_complete and verdict != UNKNOWN
        has_draw = has_draw or verdict == DRAWN
        common = verdict if common in (-1, verdict) else number(UNKNOWN)
    if not is_complete:
        return number(UNKNOWN)
    if player == CHANCE:
        return common
    return number(DRAWN) if has_draw else FIRST_WINS + 1 - player


@helper
def back_up(
    tree: Tree, node: int, options: Uct, result: int, share: float, marks: NDArray[np.int64], stamp: int
) -> None:
    """Carry the end of one simulation from a node up to the root."""
    spreads = options.solver and tree.nodes[node, PROVEN] != UNKNOWN
    while True:
        parent, player = number(tree.nodes[node, PARENT]), number(tree.nodes[node, PLAYER])
        if parent == NONE:
            tree.nodes[node, VISITS] += 1
            break
        if player == CHANCE:
            tree.nodes[node, VISITS] += 1
        else:
            reward = reward_of(options, result, share, player)
            add_reward(tree, node, 1, reward)
            if result != RUNNING:
                column = DREW if result == DRAW else (WON if result == player else LOST)
                tree.nodes[node, column] += 1
            if options.rave > 0.0:
                marks[player * REMEMBERED + number(tree.pool[tree.nodes[node, PLACE], MOVE]) % REMEMBERED] = stamp
                begin = number(tree.nodes[parent, BLOCK])
                for place in range(begin, begin + number(tree.nodes[parent, TRIED])):
                    if marks[player * REMEMBERED + number(tree.pool[place, MOVE]) % REMEMBERED] == stamp:
                        sibling = tree.pool[place, CHILD]
                        tree.shares[sibling, RAVE_VISITS] += 1.0
                        tree.shares[sibling, RAVE_REWARDS] += reward
                        if tree.shares[sibling, RAVE_VISITS] >= MOST_RAVE:  # beyond, single precision loses units
                            tree.shares[sibling, RAVE_VISITS] *= 0.5
                            tree.shares[sibling, RAVE_REWARDS] *= 0.5
        if spreads and tree.nodes[parent, PROVEN] == UNKNOWN:
            verdict = proven_by_children(tree, parent, player)
            prove(tree, parent, verdict)
            spreads = verdict != UNKNOWN
        node = parent


@kernel
def grow(
    tree: Tree,
    state: Any,
    options: Uct,
    heuristic: Any,
    rule: Any,
    deepest: int,
    work: Workspace,
    rng: Rng,
    marks: NDArray[np.int64],
) -> int:
    """Add simulations to a tree whose root is this state until the workspace says stop or the root is proven.

    Below `deepest` plies no node is added. Returns the number of simulations.
    """
    iterations = 0
    while tree.nodes[0, PROVEN] == UNKNOWN and not enter(work):
        work.counters[NEXT_LOOK] = min(work.counters[NEXT_LOOK], work.counters[NODES] + LOOK_EVERY)
        iterations += 1
        stamp = work.counters[NODES]
        node, current, ply, is_fresh = number(0), state, 0, False
        while True:
            result = result_of(current)
            share = first_share(result)
            if result != RUNNING:
                if options.solver:
                    prove(tree, node, result + FIRST_WINS)
                break
            if tree.nodes[node, PROVEN] != UNKNOWN:
                result = number(tree.nodes[node, PROVEN]) - FIRST_WINS
                share = first_share(result)
                break
            is_new = tree.nodes[node, COUNT] == NOT_LISTED
            if is_new and (
                ply >= deepest
                or is_fresh
                or (tree.nodes[node, VISITS] == 0 and ply > 0)
                or not list_moves(tree, node, current, rule, work)
            ):
                result, share = simulate(current, options, heuristic, rng, work, marks, stamp)
                break
            who = mover(current)
            if who == CHANCE:
                place = place_of(tree, node, calls.pick(current, rng))
            else:
                if is_new and options.expansion == AT_ONCE:
                    for place in range(tree.nodes[node, BLOCK], tree.nodes[node, BLOCK] + tree.nodes[node, COUNT]):
                        after = calls.step(current, number(tree.pool[place, MOVE]))
                        if add_child(tree, node, place, after, who, options, heuristic, rule) == FULL:
                            break
                place = NONE if is_full(tree) else place_to_expand(tree, node, options, rng)
                if place == NONE and tree.nodes[node, TRIED] > 0:
                    place = place_of_best(tree, node, options)
            if place == NONE:  # no room for a first child
                result, share = simulate(current, options, heuristic, rng, work, marks, stamp)
                break
            current = calls.step(current, number(tree.pool[place, MOVE]))
            child = number(tree.pool[place, CHILD])
            is_fresh = child == NONE
            if is_fresh:
                child = number(add_child(tree, node, place, current, who, options, heuristic, rule))
                if child == FULL:
                    result, share = simulate(current, options, heuristic, rng, work, marks, stamp)
                    break
            node = child
            ply += 1
        back_up(tree, node, options, result, share, marks, stamp)
    return iterations
