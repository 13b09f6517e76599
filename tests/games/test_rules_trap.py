"""Trap!: the facts of its rules text; the ends of a game are those of the grading version."""

import pytest

import harena
from games.support import random_game, read, result, texts
from harena import CHANCE, State


def throw(position: str, target: str) -> dict[str, float]:
    """The landings of a throw and their probabilities."""
    return {str(move): chance for move, chance in read("trap", position).play(f"@{target}").chances()}


@pytest.mark.parametrize(("size", "middle"), [(4, "c"), (5, "c"), (6, "d"), (7, "d"), (8, "e")])
def test_the_start(size: int, middle: str) -> None:
    state = harena.game("trap", size=size).initial()
    row = "." * "abcdefgh".index(middle)
    first, last = ((row + player).ljust(size, ".") for player in "12")
    empty = ["." * size] * (size - 2)
    assert state.text == f"{'/'.join([first, *empty, last])} 1 walk 0"


def test_a_turn_is_a_walk_an_aim_and_a_landing() -> None:
    state = harena.game("trap").initial()
    movers = []
    for move in ("d2", "@b6", "!a5", "d6", "@d7", "!d7"):
        movers.append(state.mover)
        state = state.play(move)
    assert movers == [0, 0, CHANCE, 1, 1, CHANCE]
    assert state.text == "......./...1.../......./......./x....../...2.../...x... 1 walk 2"


def test_a_walk_goes_to_a_free_neighbour_and_never_stays() -> None:
    state = read("trap", "......./......./..x2.../..x1.../......./......./....... 1 walk 0")
    assert texts(state.moves()) == ["e3", "e4", "c5", "d5", "e5"]


def test_any_cell_without_a_player_may_be_aimed_at_a_trap_too() -> None:
    start = harena.game("trap").initial().play("d2")
    assert len(start.moves()) == 47
    state = read("trap", "xxxxxxx/x..1..x/xxxxxxx/......./...2.../......./....... 1 aim 0")
    assert len(state.moves()) == 47
    assert "@a1" in texts(state.moves())


HITS = {"b1": 1, "b2": 0.95, "c1": 0.95, "c2": 0.9, "d2": 0.85, "c4": 0.8, "d4": 0.75, "g2": 0.7, "g3": 0.65}
HITS |= {"g4": 0.6, "g5": 0.55, "g6": 0.5, "g7": 0.45}


@pytest.mark.parametrize(("target", "hit"), HITS.items())
def test_a_throw_hits_less_often_the_farther_it_goes(target: str, hit: float) -> None:
    landings = throw("1....../......./......./......./......./......./2...... 1 aim 0", target)
    assert landings[f"!{target}"] == pytest.approx(hit, abs=1e-12)


def test_a_throw_from_corner_to_corner() -> None:
    landings = throw("1....../......./......./......./...2.../......./....... 1 aim 0", "g7")
    assert landings == pytest.approx({"!f6": 0.55 / 3, "!g6": 0.55 / 3, "!f7": 0.55 / 3, "!g7": 0.45}, abs=1e-12)


def test_a_miss_never_lands_on_a_player() -> None:
    landings = throw("...1.../......./......./......./......./......./...2... 1 aim 0", "d6")
    misses = dict.fromkeys(["!c5", "!d5", "!e5", "!c6", "!e6", "!c7", "!e7"], 0.2 / 7)
    assert landings == pytest.approx(misses | {"!d6": 0.8}, abs=1e-12)


def test_trapped_cells_are_among_the_misses() -> None:
    state = read("trap", "xx..1../xx...../......./......./......./......./...2... 1 aim 0").play("@a1")
    assert dict(state.chances()) == pytest.approx(dict(zip(state.moves(), (0.85, 0.05, 0.05, 0.05), strict=True)))
    assert texts(state.moves()) == ["!a1", "!b1", "!a2", "!b2"]
    assert state.play("!b2").text == "xx..1../xx...../......./......./......./......./...2... 2 walk 1"


def test_at_distance_1_a_throw_cannot_miss() -> None:
    assert throw("......./......./......./...1.../......./......./...2... 1 aim 0", "e4") == {"!e4": 1.0}


