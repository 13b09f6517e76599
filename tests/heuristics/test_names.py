"""Every named heuristic of every game against the same computed slowly from its description."""

from typing import Any

import pytest

from harena import CHANCE, State
from harena.heuristics.names import TABLES
from heuristics import slow
from heuristics.support import at, random_positions, value

# For each game: sizes, how many random positions of each, and the most plies before them.
GAMES: list[tuple[str, list[Any], int, int]] = [
    ("isolation", [3, 5, "6x7", 7, 8], 9, 22),
    ("trap", [4, 5, 6, 7, 8], 7, 60),
    ("colosseum", [3, 6, 8], 8, 14),
    ("colosseum", [9, 12], 3, 30),  # boards of two and three words
    ("tiles", [3, 4, 6, 8], 9, 12),
    ("tiles", [10], 4, 30),
]
POSITIONS: dict[str, list[State]] = {}
for _game, _sizes, _number, _longest in GAMES:
    POSITIONS.setdefault(_game, [])
    for _size in _sizes:
        POSITIONS[_game] += random_positions(_game, _number, _longest, size=_size)
EVERY = [(game, name) for game, table in TABLES.items() for name in table]
ON_LARGE_BOARDS = ("improved", "proximity", "accessibility", *slow.ZONES)  # each class once: they compile anew
CONSTANT = [*((game, "null") for game in TABLES), ("colosseum", "reach")]  # the latter: see below
SYMMETRIC = {
    "isolation": ["improved", "lookahead", "horizon", "reach", "territory"],
    "trap": ["improved", "lookahead", "horizon", "reach", "territory"],
    "colosseum": ["improved", "lookahead", "horizon", "reach", "moves", "territory"],
    "tiles": ["left", "fragile", "balance"],
}


def positions(game: str, name: str) -> list[State]:
    if game != "colosseum" or name in ON_LARGE_BOARDS:
        return POSITIONS[game]
    return [state for state in POSITIONS[game] if state.value.size <= 8]


@pytest.mark.parametrize(("game", "name"), EVERY)
def test_a_name_means_what_its_description_says(game: str, name: str) -> None:
    for state in positions(game, name):
        if name == "territory" and state.mover == CHANCE:
            continue  # nobody is to move: see below
        for me in (0, 1):
            assert value(name, state, me) == pytest.approx(slow.slow(name, state, me), abs=1e-12), (state.text, me)


@pytest.mark.parametrize(("game", "name"), [pair for pair in EVERY if pair not in CONSTANT])
def test_the_positions_of_these_tests_tell_a_heuristic_from_a_constant(game: str, name: str) -> None:
    assert len({slow.slow(name, state, 0) for state in positions(game, name) if state.mover != CHANCE}) > 1


def test_every_name_has_a_slow_twin() -> None:
    assert {game: list(table) for game, table in slow.TABLES.items()} == {
        game: list(table) for game, table in TABLES.items()
    }


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, names in SYMMETRIC.items() for name in names])
def test_what_is_mine_less_theirs_is_for_one_player_minus_what_it_is_for_the_other(game: str, name: str) -> None:
    for state in positions(game, name):
        if state.mover != CHANCE:
            assert value(name, state, 0) == -value(name, state, 1), state.text


def test_in_colosseum_the_other_player_cuts_cells_off() -> None:
    """1 in the corner a3 has a wall on its right and 2 above: the other standing still, it gets nowhere."""
    assert value("reach", at("colosseum", "3 a3 a2 1 a1d,a3r", size=3), 0) == -7


def test_territory_is_minus_that_of_the_other_while_a_throw_is_in_flight() -> None:
    """Player 2 walks next, whoever asks."""
    state = at("trap", "1.../..../..../...2 1 @c2 0", size=4)
    assert value("territory", state, 0) == -value("territory", state, 1)


