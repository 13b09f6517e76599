"""What the tests of the games share: the variants that they play, seeded random games, and the comparison of rules."""

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

import harena
from harena import Game, State
from reference import colosseum, isolation, tiles, trap

Options = dict[str, Any]
Result = tuple[int | None, tuple[int, int] | None] | None  # winner and score; None while the game runs

REFERENCES: dict[str, Any] = {
    "isolation": isolation.Reference,
    "colosseum": colosseum.Reference,
    "trap": trap.Reference,
    "tiles": tiles.Reference,
}

# One of each kind: every layout of the boards (one, two and three words), the extreme sizes and all set-ups.
VARIANTS: list[tuple[str, Options]] = [
    ("isolation", {}),
    ("isolation", {"size": 3}),
    ("isolation", {"size": "5x8"}),
    ("isolation", {"size": 8, "setup": "random-placements"}),
    ("colosseum", {"size": 2}),
    ("colosseum", {"size": 3, "setup": "2022"}),
    ("colosseum", {"size": 7, "setup": "empty"}),
    ("colosseum", {}),
    ("colosseum", {"size": 9, "setup": "2022"}),
    ("colosseum", {"size": 10}),
    ("colosseum", {"size": 11, "setup": "empty"}),
    ("colosseum", {"size": 12}),
    ("trap", {}),
    ("trap", {"size": 4}),
    ("trap", {"size": 8}),
    ("tiles", {}),
    ("tiles", {"size": 2, "first": "B"}),
    ("tiles", {"size": 5, "setup": "random"}),
    ("tiles", {"size": 8, "first": "B"}),
    ("tiles", {"size": 9, "setup": "random", "first": "B"}),
    ("tiles", {"size": 10}),
]


def label(variant: tuple[str, Options]) -> str:
    """A variant as the name of a test, or of a file."""
    name, options = variant
    return "-".join([name, *map(str, options.values())])


every_variant = pytest.mark.parametrize(("name", "options"), VARIANTS, ids=map(label, VARIANTS))


def random_game(game: Game, seed: int) -> Iterator[State]:
    """The states of a random game, from the start that this seed gives to the end."""
    state, chooser = game.initial(seed), random.Random(seed)
    yield state
    while not state.is_over:
        state = state.play(chooser.choice(state.moves()))
        yield state


def some_states(name: str, options: Options, games: int) -> list[State]:
    """All states of some random games."""
    game = harena.game(name, **options)
    return [state for seed in range(games) for state in random_game(game, seed)]


def read(name: str, position: str) -> State:
    """The state of a position text, of whatever size."""
    face = harena.game(name).face
    return harena.game(name, **face.options_of(face.parse_position(position))).position(position)


def result(state: State) -> Result:
    """The outcome in the form that the reference gives it."""
    return None if state.outcome is None else (state.outcome.winner, state.outcome.score)


def texts(moves: list[Any]) -> list[str]:
    """Moves as they are written."""
    return [str(move) for move in moves]


def assert_same(state: State, reference: Any) -> None:
    """The kernel and the slow reference agree on everything that a position is."""
    where = reference.to_text()
    assert state.text == where
    assert state.mover == reference.mover, where
    assert texts(state.moves()) == reference.moves(), where
    assert result(state) == reference.outcome(), where
    chances = reference.chances() if reference.outcome() is None else {}
    assert texts([move for move, _ in state.chances()]) == list(chances), where
    for move, chance in state.chances():
        assert abs(chance - chances[str(move)]) < 1e-12, f"{where} {move}"


def chi_square_limit(freedom: int) -> float:
    """The value that chi-square exceeds once in a million times (Wilson and Hilferty's approximation)."""
    one_in_a_million = 4.753  # standard deviations
    spread = 2 / (9 * freedom)
    return freedom * math.pow(1 - spread + one_in_a_million * math.sqrt(spread), 3)
