"""`Game`, `State`, `Move` and `Outcome`: values that compare, hash and print, and a history that is never rewritten."""

from collections import deque
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import harena
from games.support import REFERENCES, VARIANTS, Options, every_variant, random_game, read, result, some_states
from harena import CHANCE, Move, Outcome, State

every_game = pytest.mark.parametrize("name", REFERENCES)


def test_games_are_equal_when_name_and_options_are() -> None:
    games = [harena.game(name, **options) for name, options in VARIANTS]
    again = [harena.game(name, **options) for name, options in VARIANTS]
    assert games == again
    assert [hash(game) for game in games] == [hash(game) for game in again]
    assert len(set(games)) == len(games)


def test_a_default_that_is_spelled_out_makes_no_difference() -> None:
    spelled = {"isolation": {"setup": "start"}, "colosseum": {"setup": "2023"}, "trap": {"setup": "standard"}}
    for name, size in (("isolation", 7), ("colosseum", 8), ("trap", 7), ("tiles", 4)):
        options = spelled.get(name, {"setup": "checkerboard", "first": "R"})
        assert harena.game(name) == harena.game(name, size=size, **options)
        assert harena.game(name) == harena.game(name, size=None, setup=None, first=None)


def test_games_differ_by_each_option() -> None:
    assert harena.game("tiles") != harena.game("tiles", first="B")
    assert harena.game("tiles") != harena.game("tiles", setup="random")
    assert harena.game("colosseum") != harena.game("colosseum", setup="2022")
    assert harena.game("isolation", size="3x4") != harena.game("isolation", size="4x3")
    assert harena.game("trap") != harena.game("isolation")
    assert harena.game("trap") != "trap"


@every_variant
def test_a_state_equals_the_one_read_from_its_text_whatever_its_history(name: str, options: Options) -> None:
    for state in some_states(name, options, games=1):
        fresh = state.game.position(state.text)
        assert fresh == state
        assert hash(fresh) == hash(state)
        assert fresh.key == state.key
        assert (fresh.previous, fresh.last_move) == (None, None)
        assert state != state.text
        assert state != state.value


@every_variant
def test_play_changes_nothing(name: str, options: Options) -> None:
    for state in some_states(name, options, games=1):
        before = (state.text, state.value, state.mover, state.moves(), result(state), state.key)
        for move in state.moves()[:3]:
            after = state.play(move)
            assert after != state
            assert after.game is state.game
        assert (state.text, state.value, state.mover, state.moves(), result(state), state.key) == before


@every_variant
def test_the_history_leads_back_to_the_start(name: str, options: Options) -> None:
    states = list(random_game(harena.game(name, **options), 5))
    assert list(states[-1].history()) == states[::-1]
    assert (states[0].previous, states[0].last_move) == (None, None)
    for before, after in pairwise(states):
        assert after.previous is before
        assert after.last_move in before.moves()
        assert before.play(after.last_move) == after


def test_a_move_is_a_number_that_prints_as_its_notation() -> None:
    move = harena.game("isolation").initial().play("c4").last_move
    assert isinstance(move, int)
    assert move == 26
    assert {26: "there"}[move] == "there"
    assert (str(move), f"{move}", move.text) == ("c4", "c4", "c4")
    assert repr(move) == "Move(26, 'c4')"
    assert eval(repr(move), {"Move": Move}) == move


@every_variant
def test_a_running_state_has_moves_and_a_finished_one_an_outcome(name: str, options: Options) -> None:
    for state in some_states(name, options, games=2):
        assert state.is_over == (state.outcome is not None) == (state.moves() == [])
        assert len(set(state.moves())) == len(state.moves())
        assert state.mover in (0, 1, CHANCE)
        if state.outcome is not None:
            assert state.outcome.winner in (0, 1, None)
            assert (state.outcome.score is not None) == (name == "colosseum")


@every_variant
def test_chances_sum_to_one_and_are_there_for_chance_only(name: str, options: Options) -> None:
    for state in some_states(name, options, games=2):
        chances = state.chances()
        if state.mover == CHANCE:
            assert [move for move, _ in chances] == state.moves()
            assert sum(chance for _, chance in chances) == pytest.approx(1, abs=1e-12)
            assert all(0 < chance <= 1 for _, chance in chances)
        else:
            assert chances == []


