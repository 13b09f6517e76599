"""Everything that can be text comes back from it: positions, printed boards, moves as one types them, and `repr`."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import harena
from games.positions import POSITIONS
from games.support import REFERENCES, Options, every_variant, random_game, read, some_states

every_game = pytest.mark.parametrize("name", REFERENCES)


@every_game
def test_any_position_comes_back_from_its_text_its_board_and_its_code(name: str) -> None:
    @settings(max_examples=100)
    @given(position=POSITIONS[name])
    def check(position: str) -> None:
        state = read(name, position)
        assert state.text == position
        assert state.game.position(str(state)) == state
        assert eval(repr(state), {"harena": harena}) == state

    check()


@every_variant
def test_positions_of_games_come_back_with_the_traces_of_the_last_move_on_the_board(
    name: str, options: Options
) -> None:
    for state in some_states(name, options, games=2):
        assert state.game.position(str(state)) == state
        assert state.game.position(state.text) == state
        assert eval(repr(state.game), {"harena": harena}) == state.game


@every_variant
def test_moves_come_back_from_their_text_in_either_case(name: str, options: Options) -> None:
    for state in some_states(name, options, games=1):
        for move in state.moves()[:: max(1, len(state.moves()) // 5)]:
            by_number = state.play(int(move))
            same: Any
            for same in (str(move), str(move).upper(), f"  {move} ", move, np.int64(move)):
                assert state.play(same) == by_number
                assert state.play(same).last_move == move


@every_game
def test_a_position_may_have_room_around_it_and_stand_on_several_lines(name: str) -> None:
    state = harena.game(name).initial(3)
    assert state.game.position(f"\n  {state.text.replace(' ', '  ')}\t\n\n") == state
    assert state.game.position(state.text.replace(" ", "\n")) == state


def test_of_several_printed_boards_the_last_one_counts() -> None:
    earlier, *_, later = random_game(harena.game("tiles"), 1)
    assert later.game.position(f"{earlier}\n\n{later}\n") == later


TYPED = [
    ("isolation", "......./......./......./......./......./......./....... 1", "3,2", "c4"),
    ("isolation", "......./......./......./......./......./......./....... 1", "(3, 2)", "c4"),
    ("isolation", "......./......./......./......./......./......./....... 1", " ( 3 ,2)", "c4"),
    ("isolation", "......../......../........ 1", "2,7", "h3"),
    ("colosseum", "6 c4 f6 1 -", "3,2,u", "c4u"),
    ("colosseum", "6 c4 f6 1 -", "3, 2, R", "c4r"),
    ("colosseum", "6 c4 f6 1 -", "(3, 2), d", "c4d"),
    ("colosseum", "6 c4 f6 1 -", "(3, 2, l)", "c4l"),
    ("colosseum", "12 l12 a1 1 -", "11,10,l", "k12l"),
    ("colosseum", "12 l12 a1 1 -", "L12L", "l12l"),
    ("trap", "......./......./......./...1.../......./......./...2... 1 walk 0", "3,2", "c4"),
    ("trap", "......./......./......./...1.../......./......./...2... 1 aim 0", "(3, 2)", "@c4"),
    ("trap", "......./......./......./...1.../......./......./...2... 1 aim 0", "@3,2", "@c4"),
    ("trap", "......./......./......./...1.../......./......./...2... 1 aim 0", "c4", "@c4"),
    ("trap", "......./......./......./...1.../......./......./...2... 1 aim 0", "@ C4", "@c4"),
    ("trap", "......./......./......./...1.../......./......./...2... 1 @b4 0", "3,1", "!b4"),
    ("trap", "......./......./......./...1.../......./......./...2... 1 @b4 0", "b4", "!b4"),
    ("tiles", "BRBR/RBRB/BRBR/RBRB B 1", "3 3", "c3"),
    ("tiles", "BRBR/RBRB/BRBR/RBRB R 1", "  4   3 ", "c4"),
    ("tiles", "/".join(["BRBRBRBRBR", "RBRBRBRBRB"] * 5) + " B 1", "10 10", "j10"),
]


@pytest.mark.parametrize(("name", "position", "typed", "move"), TYPED)
def test_the_courses_own_forms_are_understood(name: str, position: str, typed: str, move: str) -> None:
    assert str(read(name, position).play(typed).last_move) == move


@pytest.mark.parametrize("cells", ["a1 f6", "A1 F6", "0,0 5,5"])
def test_cells_in_a_position_are_read_like_those_of_moves(cells: str) -> None:
    assert read("colosseum", f"6 {cells} 1 -").text == "6 a1 f6 1 -"


def test_a_wall_may_be_named_from_either_side() -> None:
    assert read("colosseum", "4 a1 d4 2 b2u,b3r,b3l,d4u").text == "4 a1 d4 2 b1d,a3r,b3r,d3d"


@pytest.mark.parametrize("size", [5, "5", "5x5", "5X5", (5, 5), np.int64(5)])
def test_a_size_is_given_in_many_ways(size: object) -> None:
    assert harena.game("isolation", size=size) == harena.game("isolation", size=5)
