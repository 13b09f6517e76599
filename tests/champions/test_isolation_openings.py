"""What is stored of isolation's openings: against the solver, and never taken for another position."""

import numpy as np
import pytest

import harena
from harena.champions.isolation import champion
from harena.champions.isolation_openings import cell_of, cells, opening, reduced, solved
from harena.champions.isolation_proof import new_notes, proof_of
from harena.heuristics.separated import Separated
from harena.search.result import Limits
from harena.search.solver import Solver
from harena.search.workspace import new_workspace

SOLVER = Solver(shortcut=Separated(), megabytes=8.0)


def value_of(state):
    return SOLVER.run(state, Limits(nodes=20_000_000)).value


def is_lost(state):
    return state.is_over or value_of(state.value) == -1


def game_of(size):
    return harena.game("isolation", size=size)


class TestValues:
    @pytest.mark.parametrize(("rows", "columns", "classes"), [(5, 5, 85), (6, 6, 165), (7, 7, 315)])
    def test_every_opening_of_small_boards_is_there(self, rows, columns, classes):
        board = cells(rows, columns)
        pairs = {reduced(one, two, rows, columns) for one in board for two in board if one != two}
        assert len(pairs) == classes
        assert pairs == set(solved(rows, columns).openings)

    @pytest.mark.parametrize(("side", "every"), [(5, 3), (6, 40)])
    def test_values_are_the_solvers(self, side, every):
        for (first, second), known in list(solved(side, side).openings.items())[::every]:
            assert value_of(opening(side, side, first, second)) == known.value

    @pytest.mark.parametrize(("side", "every"), [(5, 9), (6, 40)])
    def test_moves_and_replies_win(self, side, every):
        game = game_of(side)
        for (first, second), known in list(solved(side, side).openings.items())[::every]:
            state = game.initial().play(first).play(second)
            if known.value > 0:
                assert is_lost(state.play(known.move))
            else:
                assert set(known.replies) == set(map(int, state.moves()))
                for move, reply in known.replies.items():
                    assert is_lost(state.play(move).play(reply))

    @pytest.mark.parametrize("placed", ["c3 g3", "d5 b1", "a1 e4"])
    def test_openings_of_7x7_can_be_proven_again(self, placed):
        first, second = map(cell_of, placed.split())
        state, value = game_of(7).initial().play(first).play(second), solved(7, 7).value(first, second)
        assert value == proof_of(state.value, new_notes(32.0), new_workspace(1))
        state = state if value > 0 else state.play(state.moves()[0])
        after = state.play(solved(7, 7).move(state.value))
        assert proof_of(after.value, new_notes(32.0), new_workspace(1)) == -1

    def test_every_stored_move_of_7x7_is_legal(self):
        game = game_of(7)
        for (first, second), known in solved(7, 7).openings.items():
            state = game.initial().play(first).play(second)
            if known.value > 0:
                assert known.move in state.moves()
            else:
                assert set(known.replies) == set(map(int, state.moves()))
                assert all(reply in state.play(move).moves() for move, reply in known.replies.items())

    def test_a_turned_opening_has_a_turned_answer(self):
        table, board = solved(5, 5), cells(5, 5)
        for first, second in [(cell, other) for cell in board[::3] for other in board[1::4] if cell != other]:
            move = table.move(opening(5, 5, first, second))
            assert (move is not None) == (table.value(first, second) > 0)
            if move is not None:
                state = game_of(5).initial().play(first).play(second)
                assert move in state.moves()
                assert is_lost(state.play(move))

    def test_hunters_win_but_for_the_openings_that_the_documents_name(self):
        def hunted(first, second):
            return 1 if (first // 8 + first % 8 + second // 8 + second % 8) % 2 == 0 else -1

        exceptions = {
            size: sum(known.value != hunted(*pair) for pair, known in solved(size, size).openings.items())
            for size in (5, 6, 7)
        }
        assert exceptions == {5: 1, 6: 6, 7: 1}


class TestPositions:
    def test_from_the_empty_board_the_second_placement_wins(self):
        for cell in cells(6, 6)[::7]:
            state = game_of(6).initial().play(cell)
            assert solved(6, 6).value(cell, solved(6, 6).move(state.value)) == -1
        assert solved(6, 6).move(game_of(6).initial().value) is None

    @pytest.mark.parametrize(
        "text",
        [
            "x..../...../...../...../..... 1",
            "1x.../...../...../...../..... 1",
            "1xx../...../...../...../..... 1",
            "1xx../...../..2../...../..... 1",
            "2..../...x./...../...../..... 1",
        ],
    )
    def test_positions_with_other_cells_blocked_are_none_of_them(self, text):
        state = game_of(5).position(text)
        assert solved(5, 5).move(state.value) is None
        found = champion("isolation").run(state.value, Limits(nodes=20_000))
        assert found.move in state.moves()
        assert found.proven in (None, value_of(state.value))

    def test_whatever_it_answers_to_random_blocked_cells_wins(self):
        draws, answers = np.random.default_rng(3), 0
        for _ in range(300):
            blank = list("....." * 5)
            chosen = draws.permutation(25)[: 2 + int(draws.integers(3))]
            for cell, symbol in zip(chosen, "12xx", strict=False):
                blank[cell] = symbol
            text = "/".join("".join(blank[5 * row : 5 * row + 5]) for row in range(5))
            state = game_of(5).position(f"{text} 1")
            move = None if state.is_over else solved(5, 5).move(state.value)
            if move is not None:
                answers += 1
                assert is_lost(state.play(move))
        assert answers > 20

    def test_a_board_without_data_is_searched(self):
        assert solved(3, 8) is None
        game = game_of("3x8")
        assert harena.player("champion", game).choose(game.initial(), Limits(nodes=500)) in game.initial().moves()
