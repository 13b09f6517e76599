"""The sequential test: its ratio against a constrained optimisation by scipy, its lengths and errors by simulation."""

from math import isfinite, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from harena.arena.scores import Pairs, score_of
from harena.arena.sprt import PRESETS, Sprt, parse
from harena.errors import BadOption

VALUES = np.linspace(0, 1, 5)


def most_likely(counts: list[float], mean: float) -> float:
    """The best log-likelihood of a distribution with that mean: a slow optimiser that knows nothing of Lagrange."""
    weights = np.array(counts) / sum(counts)
    found = minimize(
        lambda p: -weights @ np.log(p),
        np.full(5, 0.2),
        jac=lambda p: -weights / p,
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(5)},
            {"type": "eq", "fun": lambda p: p @ VALUES - mean, "jac": lambda p: VALUES},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-15},
    )
    return -found.fun * sum(counts)


@pytest.mark.parametrize("counts", [(10, 5, 30, 20, 15), (3, 20, 50, 25, 6), (7, 1, 4, 1, 2), (40, 10, 90, 10, 60)])
@pytest.mark.parametrize("bounds", [(0, 5), (0, 50), (0, 100), (-20, 10)])
def test_the_ratio_is_that_of_the_most_likely_distributions(counts: Any, bounds: tuple[int, int]) -> None:
    zero, one = (most_likely(list(counts), score_of(elo)) for elo in bounds)
    assert Sprt(elo0=bounds[0], elo1=bounds[1]).llr(Pairs(counts=counts)) == pytest.approx(one - zero, abs=2e-4)


def test_only_won_and_lost_pairs_are_a_coin() -> None:
    """Without the three middle classes it is Wald's own test of a coin, up to the 1e-3 that stand for empty classes."""
    test = Sprt(elo0=0, elo1=100)
    p = score_of(100)
    coin = 30 * log(p / 0.5) + 20 * log((1 - p) / 0.5)
    assert test.llr(Pairs(counts=(20, 0, 0, 0, 30))) == pytest.approx(coin, abs=0.01)


def test_bounds_are_2_94() -> None:
    assert (Sprt().lower, Sprt().upper) == pytest.approx((-2.944, 2.944), abs=1e-3)


@pytest.mark.parametrize(("bounds", "games"), [((0, 5), 26_000), ((0, 20), 1600), ((0, 50), 260), ((0, 100), 65)])
def test_expected_games(bounds: tuple[int, int], games: int) -> None:
    test = Sprt(elo0=bounds[0], elo1=bounds[1])
    assert test.expected_games(bounds[0]) == pytest.approx(games, rel=0.05)
    assert test.expected_games(bounds[1]) == pytest.approx(games, rel=0.05)
    assert test.expected_games(sum(bounds) / 2) > 1.5 * games
    assert test.expected_games(4 * bounds[1]) < games / 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "elo", "runs"), [("quick", 0, 150), ("quick", 100, 150), ("normal", 50, 60)])
def test_lengths_and_errors_by_simulation(name: str, elo: float, runs: int) -> None:
    test, rng = parse(name), np.random.default_rng(11)
    games, right = [], 0
    for _ in range(runs):
        pairs = Pairs()
        while not (state := test.state(pairs)).over:
            pairs = pairs.add(float(rng.binomial(2, score_of(elo))))
        games.append(state.games)
        right += state.verdict == ("H1" if elo else "H0")
    assert np.mean(games) == pytest.approx(test.expected_games(elo), rel=0.3)
    assert right / runs > 0.89


def test_texts() -> None:
    assert {name: (parse(name).elo0, parse(name).elo1) for name in PRESETS} == PRESETS
    assert parse(" -5, 10.5 ") == Sprt(elo0=-5, elo1=10.5) == parse("[-5,10.5]")
    assert parse("Quick").elo1 == 100


@pytest.mark.parametrize("text", ["", "fast", "5", "1,2,3", "nan,5", "0,inf", "10,0", "5,5", "0,4000", "a,b"])
def test_wrong_texts_get_one_line(text: str) -> None:
    with pytest.raises(BadOption) as caught:
        parse(text)
    assert "\n" not in str(caught.value) and "Elo bounds" in str(caught.value)


def test_wrong_chances() -> None:
    with pytest.raises(BadOption, match="error chances lie"):
        Sprt(alpha=0)


@given(st.tuples(*[st.integers(0, 300)] * 5))
def test_b_sees_the_mirror_image(counts: tuple[int, int, int, int, int]) -> None:
    pairs = Pairs(counts=counts)
    one, other = Sprt(elo0=-10, elo1=40), Sprt(elo0=-40, elo1=10)
    assert one.llr(pairs) == pytest.approx(-other.llr(pairs.flipped()), rel=1e-6, abs=1e-6)
    state = one.state(pairs)
    assert isfinite(state.llr) and -1 <= state.fraction <= 1
    assert state.over == (abs(state.fraction) == 1)


def test_nothing_played_says_nothing() -> None:
    assert Sprt().state(Pairs()).llr == 0
    assert Sprt().state(Pairs()).verdict == "running"


@pytest.mark.parametrize(("name", "few", "many"), [("quick", 65, 110), ("normal", 260, 424), ("careful", 1600, 2622)])
def test_a_test_knows_how_long_it_takes(name: str, few: int, many: int) -> None:
    test = parse(name)
    assert test.usual_games == pytest.approx((few, many), rel=0.05)
    assert 4 * many <= test.most_games < 4.2 * many and test.most_games % 2 == 0
    around = [test.expected_games(elo) for elo in np.linspace(test.elo0 - 20, test.elo1 + 20, 50)]
    assert max(around) <= test.usual_games[1] * (1 + 1e-9)
    assert parse("0,0.5").most_games == 200_000  # nobody waits for millions


@pytest.mark.slow
def test_a_test_is_seldom_given_up() -> None:
    """Even where it takes longest, between its bounds."""
    test, rng, longer = parse("quick"), np.random.default_rng(3), 0
    for _ in range(100):
        pairs = Pairs()
        while not test.state(pairs).over and pairs.games < test.most_games:
            pairs = pairs.add(float(rng.binomial(2, score_of(50))))
        longer += not test.state(pairs).over
    assert longer <= 5
