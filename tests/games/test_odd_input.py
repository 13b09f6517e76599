"""Odd input: copies, numbers without end, options that make no sense."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import harena
from games.support import Options, read
from harena import BadText, HarenaError

DIGITS = "9" * 5000  # more than Python's int() reads


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_moves_and_states_with_a_history_can_be_copied_and_pickled(again: object) -> None:
    state = harena.game("tiles").initial().play("b1")
    assert str(again(state.last_move)) == "b1"  # type: ignore[operator]
    assert again(state) == state  # type: ignore[operator]


def test_a_throw_after_the_last_half_turn_is_no_position() -> None:
    """After it the text says 151 half-turns, which cannot be read."""
    with pytest.raises(BadText):
        read("trap", "1.../..../..../...2 1 aim 150")


@pytest.mark.parametrize("typed", ["@!c4", "@@c4", "!@c4"])
def test_a_move_has_one_sign(typed: str) -> None:
    with pytest.raises(BadText):
        read("trap", f"1.../..../..../...2 1 {'aim' if typed[0] == '@' else '@c4'} 0").play(typed)


@pytest.mark.parametrize(
    ("name", "move"), [("isolation", f"{DIGITS},1"), ("colosseum", f"{DIGITS},1,u"), ("tiles", f"{DIGITS} 1")]
)
def test_numbers_of_any_length_in_moves(name: str, move: str) -> None:
    with pytest.raises(BadText):
        harena.game(name).initial().play(move)


def test_numbers_of_any_length_in_positions() -> None:
    with pytest.raises(BadText):
        read("trap", f"1.../..../..../...2 1 walk {DIGITS}")


def test_numbers_of_any_length_in_board_files(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(DIGITS)
    with pytest.raises(BadText):
        harena.game("tiles", setup=str(file))


def test_missing_rows_of_a_board_file_name_the_line(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("3\nRBR\n")
    with pytest.raises(BadText, match=r"line [23]"):
        harena.game("tiles", setup=str(file))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tiles", {"first": ""}),
        ("tiles", {"first": 0}),
        ("isolation", {"size": (7.5, 7)}),
        ("isolation", {"size": (None, 3)}),
        ("tiles", {"setup": 5}),
        ("tiles", {"setup": "a\0.txt"}),
        ("trap", {"setup": ["standard"]}),
        (":x", {}),
        (".os:path", {}),
    ],
)
def test_options_that_make_no_sense(name: str, options: Options) -> None:
    with pytest.raises(HarenaError):
        harena.game(name, **options)


def test_a_set_up_given_as_a_number_is_taken_or_explained() -> None:
    try:
        assert harena.game("colosseum", setup=2023) == harena.game("colosseum")
    except HarenaError as error:
        assert str(error) != "no set-up of colosseum '2023'; did you mean '2023'?"


def test_the_code_of_a_game_needs_no_numpy() -> None:
    game = harena.game("trap", size=np.int64(7))
    assert eval(repr(game), {"harena": harena}) == game
