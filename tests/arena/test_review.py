"""A review finds what was planted, proves what can be proven, and says the same whenever it is asked."""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import harena
from harena.agents.expected import SCALES, Judged, champions_score, fit, surprise
from harena.agents.judging import Judge, is_fitted, logistic
from harena.api import State
from harena.arena import judgement
from harena.arena.judgement import BLUNDER, INACCURACY, MISTAKE, VERSION, Decision, accuracy, from_dict, mark_of
from harena.arena.record import RULES, TIME, Ply, Record
from harena.arena.review import Reviewer, ReviewStopped, review
from harena.champions.colosseum import MANY_WALLS, phase
from harena.contract import CHANCE
from harena.errors import BadText, HarenaError
from harena.kernel.rng import generator
from harena.kernel.trusted import only_trusted
from harena.search.result import Limits, RootMove

FEW = Limits(nodes=20_000)


def recorded(state: State, moves: Iterable[str], reason: str = RULES, winner: int | None = None) -> Record:
    """A record of these moves."""
    start, plies = state, []
    for move in moves:
        plies.append(Ply(by=state.mover, move=move))
        state = state.play(move)
    outcome = state.outcome
    return Record(
        game=start.game.name,
        options={"size": str(start.game.options.get("size", 7))},
        start=start.text,
        seats=("careful", "careless"),
        plies=tuple(plies),
        winner=outcome.winner if outcome else winner,
        score=outcome.score if outcome else None,
        reason=reason,
    )


def best_moves(state: State) -> list[str]:
    """Perfect play of both sides to the end, proven; landings of chance are the likeliest."""
    moves = []
    while not state.is_over:
        if state.mover == CHANCE:
            move = max(state.chances(), key=lambda pair: pair[1])[0]
        else:
            solution = harena.solve(state, Limits(nodes=2_000_000), complete=False)
            assert solution.value is not None
            move = state.named(solution.line[0])
        moves.append(str(move))
        state = state.play(move)
    return moves


def worst_moves(state: State) -> list[tuple[str, set[str], float]]:
    """Moves that throw a proven value away, with those that keep it and what is lost, the worst first."""
    solution = harena.solve(state, Limits(nodes=2_000_000))
    known = {str(state.named(one.move)): one.value for one in solution.root if one.bound == "="}
    top = max(value for value in known.values() if value is not None)
    keep = {move for move, value in known.items() if value == top}
    lost = [(move, keep, (top - (value or 0.0)) / 2) for move, value in known.items() if value != top]
    return sorted(lost, key=lambda one: -one[2])


STARTS = {
    "isolation": harena.game("isolation", size=5).position("..x../....x/1x.../...x./.x2.. 2"),
    "tiles": harena.game("tiles", size=4).initial(),
    "colosseum": harena.game("colosseum", size=3, setup="empty").initial(),
    "trap": harena.game("trap", size=4).position("1.xx/..xx/x..x/xx.2 1 walk 147"),
}


def planted(name: str) -> tuple[Record, int, set[str], float]:
    """A perfect game of a small board into which one mistake was put: where, what was right, and what it costs."""
    state = STARTS[name]
    line = [state]
    for move in best_moves(state):
        line.append(line[-1].play(move))
    wrong = [(place, one) for place, here in enumerate(line[:-1]) if here.mover != CHANCE for one in worst_moves(here)]
    place, (move, right, cost) = max(wrong, key=lambda one: one[1][2])
    moves = [*(str(one.last_move) for one in line[1 : place + 1]), move]
    return recorded(state, [*moves, *best_moves(line[place].play(move))]), place + 1, right, cost


@pytest.mark.parametrize("name", STARTS)
def test_a_planted_mistake_is_found_with_what_was_right_and_what_it_cost(name: str) -> None:
    record, ply, right, cost = planted(name)
    found = review(record, limits=FEW)
    here = found.decisions[[one.ply for one in found.decisions].index(ply)]
    assert here.is_exact and here.loss == pytest.approx(cost, abs=1e-4)
    assert here.mark == mark_of(cost) == BLUNDER
    assert here.better in right and here.line[0] == here.better
    assert [one.ply for one in found.marked if one.is_exact] == [ply]
    assert found.swing == ply


