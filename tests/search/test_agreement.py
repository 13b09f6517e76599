"""Every search finds the value of plain minimax; what differs is only how many nodes it takes."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import harena
from harena.heuristics.combine import Null
from harena.heuristics.mobility import Mobility
from harena.heuristics.tiles import TileCounts
from harena.search.alphabeta import AlphaBeta
from harena.search.deepening import Deepening
from harena.search.expectiminimax import PLAIN, STAR1, STAR2, Expectiminimax
from harena.search.minimax import Minimax
from harena.search.principal import Principal
from harena.search.result import Limits
from harena.search.workspace import WIN

GAMES: dict[str, tuple[harena.Game, Any, int]] = {
    "isolation": (harena.game("isolation", size="4x5", setup="random-placements"), Mobility(1.0, -1.0), 4),
    "trap": (harena.game("trap", size=4), Mobility(1.0, -2.0, proximity=0.5), 2),
    "colosseum": (harena.game("colosseum", size=4), Mobility(1.0, -1.0, net_advantage=0.25), 2),
    "tiles": (harena.game("tiles", setup="random"), TileCounts(1.0, 0.5), 3),
}
OTHERS = [AlphaBeta(), Expectiminimax(PLAIN), Expectiminimax(STAR1), Expectiminimax(STAR2), Principal()]

every_game = pytest.mark.parametrize("name", GAMES)


def position(game: harena.Game, seed: int, plies: int) -> harena.State | None:
    """The state after some random plies in which a player decides, or None where the game ends before."""
    state, rng = game.initial(seed), harena.generator(seed)
    while plies > 0 or state.mover == harena.CHANCE:
        if state.is_over:
            return None
        state, plies = state.play(state.random_move(rng)), plies - 1
    return None if state.is_over else state


@every_game
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 12))
@settings(max_examples=25)
def test_every_search_finds_the_value_of_minimax(name: str, seed: int, plies: int) -> None:
    game, heuristic, deepest = GAMES[name]
    state = position(game, seed, plies)
    assume(state is not None)
    assert state is not None
    for depth in range(1, deepest + 1):
        truth = Deepening(algorithm=Minimax(), heuristic=heuristic, fixed=True).run(state.value, Limits(depth=depth))
        values = {one.move: one.value for one in truth.root}
        for algorithm in OTHERS:
            for fixed in (True, False):
                found = Deepening(algorithm=algorithm, heuristic=heuristic, fixed=fixed)
                result = found.run(state.value, Limits(depth=depth))
                if result.depth == depth:  # deepening may end sooner, with a decided game
                    assert result.value == pytest.approx(truth.value, abs=1e-9)
                assert values[result.move] == pytest.approx(truth.value, abs=1e-9) or abs(result.value or 0) == WIN


@every_game
def test_a_full_search_gives_the_exact_value_of_every_move(name: str) -> None:
    game, heuristic, _ = GAMES[name]
    state = position(game, 5, 2)
    assert state is not None
    truth = Deepening(algorithm=Minimax(), heuristic=heuristic).run(state.value, Limits(depth=2))
    full = Deepening(algorithm=Principal(), heuristic=heuristic, full=True).run(state.value, Limits(depth=2))
    assert {one.move: one.value for one in full.root} == pytest.approx({one.move: one.value for one in truth.root})
    assert all(one.bound == "=" for one in full.root)


def test_a_budget_of_nodes_is_kept_and_gives_the_same_result_twice() -> None:
    state = harena.game("isolation").position("......./...2.../......./...1.../......./......./....... 1")
    search = Deepening(algorithm=Principal(), heuristic=Mobility(1.0, -1.0))
    results = [search.run(state.value, Limits(nodes=5000)) for _ in range(2)]
    assert results[0].stopped == "nodes" and results[0].nodes == 5001
    assert [(one.move, one.value, one.depth, one.root) for one in results[:1]] == [
        (one.move, one.value, one.depth, one.root) for one in results[1:]
    ]


def test_even_one_node_gives_a_legal_move() -> None:
    state = harena.game("colosseum").initial(1)
    result = Deepening(algorithm=Principal(), heuristic=Mobility(1.0, -1.0)).run(state.value, Limits(nodes=1))
    assert result.move in state.moves() and result.depth == 0


def test_a_won_game_is_won_and_a_lost_one_lost_as_late_as_possible() -> None:
    winning = harena.game("isolation", size=3).position("1x./xx./xx2 1")  # a1 to c2 leaves the other without a move
    result = Deepening(algorithm=Principal(), heuristic=Null()).run(winning.value, Limits(depth=9))
    assert (result.value, result.proven) == (WIN, 1)
    lost = harena.game("isolation", size=3).position("1x2/xx./xxx 1")
    result = Deepening(algorithm=Principal(), heuristic=Null()).run(lost.value, Limits(depth=9))
    assert result.move in lost.moves()


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"nodes": -1}, {"depth": 0}])
def test_limits_are_more_than_nothing(wrong: dict[str, int]) -> None:
    with pytest.raises(harena.BadOption, match="more than 0"):
        Limits(**wrong)


def test_own_limits_win() -> None:
    assert Limits(depth=3).over(Limits(depth=5, nodes=7)) == Limits(depth=3, nodes=7)
    assert not Limits() and Limits(nodes=1)
