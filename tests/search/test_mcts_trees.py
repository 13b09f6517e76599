"""The trees of Monte Carlo tree search: what is counted in their nodes, and how they grow."""

import math
from typing import Any

import numpy as np
import pytest

import harena
from harena.agents.walker import moves_by_distance
from harena.search.result import Limits
from harena.search.tree import (
    DREW,
    LOST,
    NONE,
    PLAYER,
    PRIOR,
    PROVEN,
    RAVE_REWARDS,
    RAVE_VISITS,
    REWARDS,
    TRIED,
    UNKNOWN,
    VISITS,
    WON,
    Tree,
    child_by,
    children_of,
    move_of,
)
from harena.search.uct import AT_ONCE, BY_HALVES, IN_ORDER, SHUFFLED, Uct
from reference import colosseum
from search.growing import FIGURE, GAMES, contents, every_expansion, every_game, grown, middle, searcher, used

# ---- what is counted


@every_game
@every_expansion
@pytest.mark.parametrize("options", [{}, {"rave": 100.0}, {"bias": 2.0}, {"greed": 0.5}])
def test_visits_and_results_add_up_in_every_node(name: str, expansion: int, options: dict[str, Any]) -> None:
    """Each node but the root was played out once when it was made; every later visit went to a child."""
    handicap = 20 if name == "colosseum" else 0
    tree = grown(searcher(name, expansion=expansion, handicap=handicap, solver=False, **options), middle(name), 600)
    nodes = tree.nodes[: used(tree)]
    is_given = (nodes[:, VISITS] >= 20) & (nodes[:, LOST] >= 20) if handicap else np.zeros(used(tree), bool)
    for node in range(used(tree)):
        children = children_of(tree, node)
        won, lost, drawn, visits = nodes[node, [WON, LOST, DREW, VISITS]]
        if node and nodes[node, PLAYER] != harena.CHANCE:
            assert won + lost + drawn == visits
            assert tree.sums[node, REWARDS] == pytest.approx(won + drawn / 2)
        if len(children) and not handicap:
            assert visits == nodes[children, VISITS].sum() + (node != 0)
        assert nodes[node, TRIED] == len(children)
    assert not handicap or is_given.any()


@pytest.mark.parametrize("options", [{"rave": 100.0}, {"bias": 2.0}, {"greed": 0.5}, {"playout_plies": 2}, {"c": 0.2}])
def test_every_option_changes_the_tree(options: dict[str, Any]) -> None:
    state = middle("isolation")
    plain, other = (grown(searcher("isolation", **given), state, 200) for given in ({}, options))
    assert contents(plain) != contents(other)


def test_a_draw_may_be_worth_less_than_nothing_to_both() -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} R 1")
    tree = grown(searcher("tiles", win=3.0, loss=-3.0, draw=-2.0, solver=False), state, 3000)
    nodes = tree.nodes[1 : used(tree)]
    expected = 3.0 * nodes[:, WON] - 3.0 * nodes[:, LOST] - 2.0 * nodes[:, DREW]
    assert tree.sums[1 : used(tree), REWARDS].tolist() == expected.tolist()
    for player in (0, 1):
        assert (nodes[nodes[:, PLAYER] == player, DREW] > 0).any()


def test_a_playout_that_is_cut_short_counts_as_no_game() -> None:
    tree = grown(searcher("isolation", playout_plies=0, solver=False), middle("isolation"), 200)
    nodes = tree.nodes[1 : used(tree)]
    games = nodes[:, WON] + nodes[:, LOST] + nodes[:, DREW]
    assert (games < nodes[:, VISITS]).any() and (games <= nodes[:, VISITS]).all()
    means = tree.sums[1 : used(tree), REWARDS] / nodes[:, VISITS]
    assert ((means >= 0) & (means <= 1)).all() and len(set(means[games == 0].tolist())) > 2


def test_a_move_between_three_walls_starts_with_lost_games() -> None:
    state = GAMES["colosseum"][0].position("3 a1 c3 1 b2r,a2d")
    tree = grown(searcher("colosseum", handicap=20, expansion=AT_ONCE, win=1.0, loss=-1.0, solver=False), state, 1)
    boxing = set()
    for child in children_of(tree, 0):
        move = state.named(move_of(tree, child))
        after = colosseum.Reference.from_text(state.play(move).text)
        if len(after.open_sides(after.locations[0])) <= 1:
            boxing.add(str(move))
            assert tree.nodes[child, LOST] - 20 in (0, 1) and tree.nodes[child, VISITS] >= 20
            assert tree.sums[child, REWARDS] <= -19
        else:
            assert tree.nodes[child, VISITS] <= 1 and tree.nodes[child, LOST] <= 1
    assert 0 < len(boxing) < len(state.moves()) and "a1r" in boxing
    result = searcher("colosseum", handicap=20, solver=False).run(state.value, Limits(iterations=500))
    given = 20 * sum(str(state.named(one.move)) in boxing for one in result.root)
    assert sum(one.visits or 0 for one in result.root) == 500 + given
    assert all(one.visits == one.won + one.lost + one.drawn for one in result.root)  # type: ignore[operator]


# ---- how the tree grows