@pytest.mark.parametrize("name", STARTS)
def test_a_perfect_game_is_100_percent_accurate(name: str) -> None:
    found = review(recorded(STARTS[name], best_moves(STARTS[name])), limits=FEW)
    assert set(found.accuracy) - {None} == {100.0} and not found.marked  # None: lost from the start, nothing to lose
    assert all(one.better is None and one.loss == 0 for one in found.decisions)
    assert found.decided is not None and len(found.chart) == len(found.exact)


def random_game(name: str, size: int, seed: int) -> Record:
    state, rng = harena.game(name, size=size).initial(seed), harena.generator(seed)
    first, moves = state, []
    while not state.is_over:
        moves.append(str(state.random_move(rng)))
        state = state.play(moves[-1])
    return recorded(first, moves)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), [("isolation", 7), ("tiles", 6), ("colosseum", 6), ("trap", 5)])
def test_a_larger_game_is_gone_over_alike_each_time(name: str, size: int) -> None:
    record = random_game(name, size, 3)
    steps: list[tuple[int, int]] = []
    found = review(record, limits=Limits(nodes=3000), progress=lambda done, total: steps.append((done, total)))
    assert review(record, limits=Limits(nodes=3000)) == found
    assert from_dict(json.loads(json.dumps(found.as_dict()))) == found
    assert [done for done, _ in steps] == list(range(1, steps[0][1] + 1))
    assert len(found.decisions) == sum(ply.by != CHANCE for ply in record.plies)
    assert len(found.throws) == sum(ply.by == CHANCE for ply in record.plies)
    for one in found.decisions:
        assert 0 <= one.played <= one.best <= 1 and one.loss == pytest.approx(one.best - one.played, abs=1e-4)
        assert one.mark == mark_of(one.loss) and (one.better is not None) <= (one.loss > 0)
        assert not one.forced or one.loss == 0
        if name == "isolation":  # where nothing else can be proven
            assert (not one.exact_played or one.played in (0, 1)) and (not one.exact_best or one.best in (0, 1))
    assert found.chart[-1] == record.points(0) and found.exact[-1] and found.proven_from is not None
    assert any(one.mark == BLUNDER for one in found.decisions)  # nobody plays at random without one


def test_luck_is_nobodys_mistake_and_a_sure_throw_has_none() -> None:
    found = review(random_game("trap", 5, 3), limits=Limits(nodes=3000))
    assert all(one.gain == 0 for one in found.throws if one.chance == 1)
    missed = [one for one in found.throws if one.chance < 0.5]
    assert missed and all(one.gain == pytest.approx(one.after - one.before, abs=2e-4) for one in found.throws)


def test_it_can_be_stopped() -> None:
    flag = np.zeros(1, np.int64)

    def stop(done: int, total: int) -> None:
        flag[0] = done == 5

    with pytest.raises(ReviewStopped):
        review(random_game("trap", 5, 3), limits=FEW, progress=stop, flag=flag)


def test_each_of_its_steps_hears_the_flag() -> None:
    for name in ("trap", "isolation"):
        reviewer = Reviewer(random_game(name, 5, 3), limits=Limits(nodes=10**9))
        for step in reviewer.steps():
            step(np.ones(1, np.int64))
        with pytest.raises(ReviewStopped, match="took too long"):
            reviewer.result()


def test_a_game_that_a_fault_ended_was_not_decided_on_the_board() -> None:
    start = STARTS["isolation"]  # player 2, who moves, wins with best play
    moves = [str(move) for move in best_moves(start)[:4]]
    found = review(recorded(start, moves, TIME, 0), limits=FEW)
    assert found.decided == judgement.Moment(ply=4, by=1, move=None, kind="fault")
    assert found.proven_from is None
    found = review(recorded(start, moves, TIME, 1), limits=FEW)
    assert found.decided is not None and found.decided.kind == "start"


def test_a_game_without_a_move_has_nothing_to_say() -> None:
    found = review(recorded(harena.game("isolation", size=5).initial(), [], TIME, 1), limits=FEW)
    assert found.accuracy == (None, None) and found.decisions == () and found.swing is None
    assert len(found.chart) == 1


# By others


