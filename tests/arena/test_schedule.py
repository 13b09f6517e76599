"""Schedules: everybody meets, seats are even, Swiss rounds do not repeat while they need not, brackets are fair."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harena.arena.schedule import (
    Knockout,
    Pairing,
    Round,
    _augment,
    gauntlet,
    knockout,
    round_robin,
    start_seed,
    swiss,
)
from harena.errors import BadOption


def names(count: int) -> list[str]:
    return [f"a{i:02d}" for i in range(count)]


@pytest.mark.parametrize("count", range(2, 12))
@pytest.mark.parametrize("pairs", [1, 3])
def test_a_round_robin_has_every_pair_once_a_number(count: int, pairs: int) -> None:
    made = list(round_robin(names(count), pairs))
    wanted = {(a, b, n) for a, b in combinations(names(count), 2) for n in range(pairs)}
    assert {(p.a, p.b, p.number) for p in made} == wanted and len(made) == len(wanted)
    assert [p.number for p in made] == sorted(p.number for p in made)
    seats = Counter((seat, name) for p in made for game in p.seats for seat, name in enumerate(game))
    assert set(seats.values()) == {pairs * (count - 1)}


@pytest.mark.parametrize("count", [4, 7, 10])
def test_its_rounds_have_each_agent_once(count: int) -> None:
    made = list(round_robin(names(count), 1))
    size = count // 2
    for start in range(0, len(made), size):
        players = [name for p in made[start : start + size] for name in (p.a, p.b)]
        assert len(set(players)) == len(players)


def test_a_gauntlet() -> None:
    made = [(p.a, p.b, p.number) for p in gauntlet("king", ["x", "y"], 2)]
    assert made == [("king", "x", 0), ("king", "y", 0), ("king", "x", 1), ("king", "y", 1)]


def test_starts_depend_on_run_and_number_alone() -> None:
    seeds = {start_seed(seed, number) for seed in range(50) for number in range(50)}
    assert len(seeds) == 2500 and all(0 <= seed < 2**63 for seed in seeds)
    assert start_seed(7, 3) == 2820881036890788059  # for ever: stored runs are resumed by it
    assert start_seed(1, 11) != start_seed(11, 1) != start_seed(111, 0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: list(round_robin(["a"], 1)),
        lambda: list(round_robin(["a", "a"], 1)),
        lambda: list(gauntlet("a", ["b", "a"], 1)),
        lambda: list(gauntlet("a", ["b"], 0)),
        lambda: swiss({"a": 0}, []),
        lambda: knockout([], []),
    ],
)
def test_nonsense_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(BadOption):
        make()


def play(count: int, rounds: int, seed: int) -> tuple[list[Round], list[tuple[str, str | None]], dict[str, float]]:
    random = Random(seed)
    standings, history, made = dict.fromkeys(names(count), 0.0), [], []
    for _ in range(rounds):
        one = swiss(standings, history)
        made.append(one)
        for p in one.pairings:
            history.append((p.a, p.b))
            points = random.choice((0, 0.5, 1, 1.5, 2))
            standings[p.a] += points
            standings[p.b] += 2 - points
        if one.bye:
            history.append((one.bye, None))
            standings[one.bye] += 2
    return made, history, standings


def test_the_first_round_is_upper_half_against_lower() -> None:
    made = swiss(dict.fromkeys("abcdefgh", 0.0), [], pairs=2)
    assert [(p.a, p.b, p.number) for p in made.pairings] == [
        (a, b, n) for n in (0, 1) for a, b in zip("abcd", "efgh", strict=True)
    ]
    later = swiss(dict.fromkeys("ab", 0.0), [("a", "b")], pairs=2)
    assert later.pairings == (Pairing(a="a", b="b", number=2), Pairing(a="a", b="b", number=3))


def test_equals_meet_and_repeats_are_avoided() -> None:
    history = [("a", "c"), ("b", "d")]
    made = swiss({"a": 2, "b": 2, "c": 0, "d": 0}, history)
    assert {(p.a, p.b) for p in made.pairings} == {("a", "b"), ("c", "d")}
    made = swiss({"a": 4, "b": 2, "c": 2, "d": 0}, [*history, ("a", "b"), ("c", "d")])
    assert {(p.a, p.b) for p in made.pairings} == {("a", "d"), ("b", "c")}


@settings(max_examples=30)
@given(st.integers(2, 15), st.integers(0, 1000))
def test_swiss_never_repeats_while_avoidable(count: int, seed: int) -> None:
    """Every round is as free of repeats as the best matching that brute force finds (small), and everybody plays."""
    rounds = min(count + 1, 9)
    made, _, _ = play(count, rounds, seed)
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    for one in made:
        pairs = [frozenset((p.a, p.b)) for p in one.pairings]
        assert sorted([x for pair in pairs for x in pair] + ([one.bye] if one.bye else [])) == names(count)
        if repeats := sum(met[pair] > 0 for pair in pairs):
            fewest = min(byes[name] for name in names(count))
            idle = [name for name in names(count) if byes[name] == fewest] if count % 2 else [""]
            assert repeats == count // 2 - max(largest([x for x in names(count) if x != bye], met) for bye in idle)
        met.update(pairs)
        byes.update([one.bye] if one.bye else [])
    assert max(byes.values(), default=0) - min((byes[name] for name in names(count)), default=0) <= 1


def largest(nodes: Sequence[str], met: Counter[frozenset[str]]) -> int:
    """The largest number of new pairings, by trying all, with a memory."""
    memory: dict[int, int] = {0: 0}

    def best(free: int) -> int:
        if free not in memory:
            i = free.bit_length() - 1
            rest = free & ~(1 << i)
            found = best(rest)
            for j in range(i):
                if rest >> j & 1 and not met[frozenset((nodes[i], nodes[j]))]:
                    found = max(found, 1 + best(rest & ~(1 << j)))
            memory[free] = found
        return memory[free]

    return best((1 << len(nodes)) - 1)


@pytest.mark.parametrize("count", [5, 9, 15])
def test_a_bye_is_given_once_and_low(count: int) -> None:
    made, _, _ = play(count, count, 4)
    byes = [one.bye for one in made]
    assert None not in byes and len(set(byes)) == count
    assert byes[0] == names(count)[-1]


def test_three_rounds_of_six_have_no_repeat() -> None:
    for seed in range(5):
        _, history, _ = play(6, 3, seed)
        assert len({frozenset(pair) for pair in history}) == 9


@pytest.mark.slow
def test_two_hundred_agents_in_twelve_rounds() -> None:
    _, history, _ = play(201, 12, 1)
    assert len({frozenset(pair) for pair in history}) == 12 * 101


@settings(max_examples=60)
@given(st.integers(2, 12), st.data())
def test_matchings_are_largest(count: int, data: st.DataObject) -> None:
    edges = data.draw(st.sets(st.sampled_from(list(combinations(range(count), 2)))))
    graph: list[set[int]] = [set() for _ in range(count)]
    for i, j in edges:
        graph[i].add(j)
        graph[j].add(i)
    mate = [-1] * count
    for node in range(count):
        if mate[node] < 0:
            _augment(node, graph, mate, set())
    assert all(other < 0 or (mate[other] == node and other in graph[node]) for node, other in enumerate(mate))
    labels = tuple(map(str, range(count)))
    absent = Counter({frozenset((str(i), str(j))): 1 for i, j in combinations(range(count), 2) if (i, j) not in edges})
    assert sum(other >= 0 for other in mate) == 2 * largest(labels, absent)


def finish(
    count: int, points: Callable[[Pairing], float], pairs: int = 1, further: int = 3
) -> tuple[Knockout, list[tuple[str, str, int, float]]]:
    played: list[tuple[str, str, int, float]] = []
    while (state := knockout(names(count), played, pairs, further)).todo:
        played += [(p.a, p.b, p.number, points(p)) for p in state.todo]
    return state, played


@pytest.mark.parametrize("count", range(2, 18))
def test_the_better_seed_wins_a_knockout_of_seeds(count: int) -> None:
    state, played = finish(count, lambda p: 2.0 if p.a < p.b else 0.0)
    assert state.winner == names(count)[0]
    assert len(played) == count - 1
    final = state.rounds[-1][0]
    assert {final.a, final.b} == set(names(count)[:2])
    byes = [match.winner for match in state.rounds[0] if match.reason == "bye"]
    assert sorted(byes) == names(count)[: len(byes)] and len(byes) == 2 ** len(state.rounds) - count


def test_ties_are_played_out_and_then_the_seed_decides() -> None:
    state, played = finish(4, lambda p: 1.0, pairs=2, further=3)
    assert [match.reason for one in state.rounds for match in one] == ["seed"] * 3
    assert state.winner == "a00" and len(played) == 3 * 5
    assert sorted({number for _, _, number, _ in played}) == list(range(10))
    state, played = finish(2, lambda p: 0.5 if p.number == 3 else 1.0, pairs=2, further=3)
    assert (state.winner, state.rounds[0][0].reason, len(played)) == ("a01", "points", 4)
    assert (state.rounds[0][0].points_a, state.rounds[0][0].points_b) == (3.5, 4.5)


def test_a_knockout_is_resumed_from_what_was_played() -> None:
    _, played = finish(7, lambda p: 2.0 if p.a > p.b else 0.0, pairs=2)
    for number in range(len(played)):
        state = knockout(names(7), played[:number], 2)
        assert not {(p.a, p.b, p.number) for p in state.todo} & {one[:3] for one in played[:number]}
    turned = [(b, a, number, 2 - points) for a, b, number, points in reversed(played)]
    assert knockout(names(7), turned, 2) == knockout(names(7), played, 2)
    assert knockout(names(7), played, 2).winner is not None
