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
    even = words.verdict("new", "old", Tally(wins=5, losses=5))
    assert even.endswith("50.0 % of 10 games; an even score so far: more games would narrow it")
    few = words.verdict("new", "old", Tally(wins=1, losses=1))
    assert few.endswith("50.0 % of 2 games; an even score, and hardly anything can be told from 2 games")
    assert words.verdict("new", "old", Pairs()) == "new and old have not finished a pair of games yet"


def test_how_likely_one_is_better() -> None:
    for few in ((1, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 0, 0, 1, 0), (0, 0, 1, 0, 0), (1, 0, 0, 1, 1)):
        assert words.superiority(Pairs(counts=few)) == "too few pairs to say"
    assert words.superiority(Pairs(counts=(3, 0, 0, 0, 0))) == "with probability 12.5 % (LOS)"
    assert words.superiority(Pairs(counts=(10, 0, 20, 0, 10))) == "with probability 50.0 % (LOS)"
    assert words.superiority(Pairs(counts=(10, 20, 20, 21, 10))) == "with probability 50.0 % (LOS)"


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
    assert words.worth(1) == "hardly anything can be told from 1 game"


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
    assert any("a and b are level" in line for line in said)
    assert any("a over b is not certain" in line for line in words.ratings(fit([*even, ("b", "a", 0.0)])))
    assert any(line.startswith("2 groups without a game between them") and line.endswith("a, b; x, y") for line in said)
    assert any(line.startswith("the first seat is worth") for line in said)
    assert words.ratings(fit([])) == []
    short = words.ratings(fit(even), {"a": "Alice", "b": "Bob"})
    assert short[0].startswith("Alice and Bob are level: nothing tells who is stronger")


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


FILES = {
    ("random", "mcts(c=1)"): ("random", "mcts(c=1)"),
    ("/long/way/mine.py", "random"): ("mine.py", "random"),
    ("comp424:/home/alice/agents/student_agent.py", "comp424:/home/bob/agents/student_agent.py"): (
        "comp424:alice/student_agent.py",
        "comp424:bob/student_agent.py",
    ),
    ("aind:work/game_agent.py:MinimaxPlayer", "aind:work/game_agent.py:AlphaBetaPlayer"): (
        "aind:game_agent.py:MinimaxPlayer",
        "aind:game_agent.py:AlphaBetaPlayer",
    ),
    ("w4701:alice/PlayerAI.py", "w4701-reused:alice/PlayerAI.py", "alice/PlayerAI.py"): (
        "w4701:PlayerAI.py",
        "w4701-reused:PlayerAI.py",
        "PlayerAI.py",
    ),
    ("aind:folders/alice/", "aind:folders/bob"): ("aind:alice", "aind:bob"),
    ("a/x/one.py", "a/y/one.py", "b/x/one.py"): ("a/x/one.py", "a/y/one.py", "b/x/one.py"),
    ("one.py", "x/one.py"): ("one.py", "x/one.py"),
    ("one.py", "./one.py"): ("one.py", "./one.py"),
    ("/", "comp424:/"): ("/", "comp424:/"),
}


@pytest.mark.parametrize("texts", FILES)
def test_short_names_tell_files_apart(texts: tuple[str, ...]) -> None:
    assert tuple(words.short_names(texts).values()) == FILES[texts]


PATHS = st.lists(st.sampled_from(["a", "b", ".", "..", ""]), max_size=4).map(lambda parts: "/".join([*parts, "x.py"]))
TEXTS = st.one_of(
    PATHS, PATHS.map(lambda path: f"comp424:{path}"), PATHS.map(lambda path: f"aind:{path}:Name"), st.text(max_size=5)
)


@given(st.lists(TEXTS, unique=True, max_size=6))
def test_short_names_are_as_many_as_agents(texts: list[str]) -> None:
    short = words.short_names(texts)
    assert list(short) == texts
    assert len(set(short.values())) == len(texts)
    assert all(len(name) <= len(text) for text, name in short.items())
