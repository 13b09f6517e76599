"""Tiles: the facts, worked examples and solved values of its rules text."""

from pathlib import Path

import pytest

import harena
from games.positions import ALL_OPTIONS
from games.support import Options, Result, random_game, read, result, texts
from harena import State

FIGURE_1 = "RBBR/RBRB/BRBR/BBRR"


def after(position: str, move: str) -> tuple[str, Result]:
    """The board and the result after a move."""
    state = read("tiles", position).play(move)
    return state.text.split(" ")[0], result(state)


def test_figure_7_one_pass_and_no_cascade() -> None:
    assert after("XRBX/BRBR/RRBB/XXXX R 1", "b2") == ("XXBX/XXBR/RXBB/XXXX", None)


def test_figure_11_the_owner_of_the_vanished_colour_wins_though_the_other_removed_it() -> None:
    assert after("XXXX/RXXX/BRXX/XXBX B 1", "a3") == ("XXXX/XXXX/XXXX/XXBX", (1, None))
    assert after("XXXX/RXXX/BRXX/XXBX B 2", "a3") == ("XXXX/XXXX/XXXX/XXBX", (0, None))


def test_removing_the_last_own_tile_wins() -> None:
    assert after("RXX/XXX/XXB R 1", "a1") == ("XXX/XXX/XXB", (0, None))


@pytest.mark.parametrize("player", [1, 2])
def test_an_empty_board_is_a_draw(player: int) -> None:
    assert after(f"RB/XX R {player}", "a1") == ("XX/XX", (None, None))
    assert result(read("tiles", f"XX/XX R {player}")) == (None, None)


def test_walls_hold_a_tile_and_two_open_sides_let_it_fall() -> None:
    assert after("RB/BR R 1", "a1") == ("XB/BR", None)  # b1 and a2: one open side each
    assert after("RBR/RXR/RRR R 1", "b3") == ("RBR/RXR/RXR", None)  # a3 and c3 have two walls and one tile each
    assert after("RBR/RXR/RRR R 1", "a2") == ("RBR/XXR/RRR", None)
    assert after("RBR/BXR/RRR R 1", "a1") == ("XXR/XXR/RRR", (1, None))  # b1 and a2 face the hole in the middle too


@pytest.mark.parametrize("size", range(4, 11))
def test_the_end_of_a_row_and_the_beginning_of_the_next_are_no_neighbours(size: int) -> None:
    row, last = "R" * size, "abcdefghij"[size - 1]
    rest = [row] * (size - 3) + ["B" + row[1:]]
    removed = after("/".join([row, "RX" + row[2:], *rest]) + " R 1", f"{last}1")
    assert removed == ("/".join([row[1:] + "X", "RX" + row[2:], *rest]), None)  # a2, which faces the gap, stays
    open_side = after("/".join([row[1:] + "X", row, *rest]) + " R 1", "b2")
    assert open_side == ("/".join([row[1:] + "X", "RX" + row[2:], *rest]), None)  # a2 does not face the gap in row 1


def test_both_colours_fall() -> None:
    assert after("XRX/RRB/XBX R 1", "b2") == ("XXX/XXX/XXX", (None, None))


@pytest.mark.parametrize("options", ALL_OPTIONS["tiles"])
def test_the_first_removal_has_no_side_effect(options: Options) -> None:
    state = harena.game("tiles", **options).initial(3)
    board, *_ = state.text.split(" ")
    assert len(state.moves()) == board.count(options["first"])
    for move in state.moves():
        assert state.play(move).text.count("X") == 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [4, 7, 10])
def test_on_a_checkerboard_side_effects_hit_the_other_colour_only(size: int, seed: int) -> None:
    for state in random_game(harena.game("tiles", size=size), seed):
        if state.previous is not None:
            before, now = (one.text.split(" ")[0] for one in (state.previous, state))
            own = state.previous.text.split(" ")[1]
            assert before.count(own) - now.count(own) == 1


def test_the_checkerboard_has_b_at_the_top_left_and_odd_boards_one_b_more() -> None:
    assert harena.game("tiles").initial().text == "BRBR/RBRB/BRBR/RBRB R 1"
    assert harena.game("tiles", size=3, first="B").initial().text == "BRB/RBR/BRB B 1"


@pytest.mark.parametrize("size", range(2, 11))
def test_a_random_start_has_equal_counts(size: int) -> None:
    boards = [harena.game("tiles", size=size, setup="random").initial(seed).text.split(" ")[0] for seed in range(30)]
    assert len(set(boards)) > (4 if size == 2 else 25)
    assert {(board.count("R"), board.count("B")) for board in boards} == {(size**2 // 2, (size**2 + 1) // 2)}


@pytest.mark.parametrize(("first", "winner"), [("R", 1), ("B", 0)])
def test_a_board_of_one_colour_is_over_at_once(first: str, winner: int, tmp_path: Path) -> None:
    file = tmp_path / "red.txt"
    file.write_text("3\nRRR\nRXR\nRRR\n")
    state = harena.game("tiles", setup=str(file), first=first).initial()
    assert result(state) == (winner, None)
    assert state.moves() == []


def test_two_moves_may_lead_to_one_board() -> None:
    state = read("tiles", "RRXX/XXXX/XXXX/XXXB R 1")
    assert texts(state.moves()) == ["a1", "b1"]
    assert state.play("a1") == state.play("b1")
    assert state.play("a1").key == state.play("b1").key


def solve(state: State, values: dict[State, int]) -> int:
    """1, 0 or -1 for the player to move under best play; `values` gets every running state from here on."""
    if state.outcome:
        return 0 if state.outcome.winner is None else 1 if state.outcome.winner == state.mover else -1
    if state not in values:
        values[state] = max(-solve(state.play(move), values) for move in state.moves())
    return values[state]


@pytest.mark.slow
def test_the_4x4_checkerboard_is_a_draw_and_so_are_all_first_moves() -> None:
    positions: set[str] = set()
    for first in "RB":
        start, values = harena.game("tiles", first=first).initial(), dict[State, int]()
        assert solve(start, values) == 0
        assert [solve(start.play(move), values) for move in start.moves()] == [0] * 8
        boards_and_colours = {state.text.rsplit(" ", 1)[0] for state in values}
        assert len(boards_and_colours) == len(values) == 7663
        positions |= boards_and_colours
    assert len(positions) == 9912


@pytest.mark.slow
@pytest.mark.parametrize(("first", "losing"), [("R", ["a1", "d3", "c4", "d4"]), ("B", ["a4"])])
def test_the_board_of_figure_1_is_a_draw_with_losing_first_moves(first: str, losing: list[str]) -> None:
    start, values = read("tiles", f"{FIGURE_1} {first} 1"), dict[State, int]()
    for move in start.moves():
        assert -solve(start.play(move), values) == (-1 if str(move) in losing else 0), move
