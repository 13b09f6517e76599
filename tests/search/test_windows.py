"""The contract of `search` inside any window, on a game made of dice; and heuristics that say too much."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harena
from harena import calls
from harena.contract import CHANCE, RUNNING
from harena.kernel.compile import kernel
from harena.search.alphabeta import AlphaBeta
from harena.search.deepening import Deepening
from harena.search.expectiminimax import PLAIN, STAR1, STAR2, Expectiminimax
from harena.search.minimax import Minimax
from harena.search.principal import Principal
from harena.search.result import Limits
from harena.search.workspace import WIN, Workspace, new_workspace, search
from search.dice import MOST, Dice, Opinion

ALGORITHMS = [AlphaBeta(), Expectiminimax(PLAIN), Expectiminimax(STAR1), Expectiminimax(STAR2), Principal()]


@kernel
def value_of(
    algorithm: Any, state: Any, me: int, opinion: Any, depth: int, alpha: float, beta: float, work: Workspace
) -> float:
    return search(algorithm, state, me, opinion, depth, alpha, beta, work, depth - depth)


def found(algorithm: Any, state: Dice, depth: int, alpha: float, beta: float) -> float:
    work = new_workspace(MOST, megabytes=1.0)
    return float(value_of(algorithm, state, 0, Opinion(), depth, alpha, beta, work))


@given(
    word=st.integers(0, 2**64 - 1),
    depth=st.integers(1, 6),
    ends=st.tuples(st.floats(-12, 12), st.floats(-12, 12)),
    wide=st.booleans(),
)
@settings(max_examples=300)
def test_inside_the_window_the_value_and_outside_a_bound(
    word: int, depth: int, ends: tuple[float, float], wide: bool
) -> None:
    state = Dice(np.uint64(word), 9)
    truth = found(Minimax(), state, depth, -2 * WIN, 2 * WIN)
    alpha, beta = (-2 * WIN, 2 * WIN) if wide or ends[0] == ends[1] else (min(ends), max(ends))
    for algorithm in ALGORITHMS:
        value = found(algorithm, state, depth, alpha, beta)
        if alpha < truth - 1e-6 and truth + 1e-6 < beta:
            assert value == pytest.approx(truth, abs=1e-6), algorithm
        elif truth <= alpha:
            assert truth - 1e-6 <= value <= alpha + 1e-6, algorithm
        elif truth >= beta:
            assert beta - 1e-6 <= value <= truth + 1e-6, algorithm


@given(word=st.integers(0, 2**64 - 1))
@settings(max_examples=60)
def test_deepening_finds_the_value_of_minimax_among_dice(word: int) -> None:
    state = Dice(np.uint64(word), 9)
    seen = calls.look(state)
    if seen.result != RUNNING or seen.mover == CHANCE:
        return
    truth = Deepening(algorithm=Minimax(), heuristic=Opinion(), fixed=True).run(state, Limits(depth=5))
    for algorithm in ALGORITHMS:
        result = Deepening(algorithm=algorithm, heuristic=Opinion()).run(state, Limits(depth=5))
        assert result.depth != 5 or result.value == pytest.approx(truth.value, abs=1e-6)


@pytest.mark.parametrize("text", ["1000000*improved", "-1000000*improved + 5000000*open"])
@pytest.mark.parametrize("name", ["id", "alphabeta", "minimax", "star", "greedy"])
def test_no_heuristic_says_more_than_a_win(name: str, text: str) -> None:
    game = harena.game("isolation", size=5)
    limits = "" if name == "greedy" else ", depth=2"
    result = harena.player(f"{name}(heuristic={text}{limits})", game).think(game.initial().play("c3").play("a1"))
    assert result.proven is None and result.stopped == "depth"
    assert all(one.value is not None and abs(one.value) < WIN for one in result.root)
