"""The kernels against slow rules that were written independently from the rules texts, move for move."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harena
from games.positions import ALL_OPTIONS, POSITIONS
from games.support import REFERENCES, Options, assert_same, read
from harena import State

EVERY_OPTION = [(name, options) for name, choices in ALL_OPTIONS.items() for options in choices]
SUITE, SOAK = {"max_examples": 50}, {"max_examples": 3000, "derandomize": False}

every_game = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name == "colosseum" else []) for name in REFERENCES]
)
both_efforts = pytest.mark.parametrize(
    "effort", [pytest.param(SUITE, id="suite"), pytest.param(SOAK, id="soak", marks=pytest.mark.soak)]
)
seeds = st.integers(0, 2**32)


def play_both(name: str, state: State, seed: int) -> None:
    """A random game from here to the end, compared after each ply."""
    reference: Any = REFERENCES[name].from_text(state.text)
    chooser = random.Random(seed)
    assert_same(state, reference)
    while not state.is_over:
        move = chooser.choice(state.moves())
        state, reference = state.play(move), reference.play(str(move))
        assert_same(state, reference)


@pytest.mark.parametrize(("name", "options"), EVERY_OPTION)
def test_a_game_of_every_size_and_set_up(name: str, options: Options) -> None:
    play_both(name, harena.game(name, **options).initial(1), seed=1)


@both_efforts
@every_game
def test_random_games(name: str, effort: dict[str, Any]) -> None:
    @settings(**effort)
    @given(options=st.sampled_from(ALL_OPTIONS[name]), seed=seeds)
    def check(options: Options, seed: int) -> None:
        play_both(name, harena.game(name, **options).initial(seed), seed)

    check()


@both_efforts
@every_game
def test_arbitrary_positions(name: str, effort: dict[str, Any]) -> None:
    """Among them many that no game reaches: boxed-in players, boards with gaps, sealed zones, either player first."""

    @settings(**effort | {"max_examples": 5 * effort["max_examples"]})
    @given(position=POSITIONS[name], seed=seeds)
    def check(position: str, seed: int) -> None:
        play_both(name, read(name, position), seed)

    check()
