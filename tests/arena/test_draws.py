"""What agents are told to draw from: the same in every repetition, and in a grading another against each opponent."""

from typing import Any

import harena
from harena.agents.contestant import LocalContestant, Said
from harena.api import State
from harena.arena.contest import Contest, Slot, Spec
from harena.arena.referee import Referee, Terms
from harena.search.result import Limits

GAME = harena.game("isolation", size=4)
ANY = Terms(limits=Limits(nodes=1))
LEVELS = ["random", "greedy"]


def contest(*graded: str, levels: int = len(LEVELS)) -> Contest:
    return Contest(Spec(game="isolation", variants=[{"size": 4}], agents=[*LEVELS, *graded], seed=9, levels=levels))


def slot(a: int, b: int, *, pair: int = 0, swapped: bool = False) -> Slot:
    return Slot(a=a, b=b, pair=pair, swapped=swapped)


def test_who_is_graded_draws_otherwise_against_each_level_and_in_each_pair() -> None:
    graded = contest("mm_null", "mm_open")
    found = [graded.draws_of(slot(level, 2, pair=pair))[1] for level in (0, 1) for pair in (0, 1)]
    assert len(set(found)) == 4
    assert (
        graded.draws_of(slot(0, 2, swapped=True)) == graded.draws_of(slot(0, 2))[::-1]
    )  # the draw goes with the agent


def test_equal_submissions_meet_equal_games_whoever_else_comes() -> None:
    few, many = contest("mm_null", "mm_open"), contest("mm_improved", "mm_open", "mm_null")
    for level in (0, 1):
        assert few.draws_of(slot(level, 2)) == few.draws_of(slot(level, 3)) == many.draws_of(slot(level, 4))


def test_submissions_draw_otherwise_against_each_other_too() -> None:
    graded = contest("mm_null", "mm_open", "mm_improved")
    first, second = graded.draws_of(slot(2, 3)), graded.draws_of(slot(2, 4))
    assert first[0] != second[0] and first[1] == second[1]  # against the same opponent the same


def test_where_nobody_is_graded_all_draw_from_the_pairs_seed() -> None:
    plain = contest("mm_null", levels=0)
    for one in (slot(0, 1), slot(0, 2, pair=3), slot(1, 2, swapped=True)):
        assert plain.draws_of(one) == (plain.seed_of(one),) * 2


class Listener(LocalContestant):
    """Keeps the numbers that it is told."""

    def __init__(self) -> None:
        super().__init__("random", "isolation")
        self.told: list[int] = []

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        self.told.append(seed)
        super().begin(options, start, seat, seed)

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        self.told.append(seed)
        return super().choose(state, moves, limits, seed, allowed)


def heard(draws: tuple[int, int] | None) -> tuple[list[int], list[int]]:
    """The numbers that both seats are told in a game of the seed 5."""
    seats = Listener(), Listener()
    Referee(game=GAME, options={"size": 4}, terms=(ANY, ANY), draws=draws).play(GAME.initial(), seats, ("a", "b"), 5)
    return seats[0].told, seats[1].told


def test_the_numbers_that_an_agent_is_told_follow_its_own_draw_alone() -> None:
    plain, same = heard(None), heard((5, 5))
    assert plain == same == heard(None)
    other = heard((5, 6))
    assert other[0][0] == plain[0][0] and not {*other[1]} & {*plain[1]}
