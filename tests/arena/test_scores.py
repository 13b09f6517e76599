"""Scores, intervals and Elo: against ARENA.md's table, hand-made cases, scipy, and a simulation of coverage."""

from math import inf, isfinite, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from harena.arena.scores import Pairs, Tally, elo_of, games_needed, margin, score_of
from harena.errors import BadOption

COUNTS = st.tuples(*[st.integers(0, 400)] * 5)
SMALL = st.tuples(*[st.integers(0, 3)] * 5)


def independent(win: float, draw: float = 0.0) -> np.ndarray:
    """The five classes of two independent games."""
    return np.convolve([1 - win - draw, draw, win], [1 - win - draw, draw, win])


@pytest.mark.parametrize(("games", "points"), [(20, 22), (140, 8.3), (400, 4.9), (1000, 3.1)])
def test_what_small_samples_are_worth(games: int, points: float) -> None:
    assert 100 * margin(games) == pytest.approx(points, rel=0.01)


def test_twenty_games_are_163_elo() -> None:
    assert elo_of(0.5 + margin(20)) == pytest.approx(163, abs=0.5)


@pytest.mark.parametrize(("pairs", "points"), [((50, 0, 100, 0, 50), 4.9), ((125, 0, 250, 0, 125), 3.1)])
def test_pairs_of_independent_games_give_the_same_table(pairs: Any, points: float) -> None:
    low, high = Pairs(counts=pairs).interval
    assert 50 * (high - low) == pytest.approx(points, abs=0.06)


def test_elo_maps() -> None:
    assert elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo_of(10 / 11) == pytest.approx(400)
    assert [score_of(elo_of(s)) for s in (0.01, 0.5, 0.9)] == pytest.approx([0.01, 0.5, 0.9])
    assert 0 <= score_of(-inf) < score_of(inf) <= 1


def test_a_hand_made_match() -> None:
    """Classes 1, 2, 4, 2, 3: 12 pairs, score (0.5 + 2 + 1.5 + 3)/12, by numpy."""
    values = np.repeat([0, 0.25, 0.5, 0.75, 1], [1, 2, 4, 2, 3])
    pairs = Pairs(counts=(1, 2, 4, 2, 3))
    assert (pairs.games, pairs.score) == (24, pytest.approx(values.mean()))
    assert pairs.variance == pytest.approx(values.var())
    assert pairs.standard_error == pytest.approx(values.std() / sqrt(12))
    assert pairs.los == pytest.approx(stats.t.cdf((values.mean() - 0.5) / (values.std(ddof=1) / sqrt(12)), 11))
    assert pairs.normalised_elo == pytest.approx((values.mean() - 0.5) / (values.std() * sqrt(2)) * 347.4356, rel=1e-6)
    student = stats.t.interval(0.95, 11, values.mean(), values.std(ddof=1) / sqrt(12))
    assert pairs.interval == pytest.approx(student)
    assert (pairs.elo.low, pairs.elo.high) == pytest.approx(tuple(elo_of(end) for end in student))


@pytest.mark.parametrize("pairs", [1, 2, 10, 200])
def test_all_won_is_clopper_and_pearsons_bound(pairs: int) -> None:
    won = Pairs(counts=(0, 0, 0, 0, pairs))
    exact = stats.binomtest(pairs, pairs).proportion_ci(0.95, "exact")
    assert won.interval == pytest.approx((exact.low, 1))
    assert won.elo.bound == "at least"
    assert won.elo.low == pytest.approx(elo_of(exact.low))
    assert won.flipped().elo.bound == "at most"
    assert won.elo.value <= won.elo.high < inf


@pytest.mark.parametrize(("wins", "losses"), [(7, 3), (10, 0), (0, 4), (60, 80), (1, 0)])
def test_a_tally_without_draws_has_wilsons_interval(wins: int, losses: int) -> None:
    exact = stats.binomtest(wins, wins + losses).proportion_ci(0.95, "wilson")
    assert Tally(wins=wins, losses=losses).interval == pytest.approx((exact.low, exact.high))


def test_draws_narrow_a_tally() -> None:
    low, high = Tally(wins=50, draws=120, losses=30).interval
    assert low > 0.5 and high - low < 0.1
    assert Tally(wins=110, losses=90).interval[0] < 0.5


def test_few_and_equal_pairs_leave_doubt() -> None:
    assert Pairs().elo.low < -1000 < 1000 < Pairs().elo.high
    assert Pairs(counts=(0, 0, 1, 0, 0)).elo.low < -500
    assert Pairs(counts=(0, 0, 10, 0, 0)).elo.high == pytest.approx(elo_of(0.5 + 0.5 * (1 - 0.025**0.1)))
    assert Pairs(counts=(0, 0, 10, 0, 0)).los == 0.5
    assert Pairs(counts=(0, 0, 0, 0, 1)).los == 0.5
    assert Pairs(counts=(0, 0, 0, 0, 5)).los == 1 - 0.5**5
    assert Pairs(counts=(0, 0, 0, 0, 1)).elo.sign == 0


