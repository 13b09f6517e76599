"""The solver against brute force over the reference rules, values known from elsewhere, and its behaviour at limits."""

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import harena
from harena.contract import RUNNING, Moves, Outcome, key, max_moves, mover, moves, outcome, play, without_points
from harena.heuristics.combine import Null
from harena.heuristics.separated import Separated
from harena.kernel.bits import mix
from harena.kernel.compile import kernel
from harena.search.deepening import Deepening
from harena.search.minimax import Minimax
from harena.search.prove import LONGEST, UNKNOWN, shortcut
from harena.search.result import Limits
from harena.search.solver import Solution, Solver
from harena.search.workspace import WIN
from reference import colosseum, isolation, tiles, trap

SIZE = 8.0  # megabytes are enough here
GAMES: dict[str, tuple[harena.Game, Any, int]] = {  # with the number of random plies after which brute force can do it
    "isolation": (harena.game("isolation", size="3x4", setup="random-placements"), isolation.Reference, 0),
    "isolation 4x4": (harena.game("isolation", size=4, setup="random-placements"), isolation.Reference, 3),
    "tiles": (harena.game("tiles", size=4, setup="random"), tiles.Reference, 3),
    "colosseum": (harena.game("colosseum", size=3), colosseum.Reference, 5),
    "colosseum 4x4": (harena.game("colosseum", size=4), colosseum.Reference, 12),
}
Values = dict[str, Fraction]


def truth(position: Any, values: Values) -> Fraction:
    """The value of a reference position for the first player, by looking at everything."""
    text = position.to_text()
    if text not in values:
        end = position.outcome()
        after = [truth(position.play(move), values) for move in position.moves()]
        if end is not None:
            values[text] = Fraction(0 if end[0] is None else 1 - 2 * end[0])
        elif position.mover == trap.CHANCE:
            values[text] = sum((p * v for p, v in zip(position.chances().values(), after, strict=True)), Fraction(0))
        else:
            values[text] = max(after) if position.mover == 0 else min(after)
    return values[text]


def value_for_mover(position: Any, values: Values) -> float:
    """The same for the player to move; at a chance node for the first."""
    return float(truth(position, values) * (-1 if position.mover == 1 else 1))


def after_plies(game: harena.Game, seed: int, plies: int) -> harena.State:
    """A state after so many random plies, or the end of the game."""
    state, rng = game.initial(seed), harena.generator(seed)
    while plies > 0 and not state.is_over:
        state, plies = state.play(state.random_move(rng)), plies - 1
    return state


def check(state: harena.State, reference: Any, solver: Solver) -> Solution:
    """Compare a solution, its moves and its line with brute force."""
    values: Values = {}
    position = reference.from_text(state.text)
    solution = solver.run(state.value, Limits())
    expected = value_for_mover(position, values)
    assert solution.value == pytest.approx(expected, abs=1e-9)
    assert solution.low == solution.high == solution.value
    sign = -1 if position.mover == 1 else 1
    for one in solution.root:
        real = sign * float(truth(position.play(str(state.play(one.move).last_move)), values))
        assert one.value is not None
        if one.bound == "=":
            assert one.value == pytest.approx(real, abs=1e-9)
        else:
            assert one.bound == "<=" and real <= one.value + 1e-9
    if solver.complete:
        assert {one.move for one in solution.root} == set(state.moves())
        assert all(one.bound == "=" for one in solution.root)
    now = state
    for move in solution.line:
        now = now.play(move)
        assert truth(reference.from_text(now.text), values) == truth(position, values)
    assert now.is_over or now.mover == harena.CHANCE
    return solution


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 3), complete=st.booleans())
@settings(max_examples=12)
def test_it_agrees_with_brute_force(name: str, seed: int, plies: int, complete: bool) -> None:
    game, reference, least = GAMES[name]
    check(after_plies(game, seed, least + plies), reference, Solver(megabytes=SIZE, complete=complete))


@given(seed=st.integers(0, 2**32), plies=st.integers(0, 30), stages=st.integers(0, 2), complete=st.booleans())
@settings(max_examples=12)
def test_it_agrees_with_brute_force_on_chance(seed: int, plies: int, stages: int, complete: bool) -> None:
    """Trap! in its last half-turn, or all of the last but one from the throw in flight on."""
    game = harena.game("trap", size=4)
    state = after_plies(game, seed, 3 * plies + stages)
    position = replace(trap.Reference.from_text(state.text), half_turns=148 if stages == 2 else 149)
    check(game.position(position.to_text()), trap.Reference, Solver(megabytes=SIZE, complete=complete))


