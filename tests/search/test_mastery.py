"""The champions' driver: what it keeps, what it makes of a depth that was cut short, company, handicaps."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import harena
from harena.contract import CHANCE
from harena.heuristics.names import heuristic
from harena.kernel.rng import generator
from harena.search.deepening import Deepening
from harena.search.mastery import Found, Handicap, Mastery, _with_part, from_the_end, only_move
from harena.search.principal import Principal
from harena.search.result import Limits, Result, Turn
from harena.search.workspace import WIN

HEURISTICS = {"isolation": "territory", "tiles": "left - fragile", "trap": "horizon", "colosseum": "territory"}
SIZES = {"isolation": 5, "tiles": 4, "trap": 5, "colosseum": 5}


def driver(game: str, **options: Any) -> Mastery:
    return Mastery(algorithm=Principal(), heuristic=heuristic(game, HEURISTICS[game]), **options)


def after(name: str, plies: int, seed: int) -> harena.State:
    """A position some random plies into a game, in which a player decides."""
    state, rng = harena.game(name, size=SIZES[name]).initial(seed), generator(seed)
    for _ in range(plies):
        later = state.play(state.random_move(rng))
        if later.is_over:
            break
        state = later
    while state.mover == CHANCE:
        state = state.play(state.random_move(rng))
    return state


@pytest.mark.parametrize("moves", [1, 2, 3, 8])
def test_a_second_thread_takes_every_move_once_and_the_best_last(moves: int) -> None:
    order = from_the_end(moves).tolist()
    assert sorted(order) == list(range(moves)) and order[-1] == 0
    assert order[1:-1] == sorted(order[1:-1], reverse=True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_what_it_proves_is_what_the_solver_proves(seed: int, threads: int) -> None:
    state = after("isolation", 9, seed)
    found = driver("isolation", threads=threads).run(state.value, Limits(seconds=20))
    truth = harena.solve(state)
    assert found.proven == truth.value or len(state.moves()) == 1
    assert {one.move: one.value for one in truth.root}[found.move] == truth.value


@pytest.mark.parametrize("name", sorted(HEURISTICS))
def test_a_game_with_the_table_kept_is_legal_to_its_end(name: str) -> None:
    search, limits = driver(name, threads=2), Limits(nodes=300)
    game = harena.game(name, size=SIZES[name])
    state, rng = game.initial(4), generator(4)
    path: tuple[int, ...] | None = None
    while not state.is_over:
        if state.mover == CHANCE:
            number = int(state.random_move(rng))
        elif state.mover == 0:
            number = search.run(state.value, limits, Turn(path=path)).move
            path = ()
        else:
            number = int(state.random_move(rng))
        assert number in state.moves()
        path = None if path is None else (*path, number)
        state = state.play(number)


def test_the_second_search_of_a_game_uses_what_the_first_found() -> None:
    state = harena.game("isolation").initial(3)
    for placed in ("d4", "d2"):
        state = state.play(placed)
    kept = driver("isolation")
    first = kept.run(state.value, Limits(depth=7))
    again = kept.run(state.value, Limits(depth=7), Turn(path=(0, 0)))
    other = kept.run(state.value, Limits(depth=7))
    assert (again.move, again.value) == (first.move, first.value) == (other.move, other.value)
    assert again.nodes < first.nodes / 4
    assert other.nodes == first.nodes  # another game begins with nothing


def test_a_level_chooses_among_values_of_one_depth() -> None:
    state = harena.game("tiles", size=6, setup="random").initial(1)
    search = driver("tiles")
    whole = search.run(state.value, Limits(depth=1))
    level = replace(search, handicap=Handicap(nodes=whole.nodes + 40, noise=1e-6))
    found = level.run(state.value, Limits(nodes=1000))
    assert found.depth == 1 and found.nodes > whole.nodes + 30  # the second depth was begun
    full = replace(search, full=True).run(state.value, Limits(depth=1))
    assert {one.move: one.value for one in found.root} == {one.move: one.value for one in full.root}


def test_a_moment_more_or_less_does_not_cost_the_table() -> None:
    state = harena.game("isolation").initial(3).play("d4").play("d2")
    kept = driver("isolation")
    kept.run(state.value, Limits(seconds=0.05))
    table = kept.kept.table
    kept.run(state.value, Limits(seconds=0.06), Turn(path=(0, 0)))
    assert kept.kept.table is table
    kept.run(state.value, Limits(seconds=0.2), Turn(path=(0, 0)))  # far more has use for a larger one
    assert kept.kept.table is not table


def test_values_of_the_other_player_are_not_kept() -> None:
    state = harena.game("isolation", size=5).initial(3).play("a1").play("c3")
    kept, fresh = driver("isolation"), driver("isolation")
    found = kept.run(state.value, Limits(depth=4))
    reply = state.play(found.move)
    assert kept.run(reply.value, Limits(depth=4), Turn(path=(found.move,))) is not None
    again = kept.run(reply.value, Limits(depth=4), Turn(path=(0,)))
    assert again.value == fresh.run(reply.value, Limits(depth=4)).value


def test_the_only_move_is_played_at_once() -> None:
    state = next(one for seed in range(200) if len((one := after("isolation", 12, seed)).moves()) == 1)
    search = driver("isolation")
    found = search.run(state.value, Limits(seconds=60))
    assert (found.move, found.nodes, found.stopped) == (state.moves()[0], 0, "only move")
    full = Mastery(algorithm=Principal(), heuristic=search.heuristic, full=True)
    assert full.run(state.value, Limits(depth=2)).value is not None  # who analyses wants to know its worth


WON = Result(move=4, value=WIN, proven=1)
OPEN = Result(move=4, value=0.5)


@pytest.mark.parametrize(
    ("last", "path", "value", "proven"),
    [
        (WON, (4, 7), WIN, 1),
        (OPEN, (4, 7), 0.5, None),
        (Result(move=4, value=-WIN, proven=-1), (4, 7), None, None),  # the opponent may have let it slip
        (WON, (5, 7), None, None),  # another move was played
        (WON, (4, 7, 9, 7), None, None),  # and here perhaps, later
        (WON, None, None, None),
        (None, (4, 7), None, None),
    ],
)
def test_an_only_move_has_the_value_of_the_search_before(
    last: Result | None, path: tuple[int, ...] | None, value: float | None, proven: int | None
) -> None:
    found = only_move(3, last, Turn(path=path))
    assert (found.move, found.value, found.proven) == (3, value, proven)
    assert (found.root[0].value, found.root[0].proven) == (value, proven)


def test_without_limits_of_its_own_it_finds_what_deepening_finds() -> None:
    state = harena.game("tiles", size=6, setup="random").initial(1)
    plain = Deepening(algorithm=Principal(), heuristic=heuristic("tiles", HEURISTICS["tiles"]))
    for depth in (1, 3, 5):
        found, expected = (one.run(state.value, Limits(depth=depth)) for one in (driver("tiles"), plain))
        assert (found.move, found.value, found.nodes) == (expected.move, expected.value, expected.nodes)


def test_a_cut_depth_counts_for_the_moves_that_it_completed() -> None:
    before = Found(
        root=np.array([7, 8, 9]), values=np.array([3.0, 2.0, 1.0]), exact=np.array([True, False, False]), depth=4
    )
    better = _with_part(before, np.array([-5.0, 4.0, 0.0]), np.array([True, True, False]), 2)
    assert better.root.tolist() == [8, 7, 9]
    assert better.values.tolist() == [4.0, -5.0, 1.0]
    worse = _with_part(before, np.array([-5.0, -5.0, 0.0]), np.array([True, False, False]), 2)
    assert worse.root.tolist() == [7, 8, 9]
    assert worse.values[0] == -5.0
    assert _with_part(before, np.zeros(3), np.zeros(3, np.bool_), 0) is before


def test_a_cut_depth_that_refutes_the_first_move_plays_one_that_is_not_known_to_lose() -> None:
    exact = np.array([True, False, False])
    before = Found(root=np.array([7, 8, 9]), values=np.array([3.0, -WIN, 1.0]), exact=exact, depth=4)
    other = _with_part(before, np.array([-WIN, -WIN, 0.0]), exact, 2)
    assert (other.root.tolist(), other.values.tolist()) == ([9, 7, 8], [1.0, -WIN, -WIN])
    unknown = replace(before, values=np.array([3.0, 2.0, 1.0]))  # that the second loses is found by this depth
    other = _with_part(unknown, np.array([-WIN, -WIN, 0.0]), exact, 2)
    assert (other.root.tolist(), other.exact.tolist()) == ([9, 7, 8], [False, True, True])
    all_lost = replace(before, values=np.array([3.0, -WIN, -WIN]))
    assert _with_part(all_lost, np.array([-WIN, -WIN, 0.0]), exact, 2).root.tolist() == [7, 8, 9]


def test_a_handicap_never_cuts_the_first_depth() -> None:
    state = harena.game("tiles", size=8, setup="random").initial(1)
    weak = driver("tiles", handicap=Handicap(nodes=3, noise=100.0))
    found = weak.run(state.value, Limits(seconds=60), Turn(seed=-1))
    assert (found.stopped, found.depth) == ("nodes", 1) and all(one.value is not None for one in found.root)
    chosen = {weak.run(state.value, Limits(seconds=60), Turn(seed=seed)).move for seed in range(40)}
    assert len(chosen) > 20


def test_noise_changes_choices_but_never_what_is_proven() -> None:
    state = harena.game("isolation").initial(3).play("d4").play("d2")
    weak = driver("isolation", handicap=Handicap(nodes=200, noise=1000.0))
    chosen = {weak.run(state.value, Limits(seconds=60), Turn(seed=seed)).move for seed in range(12)}
    assert len(chosen) > 2
    assert (
        weak.run(state.value, Limits(seconds=60), Turn(seed=5)).move
        == weak.run(state.value, Limits(seconds=60), Turn(seed=5)).move
    )
    wins = 0
    for seed in range(8):
        position = after("isolation", 13, seed)
        found = driver("isolation", handicap=Handicap(nodes=100_000, noise=1000.0)).run(position.value, Limits())
        if not position.is_over and found.stopped != "only move" and found.root[0].value is not None:
            best = max(one.value or -WIN for one in found.root)
            assert (found.value == WIN) == (best == WIN)
            wins += best == WIN
    assert wins


def test_who_errs_does_not_say_that_the_game_is_lost() -> None:
    weak, erred = driver("isolation", handicap=Handicap(nodes=100_000, noise=1000.0, sure=0.0)), 0
    for seed in range(40):
        found = weak.run(after("isolation", 11, seed % 4).value, Limits(), Turn(seed=seed))
        proofs = {one.proven for one in found.root}
        assert found.proven is None or found.proven == found.root[0].proven
        assert found.proven != -1 or proofs == {-1}
        erred += found.root[0].proven == -1 != proofs
    assert erred


def proof(seed: int, full: bool) -> Result:
    return driver("isolation", full=full).run(after("isolation", 9, seed).value, Limits(depth=20))


@pytest.mark.parametrize("full", [False, True])
def test_after_a_move_that_wins_no_other_is_looked_at(full: bool) -> None:
    won = [found for seed in range(12) if (found := proof(seed, full)).proven == 1 and len(found.root) > 1]
    assert len(won) > 2
    left_out = sum(one.value is None for found in won for one in found.root)
    assert (left_out == 0) == full


def shaken(values: list[float], handicap: Handicap) -> Counter[int]:
    """How often each of these moves comes first."""
    found = Found(root=np.arange(len(values)), values=np.array(values), exact=np.ones(len(values), np.bool_), depth=1)
    weak = driver("isolation", handicap=handicap)
    return Counter(int(weak._shaken(found, Turn(seed=seed)).root[0]) for seed in range(200))


def test_whoever_errs_errs_among_his_best_moves() -> None:
    assert set(shaken([3.0, 1.0, 9.0, 2.0, -WIN], Handicap(noise=50.0, width=3))) == {0, 2, 3}
    assert set(shaken([3.0, 1.0, 9.0, 2.0], Handicap(noise=50.0))) == {0, 1, 2, 3}


def test_beginners_overlook_a_win_at_times_and_never_think_less_of_it_than_of_others() -> None:
    chosen = shaken([6.0, WIN, 5.0, 5.5], Handicap(noise=2.0, sure=3.0))
    assert 100 < chosen[1] < 200 and chosen[1] == max(chosen.values())
    assert shaken([6.0, WIN, 5.0], Handicap(noise=2.0)) == {1: 200}
    assert shaken([-WIN, 0.0, -WIN], Handicap(noise=0.5, sure=3.0)) == {1: 200}
    assert set(shaken([WIN, WIN], Handicap(noise=1.0, sure=3.0))) == {0, 1}


def test_a_copy_of_a_driver_keeps_things_of_its_own() -> None:
    one = driver("isolation")
    assert replace(one, full=True).kept is not one.kept