def test_in_order_the_first_children_are_the_first_moves() -> None:
    for name in GAMES:
        state = middle(name)
        moves = [int(move) for move in state.moves()]
        if name == "colosseum":  # whose rule arranges them
            moves = moves_by_distance(state.value).tolist()
        for count in range(1, len(moves) + 1):
            tree = grown(searcher(name, expansion=IN_ORDER, solver=False), state, count)
            assert [move_of(tree, child) for child in children_of(tree, 0)] == moves[:count]


def test_shuffled_every_move_is_tried_once_in_an_order_of_the_seed() -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} R 1")
    orders = set()
    for seed in range(8):
        tree = grown(searcher("tiles", expansion=SHUFFLED, solver=False), state, len(state.moves()), seed)
        order = [move_of(tree, child) for child in children_of(tree, 0)]
        assert sorted(order) == sorted(state.moves())
        orders.add(tuple(order))
    assert len(orders) == 8


def test_at_once_all_children_exist_after_one_iteration() -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} R 1")
    tree = grown(searcher("tiles", expansion=AT_ONCE, solver=False), state, 1)
    children = children_of(tree, 0)
    assert [move_of(tree, child) for child in children] == state.moves()
    assert tree.nodes[children, VISITS].sum() == 1


def test_by_halves_a_node_with_children_gets_another_every_second_time() -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} R 1")
    counts = []
    for seed in range(200):
        tree = grown(searcher("tiles", expansion=BY_HALVES, solver=False), state, 2, seed)
        counts.append(len(children_of(tree, 0)))
    assert set(counts) == {1, 2} and 80 < counts.count(2) < 120
    tree = grown(searcher("tiles", expansion=BY_HALVES, solver=False), state, 1000)
    assert len(children_of(tree, 0)) == len(state.moves())


def bounds(tree: Tree, options: Uct) -> dict[int, float]:
    """The upper confidence bound of each child of the root, by the formulas."""
    total = math.log(tree.nodes[0, VISITS])
    found = {}
    for child in children_of(tree, 0):
        visits, mean = int(tree.nodes[child, VISITS]), float(tree.sums[child, REWARDS] / tree.nodes[child, VISITS])
        if options.rave:
            weight = math.sqrt(options.rave / (3 * visits + options.rave))
            mean += weight * (float(tree.shares[child, RAVE_REWARDS] / tree.shares[child, RAVE_VISITS]) - mean)
        bias = options.bias * float(tree.shares[child, PRIOR]) / (visits + 1)
        found[int(child)] = mean + options.c * math.sqrt(total / visits) + bias
    return found


@pytest.mark.parametrize("options", [{"c": 0.1}, {"c": 1.0}, {"rave": 30.0}, {"bias": 3.0, "c": 0.5}])
@pytest.mark.parametrize("name", ["isolation", "tiles", "colosseum"])
def test_the_next_iteration_goes_to_the_child_with_the_highest_bound(name: str, options: dict[str, Any]) -> None:
    state, search = middle(name), searcher(name, solver=False, expansion=IN_ORDER, **options)
    least = len(state.moves())
    for count in (least, least + 1, least + 7, 4 * least, 300):
        before = grown(searcher(name, solver=False, expansion=IN_ORDER, **options), state, count)
        after = grown(searcher(name, solver=False, expansion=IN_ORDER, **options), state, count + 1)
        expected = bounds(before, search.options)
        (gone,) = [child for child in expected if after.nodes[child, VISITS] > before.nodes[child, VISITS]]
        assert expected[gone] == pytest.approx(max(expected.values()), abs=1e-5)


@pytest.mark.parametrize("c", [0.0, 1.0])
def test_at_once_every_child_is_visited_before_any_is_visited_again(c: float) -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} R 1")
    for seed in range(10):
        tree = grown(searcher("tiles", expansion=AT_ONCE, solver=False, c=c), state, len(state.moves()), seed)
        assert set(tree.nodes[children_of(tree, 0), VISITS].tolist()) == {1}


def test_chance_nodes_are_followed_by_their_probabilities() -> None:
    state = harena.game("trap", size=4).position("1..x/..../..../x..2 1 aim 3")
    tree = grown(searcher("trap", solver=False, c=0.3), state, 30_000)
    aims = sorted(children_of(tree, 0), key=lambda child: -tree.nodes[child, VISITS])[:5]
    for aim in aims:
        landings = state.play(move_of(tree, aim)).chances()
        total = int(tree.nodes[children_of(tree, aim), VISITS].sum())
        assert total > 200 and len(landings) > 1
        for landing, chance in landings:
            child = child_by(tree, aim, landing)
            visits = 0 if child == NONE else int(tree.nodes[child, VISITS])
            assert abs(visits - chance * total) < 4.5 * math.sqrt(total * chance * (1 - chance)) + 1


def test_what_chance_decides_is_proven_only_when_all_outcomes_agree() -> None:
    state = harena.game("trap", size=4).position("1..x/..../xx../2.x. 1 aim 9")  # one of three escapes, never all
    search = searcher("trap")
    tree = grown(search, state, 3000)
    assert tree.nodes[0, PROVEN] == UNKNOWN
    sure = harena.game("trap", size=4).position(
        "xxxx/xxxx/x1xx/2.xx 1 aim 9"
    )  # b4, the only escape, beside the thrower
    result = searcher("trap").run(sure.value, Limits(iterations=3000))
    assert result.proven == 1 and str(sure.named(result.move)) == "@b4"