@pytest.mark.parametrize("text", ["1.x./x..x/..x./.2xx 1 aim 148", "1x../x..2/.x.x/...x 1 walk 149"])
def test_expectations_are_exact(text: str) -> None:
    solution = check(harena.game("trap", size=4).position(text), trap.Reference, Solver(complete=True))
    assert len({one.value for one in solution.root}) > 1 or len(solution.root) == 1


@pytest.mark.parametrize("first", ["R", "B"])
def test_tiles_on_a_checkerboard_is_a_draw_whatever_is_played_first(first: str) -> None:
    solution = Solver(complete=True).run(harena.game("tiles", size=4, first=first).initial().value, Limits())
    assert solution.value == 0 and [one.proven for one in solution.root] == [0] * 8


@pytest.mark.parametrize(("first", "losing"), [("R", {"a1", "d3", "c4", "d4"}), ("B", {"a4"})])
def test_the_board_of_the_figure_is_a_draw_but_some_moves_lose(first: str, losing: set[str]) -> None:
    state = harena.game("tiles", size=4).position(f"RBBR/RBRB/BRBR/BBRR {first} 1")
    solution = Solver(complete=True).run(state.value, Limits())
    assert solution.value == 0 and {one.proven for one in solution.root} == {0, -1}
    assert {str(state.play(one.move).last_move) for one in solution.root if one.proven == -1} == losing


def test_every_opening_of_isolation_5x5_is_solved_alike_with_and_without_the_shortcut() -> None:
    game = harena.game("isolation", size=5, setup="random-placements")
    for seed in range(30):
        value = game.initial(seed).value
        plain, short = Solver(megabytes=SIZE).run(value, Limits()), Solver(Separated(), SIZE).run(value, Limits())
        assert plain.value == short.value in (-1, 1)
        assert len(plain.line) % 2 == len(short.line) % 2 == (1 if plain.value == 1 else 0)


@kernel
def verdict(rule: Any, state: Any) -> float:
    return shortcut(rule, state)


@pytest.mark.slow
def test_separated_positions_are_told_without_a_search() -> None:
    told, values = 0, dict[str, Fraction]()
    for size in (4, 5):
        game = harena.game("isolation", size=size, setup="random-placements")
        for seed in range(400):
            state = after_plies(game, seed, 4 * size - 8 + seed % 7)
            if state.is_over:
                continue
            found = verdict(Separated(), state.value)
            assert verdict(Separated(effort=0), state.value) in (UNKNOWN, found)
            if found != UNKNOWN:
                told += 1
                assert found == value_for_mover(isolation.Reference.from_text(state.text), values)
                check(state, isolation.Reference, Solver(Separated(), SIZE, complete=True))
    assert told > 60