@pytest.mark.parametrize("name", ["net_advantage", "net_mobility", "offensive"])
def test_where_the_active_player_matters_the_turn_changes_the_value(name: str) -> None:
    """1 on a1 reaches b3 and c2; 2 on a3 reaches c2, b1 and, on the fourth row, c4: one cell is shared."""
    first, second = (at("isolation", f"1.../..../2.../.... {player}", size=4) for player in (1, 2))
    values = [value(name, state, me) for state in (first, second) for me in (0, 1)]
    assert (
        values == {"net_advantage": [-1, 0, -2, 1], "net_mobility": [-1, 1, -2, 2], "offensive": [1, -1, -1, 1]}[name]
    )


@pytest.mark.parametrize("name", ["open", "improved", "aggressive", "lookahead", "outlook", "accessibility", "reach"])
def test_elsewhere_the_turn_does_not_matter(name: str) -> None:
    first, second = (at("isolation", f"1.../..../2.../.x.. {player}", size=4) for player in (1, 2))
    assert [value(name, first, me) for me in (0, 1)] == [value(name, second, me) for me in (0, 1)]


CENTRES = {  # size: a centre counted from 0 with halves rounded to even, and how many hops from it count as near
    5: (2, 1),
    6: (3, 2),
    7: (4, 2),
    8: (4, 2),
}


@pytest.mark.parametrize(("size", "centre", "near"), [(size, *pair) for size, pair in CENTRES.items()])
def test_accessibility_of_every_cell(size: int, centre: int, near: int) -> None:
    for row in range(size):
        for column in range(size):
            board = [["."] * size for _ in range(size)]
            board[row][column] = "1"
            state = at("isolation", "/".join("".join(marks) for marks in board) + " 2", size=size)
            hops = max(abs(row - centre), abs(column - centre)) // 2
            assert value("accessibility", state, 0) == (hops < near) - (hops > near), state.text
            assert value("accessibility", state, 1) == 0  # not on the board yet


@pytest.mark.parametrize(
    ("cell", "expected"), [("a1", 24.5), ("d4", 0.5), ("e5", 0.5), ("g7", 12.5), ("a7", 18.5), ("g1", 18.5)]
)
def test_center_is_half_a_cell_off_and_rewards_being_far(cell: str, expected: float) -> None:
    """From (3.5, 3.5) on 7x7, rows and columns counted from 0."""
    state = at("isolation", "/".join(["......."] * 7) + " 1", size=7).play(cell)
    assert value("center", state, 0) == expected
    assert value("center", state, 1) == 0  # not on the board yet
    assert value("improved - 2*center", state, 0) == value("improved", state, 0) - 2 * expected


@pytest.mark.parametrize(
    ("board", "for_first", "for_second"),
    [
        (".../..1/..2", 1, 1),  # 7 of 9 cells blank: both stand near c3, the centre
        ("x../..1/..2", 0, 0),  # 6 blank are not more than two thirds
        ("1.x/xx./2.x", 0, 0),  # 3 blank are not fewer than one third, though both reach c2
        ("1xx/xx./2.x", 1, -1),  # 2 blank: both reach c2, and 1 is to move
        ("1xx/xx./2xx", 1, -1),
        ("1xx/xxx/2.x", 0, 0),  # nothing shared
    ],
)
def test_phased_adds_to_net_advantage_by_the_share_of_blank_cells(
    board: str, for_first: float, for_second: float
) -> None:
    state = at("isolation", f"{board} 1", size=3)
    added = [value("phased", state, me) - value("net_advantage", state, me) for me in (0, 1)]
    assert added == [for_first, for_second]


def test_the_number_of_moves_is_that_of_the_legal_moves() -> None:
    for state in POSITIONS["colosseum"]:
        assert value("own_moves", state, state.mover) == len(state.moves()), state.text
    for game in ("isolation", "trap"):
        for state in POSITIONS[game]:
            if state.mover != CHANCE and "aim" not in state.text:
                assert value("open", state, state.mover) == len(state.moves()), state.text
