"""The levels below isolation's champion: weaker, but never blind to part of the board."""

import numpy as np
import pytest

import harena
from harena.champions.isolation import champion
from harena.heuristics.separated import Separated
from harena.search.result import Limits, Turn
from harena.search.solver import Solver

FEW = Limits(nodes=1000)
SOLVER = Solver(shortcut=Separated(), megabytes=4.0)


def random_states(number, seed):
    draws, states = np.random.default_rng(seed), []
    game = harena.game("isolation", size="6x6", setup="random-placements")
    while len(states) < number:
        state = game.initial(int(draws.integers(2**31)))
        for _ in range(int(draws.integers(6, 16))):
            if not state.is_over:
                state = state.play(draws.choice(state.moves()))
        if not state.is_over:
            states.append(state)
    return states


def wins_at_once(state):
    return [move for move in state.moves() if state.play(move).is_over]


def is_lost(state):
    return state.is_over or SOLVER.run(state.value, Limits(nodes=1_000_000)).value == -1


@pytest.mark.parametrize("level", [1, 3, 5])
def test_every_first_placement_can_be_chosen(level):
    search, start = champion("isolation", level=level), harena.game("isolation", size="5x5").initial()
    chosen = {search.run(start.value, FEW, Turn(seed=seed)).move for seed in range(250)}
    assert chosen == set(map(int, start.moves()))


def test_every_jump_can_be_chosen_at_level_1():
    search, state = champion("isolation", level=1), harena.game("isolation").initial().play("d4").play("a2")
    chosen = {search.run(state.value, FEW, Turn(seed=seed)).move for seed in range(150)}
    assert chosen == set(map(int, state.moves()))


@pytest.mark.parametrize("level", [3, 6, 9])
def test_from_level_3_a_win_in_one_jump_is_taken_and_a_loss_avoided(level):
    search, won, saved = champion("isolation", level=level), 0, 0
    for seed, state in enumerate(random_states(150, seed=level)):
        move = search.run(state.value, FEW, Turn(seed=seed)).move
        safe = [other for other in state.moves() if not wins_at_once(state.play(other))]
        if wins_at_once(state):
            won += 1
            assert is_lost(state.play(move))  # or by another way that is as sure
        elif safe and len(safe) < len(state.moves()):
            saved += 1
            assert move in list(map(int, safe))
    assert won > 5
    assert saved > 5