def test_the_likelihood_of_superiority_is_that_of_the_normal_law_when_there_are_many_pairs() -> None:
    pairs = Pairs(counts=(100, 200, 400, 230, 120))
    assert pairs.los == pytest.approx(stats.norm.cdf((pairs.score - 0.5) / pairs.standard_error), abs=1e-3)


@given(st.tuples(*[st.integers(0, 30)] * 5).filter(any))
def test_it_passes_975_percent_just_when_the_interval_leaves_50_percent_out(counts: Any) -> None:
    pairs = Pairs(counts=counts)
    low, high = pairs.interval
    assume(min(abs(low - 0.5), abs(high - 0.5)) > 1e-9)
    assert (pairs.los > 0.975) == (low > 0.5)
    assert (pairs.los < 0.025) == (high < 0.5)


def test_nonsense_is_refused() -> None:
    for wrong in (0.3, 3, -1):
        with pytest.raises(BadOption):
            Pairs().add(wrong)
        with pytest.raises(BadOption):
            Tally().add(wrong)
    with pytest.raises(BadOption):
        Pairs(counts=(0, 0, -1, 0, 0))
    with pytest.raises(BadOption):
        Tally(wins=-1)


@given(st.one_of(COUNTS, SMALL))
def test_b_sees_the_mirror_image_and_nothing_is_infinite(counts: tuple[int, int, int, int, int]) -> None:
    one = Pairs(counts=counts)
    other = one.flipped()
    assert one.score + other.score == pytest.approx(1)
    assert one.los + other.los == pytest.approx(1)
    normalised = one.normalised_elo, other.normalised_elo
    assert (None in normalised) == (sum(map(bool, counts)) < 2)  # all pairs alike: nothing to measure by
    assert normalised[0] is None or normalised[0] == pytest.approx(-(normalised[1] or 0), abs=1e-6)
    assert one.elo.low == pytest.approx(-other.elo.high, abs=1e-6)
    assert games_needed(one) == games_needed(other)
    numbers = (*one.interval, one.elo.low, one.elo.value, one.elo.high, normalised[0] or 0, one.standard_error, one.los)
    assert all(isfinite(number) for number in numbers)
    assert one.elo.low <= one.elo.value <= one.elo.high


@given(st.lists(st.sampled_from([0, 0.5, 1, 1.5, 2]), max_size=30), st.randoms())
def test_the_order_of_pairs_plays_no_part(points: list[float], random: object) -> None:
    shuffled = sorted(points, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert Pairs.of(points) == Pairs.of(shuffled)
    assert Pairs.of(points).score * Pairs.of(points).units == pytest.approx(sum(points) / 2 if points else 0)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_tallies_are_finite_and_symmetric(wins: int, draws: int, losses: int) -> None:
    one = Tally(wins=wins, draws=draws, losses=losses)
    assert one.elo.low <= one.elo.value <= one.elo.high
    assert one.elo.low == pytest.approx(-one.flipped().elo.high, abs=1e-6)
    assert one.add(0.5).draws == draws + 1 and one.add(1).wins == wins + 1 and one.add(0).losses == losses + 1


@given(SMALL)
def test_so_many_games_more_are_just_enough(counts: tuple[int, int, int, int, int]) -> None:
    pairs = Pairs(counts=counts)
    more = games_needed(pairs)
    if pairs.score == 0.5:
        assert more is None
    elif more is not None:

        def told(units: int) -> bool:
            return not pairs._interval(units)[0] <= 0.5 <= pairs._interval(units)[1]

        assert told(pairs.units + more // 2)
        assert more == 0 or not told(pairs.units + more // 2 - 1)
        assert (more == 0) == (pairs.elo.sign != 0)


def test_games_needed_is_about_what_the_normal_law_says() -> None:
    pairs = Pairs(counts=(45, 0, 100, 0, 55))
    needed = (1.96 / (pairs.score - 0.5)) ** 2 * pairs.variance * 2
    assert pairs.games + games_needed(pairs) == pytest.approx(needed, rel=0.01)
    assert games_needed(Pairs()) is games_needed(Tally(draws=5)) is None
    assert games_needed(Tally(wins=500_001, losses=500_000)) is None


@pytest.mark.parametrize("pairs", [3, 10, 40])
@pytest.mark.parametrize(
    "classes", [independent(0.5), independent(0.8), independent(0.2, 0.6), [0.05, 0, 0.9, 0, 0.05]]
)
def test_intervals_cover_the_truth(pairs: int, classes: list[float]) -> None:
    drawn = np.random.default_rng(7).multinomial(pairs, classes, size=1500)
    truth = float(np.dot(classes, [0, 0.25, 0.5, 0.75, 1]))
    ends = [Pairs(counts=tuple(int(c) for c in row)).interval for row in drawn]
    assert np.mean([low - 1e-12 <= truth <= high + 1e-12 for low, high in ends]) > 0.93
