"""Colosseum Survival!: the facts of its rules text."""

from collections import Counter

import pytest

import harena
from games.support import chi_square_limit, random_game, read, result, texts
from harena import State

STEPS = {2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4, 8: 4, 9: 5, 10: 5, 11: 6, 12: 6}
WALLS = {  # at the start
    "2023": {2: 0, 3: 0, 4: 2, 5: 2, 6: 4, 7: 4, 8: 6, 9: 6, 10: 8, 11: 8, 12: 10},
    "2022": {3: 4, 4: 4, 5: 6, 6: 6, 7: 8, 8: 8, 9: 10, 10: 10, 11: 12, 12: 12},
    "empty": dict.fromkeys(range(2, 13), 0),
}
EVERY_START = [(size, setup) for setup, sizes in WALLS.items() for size in sizes]
SEEDS = range(150)

Cell = tuple[int, int]


def cell_of(text: str) -> Cell:
    return int(text[1:]) - 1, "abcdefghijkl".index(text[0])


def places(state: State) -> tuple[Cell, Cell]:
    _, first, second, _, _ = state.text.split(" ")
    return cell_of(first), cell_of(second)


def walls(state: State) -> set[tuple[Cell, str]]:
    listed = state.text.split(" ")[4]
    return {(cell_of(wall[:-1]), wall[-1]) for wall in listed.split(",") if listed != "-"}


def turned(size: int, wall: tuple[Cell, str]) -> tuple[Cell, str]:
    """The image of a wall under the half-turn, again as the right or lower side of a cell."""
    (row, column), side = wall
    row, column = size - 1 - row, size - 1 - column
    return ((row, column - 1) if side == "r" else (row - 1, column)), side


def destinations(state: State) -> set[Cell]:
    return {cell_of(str(move)[:-1]) for move in state.moves()}


@pytest.mark.parametrize(("size", "steps"), STEPS.items())
def test_one_walks_up_to_k_steps(size: int, steps: int) -> None:
    last = f"{'abcdefghijkl'[size - 1]}{size}"
    near = {(row, column) for row in range(size) for column in range(size) if row + column <= steps}
    assert destinations(read("colosseum", f"{size} a1 {last} 1 -")) == near
    far = {(size - 1 - row, size - 1 - column) for row, column in near}
    assert destinations(read("colosseum", f"{size} a1 {last} 2 -")) == far


@pytest.mark.parametrize(("size", "setup"), EVERY_START)
def test_the_start_is_symmetric_and_not_separated(size: int, setup: str) -> None:
    game = harena.game("colosseum", size=size, setup=setup)
    for seed in SEEDS if setup != "empty" else [0]:
        state = game.initial(seed)
        found = walls(state)
        assert len(found) == WALLS[setup][size]
        assert {turned(size, wall) for wall in found} == found
        first, second = places(state)
        assert first != second == (size - 1 - first[0], size - 1 - first[1])
        assert state.mover == 0
        assert not state.is_over
        assert game.position(state.text) == state  # which tests anew whether the players are separated


@pytest.mark.parametrize("size", range(2, 13))
def test_without_walls_the_players_stand_in_the_middle_of_the_first_and_last_row(size: int) -> None:
    start = harena.game("colosseum", size=size, setup="empty").initial(7)
    assert places(start) == ((0, size // 2), (size - 1, size - 1 - size // 2))


def test_every_pair_of_walls_and_every_place_is_equally_likely() -> None:
    game = harena.game("colosseum", size=4)
    starts = [game.initial(seed) for seed in range(2400)]
    for drawn, kinds in (
        (Counter(frozenset(walls(state)) for state in starts), 12),
        (Counter(places(state)[0] for state in starts), 16),
    ):
        expected = len(starts) / kinds
        assert len(drawn) == kinds
        assert sum((count - expected) ** 2 / expected for count in drawn.values()) < chi_square_limit(kinds - 1)


def test_staying_is_allowed_and_a_wall_must_be_free() -> None:
    state = read("colosseum", "2 a1 b2 1 a1r")
    assert texts(state.moves()) == ["a1d", "a2u", "a2r"]


def test_the_way_does_not_lead_through_the_opponent_nor_end_there() -> None:
    """A corridor along the first row, with the opponent in it."""
    state = read("colosseum", "5 a1 b1 1 a1d,b1d,c1d,d1d")
    assert destinations(state) == {(0, 0)}
    assert destinations(read("colosseum", "5 a1 d1 1 a1d,b1d,c1d,d1d")) == {(0, 0), (0, 1), (0, 2)}


def test_walls_lengthen_the_way() -> None:
    open_way, round_about = (destinations(read("colosseum", f"5 a1 e5 1 {listed}")) for listed in ("-", "a1r,a2r"))
    assert (0, 1) in open_way - round_about
    assert (2, 1) in round_about


def test_the_new_wall_does_not_block_the_walk_that_built_it() -> None:
    state = read("colosseum", "4 a1 d4 1 -").play("b1l")
    assert state.text == "4 b1 d4 2 a1r"


def test_one_may_wall_oneself_in_and_lose() -> None:
    state = read("colosseum", "4 b1 d4 1 a1d")
    assert result(state.play("a1r")) == (1, (1, 15))


def test_a_wall_may_lock_the_opponent_in() -> None:
    state = read("colosseum", "4 c3 d4 1 c4r")
    assert result(state.play("d3d")) == (0, (15, 1))


def test_equal_areas_are_a_draw() -> None:
    assert result(read("colosseum", "2 a1 b2 1 a1r").play("a2r")) == (None, (2, 2))


def test_the_areas_are_told_in_the_order_of_the_players_not_of_the_turn() -> None:
    for player in (1, 2):
        state = read("colosseum", f"3 a1 c3 {player} a1r,a2r,a3r")
        assert result(state) == (1, (3, 6))


def test_a_sealed_pocket_without_a_player_belongs_to_nobody() -> None:
    """In the corner c1 nobody stands; the wall between the rest of the rows 1 and 2 ends the game."""
    state = read("colosseum", "3 a1 a3 1 b1r,c1d,b1d")
    assert not state.is_over
    assert result(state.play("a1d")) == (1, (2, 6))


def test_players_do_not_block_the_connection() -> None:
    """Along the corridor of the first row player 2 stands between player 1 and the rest, which is no separation."""
    state = read("colosseum", "3 a1 b1 1 a1d,b1d")
    assert not state.is_over
    assert result(state.play("a1r")) == (1, (1, 8))


@pytest.mark.parametrize("size", [2, 6, 9, 12])
def test_there_is_a_move_until_the_end_and_every_ply_builds_one_wall(size: int) -> None:
    for seed in range(5):
        *running, last = random_game(harena.game("colosseum", size=size, setup="empty"), seed)
        assert [len(walls(state)) for state in (*running, last)] == list(range(len(running) + 1))
        assert all(state.moves() for state in running)
        assert last.outcome is not None
        assert last.outcome.score is not None
        assert sum(last.outcome.score) <= size**2
