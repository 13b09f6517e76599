"""The contract of `search` inside any window, on a game made of dice; and heuristics that say too much."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
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
from search.rings import Place, Ring

ALGORITHMS = [AlphaBeta(), Expectiminimax(PLAIN), Expectiminimax(STAR1), Expectiminimax(STAR2), Principal()]


@kernel
def value_of(
    algorithm: Any, state: Any, me: int, opinion: Any, depth: int, alpha: float, beta: float, work: Workspace
) -> float:
    return search(algorithm, state, me, opinion, depth, alpha, beta, work, depth - depth)


def found(algorithm: Any, state: Dice, depth: int, alpha: float, beta: float) -> float:
    work = new_workspace(MOST, megabytes=1.0)
    return float(value_of(algorithm, state, 0, Opinion(), depth, alpha, beta, work))


@pytest.mark.slow
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
    assume(seen.result == RUNNING and seen.mover != CHANCE)
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


def test_a_game_that_goes_round_is_never_called_exhausted() -> None:
    for algorithm in (*ALGORITHMS, Minimax()):
        result = Deepening(algorithm=algorithm, heuristic=Place()).run(Ring(0, 0), Limits(depth=9))
        assert (result.proven, result.stopped, result.depth) == (None, "depth", 9)


DEEP = """
from harena.search.deepening import Deepening
from harena.search.result import Limits
from search.rings import Chain, Place
from search.test_windows import ALGORITHMS, Minimax
for algorithm in (*ALGORITHMS, Minimax()):
    result = Deepening(algorithm=algorithm, heuristic=Place()).run(Chain(0), Limits(depth=60))
    assert result.depth == 60 and result.value == 0.0 and result.proven is None, (algorithm, result)
"""


@pytest.mark.process
@pytest.mark.slow
def test_many_throws_between_decisions_do_not_overrun_the_scratch_space() -> None:
    """With bounds checks; 60 decisions are 1,200 plies."""
    environment = os.environ | {"HARENA_DEBUG": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", DEEP], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]


THINK = """
import harena
game = harena.game("isolation")
player = harena.player("mcts", game)
player.ready()
print("ready", flush=True)
result = player.think(game.initial(), harena.Limits(seconds=60))
print(result.stopped, result.move in game.initial().moves(), flush=True)
"""


@pytest.mark.process
def test_ctrl_c_in_a_program_stops_the_search_with_the_best_move_so_far() -> None:
    process = subprocess.Popen([sys.executable, "-c", THINK], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "interrupted True\n"