def test_mcts_goes_over_a_game_by_its_share_of_wins() -> None:
    record, ply, right, _ = planted("tiles")
    found = review(record, "mcts(iterations=300)", Limits(nodes=300))
    assert found.is_fitted and found.player == "mcts(iterations=300)"
    marked = next(one for one in found.marked if one.ply == ply)
    assert marked.better in right


def test_a_player_who_tries_one_move_only_is_asked_about_the_other() -> None:
    record = random_game("tiles", 6, 3)
    found = review(record, "mcts(iterations=2, expansion=order)", Limits(nodes=2))
    assert all(0 <= one.played <= one.best <= 1 for one in found.decisions)


def test_a_player_who_says_no_values_cannot_review() -> None:
    for name, size in (("tiles", 6), ("trap", 5)):
        with pytest.raises(HarenaError, match="random says no value"):
            review(random_game(name, size, 3), "random", Limits(nodes=10))


def test_another_heuristic_is_read_on_the_champions_scale_and_that_is_said() -> None:
    game = harena.game("isolation", size=5)
    assert is_fitted(harena.player("champion", game)) and is_fitted(harena.player("mcts", game))
    assert is_fitted(harena.player("champion(level=3, nodes=10)", game))
    for text in ("id(heuristic=open)", "greedy", "random"):
        assert not is_fitted(harena.player(text, game))
    assert not review(planted("isolation")[0], "id(heuristic=open)", FEW).is_fitted


def own_game() -> Record:
    """A game of tic-tac-toe in which both play the first legal move."""
    path = str(Path(__file__).parents[2] / "examples" / "tictactoe.py")
    state = harena.game(path).initial()
    moves = [str(move) for move in state.moves()]
    line = [state]
    for move in moves:
        if line[-1].is_over:
            break
        line.append(line[-1].play(move))
    plies = tuple(Ply(by=one.mover, move=str(two.last_move)) for one, two in pairwise(line))
    outcome = line[-1].outcome
    assert outcome is not None
    return Record(game=path, options={}, start=state.text, seats=("a", "b"), plies=plies, winner=outcome.winner)


def test_a_game_of_ones_own_is_reviewed_too() -> None:
    record = own_game()
    with only_trusted([f"unchecked:{record.game}"]):
        found = review(record, "id", FEW)
        assert found.marked and all(one.is_exact for one in found.decisions) and not found.is_fitted
        assert review(record, limits=FEW).player == "mcts"  # it has no champion


# Numbers


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0.0, ""), (0.044, ""), (0.05, INACCURACY), (0.1, MISTAKE), (0.19, MISTAKE), (0.2, BLUNDER), (1.0, BLUNDER)],
)
def test_marks(loss: float, mark: str) -> None:
    assert mark_of(loss) == mark


def decision(loss: float, **other: object) -> Decision:
    plain = Decision(
        ply=1,
        by=0,
        move="a1",
        best=1.0,
        played=1 - loss,
        loss=loss,
        mark=mark_of(loss),
        better=None,
        line=(),
        exact_best=True,
        exact_played=True,
        forced=False,
    )
    return replace(plain, **other)  # type: ignore[arg-type]


def test_accuracy_counts_what_could_be_lost() -> None:
    assert accuracy([]) is None
    assert accuracy([decision(0.0)]) == 100.0
    assert accuracy([decision(0.2)]) == 36.8
    assert accuracy([decision(0.0), decision(0.2)]) == 68.4
    for idle in (decision(0.0, forced=True), decision(0.0, best=0.0)):
        assert accuracy([idle]) is None and accuracy([idle, decision(0.2)]) == 36.8


def test_a_draw_is_decided_where_nobody_was_ahead_any_more() -> None:
    record = Record(
        game="tiles",
        options={},
        start="",
        seats=("a", "b"),
        plies=tuple(Ply(by=number % 2, move=f"m{number}") for number in range(1, 5)),
        winner=None,
    )
    moment = judgement.decided(record, [0.5, 0.9, 0.6, 0.5, 0.5])
    assert (moment.ply, moment.by, moment.move, moment.kind) == (2, 0, "m2", "decision")
    thrown = replace(record, plies=tuple(Ply(by=2, move="!a1") for _ in range(4)), winner=1)
    assert judgement.decided(thrown, [0.5, 0.9, 0.3, 0.2, 0.0]).kind == "throw"
    assert judgement.proven_from(record, [0.5] * 5, [False, True, False, True, True]) == 3


