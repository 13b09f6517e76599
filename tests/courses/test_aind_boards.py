"""The Isolation course's Board in all its generations, and its sample players, against the rules and their quirks."""

import importlib.util
import io
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import harena
from harena.courses.hosting import aind
from harena.courses.hosting.aind_boards import restored

MODULES = Path(aind.__file__).parent / "modules" / "aind"
ALL = ("G1", "G1c", "G2")
KNIGHT = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


def module(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"aind_{name}", file)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


ISOLATION = module("isolation", MODULES / "isolation" / "isolation.py")
SAMPLES = module("sample_players", MODULES / "sample_players.py")
BOARDS: dict[str, Any] = ISOLATION.GENERATIONS


class Scripted:
    """Answers what it is told to, with or without legal_moves."""

    def __init__(self, *answers: Any) -> None:
        self.answers = iter(answers)
        self.given: list[tuple[Any, ...]] = []

    def get_move(self, game: Any, *rest: Any) -> Any:
        self.given.append((game, *rest))
        return next(self.answers)


@pytest.fixture(params=ALL)
def board(request: pytest.FixtureRequest) -> Any:
    return BOARDS[request.param]("first", "second")


def test_both_players_may_begin_anywhere(board: Any) -> None:
    assert len(board.get_legal_moves()) == 49 and (0, 0) in board.get_legal_moves()
    board.apply_move((3, 3))
    assert len(board.get_legal_moves()) == 48 and (0, 0) in board.get_legal_moves()  # of G1b only two were left
    assert len(board.get_legal_moves("first")) == 8
    assert board.move_count == 1 and board.active_player == "second" and board.inactive_player == "first"


@pytest.mark.parametrize("generation", ALL)
@pytest.mark.parametrize("size", ["7", "3", "4x6"])
def test_games_are_those_of_the_rules(generation: str, size: str) -> None:
    game = harena.game("isolation", size=size)
    for seed in range(8):
        state, rng = game.initial(), harena.generator(seed)
        rows = state.text.split(" ")[0].split("/")
        board = BOARDS[generation](0, 1, len(rows[0]), len(rows))
        while True:
            moves = [aind._cell(str(move)) for move in state.moves()]
            assert sorted(board.get_legal_moves()) == sorted(moves) and board.active_player == state.mover
            loser = state.mover if state.is_over else None
            assert [board.is_loser(player) for player in (0, 1)] == [loser == 0, loser == 1]
            assert [board.is_winner(player) for player in (0, 1)] == [loser == 1, loser == 0]
            assert same(board, restored(BOARDS[generation], (0, 1), state.text))
            if state.is_over:
                break
            move = state.random_move(rng)
            before = board.copy()
            after = board.forecast_move(aind._cell(str(move)))
            assert same(board, before) and not same(board, after)
            state, board = state.play(move), after


def same(one: Any, other: Any) -> bool:
    """Whether two boards show the same; who visited a cell does not count."""
    views = [
        (
            board.get_blank_spaces(),
            [board.get_player_location(player) for player in (0, 1)],
            board.active_player,
            board.inactive_player,
            board.move_count,
            getattr(board, "_board_state", None),
        )
        for board in (one, other)
    ]
    return views[0] == views[1]


def test_only_the_active_player_loses_by_being_stuck() -> None:
    for generation in ALL:
        board = restored(BOARDS[generation], ("first", "second"), "1../..x/.2. 2")
        assert board.get_legal_moves("first") == [] and board.get_legal_moves() == [(0, 2)]
        assert not board.is_winner("second") and not board.is_loser("first") and board.utility("second") == 0.0
        board.apply_move((0, 2))
        assert board.is_loser("first") and board.is_winner("second")
        assert [board.utility(who) for who in ("second", "first", "nobody")] == [float("inf"), float("-inf"), 0.0]
        assert not board.is_winner("nobody") and not board.is_loser("nobody")


def test_a_board_without_a_blank_cell_stops_even_an_unplaced_player() -> None:
    for generation in ALL:
        assert restored(BOARDS[generation], ("first", "second"), "xxx/xxx/xxx 1").is_loser("first")


def test_strangers_are_refused_each_in_its_way(board: Any) -> None:
    assert board.get_opponent("first") == "second" and board.get_opponent("second") == "first"
    with pytest.raises(RuntimeError, match="neither of the two players"):
        board.get_opponent("nobody")
    with pytest.raises(KeyError if hasattr(board, "__board_state__") else RuntimeError):
        board.get_player_location("nobody")
    assert board.get_player_location("first") is None


