"""Ratings: against choix and finite differences, from simulated games, and at the edges."""

from math import isfinite, log

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harena.arena.ratings import NATURAL, Ratings, _counted, _Posterior, fit
from harena.errors import BadOption

NAMES = ["ant", "bee", "cat", "dog", "eel"]
GAMES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.sampled_from([0, 0.5, 1])).filter(
        lambda g: g[0] != g[1]
    ),
    min_size=1,
    max_size=60,
)


def simulated(strength: np.ndarray, games: int, *, seat: float, nu: float, seed: int) -> list[tuple[str, str, float]]:
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(games):
        i, j = rng.choice(len(strength), 2, replace=False)
        d = strength[i] - strength[j] + seat
        shares = np.array([np.exp(d / 2), np.exp(-d / 2), nu])
        out.append((f"p{i}", f"p{j}", [1, 0, 0.5][rng.choice(3, p=shares / shares.sum())]))
    return out


@pytest.mark.parametrize("players", [2, 6, 15])
def test_as_choix_without_draws_and_seats(players: int) -> None:
    strength = np.random.default_rng(players).normal(0, 1, players)
    games = simulated(strength, 40 * players, seat=0, nu=0, seed=1)
    fitted = fit(games, seat=False)
    data = [(int(a[1:]), int(b[1:])) if r == 1 else (int(b[1:]), int(a[1:])) for a, b, r in games]
    precision = (NATURAL / 600) ** 2
    theirs = choix.opt_pairwise(players, data, alpha=precision / 2, method="Newton-CG", tol=1e-10)
    mine = [fitted[f"p{i}"].elo for i in range(players)]
    assert mine == pytest.approx(list((theirs - theirs.mean()) * NATURAL), abs=0.01)
    assert fitted.seat == fitted.seat_error == fitted.draws == 0


def test_derivatives_are_those_of_the_posterior() -> None:
    games = simulated(np.array([0.5, -0.2, 0.1, 0.3]), 60, seat=0.3, nu=0.5, seed=3)
    problem = _Posterior([f"p{i}" for i in range(4)], _counted(games), seat=True, draws=True, precision=0.1)
    x, step = np.random.default_rng(2).normal(0, 1, 6), 1e-5
    for k, unit in enumerate(np.eye(6) * step):
        rise = (problem.value(x + unit) - problem.value(x - unit)) / (2 * step)
        assert problem.gradient(x)[k] == pytest.approx(rise, abs=1e-6)
        slope = (problem.gradient(x + unit) - problem.gradient(x - unit)) / (2 * step)
        assert problem.hessian(x)[k] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_known_strengths_are_found(seed: int) -> None:
    strength = np.linspace(-1.5, 1.5, 20)
    fitted = fit(simulated(strength, 6000, seat=0.4, nu=0.6, seed=seed))
    scale = NATURAL * 2 / 2.6
    rows = [fitted[f"p{i}"] for i in range(20)]
    assert [row.elo for row in rows] == pytest.approx(list(scale * strength), abs=60)
    assert sum(row.low <= scale * s <= row.high for row, s in zip(rows, strength, strict=True)) >= 17
    assert fitted.seat == pytest.approx(scale * 0.4, abs=3 * fitted.seat_error)
    assert 0 < fitted.seat_error < 8
    assert fitted.draws == pytest.approx(0.6 / 2.6, abs=0.03)
    assert fitted.confidence("p19", "p0") > 0.999


def test_two_players_and_one_match_agree_with_the_match() -> None:
    """75 % of many games with seats swapped are 191 Elo, without draws, and with draws nearly so."""
    plain = fit([("a", "b", 1)] * 300 + [("b", "a", 0)] * 300 + [("a", "b", 0)] * 100 + [("b", "a", 1)] * 100)
    assert plain["a"].elo - plain["b"].elo == pytest.approx(400 * log(3) / log(10), abs=1)
    drawn = [("a", "b", 0.5)] * 500 + [("a", "b", 1)] * 290 + [("a", "b", 0)] * 210
    swapped = [(b, a, 1 - result) for a, b, result in drawn]
    both = fit(drawn + swapped)
    assert both["a"].elo - both["b"].elo == pytest.approx(400 * np.log10(0.54 / 0.46), rel=0.02)
    assert both.seat == pytest.approx(0, abs=1e-3)


