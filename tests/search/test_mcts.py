"""Monte Carlo tree search: what it finds on solved positions, its limits and its answer."""

import hashlib
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
from harena.search.mcts import CHOICES
from harena.search.result import Limits, Result, Turn
from harena.search.solver import Solver
from harena.search.tree import (
    VISITS,
    children_of,
)
from harena.search.uct import BY_HALVES
from search.growing import (
    FIGURE,
    GAMES,
    LEAST_NODES,
    WIN_IN_ONE,
    after_plies,
    contents,
    depths,
    every_expansion,
    every_game,
    grown,
    middle,
    searcher,
    used,
)

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


@pytest.mark.parametrize("name", ["isolation", "tiles", "colosseum"])
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 6), extra=st.integers(0, 200))
@settings(max_examples=40)
def test_no_proven_loss_is_played_as_long_as_another_move_was_tried(
    name: str, seed: int, plies: int, extra: int
) -> None:
    state = after_plies(name, seed, plies)
    assume(not state.is_over)
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
    assert result.iterations is not None and result.iterations < 1000


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
def test_equal_seeds_grow_equal_trees_and_others_do_not(name: str, options: dict[str, Any]) -> None:
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


@pytest.mark.process
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
