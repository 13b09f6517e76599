"""Monte Carlo tree search: what it finds on solved positions, and what its trees look like on the way."""

import hashlib
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import harena
from harena.agents.walker import moves_by_distance
from harena.heuristics.boxed import Boxed
from harena.heuristics.combine import Null
from harena.heuristics.mobility import Mobility
from harena.kernel.compile import kernel
from harena.search.mcts import CHOICES, Mcts
from harena.search.result import Limits, Result, Turn
from harena.search.solver import Solver
from harena.search.tree import (
    BLOCK,
    COUNT,
    DREW,
    LOST,
    MOVE,
    NONE,
    PARENT,
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
    subtree,
)
from harena.search.uct import AT_ONCE, BY_HALVES, IN_ORDER, LOGARITHMS, SHUFFLED, NoHandicap, Uct, logarithm
from reference import colosseum

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


# ---- what it finds


@pytest.mark.parametrize(("name", "plies"), [("isolation", 0), ("tiles", 5), ("colosseum", 2)])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_it_proves_what_the_solver_proves_and_plays_a_move_that_keeps_it(name: str, plies: int, seed: int) -> None:
    state = after_plies(name, seed, plies)
    assume(not state.is_over)
    truth = Solver(megabytes=8.0, complete=True).run(state.value, Limits())
    result = searcher(name).run(state.value, Limits(iterations=200_000), Turn(seed=seed))
    assert (result.stopped, result.proven) == ("decided", truth.value)
    values = {one.move: one.proven for one in truth.root}
    assert values[result.move] == truth.value
    assert all(one.proven in (None, values[one.move]) for one in result.root)


@pytest.mark.parametrize(("first", "losing"), [("R", {"a1", "d3", "c4", "d4"}), ("B", {"a4"})])
@pytest.mark.parametrize("solver", [True, False])
def test_it_converges_to_a_move_that_does_not_lose(first: str, losing: set[str], solver: bool) -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} {first} 1")
    result = searcher("tiles", solver=solver).run(state.value, Limits(iterations=300_000))
    assert str(state.named(result.move)) not in losing
    assert solver or all(one.proven is None for one in result.root)
    assert result.iterations == 300_000


@given(seed=st.integers(0, 2**32), plies=st.integers(0, 6), extra=st.integers(0, 200))
@settings(max_examples=40)
def test_no_proven_loss_is_played_as_long_as_another_move_was_tried(seed: int, plies: int, extra: int) -> None:
    for name in ("isolation", "tiles", "colosseum"):
        state = after_plies(name, seed, plies)
        if not state.is_over:
            result = searcher(name).run(state.value, Limits(iterations=len(state.moves()) + extra), Turn(seed=seed))
            assert result.root[0].proven != -1 or {one.proven for one in result.root} == {-1}
            assert result.root[0].proven == 1 or 1 not in {one.proven for one in result.root}


def test_no_proven_loss_is_played_while_a_move_is_untried() -> None:
    state = GAMES["tiles"][0].position("RXXX/XXXX/XXXR/XXBR R 1")  # d4 takes the last B with it
    played = {
        str(state.named(searcher("tiles").run(state.value, Limits(iterations=1), Turn(seed=seed)).move))
        for seed in range(20)
    }
    assert played <= {"a1", "d3"}


@pytest.mark.parametrize("choice", CHOICES)
def test_a_win_in_one_move_is_found_and_ends_the_search(choice: str) -> None:
    state = harena.game("isolation", size=4).position(WIN_IN_ONE)
    winning = {int(move) for move in state.moves() if state.play(move).is_over}
    assert winning and len(state.moves()) > len(winning)
    result = searcher("isolation", choice=choice).run(state.value, Limits(iterations=1000))
    assert result.move in winning and (result.proven, result.root[0].proven, result.stopped) == (1, 1, "decided")
    assert result.iterations < 1000


def test_without_the_solver_nothing_is_proven_and_the_search_goes_on() -> None:
    state = harena.game("isolation", size=4).position(WIN_IN_ONE)
    winning = {int(move) for move in state.moves() if state.play(move).is_over}
    result = searcher("isolation", solver=False).run(state.value, Limits(iterations=1000))
    assert result.move in winning and result.proven is None and result.iterations == 1000
    assert all(one.proven is None for one in result.root)


def test_a_lost_game_still_gets_a_legal_move() -> None:
    state = harena.game("isolation", size=4).position("..../..../..12/.... 1")
    result = searcher("isolation").run(state.value, Limits(iterations=100_000))
    assert result.proven == -1 and result.move in state.moves()


# ---- determinism and limits


@every_game
@pytest.mark.parametrize("options", [{}, {"rave": 50.0, "greed": 0.3, "bias": 1.0}])
def test_equal_seeds_grow_equal_trees_and_others_do_not(name: str, options: dict[str, float]) -> None:
    state = middle(name)
    trees = [contents(grown(searcher(name, **options), state, 300, seed)) for seed in (7, 7, 8)]
    assert trees[0] == trees[1] != trees[2]


def digest(names: list[str]) -> str:
    """The whole contents of some trees."""
    hashed = hashlib.sha256()
    for name in names:
        for options in ({}, {"rave": 50.0, "greed": 0.3, "bias": 1.0}):
            tree = grown(searcher(name, **options), middle(name), 60, 9)
            hashed.update(tree.nodes[: used(tree)].tobytes() + tree.pool[: tree.used[1]].tobytes())
    return hashed.hexdigest()


def test_plain_python_grows_the_same_trees() -> None:
    code = f"from search import test_mcts; print(test_mcts.digest({list(GAMES)!r}))"
    here = Path(__file__).parents[1]
    environment = os.environ | {"HARENA_JIT": "0", "PYTHONPATH": str(here)}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, cwd=here
    )
    assert found.stdout.strip() == digest(list(GAMES))