def test_the_curve_is_found_again_in_games_that_follow_it() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(0, 5, 4000)
    games = [Judged([value], float(rng.random() < logistic(0.3 * value))) for value in values.tolist()]
    assert fit([games]) == ([pytest.approx(0.3, abs=0.03)], 0.0)
    walls = rng.random(4000).tolist()
    steep = [
        [
            Judged([value, value], float(rng.random() < logistic(slope * exp(4 * wall) * value)), wall)
            for value, wall in zip(values.tolist(), walls, strict=True)
        ]
        for slope in (0.02, 0.05)
    ]
    slopes, steeper = fit(steep, steepens=True)
    assert slopes == [pytest.approx(0.02, rel=0.3), pytest.approx(0.05, rel=0.3)]
    assert steeper == pytest.approx(4, abs=0.4)
    assert surprise([(0.5, 1.0), (0.5, 0.0)]) == pytest.approx(0.6931, abs=1e-4)
    assert surprise([(1.0, 0.0)]) == pytest.approx(13.8, abs=0.1)


def test_scores_of_moves() -> None:
    game = harena.game("isolation", size=5)
    judge = Judge(harena.player("champion", game), lambda _: 0.2, dice=False)

    def score(of: Judge, value: float | None, **known: Any) -> float | None:
        return of.score(RootMove(move=1, value=value, **known), 0.2)

    assert score(judge, 0.0) == 0.5 and score(judge, 10_000.0) == 1.0 and score(judge, -1e4) == 0.0
    assert score(judge, 3.0, bound="<=") is None and score(judge, None) is None
    assert score(judge, 3.0, proven=0) == 0.5
    course = Judge(harena.player("mcts(win=3, loss=-3, draw=-2)", game), lambda _: 0.2, dice=False)
    assert score(course, 0.0) == 0.5 and score(course, -3.0) == 0.0


def test_a_level_judges_by_what_it_sees_and_not_by_what_it_would_choose() -> None:
    state = harena.game("isolation", size=5).position("1..../...../..x../...../....2 1")
    judge = Judge(harena.player("champion(level=1)", state.game), lambda _: 1.0, dice=False)
    found = judge.judge(state, Limits(nodes=2000))
    assert found.result.value == max(one.value for one in found.result.root if one.value is not None)


def test_a_lead_says_more_the_more_walls_there_are() -> None:
    game = harena.game("colosseum", size=6)
    state, rng, seen = game.initial(1), generator(1), []
    while not state.is_over:
        seen.append((phase(state.value), champions_score(state, 3.0)))
        state = state.play(state.random_move(rng))
    assert seen == sorted(seen) and 0.5 < seen[0][1] < seen[-1][1]
    assert seen[0][0] == pytest.approx((1 + game.initial(1).text.count(",")) / 60 / MANY_WALLS)  # 4 of 60 sides
    walls = ",".join(
        f"{column}{row}d" for column in "abcdef" for row in range(1, 6)
    )  # all level ones: half of the sides
    assert phase(game.position(f"6 a1 c1 1 {walls}").value) == 1.0
    slopes = {
        size: SCALES["colosseum"].slope(harena.game("colosseum", size=size).position(f"{size} a1 b1 1 -"))
        for size in (5, 7, 9)
    }
    assert slopes == {size: pytest.approx(1.3 / size**2) for size in slopes}  # as docs/review.md says


@pytest.mark.parametrize(
    "plain", [None, {}, {"version": 99}, {"version": VERSION}, {"version": VERSION, "decisions": 3}]
)
def test_what_is_no_review_is_refused(plain: object) -> None:
    with pytest.raises(BadText, match="no review"):
        from_dict(plain)


def test_a_review_with_a_broken_part_is_refused() -> None:
    plain = review(planted("tiles")[0], limits=FEW).as_dict()
    with pytest.raises(BadText, match="this is no review"):
        from_dict(plain | {"decisions": [{"line": 3}]})
