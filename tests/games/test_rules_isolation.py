"""Isolation: the facts and worked examples of its rules text."""

import pytest

import harena
from games.support import random_game, read, result, texts
from harena import State


def test_the_first_placement_has_49_cells_and_the_second_48() -> None:
    state = harena.game("isolation").initial()
    assert len(state.moves()) == 49
    assert len(state.play("d4").moves()) == 48
    assert "d4" not in texts(state.play("d4").moves())


def test_a_player_without_a_location_may_go_to_any_blank_cell_however_late() -> None:
    assert texts(read("isolation", "x1x/.xx/xx. 2").moves()) == ["a2", "c3"]
    assert texts(read("isolation", "x1x/.xx/xx. 1").moves()) == ["c3"]


def test_a_knight_in_the_open_has_its_eight_jumps() -> None:
    state = read("isolation", "......./......./......./...1.../......./......./2...... 1")
    assert texts(state.moves()) == ["c2", "e2", "b3", "f3", "b5", "f5", "c6", "e6"]


def test_jumps_do_not_wrap_round_the_edge() -> None:
    state = read("isolation", "......../......../......../1......2/......../......../......../........ 1")
    assert texts(state.moves()) == ["b2", "c3", "c5", "b6"]
    assert texts(state.play("b2").moves()) == ["g2", "f3", "f5", "g6"]


def test_visited_cells_stay_blocked_for_both() -> None:
    state = harena.game("isolation").initial()
    for move in ("a1", "c3", "b3", "a2"):
        state = state.play(move)
    assert state.text == "x....../2....../.1x..../......./......./......./....... 1"
    assert texts(state.moves()) == ["c1", "d2", "d4", "a5", "c5"]


def test_only_the_player_to_move_loses_for_want_of_a_move() -> None:
    """The second knight is stuck in the middle of the board, but it is the first one's turn."""
    state = read("isolation", "1xx/x2x/x.x 1")
    assert result(state) is None
    assert result(state.play("b3")) == (0, None)
    assert result(read("isolation", "1xx/x2x/x.x 2")) == (0, None)


def test_a_full_board_is_lost_for_the_player_to_place() -> None:
    assert result(read("isolation", "xxx/x1x/xxx 2")) == (0, None)


def colour(state: State, player: str) -> int:
    """0 or 1 for the cell of a knight, as on a chessboard."""
    rows = state.text.split(" ")[0].split("/")
    return next((row + line.index(player)) % 2 for row, line in enumerate(rows) if player in line)


@pytest.mark.parametrize("seed", range(10))
def test_parity_decides_for_ever_who_can_take_the_cells_of_the_other(seed: int) -> None:
    """A knight changes colour with every jump: who stands on the other colour than his opponent shares no target."""
    game = harena.game("isolation", setup="random-placements")
    parities = set()
    for state in random_game(game, seed):
        colours = colour(state, "1") ^ colour(state, "2")
        parities.add(colours ^ state.mover)
        board, player = state.text.split(" ")
        theirs = game.position(f"{board} {3 - int(player)}").moves()
        if colours == 1:
            assert not set(state.moves()) & set(theirs)
    assert len(parities) == 1


@pytest.mark.parametrize("size", ["3x3", "4x8", "8x8"])
def test_every_ply_fills_a_cell_and_nobody_draws(size: str) -> None:
    for seed in range(10):
        for ply, state in enumerate(random_game(harena.game("isolation", size=size), seed)):
            rows, columns = map(int, size.split("x"))
            assert state.text.count(".") == rows * columns - ply
        assert result(state) == (1 - state.mover, None)