@given(
    left=st.lists(st.integers(0, 11), min_size=5, max_size=7, unique=True),
    right=st.lists(st.integers(0, 11), min_size=5, max_size=7, unique=True),
    player=st.integers(1, 2),
)
@settings(max_examples=40)
def test_each_plays_alone_on_his_side_of_a_broad_wall(left: list[int], right: list[int], player: int) -> None:
    rows = [["x"] * 8 for _ in range(4)]
    for mark, offset, cells in (("1", 0, left), ("2", 5, right)):
        for index, cell in enumerate(cells):
            rows[cell // 3][offset + cell % 3] = "." if index else mark
    state = harena.game("isolation", size="4x8").position("/".join(map("".join, rows)) + f" {player}")
    assume(not state.is_over)
    found = verdict(Separated(), state.value)
    assert found == value_for_mover(isolation.Reference.from_text(state.text), {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1xxx/xx.x/xxxx/xx2x 1", 1.0),  # a jump for one, none for the other
        ("1xxx/x..x/xxxx/2xxx 1", -1.0),  # one for each: who moves first is stuck first
        ("1xxx/xx.x/xxxx/xxx2 1", UNKNOWN),  # one cell for both
        (".xxx/.xx./..x./.xxx 1", UNKNOWN),  # nobody is on the board yet
    ],
)
def test_shortcuts_by_hand(text: str, expected: float) -> None:
    size = text.index("/")
    assert verdict(Separated(), harena.game("isolation", size=size).position(text).value) == expected


@pytest.mark.parametrize("name", ["isolation", "tiles", "trap"])
@pytest.mark.parametrize("nodes", [1, 50, 300, 2000])
def test_a_budget_of_nodes_is_kept_and_what_is_said_is_true(name: str, nodes: int) -> None:
    state = {
        "isolation": harena.game("isolation", size=6, setup="random-placements").initial(1),
        "tiles": harena.game("tiles", size=5, setup="random").initial(2),
        "trap": harena.game("trap", size=4).position("1.x./x..x/..x./.2xx 1 walk 148"),
    }[name]
    full = Solver(complete=True).run(state.value, Limits())
    real = {one.move: one.value for one in full.root}
    some, again = (Solver(complete=True).run(state.value, Limits(nodes=nodes)) for _ in range(2))
    assert replace(some, seconds=0.0) == replace(again, seconds=0.0)
    assert (some.stopped, some.positions) == ("nodes", nodes + 1) and full.stopped == "proven"
    assert full.value is not None and some.low <= full.value <= some.high
    for one in some.root:
        told, known = one.value, real[one.move]
        assert told is not None and known is not None
        assert {"=": told == known, "<=": known <= told, ">=": known >= told}[one.bound]


def test_a_stop_is_no_error() -> None:
    state = harena.game("isolation").initial()
    assert Solver().run(state.value, Limits(seconds=0.05)).stopped == "seconds"
    solution = Solver().run(state.value, Limits(), flag=np.ones(1, np.int64))
    assert (solution.stopped, solution.value, solution.low, solution.high) == ("interrupted", None, -1, 1)


def test_a_game_that_is_over_has_its_value_and_no_line() -> None:
    for game, text, value in (
        (harena.game("isolation", size=3), "1x2/xxx/xxx 1", -1),
        (harena.game("tiles", size=2), "XX/XX R 1", 0),
        (harena.game("tiles", size=2), "RX/XX B 2", 1),
        (harena.game("tiles", size=2), "RX/XX R 1", -1),
    ):
        solution = Solver().run(game.position(text).value, Limits())
        assert (solution.value, solution.low, solution.high, solution.line) == (value, value, value, ())
        assert (solution.stopped, solution.root) == ("over", ())


def test_a_single_move() -> None:
    state = harena.game("isolation", size=3).position("1xx/xx./xx2 1")
    solution = Solver().run(state.value, Limits())
    assert (solution.value, solution.line) == (1, (10,)) and [one.proven for one in solution.root] == [1]


def test_a_throw_in_flight_is_valued_for_the_first_player() -> None:
    game = harena.game("trap", size=4)
    for text, value in (("1x../xx../..../.2.. 2 @b3 149", -1), ("2x../xx../..../.1.. 1 @d1 148", 1)):
        state = game.position(text)
        solution = check(state, trap.Reference, Solver(complete=True))
        assert (solution.value, solution.line) == (value, ())


class Countdown(NamedTuple):
    """A game without choice: who counts to 0 has won."""

    left: int
    player: int


@mover.method(Countdown)
def _(state: Countdown) -> int:
    return state.player


@max_moves.method(Countdown)
def _(state: Countdown) -> int:
    return 1


@moves.method(Countdown)
def _(state: Countdown, out: Moves, at: int) -> int:
    out[at] = 0
    return 1


@play.method(Countdown)
def _(state: Countdown, move: int) -> Countdown:
    return Countdown(state.left - 1, 1 - state.player)


@outcome.method(Countdown)
def _(state: Countdown) -> Outcome:
    return without_points(RUNNING if state.left > 0 else 1 - state.player)


@key.method(Countdown)
def _(state: Countdown) -> np.uint64:
    return mix(np.uint64(2 * state.left + state.player))


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_long_games_are_solved_and_endless_ones_given_up(player: int) -> None:
    for left in (1, 2, LONGEST):
        solution = Solver().run(Countdown(left, player), Limits())
        assert (solution.value, len(solution.line)) == (1 if left % 2 else -1, left)
    solution = Solver().run(Countdown(10**9, player), Limits())
    assert (solution.value, solution.stopped) == (None, "too long")


def test_a_certain_loss_among_the_landings_does_not_spoil_the_rest() -> None:
    state = harena.game("trap", size=4).position("2.x./xxxx/..../..1x 1 walk 148")
    assert Solver().run(state.value, Limits()).value == pytest.approx(0.95)


@given(seed=st.integers(0, 2**32), plies=st.integers(24, 60))
@settings(max_examples=40)
def test_with_dice_the_value_is_that_of_plain_minimax_to_the_end(seed: int, plies: int) -> None:
    state, rng = harena.game("trap", size=4).initial(), harena.generator(seed)
    while not state.is_over and (plies > 0 or state.mover == harena.CHANCE):
        state, plies = state.play(state.random_move(rng)), plies - 1
    assume(not state.is_over)
    late = state.game.position(" ".join([*state.text.split()[:-1], "149"]))  # the last half-turn but one
    plain = Deepening(algorithm=Minimax(), heuristic=Null(), fixed=True).run(late.value, Limits(depth=4))
    assert Solver().run(late.value, Limits()).value == pytest.approx((plain.value or 0.0) / WIN, abs=1e-9)