def test_nobody_checks_a_move_that_is_applied(board: Any) -> None:
    for move in ((0, 0), (1, 1), (0, 1), (1, 1)):
        board.apply_move(move)
    assert board.get_player_location("first") == (0, 1) and board.get_player_location("second") == (1, 1)
    assert board.move_is_legal((6, 6)) and not board.move_is_legal((0, 0))  # reached by no knight: nobody asks
    assert not any(board.move_is_legal(cell) for cell in ((-1, 0), (0, -1), (7, 0), (0, 7)))
    assert board.get_blank_spaces()[:5] == [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]  # column by column
    assert board.get_blank_spaces_count() == len(board.get_blank_spaces()) == 46


def test_the_oldest_board_has_a_fixed_order_and_the_others_shuffle() -> None:
    orders: dict[str, set[tuple[Any, ...]]] = {}
    random.seed(3)
    for generation in ALL:
        board = BOARDS[generation]("first", "second")
        board.apply_move((3, 3))
        orders[generation] = {tuple(board.get_legal_moves("first")) for _ in range(20)}
    fixed = tuple((3 + down, 3 + right) for down, right in KNIGHT)
    assert orders["G1"] == {fixed}
    for generation in ("G1c", "G2"):
        assert len(orders[generation]) > 10 and all(sorted(one) == sorted(fixed) for one in orders[generation])


def test_the_order_is_drawn_by_the_global_generator() -> None:
    board = BOARDS["G2"]("first", "second").forecast_move((3, 3))
    drawn = []
    for _ in range(2):
        random.seed(11)
        drawn.append([board.get_legal_moves("first") for _ in range(5)])
    assert drawn[0] == drawn[1] and len({tuple(one) for one in drawn[0]}) > 1


def test_private_members_of_the_flat_boards() -> None:
    for generation in ("G1c", "G2"):
        board = BOARDS[generation]("first", "second", width=4, height=3)
        assert board._board_state == [0] * 12 + [0, None, None]
        board.apply_move((2, 1))
        board.apply_move((0, 3))
        assert board._board_state[5] == board._board_state[9] == 1 and board._board_state[-3:] == [0, 9, 5]
        assert (board._player_1, board._player_2) == ("first", "second")
        assert sorted(board._Board__get_moves((2, 1))) == [(0, 0), (0, 2), (1, 3)]
        assert sorted(board._Board__get_moves(None)) == sorted(board.get_blank_spaces())
    one, other = BOARDS["G2"]("first", "second").forecast_move((1, 1)), BOARDS["G2"](1, 2).forecast_move((1, 1))
    assert one.hash() == other.hash() and one.hash() != one.forecast_move((2, 2)).hash()


def test_private_members_of_the_nested_board() -> None:
    board = BOARDS["G1"]("first", "second", width=4, height=3)
    board.apply_move((2, 1))
    board.apply_move((0, 3))
    assert board.__board_state__ == [[0, 0, 0, 2], [0, 0, 0, 0], [0, 1, 0, 0]]
    assert board.__last_player_move__ == {"first": (2, 1), "second": (0, 3)}
    assert (board.__player_1__, board.__player_2__) == ("first", "second")
    assert board.__get_moves__((2, 1)) == board._Board__get_moves((2, 1)) == [(0, 0), (0, 2), (1, 3)]
    assert not hasattr(board, "_board_state")


def test_a_board_is_printed_with_the_course_s_line_ends(board: Any) -> None:
    for move in ((0, 0), (6, 6), (1, 2)):
        board.apply_move(move)
    lines = board.to_string().split("\n\r")
    assert lines[0].split() == list("0123456") and lines[-1] == "" and len(lines) == 9
    assert lines[1].startswith("0 | - |") and lines[2].startswith("1 |   |   | 1 |") and lines[7].endswith("| 2 |")
    assert board.print_board() == board.to_string() and "X" in board.to_string(["X", "O"])


def test_the_history_of_play_lacks_what_was_played_before() -> None:
    first, second = Scripted((-1, -1)), Scripted((0, 0))
    board = BOARDS["G2"](first, second, 3, 3)
    board.apply_move((1, 1))
    assert board.play(10_000) == (second, [[0, 0]], "illegal move")
    assert all(game is not board and callable(clock) for game, clock in first.given + second.given)


@pytest.mark.parametrize("generation", ALL)
def test_play_says_why_it_ended(generation: str) -> None:
    early = generation != "G2"

    def end(first: Scripted, second: Scripted, limit: float = 10_000) -> tuple[bool, Any, str]:
        winner, history, reason = BOARDS[generation](first, second, 3, 3).play(limit)
        return winner is first, history, reason

    centre = end(Scripted((1, 1), (-1, -1)), Scripted((0, 0)))
    flat, rounds = [[1, 1], [0, 0]], [[(1, 1), (0, 0)], [(-1, -1)]]
    assert centre == (False, rounds if generation == "G1" else flat, "illegal move")  # the normal end
    wrong = end(Scripted((1, 1)), Scripted((1, 1)))
    assert wrong == ((True, [[(1, 1), (1, 1)]], "illegal move") if generation == "G1" else (True, [[1, 1]], "forfeit"))
    nothing = end(Scripted((1, 1)), Scripted(None))
    assert nothing[0] and nothing[2] == ("illegal move" if generation == "G1" else "forfeit")
    late = end(Scripted((9, 9)), Scripted(), limit=-1)
    assert not late[0] and late[2] == "timeout"  # time is looked at first
    asked = Scripted((1, 1), (-1, -1))
    end(asked, Scripted((0, 0)))
    assert len(asked.given[0]) == (3 if early else 2) and (not early or len(asked.given[0][1]) == 9)


