"""Sentences: what they say, and that they never say nan or inf."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harena.arena import words
from harena.arena.ratings import fit
from harena.arena.scores import Pairs, Tally
from harena.arena.sprt import Sprt, parse

BAD = ("nan", "inf", "None", "--", "+-", "\n")


def test_a_difference() -> None:
    said = words.verdict("new", "old", Pairs(counts=(10, 5, 30, 20, 15)))
    assert said == "new is stronger than old: +55 Elo (95 %: +7 to +104), 57.8 % of 160 games"
    mirrored = words.verdict("new", "old", Pairs(counts=(15, 20, 30, 5, 10)))
    assert mirrored == "old is stronger than new: +55 Elo (95 %: +7 to +104), 57.8 % of 160 games"


def test_no_difference() -> None:
    said = words.verdict("new", "old", Pairs(counts=(20, 30, 45, 30, 25)))
    assert said.startswith("cannot tell new and old apart: +12 Elo (95 %: -24 to +47), 51.7 % of 300 games; about 2,")
    assert said.endswith("more games needed if the score stays")
    assert "at an even score" in words.verdict("new", "old", Tally(wins=5, losses=5))
    assert words.verdict("new", "old", Pairs()) == "new and old have not played"


def test_everything_won() -> None:
    said = words.verdict("new", "old", Pairs(counts=(0, 0, 0, 0, 10)))
    assert said == "new is stronger than old: at least +140 Elo (95 %), all 20 games won"
    lost = words.verdict("new", "old", Pairs(counts=(10, 0, 0, 0, 0)))
    assert lost == "old is stronger than new: at least +140 Elo (95 %), all 20 games won"
    assert "cannot tell" in words.verdict("new", "old", Pairs(counts=(0, 0, 0, 0, 1)))


def test_the_course_table_is_noise() -> None:
    said = words.noise(0.75, 102 / 140, 140)
    assert said == "a score of 75.0 % over 72.9 % on 140 games is noise (z = 0.41)"
    assert "more than noise" in words.noise(0.75, 0.6, 140)
    assert words.noise(1, 1, 10).endswith("is noise (z = 0.00)")
    assert "on 10 and 20 games" in words.noise(0.6, 0.5, 10, 20)
    assert words.z_value(0.6, 0.5, 0, 3) == 0


@pytest.mark.parametrize(("games", "said"), [(20, "±21.9 points, ±163 Elo"), (400, "±4.9 points, ±34 Elo")])
def test_what_games_are_worth(games: int, said: str) -> None:
    assert said in words.worth(games)
    assert "nothing can be told" in words.worth(1)


@pytest.mark.parametrize(("number", "said"), [(0, "0"), (7, "7"), (42, "42"), (1234, "1,200"), (99_600, "100,000")])
def test_about(number: int, said: str) -> None:
    assert words.about(number) == said


def test_a_sequential_test() -> None:
    test = parse("quick")

    def said(*counts: int) -> str:
        pairs = Pairs(counts=counts)  # type: ignore[arg-type]
        return words.sequential("new", "old", test, test.state(pairs))

    assert said(0, 0, 2, 0, 20).startswith("new passed: stronger than old by the test [0, 100] after 44 games")
    assert said(20, 0, 2, 0, 0).startswith("new failed: not 100 Elo stronger than old")
    assert said(0, 0, 2, 0, 2).startswith("undecided after 8 games:")
    assert "-2.94 to +2.94" in said(0, 0, 2, 0, 2)


def test_a_table() -> None:
    even = [("a", "b", 1.0), ("b", "a", 1.0)] * 100
    said = words.ratings(fit([*even, ("x", "y", 0.0)]))
    assert any("is not certain" in line for line in said)
    assert any(line.startswith("2 groups without a game between them") and line.endswith("a, b; x, y") for line in said)
    assert any(line.startswith("the first seat is worth") for line in said)
    assert words.ratings(fit([])) == []


def test_confidence_is_never_certainty() -> None:
    assert [words.confidence(c) for c in (1.0, 0.975, 0.0)] == ["> 99.9 %", "97.5 %", "< 0.1 %"]


@given(st.one_of(st.tuples(*[st.integers(0, 3)] * 5), st.tuples(*[st.integers(0, 5000)] * 5)))
def test_no_sentence_is_nonsense(counts: tuple[int, int, int, int, int]) -> None:
    pairs = Pairs(counts=counts)
    tally = Tally(wins=counts[0], draws=counts[1], losses=counts[2])
    test = Sprt(elo0=-5, elo1=15)
    for said in (
        words.verdict("A", "B", pairs),
        words.verdict("A", "B", tally),
        words.sequential("A", "B", test, test.state(pairs)),
        words.noise(pairs.score, tally.score, pairs.games, tally.games),
        words.worth(pairs.games),
    ):
        assert not any(bad in said for bad in BAD), said
    swapped = words.verdict("B", "A", pairs.flipped())
    if pairs.elo.sign:
        assert words.verdict("A", "B", pairs) == swapped