def test_an_outcome_says_who_won_and_by_how_much() -> None:
    assert str(Outcome(winner=0)) == "player 1 wins"
    assert str(Outcome(winner=1, score=(3, 6))) == "player 2 wins 3:6"
    assert str(Outcome(winner=None)) == "draw"
    assert read("colosseum", "2 a1 b2 1 a1r").play("a2r").outcome == Outcome(winner=None, score=(2, 2))
    assert str(read("colosseum", "2 a1 b2 1 a1r,a2r").outcome) == "draw 2:2"


RANDOM_STARTS = [
    ("isolation", {"setup": "random-placements"}),
    ("colosseum", {}),
    ("colosseum", {"size": 12, "setup": "2022"}),
    ("tiles", {"size": 6, "setup": "random"}),
]


@pytest.mark.parametrize(("name", "options"), RANDOM_STARTS)
def test_each_seed_gives_its_own_start(name: str, options: Options) -> None:
    game = harena.game(name, **options)
    seeds: list[Any] = [0, 1, 2, -1, 2**63, 2**64 - 2, 10**30, np.int64(7), 8]
    starts = [game.initial(seed) for seed in seeds]
    assert starts == [harena.game(name, **options).initial(seed) for seed in seeds]
    assert len(set(starts)) == len(seeds)
    assert game.initial() == game.initial(0)


@every_game
def test_a_fixed_start_does_not_care_for_the_seed(name: str) -> None:
    game = harena.game(name, setup="empty") if name == "colosseum" else harena.game(name)
    assert game.initial(1) == game.initial(2)


KEY_STARTS = [
    ("isolation", "1....../......./......./......./......./......./......2 1"),
    ("isolation", "..../..../..../.... 1"),
    ("colosseum", "3 a1 c3 1 -"),
    ("colosseum", "6 c3 d4 1 b1d,d1r,e5d,b6r"),
    ("colosseum", "10 a1 j10 2 -"),
    ("colosseum", "12 g6 f7 1 a1d,a2r,c3d,g4r"),
    ("trap", "1.../..../..../...2 1 walk 0"),
    ("trap", "...1.../......./......./......./......./......./...2... 2 aim 3"),
    ("tiles", "BRBR/RBRB/BRBR/RBRB R 1"),
    ("tiles", "/".join(["BRBRBRBRBR", "RBRBRBRBRB"] * 5) + " B 1"),
]


def nearest(state: State, number: int) -> set[State]:
    """That many positions in the order of their distance from one."""
    found, waiting = {state}, deque([state])
    while waiting and len(found) < number:
        before = waiting.popleft()
        for after in map(before.play, before.moves()):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


@pytest.mark.parametrize(("name", "position"), KEY_STARTS)
def test_keys_are_as_different_as_positions(name: str, position: str) -> None:
    states = nearest(read(name, position), 2000)
    assert len(states) >= 2000
    assert len({state.key for state in states}) == len(states)
    assert all(0 <= state.key < 2**64 for state in states)


LOOK_ALIKES = [
    (
        "isolation",
        ["1../.../..2 1", "1../.../..2 2", "2../.../..1 1", "1../.../..x 1", "x../.../..2 1"],
    ),
    ("colosseum", ["4 a1 d4 1 -", "4 a1 d4 2 -", "4 d4 a1 1 -", "4 a1 d3 1 -", "4 a1 d4 1 a1r", "4 a1 d4 1 a1d"]),
    ("colosseum", ["12 a1 l12 1 -", "12 a1 l12 2 -", "12 l12 a1 1 -", "12 a1 l12 1 k12r", "12 a1 l12 1 l11d"]),
    ("tiles", ["RB/BX R 1", "RB/BX R 2", "RB/BX B 1", "BR/RX R 1", "BR/RX B 1", "RB/BB R 1", "RB/BR R 1", "RX/BX R 1"]),
    ("trap", [f"1.../..../..../...2 {rest}" for rest in ("1 walk 0", "2 walk 0", "1 aim 0", "1 walk 1", "1 @b1 0")]),
    ("trap", [f"1.../..../..../...2 {rest}" for rest in ("1 @b1 0", "1 @b2 0", "2 @b1 0", "1 @b1 149", "1 aim 0")]),
    ("trap", [f"{board} 1 walk 0" for board in ("12../..../..../....", "21../..../..../....", "12x./..../..../....")]),
]


@pytest.mark.parametrize(("name", "positions"), LOOK_ALIKES)
def test_the_key_depends_on_everything_that_matters(name: str, positions: list[str]) -> None:
    states = [read(name, position) for position in positions]
    assert len({state.key for state in states}) == len(states)
    assert len(set(states)) == len(states)