def test_play_lets_exceptions_out(board: Any) -> None:
    player = Scripted()
    with pytest.raises(StopIteration):
        type(board)(player, Scripted()).play(10_000)


def test_in_g1_the_list_that_was_given_away_decides_and_player_2_cannot_begin_a_round() -> None:
    class Cheat(Scripted):
        def get_move(self, game: Any, *rest: Any) -> Any:
            rest[0].append((0, 0))
            return (0, 0)

    second = Scripted((0, 0))
    winner, history, _ = BOARDS["G1"](Cheat(), second, 3, 3).play(10_000)
    assert winner is not second and history == [[(0, 0), (0, 0)]]
    board = BOARDS["G1"](Scripted(), Scripted((0, 0)), 3, 3)
    board.apply_move((1, 1))
    with pytest.raises(IndexError):
        board.play(10_000)


def test_a_game_as_text_goes_on_with_the_board_of_the_call_before() -> None:
    game: list[list[Any]] = [[(0, 0), (3, 3)], [(1, 2), None]]
    text = ISOLATION.game_as_text("first", game, "illegal move")
    assert text.count("player 1 to") == 2 and text.endswith("illegal move, winner: first\n\r")
    assert "player" not in ISOLATION.game_as_text("first", game, "illegal move")  # every cell is taken by now
    assert "player 1 to (0, 0)" in ISOLATION.game_as_text("first", game, "", BOARDS["G1"](1, 2))


def test_scores_of_the_sample_players(board: Any) -> None:
    board.apply_move((0, 0))
    assert SAMPLES.center_score(board, "second") == 0.0
    board.apply_move((3, 3))
    scores = [getattr(SAMPLES, f"{name}_score") for name in ("null", "open_move", "improved", "center")]
    assert [score(board, "first") for score in scores] == [0.0, 2.0, -6.0, 24.5]
    assert [score(board, "second") for score in scores] == [0.0, 8.0, 6.0, 0.5]
    over = restored(type(board), ("first", "second"), "1xx/xxx/xx2 1")
    for score in scores:
        assert score(over, "first") == float("-inf") and score(over, "second") == float("inf")
    assert SAMPLES.improved_score.__name__ == "improved_score" and "opponent" in SAMPLES.improved_score.__doc__


@pytest.mark.parametrize("generation", ALL)
def test_sample_players_play_each_other(generation: str) -> None:
    greedy, chance = SAMPLES.GreedyPlayer(), SAMPLES.RandomPlayer()
    winner, history, reason = BOARDS[generation](greedy, chance, 5, 5).play(60_000)
    assert winner in (greedy, chance) and len(history) > 2 and reason == "illegal move"


def test_the_greedy_player_breaks_ties_by_the_larger_cell() -> None:
    player = SAMPLES.GreedyPlayer(SAMPLES.null_score)
    board = BOARDS["G2"](player, "other")
    board.apply_move((3, 3))
    board.apply_move((0, 0))
    assert player.get_move(board, lambda: 100) == (5, 4)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    yield lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_person_chooses_by_number(typed: Any, capsys: pytest.CaptureFixture[str]) -> None:
    player = SAMPLES.HumanPlayer()
    board = BOARDS["G2"](player, "other")
    board.apply_move((3, 3))
    board.apply_move((0, 0))
    typed("help\n99\n1\n")
    assert player.get_move(board, lambda: 100) == (1, 4)
    shown = capsys.readouterr().out
    assert "[1] (1, 4)" in shown and "'help' is none of these numbers" in shown and "'99' is none" in shown
    typed("")
    with pytest.raises(RuntimeError, match="nobody is there"):
        player.get_move(board, lambda: 100)
    assert player.get_move(board, [], lambda: 100) == (-1, -1)


def test_time_is_counted_down_in_milliseconds() -> None:
    class Reader(Scripted):
        def get_move(self, game: Any, *rest: Any) -> Any:
            first = rest[-1]()
            time.sleep(0.01)
            self.given.append((first, rest[-1]()))
            return (-1, -1)

    player = Reader()
    BOARDS["G2"](player, "other").play(5000)
    ((before, after),) = player.given
    assert 0 < before <= 5000 and before - after >= 9