def test_the_interval_of_two_players_is_that_of_a_match() -> None:
    fitted = fit([("a", "b", 1), ("b", "a", 1), ("a", "b", 0), ("b", "a", 0)] * 100, prior_elo=10_000)
    half = 1.96 * NATURAL / (400 * 0.25) ** 0.5  # of the difference
    assert fitted["a"].high - fitted["b"].low == pytest.approx(half, rel=0.01)


def test_who_won_everything_has_a_finite_rating() -> None:
    rows = fit([("a", "b", 1), ("b", "a", 0)] * 20).rows
    assert rows[0].name == "a" and 200 < rows[0].elo < 1000
    assert rows[0].score == 1 and rows[0].games == 40
    more = fit([("a", "b", 1), ("b", "a", 0)] * 200).rows
    assert more[0].elo > rows[0].elo


def test_groups_are_told() -> None:
    fitted = fit([("a", "b", 1), ("c", "d", 0), ("d", "e", 0.5)], players=["z"])
    assert fitted.groups == (("c", "d", "e"), ("a", "b"), ("z",))
    assert fitted.confidence("a", "c") == fitted.confidence("z", "a") == 0.5
    assert [row.group for row in fitted.rows] == [0, 0, 0, 1, 1, 2]
    assert fitted["z"].games == 0 and fitted["z"].elo == 0
    for group in fitted.groups:
        assert sum(fitted[name].elo for name in group) == pytest.approx(0, abs=1e-6)


def test_no_games_at_all() -> None:
    assert fit([]) == Ratings(rows=(), better=(), seat=0, seat_error=0, draws=0, groups=())
    assert [row.elo for row in fit([], players="ab").rows] == [0, 0]


def test_nonsense_is_refused() -> None:
    with pytest.raises(BadOption, match="a game gives 0, "):
        fit([("a", "b", 0.7)])
    with pytest.raises(BadOption, match="against itself"):
        fit([("a", "a", 1)])
    with pytest.raises(KeyError):
        _ = fit([("a", "b", 1)])["c"]


@settings(max_examples=40)
@given(GAMES, st.randoms())
def test_order_plays_no_part_and_all_is_finite(games: list[tuple[str, str, float]], random: object) -> None:
    fitted = fit(games)
    assert fit(sorted(games, key=lambda _: random.random())) == fitted  # type: ignore[attr-defined]
    for row in fitted.rows:
        assert row.low <= row.elo <= row.high and isfinite(row.low) and isfinite(row.high)
    better = np.array(fitted.better)
    assert better + better.T == pytest.approx(np.ones_like(better))


@settings(max_examples=25)
@given(GAMES)
def test_turning_every_result_round_turns_the_table_round(games: list[tuple[str, str, float]]) -> None:
    one, other = fit(games), fit([(a, b, 1 - result) for a, b, result in games])
    for row in one.rows:
        assert row.elo == pytest.approx(-other[row.name].elo, abs=1e-3)
    assert one.seat == pytest.approx(-other.seat, abs=1e-3)


@pytest.mark.slow
def test_two_hundred_players() -> None:
    strength = np.random.default_rng(5).normal(0, 1, 200)
    rng = np.random.default_rng(6)
    first, second = rng.integers(0, 200, (2, 10_000))
    chance = 1 / (1 + np.exp(-(strength[first] - strength[second])))
    results = (rng.random(10_000) < chance).astype(float)
    fitted = fit([(f"p{a}", f"p{b}", r) for a, b, r in zip(first, second, results, strict=True) if a != b])
    assert np.corrcoef([fitted[f"p{i}"].elo for i in range(200)], strength)[0, 1] > 0.95