@pytest.mark.parametrize("size", range(4, 9))
def test_distances_are_measured_on_every_board(size: int) -> None:
    last = f"{'abcdefgh'[size - 1]}{size}"
    rows = ["1" + "." * (size - 1), *["." * size] * (size - 2), "2" + "." * (size - 1)]
    hit = throw(f"{'/'.join(rows)} 1 aim 0", last)[f"!{last}"]
    assert hit == pytest.approx(1 - 0.05 * (2 * (size - 1) - 1), abs=1e-12)


# The ends of a game, case by case. In each board player 1 walks or throws.


def test_the_opponent_stuck_after_my_walk_i_win_without_a_throw() -> None:
    state = read("trap", "2.1./xx../..../.... 1 walk 0").play("b1")
    assert result(state) == (0, None)
    assert state.moves() == []


def test_the_opponent_stuck_after_my_trap_i_win() -> None:
    state = read("trap", "2.../xx1./..../.... 1 @b1 0")
    assert result(state.play("!b1")) == (0, None)
    assert result(state.play("!c1")) is None


def test_i_stuck_myself_and_the_opponent_is_free_the_game_goes_on() -> None:
    state = stuck_myself()
    assert result(state) is None
    assert state.mover == 1


def test_he_wins_after_his_walk_if_i_am_still_stuck() -> None:
    assert result(stuck_myself().play("c3")) == (1, None)


def test_his_walk_may_free_me_and_his_trap_may_lock_me_in_again() -> None:
    """Player 2 leaves the one cell beside player 1."""
    state = read("trap", "12../xx../..../.... 2 walk 1").play("c1")
    assert result(state) is None
    assert result(state.play("@b1").play("!b1")) == (1, None)
    assert result(state.play("@b3").play("!b3")) is None


def stuck_myself() -> State:
    """Player 1 has thrown a trap onto his last free neighbour; player 2 is far away."""
    return read("trap", "1.../xx../..../...2 1 @b1 0").play("!b1")


@pytest.mark.parametrize("mover", [0, 1])
def test_both_stuck_the_mover_wins(mover: int) -> None:
    """Only a throw can do that: a walk leaves a free cell behind."""
    assert result(read("trap", f"1.2x/xxxx/..../.... {mover + 1} @b1 0").play("!b1")) == (mover, None)


def test_a_turn_that_begins_with_the_opponent_stuck_needs_a_walk_that_keeps_him_so() -> None:
    """Player 2 has walled himself in; only player 1's own cell would be a way out."""
    state = read("trap", "21../xx../..../.... 1 walk 8")
    assert result(state) is None
    assert texts(state.moves()) == ["c1", "c2"]
    assert result(state.play("c1")) is None
    far = read("trap", "2x../xx../..1./.... 1 walk 8")
    assert result(far) is None
    assert {result(far.play(move)) for move in far.moves()} == {(0, None)}


@pytest.mark.parametrize(("landing", "expected"), [("!c1", (None, None)), ("!b1", (0, None))])
def test_after_150_half_turns_the_game_is_drawn_unless_the_last_throw_wins(landing: str, expected: object) -> None:
    state = read("trap", "2.../xx.1/..../.... 1 @b1 149")
    assert result(state) is None
    assert result(state.play(landing)) == expected


def test_the_walk_of_the_150th_half_turn_wins_too() -> None:
    assert result(read("trap", "2.1./xx../..../.... 1 walk 149").play("b1")) == (0, None)


def test_the_149th_half_turn_does_not_end_the_game() -> None:
    state = read("trap", "2.../...1/..../.... 1 @c4 148").play("!c4")
    assert state.text == "2.../...1/..../..x. 2 walk 149"
    assert result(state) is None
    assert result(read("trap", "2.../...1/..../.... 1 walk 150")) == (None, None)


@pytest.mark.parametrize("size", range(4, 9))
def test_who_is_to_walk_or_throw_can_always_do_so(size: int) -> None:
    for seed in range(5):
        *running, last = random_game(harena.game("trap", size=size), seed)
        assert all(state.moves() for state in running)
        assert last.outcome is not None