@every_game
@pytest.mark.parametrize("count", [1, 2, 3, 5, 257])
def test_a_budget_of_iterations_is_kept_exactly(name: str, count: int) -> None:
    state = middle(name)
    for limits in (Limits(iterations=count), Limits(nodes=count), Limits(iterations=count, nodes=count + 1)):
        search = searcher(name, solver=False)
        result = search.run(state.value, limits)
        assert search.memory.tree is not None
        assert result.iterations == search.memory.tree.nodes[0, VISITS] == count
        assert sum(one.visits or 0 for one in result.root) == count
        assert result.move in state.moves() and result.nodes <= count + 1


@every_game
@every_expansion
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_limit_of_depth_keeps_the_tree_that_shallow(name: str, expansion: int, depth: int) -> None:
    search = searcher(name, expansion=expansion, solver=False)
    search.run(middle(name).value, Limits(iterations=3000, depth=depth))
    assert search.memory.tree is not None and max(depths(search.memory.tree)) == depth


@every_game
@every_expansion
def test_a_full_tree_stops_growing_and_the_search_goes_on(name: str, expansion: int) -> None:
    state = middle(name)
    search = searcher(name, expansion=expansion, megabytes=1e-9, solver=False)
    result = search.run(state.value, Limits(iterations=3000))
    tree = search.memory.tree
    assert tree is not None and len(tree.nodes) == LEAST_NODES and used(tree) <= LEAST_NODES
    assert tree.used[1] <= len(tree.pool)
    assert used(tree) == LEAST_NODES or tree.used[1] > len(tree.pool) - 40  # no room for nodes, or none for moves
    assert result.iterations == tree.nodes[0, VISITS] == 3000 and result.move in state.moves()
    for node in range(used(tree)):
        assert tree.nodes[node, VISITS] >= tree.nodes[children_of(tree, node), VISITS].sum()


def test_memory_is_what_was_asked_for() -> None:
    tree = grown(searcher("tiles", megabytes=1.0), middle("tiles"), 1)
    assert tree.nodes.nbytes + tree.pool.nbytes <= 1.01e6
    assert tree.nodes.nbytes + tree.pool.nbytes <= 1e6


@every_game
def test_the_flag_stops_a_search_at_once_and_it_still_gives_a_legal_move(name: str) -> None:
    state = middle(name)
    result = searcher(name, solver=False).run(state.value, Limits(), Turn(flag=np.ones(1, np.int64)))
    assert result.stopped == "interrupted" and result.iterations is not None and result.iterations < 10
    assert result.move in state.moves()


def test_the_only_legal_move_is_played() -> None:
    state = harena.game("isolation", size=4).position("1..x/x.x./x.x./.2.. 1")
    assert len(state.moves()) == 1
    assert searcher("isolation").run(state.value, Limits(iterations=50)).move == state.moves()[0]


def test_an_unknown_choice_is_refused_in_words() -> None:
    with pytest.raises(harena.BadOption, match="visits, mean or wins"):
        searcher("tiles", choice="best")


# ---- what is counted


@every_game
@every_expansion
@pytest.mark.parametrize("options", [{}, {"rave": 100.0}, {"bias": 2.0}, {"greed": 0.5}])
def test_visits_and_results_add_up_in_every_node(name: str, expansion: int, options: dict[str, float]) -> None:
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
def test_the_next_iteration_goes_to_the_child_with_the_highest_bound(name: str, options: dict[str, float]) -> None:
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


# ---- the answer


def test_each_choice_ranks_the_moves_by_what_it_says() -> None:
    state = GAMES["tiles"][0].position(f"{FIGURE} R 1")
    answers = set()
    for seed in range(6):
        roots: dict[str, Result] = {}
        for choice in CHOICES:
            search = searcher("tiles", choice=choice, solver=False, win=3.0, loss=-3.0, draw=-2.0, expansion=BY_HALVES)
            roots[choice] = search.run(state.value, Limits(iterations=60), Turn(seed=seed))
        measures = {
            "visits": lambda one: one.visits,
            "mean": lambda one: one.value,
            "wins": lambda one: one.won / one.visits,
        }
        for choice, measure in measures.items():
            ranked = [measure(one) for one in roots[choice].root]
            assert ranked == sorted(ranked, reverse=True)
            assert roots[choice].move == roots[choice].root[0].move == roots[choice].line[0]
        answers.add(len({roots[choice].move for choice in CHOICES}))
    assert max(answers) > 1  # or they would all be the same rule


# ---- the tree of the move before


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


# ---- logarithms

HEXADECIMAL = {
    2: "0x1.62e42fefa39efp-1",
    3: "0x1.193ea7aad030bp+0",
    10: "0x1.26bb1bbb55515p+1",
    1000: "0x1.ba18a998fffa0p+2",
    4095: "0x1.0a2923e3ba0c8p+3",
}


@kernel
def compiled_logarithm(number: float) -> float:
    return logarithm(number)


def test_the_logarithm_is_close_to_the_real_one() -> None:
    for number in [*range(1, 4097), *(int(1.37**power) for power in range(27, 66))]:
        assert compiled_logarithm(float(number)) == pytest.approx(
            math.log(number), rel=1e-15 if number < 4096 else 1e-4
        )
    assert compiled_logarithm(0.0) == 0.0


def test_the_logarithm_has_the_same_bits_everywhere() -> None:
    assert {whole: float(LOGARITHMS[whole]).hex() for whole in HEXADECIMAL} == HEXADECIMAL
    steps = np.diff([compiled_logarithm(float(number)) for number in range(4000, 4200)])
    assert (steps >= 0).all()
