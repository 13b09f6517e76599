"""UCT: which child a Monte Carlo search looks at next, and what a playout is worth; all its options in one value.

Sources: Kocsis & Szepesvari, "Bandit based Monte-Carlo planning" (2006); Gelly & Silver, "Combining online and offline
knowledge in UCT" (2007) for RAVE; Chaslot et al., "Progressive strategies for Monte-Carlo tree search" (2008) for the
bias; Winands, Bjornsson & Saito, "Monte-Carlo tree search solver" (2008) for proven nodes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harena.contract import DRAW, Moves
from harena.kernel.generic import generic, helper
from harena.kernel.rng import Rng, below
from harena.search.tree import (
    BLOCK,
    CHILD,
    COUNT,
    MEAN,
    MOVE,
    NONE,
    PRIOR,
    RAVE_REWARDS,
    RAVE_VISITS,
    REWARDS,
    TRIED,
    VISITS,
    WIDTH,
    Tree,
    number,
)

IN_ORDER, SHUFFLED, AT_ONCE, BY_HALVES = 0, 1, 2, 3  # how untried moves are expanded
TO_THE_END = 10**9
LN2 = 0.6931471805599453


class Uct(NamedTuple):
    """The options of the search, all plain numbers, so that every combination shares one compiled kernel."""

    c: float = 1.0  # exploration: c * sqrt(ln N / n)
    win: float = 1.0  # rewards
    loss: float = 0.0
    draw: float = 0.5
    expansion: int = SHUFFLED
    playout_plies: int = TO_THE_END  # after so many the heuristic judges
    greed: float = 0.0  # the share of playout moves that are the heuristic's best
    scale: float = 10.0  # the heuristic's value that counts as three quarters of a win
    rave: float = 0.0  # visits at which RAVE and the playouts weigh the same (0: no RAVE)
    bias: float = 0.0  # weight of the heuristic's opinion of a move, fading as it is visited
    solver: bool = True  # back up proven results


class NoHandicap(NamedTuple):
    """Every new child starts from nothing."""

    games: int = 0


@generic
def handicap(rule: Any, state: Any, player: int) -> int:
    """How many lost games a new child starts with: the player has just moved into this state."""


@generic
def arrange(rule: Any, state: Any, out: Moves) -> None:
    """Bring the moves of a state, which were listed into `out`, into the order of expansion; there is room behind."""


@arrange.method()
def _(rule: Any, state: Any, out: Moves) -> None:
    pass


@handicap.method(NoHandicap)
def _(rule: NoHandicap, state: Any, player: int) -> int:
    return 0


def _logarithms(size: int) -> NDArray[np.float64]:
    """Ln of 0 (as of 1), 1, 2 ... by additions, multiplications and divisions only: the same bits on every machine."""
    table = np.zeros(size)
    for whole in range(2, size):
        halvings = whole.bit_length() - 1
        ratio = (whole / 2**halvings - 1.0) / (whole / 2**halvings + 1.0)
        power, total = ratio, 0.0
        for odd in range(1, 40, 2):
            total += power / odd
            power *= ratio * ratio
        table[whole] = halvings * LN2 + 2.0 * total
    return table


LOGARITHMS = _logarithms(4096)


@helper
def logarithm(number: float) -> float:
    """Ln of a count; of large ones by their leading twelve bits."""
    halvings = 0
    while number >= 4096.0:
        number *= 0.5
        halvings += 1
    return LOGARITHMS[int(number)] + halvings * LN2


@helper
def reward_of(options: Uct, result: int, share: float, player: int) -> float:
    """What the end of a playout is worth to a player; where no game ended, by the first player's share of a win."""
    if result == DRAW:
        return options.draw
    own = share if player == 0 else 1.0 - share
    return options.loss + own * (options.win - options.loss)


@helper
def first_share(result: int) -> float:
    """The first player's share of a win."""
    return 0.5 if result == DRAW else (1.0 if result == 0 else 0.0)


@helper
def share_of_win(options: Uct, value: float) -> float:
    """A heuristic's value as a share of a win, 0 to 1; one half for 0."""
    return 0.5 + 0.5 * value / (abs(value) + options.scale)


@helper
def place_to_expand(tree: Tree, node: int, options: Uct, rng: Rng) -> int:
    """The place of the next move to try, brought behind those already tried; NONE when it is not time to expand."""
    tried, count = number(tree.nodes[node, TRIED]), number(tree.nodes[node, COUNT])
    if tried == count or (options.expansion == BY_HALVES and tried > 0 and below(rng, 2) == 0):
        return NONE
    place = number(tree.nodes[node, BLOCK]) + tried
    if options.expansion in (SHUFFLED, BY_HALVES):
        other = place + below(rng, count - tried)
        tree.pool[place, MOVE], tree.pool[other, MOVE] = tree.pool[other, MOVE], tree.pool[place, MOVE]
    return place


@helper
def place_of_best(tree: Tree, node: int, options: Uct) -> int:
    """The place of the child with the highest upper confidence bound; no proven loss unless all are."""
    begin = number(tree.nodes[node, BLOCK])
    end = begin + number(tree.nodes[node, TRIED])
    explore = options.c * np.sqrt(logarithm(float(tree.nodes[node, VISITS])))
    best, best_place = -np.inf, begin
    for place in range(begin, end):
        bound = tree.scores[place, MEAN] + explore * tree.scores[place, WIDTH]
        if options.rave > 0.0 or options.bias != 0.0:
            bound += corrections(tree, number(tree.pool[place, CHILD]), options)
        if bound > best:
            best, best_place = bound, place
    return best_place


@helper
def corrections(tree: Tree, child: int, options: Uct) -> float:
    """What RAVE and the bias add to a child's bound."""
    visits = tree.nodes[child, VISITS]
    added = options.bias * tree.shares[child, PRIOR] / (visits + 1.0)
    if options.rave > 0.0 and tree.shares[child, RAVE_VISITS] > 0.0:
        weight = np.sqrt(options.rave / (3.0 * visits + options.rave))
        later = tree.shares[child, RAVE_REWARDS] / tree.shares[child, RAVE_VISITS]
        added += weight * (later - tree.sums[child, REWARDS] / max(visits, 1.0))
    return added
