"""What agents are told to draw from: the same in every repetition, and in a grading another against each opponent."""

from dataclasses import replace
from typing import Any

import pytest

import harena
from harena.agents.contestant import LocalContestant, Said
from harena.agents.spec import parse_agent
from harena.api import State
from harena.arena.contest import Contest, Spec
from harena.arena.play.referee import Referee
from harena.arena.play.session import Terms
from harena.arena.schedule import derive_seed
from harena.arena.slot import Slot
from harena.errors import HarenaError
from harena.search.result import Limits

GAME = harena.game("isolation", size=4)
ANY = Terms(limits=Limits(nodes=1))
LEVELS = ["random", "greedy"]
BOTH = (False, True)


def contest(*graded: str, levels: int = len(LEVELS)) -> Contest:
    return Contest(Spec(game="isolation", variants=[{"size": 4}], agents=[*LEVELS, *graded], seed=9, levels=levels))


def slot(a: int, b: int, *, pair: int = 0, swapped: bool = False) -> Slot:
    return Slot(a=a, b=b, pair=pair, swapped=swapped)


def test_who_is_graded_draws_otherwise_against_each_level_and_in_each_pair() -> None:
    graded = contest("mm_null", "mm_open")
    found = [graded.chance.draws_of(slot(level, 2, pair=pair))[1] for level in (0, 1) for pair in (0, 1)]
    assert len(set(found)) == 4
    assert (
        graded.chance.draws_of(slot(0, 2, swapped=True)) == graded.chance.draws_of(slot(0, 2))[::-1]
    )  # the draw goes with the agent


def test_equal_submissions_meet_equal_games_whoever_else_comes() -> None:
    few, many = contest("mm_null", "mm_open"), contest("mm_improved", "mm_open", "mm_null")
    for level in (0, 1):
        assert (
            few.chance.draws_of(slot(level, 2))
            == few.chance.draws_of(slot(level, 3))
            == many.chance.draws_of(slot(level, 4))
        )


def test_submissions_draw_otherwise_against_each_other_too() -> None:
    graded = contest("mm_null", "mm_open", "mm_improved")
    first, second = graded.chance.draws_of(slot(2, 3)), graded.chance.draws_of(slot(2, 4))
    assert first[0] != second[0] and first[1] == second[1]  # against the same opponent the same


def test_where_nobody_is_graded_all_draw_from_the_pairs_seed() -> None:
    plain = contest("mm_null", levels=0)
    for one in (slot(0, 1), slot(0, 2, pair=3), slot(1, 2, swapped=True)):
        assert plain.chance.draws_of(one) == (plain.seed_of(one),) * 2


class Listener(LocalContestant):
    """Keeps the numbers that it is told."""

    def __init__(self) -> None:
        super().__init__(parse_agent("random"), "isolation")
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
    Referee(options={"size": 4}, terms=(ANY, ANY), draws=draws).play(GAME.initial(), seats, ("a", "b"), 5)
    return seats[0].told, seats[1].told


def test_the_numbers_that_an_agent_is_told_follow_its_own_draw_alone() -> None:
    plain, same = heard(None), heard((5, 5))
    assert plain == same == heard(None)
    other = heard((5, 6))
    assert other[0][0] == plain[0][0] and not {*other[1]} & {*plain[1]}


# With a secret, as in gradings

SECRET = bytes(range(32))


def secret_contest(*graded: str, secret: bytes = SECRET, number: int = 1, **rounds: int) -> Contest:
    boards: list[dict[str, Any]] = [{"size": 5, "setup": "random-placements"}]
    spec = Spec(game="isolation", variants=boards, agents=[*LEVELS, *graded], seed=9, levels=2)
    return Contest(replace(spec, round=number, rounds=rounds), secret=secret)


def dice(one: Contest, where: Slot, replays: int = 0) -> tuple[int, ...]:
    throws = one.chance.dice_of(where, replays)
    assert throws is not None
    return tuple(throws(ply) for ply in range(3))


def test_no_game_of_a_grading_tells_the_dice_or_the_numbers_of_another() -> None:
    found = list[int]()
    slots = [
        *(slot(level, 2, pair=pair, swapped=swapped) for level in (0, 1) for pair in (0, 1) for swapped in BOTH),
        *(slot(2, other, pair=pair, swapped=swapped) for other in (3, 4) for pair in (0, 1) for swapped in BOTH),
    ]
    for number in (1, 2):
        for secret in (SECRET, SECRET[::-1]):
            one = secret_contest("mm_null", "mm_open", "mm_improved", number=number, secret=secret)
            for where in slots:
                for replays in (0, 1):  # after a stall of the machine, agents have seen the first throws
                    found += [*dice(one, where, replays), *one.chance.draws_of(where, replays)]
    assert len(set(found)) == len(found) == 2 * 2 * 16 * 2 * 5


def test_in_a_round_all_submissions_meet_the_same_starts_dice_and_numbers() -> None:
    few, many = secret_contest("mm_null", "mm_open"), secret_contest("mm_improved", "mm_open", "mm_null")
    for level in (0, 1):
        for swapped in BOTH:
            places = [(few, 2), (few, 3), (many, 4)]
            games = [(one, slot(level, number, pair=1, swapped=swapped)) for one, number in places]
            assert len({dice(one, where) for one, where in games}) == 1
            assert len({one.chance.draws_of(where) for one, where in games}) == 1
            assert len({one.start_of(where)[1].text for one, where in games}) == 1


def test_the_two_games_of_a_pair_share_their_start_and_others_have_their_own() -> None:
    one, later = secret_contest("mm_null", "mm_open"), secret_contest("mm_null", "mm_open", number=2)
    assert one.seed_of(slot(0, 2)) == one.seed_of(slot(0, 2, swapped=True))
    assert one.seed_of(slot(2, 3)) == one.seed_of(slot(2, 3, swapped=True))
    places = [slot(0, 2), slot(0, 2, pair=1), slot(1, 2), slot(2, 3), slot(2, 3, pair=1)]
    assert len({contest.seed_of(where) for contest in (one, later) for where in places}) == 2 * len(places)


def test_who_has_not_changed_stays_in_the_round_before() -> None:
    first, second = secret_contest("mm_null"), secret_contest("mm_null", "mm_open", number=2, mm_null=1)
    assert dice(second, slot(0, 2)) == dice(first, slot(0, 2)) != dice(second, slot(0, 3))
    assert [
        second.chance.round_of(slot(0, 2)),
        second.chance.round_of(slot(0, 3)),
        second.chance.round_of(slot(2, 3)),
    ] == [1, 2, 2]


def test_a_round_cannot_be_played_without_its_secret() -> None:
    with pytest.raises(HarenaError, match="need its secret"):
        secret_contest("mm_null", secret=b"").start_of(slot(0, 2))


def test_the_referee_throws_the_dice_that_it_is_given() -> None:
    trap, terms = harena.game("trap"), Terms(limits=Limits(nodes=1))
    games = []
    for throws in (None, lambda ply: derive_seed(SECRET, "one", ply), lambda ply: derive_seed(SECRET, "other", ply)):
        for seed in (5, 6):
            seats = LocalContestant(parse_agent("random"), "trap"), LocalContestant(parse_agent("random"), "trap")
            referee = Referee(options={}, terms=(terms, terms), draws=(1, 2), dice=throws)
            record = referee.play(trap.initial(), seats, ("a", "b"), seed)
            games.append([ply.move for ply in record.plies])
    assert games[0] != games[1] and games[2] == games[3] != games[4] == games[5]
