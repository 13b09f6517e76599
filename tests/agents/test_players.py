"""Players in games: every named one plays, and the courses' simple ones play what their descriptions say."""

import threading
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import harena
from harena.agents import player as player_module
from harena.agents.names import PLAYERS
from harena.agents.player import Player
from harena.agents.recording import recorded
from harena.agents.spec import player
from harena.search.mcts import Mcts
from harena.search.result import Limits, Result
from harena.search.tree import VISITS
from reference import colosseum, tiles

GAMES = {
    "isolation": harena.game("isolation", size=5),
    "colosseum": harena.game("colosseum", size=4),
    "trap": harena.game("trap", size=4),
    "tiles": harena.game("tiles", size=4),
}
NAMED = [(game, name) for game, entries in PLAYERS.items() for name in entries]
every_player = pytest.mark.parametrize(("name", "who"), NAMED, ids=[f"{game}-{name}" for game, name in NAMED])


def quick(name: str, who: str) -> Player:
    """A named player who thinks for a moment only, counted in nodes."""
    return player(f"{who}(nodes=100, iterations=30)", GAMES[name])


def without_time(result: Result) -> Result:
    return replace(result, seconds=0.0)


@every_player
def test_every_named_player_plays_a_whole_game_of_legal_moves(name: str, who: str) -> None:
    """Against random moves, as either player, by one object from game to game."""
    thinker = quick(name, who)
    for seat in (0, 1):
        state, rng, turns = GAMES[name].initial(seat), harena.generator(seat), 0
        while not state.is_over:
            if state.mover == seat:
                state, turns = state.play(thinker.choose(state, seed=turns)), turns + 1
            else:
                state = state.play(state.random_move(rng))
        assert turns > 0 and state.outcome is not None


@every_player
def test_every_named_player_gives_the_same_result_for_the_same_seed_and_budget(name: str, who: str) -> None:
    state = GAMES[name].initial(4)
    first, second = (without_time(quick(name, who).think(state, seed=11)) for _ in range(2))
    assert first == second and first.move in state.moves() and first.stopped


LOST = {
    "isolation": "1..../...x./..x../x2.../..... 1",
    "colosseum": "4 a1 d4 1 a1r,a2r,a3r,c1r,b3d,c3d,d3d",
    "tiles": "RXXX/XXXX/XXXR/XBRR R 1",
}


@pytest.mark.parametrize(("name", "who"), [pair for pair in NAMED if pair[0] != "trap"])
def test_they_go_on_in_bad_positions_and_stop_at_the_end(name: str, who: str) -> None:
    thinker, state, rng = quick(name, who), GAMES[name].position(LOST[name]), harena.generator(1)
    while not state.is_over:
        move = thinker.choose(state) if state.mover == 0 else state.random_move(rng)
        assert move in state.moves()
        state = state.play(move)
    with pytest.raises(harena.IllegalMove, match="the game is over: ") as caught:
        thinker.choose(state)
    assert len(str(caught.value).splitlines()) == 1


def test_a_proven_loss_is_played_on() -> None:
    state = harena.game("isolation", size=4).position("..../..../..12/.... 1")
    for text in ("mcts(iterations=20000, heuristic=improved)", "id(depth=20)", "ab_null(depth=16)"):
        result = player(text, state.game).think(state)
        assert result.proven == -1 and result.move in state.moves()


def test_the_only_move_is_played() -> None:
    state = GAMES["isolation"].position("1..../..x../...../...../....2 1")
    assert len(state.moves()) == 1
    for who in PLAYERS["isolation"]:
        assert quick("isolation", who).choose(state) == state.moves()[0]


@pytest.mark.parametrize("text", ["id_improved(nodes=500)", "id(heuristic=improved, nodes=500, settled=true)"])
def test_deepening_with_equal_budgets_finds_the_same(text: str) -> None:
    state = GAMES["isolation"].initial().play("c3").play("b2")
    one, other = (without_time(player(text, GAMES["isolation"]).think(state)) for _ in range(2))
    assert one == other and one.depth and one.nodes <= 501


def test_the_budget_of_the_text_counts() -> None:
    state, thinker = GAMES["tiles"].initial(), player("mcts(iterations=20, solver=false)", GAMES["tiles"])
    assert thinker.think(state, Limits(iterations=50)).iterations == 20
    assert player("mcts(solver=false)", GAMES["tiles"]).think(state, Limits(iterations=50)).iterations == 50


def visits(thinker: Player) -> int:
    assert isinstance(thinker.search, Mcts) and thinker.search.memory.tree is not None
    return int(thinker.search.memory.tree.nodes[0, VISITS])


def test_a_monte_carlo_player_keeps_its_tree_from_move_to_move_of_one_game() -> None:
    game = GAMES["tiles"]
    thinker = player("mcts(iterations=500, solver=false)", game)
    state = game.initial()
    first = thinker.think(state)
    again = thinker.think(state)
    assert visits(thinker) == 500  # the same position again is another search, with the same result
    assert without_time(first) == without_time(again)
    later = state.play(first.move).play(first.line[1])
    thinker.think(later)
    assert visits(thinker) > 500
    thinker.think(game.position(later.text))  # no way leads there from the position before
    assert visits(thinker) == 500
    assert not player("mcts(reuse=false)", game).search.keeps  # type: ignore[attr-defined]


def test_getting_ready_leaves_nothing_behind() -> None:
    for text in ("mcts(iterations=50, solver=false)", "id(heuristic=left, nodes=300)"):
        fresh, ready = player(text, GAMES["tiles"]), player(text, GAMES["tiles"])
        ready.ready()
        state = GAMES["tiles"].initial()
        assert without_time(ready.think(state)) == without_time(fresh.think(state))


@pytest.mark.parametrize(
    ("text", "limits"), [("mcts(depth=3, solver=false, heuristic=improved)", {}), ("id", {"iterations": 100})]
)
def test_a_search_ends_whatever_limit_it_has(text: str, limits: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_module, "DEFAULT_SECONDS", 0.01)
    game = harena.game("isolation")
    thinker, flag = player(text, game), np.zeros(1, np.int64)
    thinker.ready()
    rescue = threading.Timer(30.0, lambda: flag.__setitem__(0, 1))
    rescue.start()
    try:
        assert thinker.think(game.initial(), Limits(**limits), flag=flag).stopped != "interrupted"
    finally:
        rescue.cancel()


@pytest.mark.parametrize("text", ["minimax(heuristic=open, nodes=2000)", "alphabeta(heuristic=open, nodes=2000)"])
def test_without_a_depth_a_search_still_looks_at_something(text: str) -> None:
    state = harena.game("isolation").initial().play("d4").play("b2")
    assert (player(text, state.game).think(state).depth or 0) >= 1


def test_what_is_only_likely_is_not_proven() -> None:
    state = GAMES["trap"].position("2.x./xx../..../...1 1 aim 149")  # a throw at b1 wins if it hits, else it is a draw
    result = player("champion(depth=9)", GAMES["trap"]).think(state)
    assert (str(state.named(result.move)), result.value) == ("@b1", pytest.approx(8000))
    assert result.proven is None


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_with_its_tree_kept_and_proofs_a_won_game_is_won(seed: int) -> None:
    """The proof comes with the first search; the later ones live on what is left of its tree."""
    game = harena.game("isolation", size=4, setup="random-placements")
    state, rng = game.initial(seed), harena.generator(seed)
    thinker = player("mcts(iterations=20000, heuristic=improved)", game)
    assume(not state.is_over and thinker.think(state).proven == 1)
    while not state.is_over:
        if state.mover == 0:
            result = thinker.think(state)
            assert result.proven == 1 and result.move in state.moves()
            state = state.play(result.move)
        else:
            state = state.play(state.random_move(rng))
    assert state.outcome is not None and state.outcome.winner == 0


# ---- Colosseum's


def chances_of_a_walk(position: colosseum.Reference) -> dict[str, Fraction]:
    """The course's random agent: 0 to K steps, each to a uniform open side off the opponent, then a uniform side."""
    most = (position.size + 1) // 2
    found: dict[str, Fraction] = defaultdict(Fraction)
    opponent = position.locations[1 - position.player]
    for steps in range(most + 1):
        cells = {position.locations[position.player]: Fraction(1, most + 1)}
        for _ in range(steps):
            after: dict[colosseum.Cell, Fraction] = defaultdict(Fraction)
            for cell, chance in cells.items():
                beyond = [colosseum.beyond(cell, side) for side in position.open_sides(cell)]
                ways = [other for other in beyond if other != opponent] or [cell]
                for other in ways:
                    after[other] += chance / len(ways)
            cells = after
        for cell, chance in cells.items():
            sides = position.open_sides(cell)
            for side in sides:
                found[colosseum.cell_to_text(cell) + side] += chance / len(sides)
    return found


@pytest.mark.parametrize("text", ["3 a1 b2 1 b1d", "3 b2 b1 2 a1d,b2r", "2 a1 a2 1 a1r", "4 b2 c3 2 b2r,c3u"])
def test_the_random_agent_walks_as_the_course_has_it(text: str) -> None:
    face = harena.game("colosseum").face
    game = harena.game("colosseum", **face.options_of(face.parse_position(text)))
    state, draws = game.position(text), 3000
    expected = chances_of_a_walk(colosseum.Reference.from_text(state.text))
    assert sum(expected.values()) == 1
    counts: dict[str, int] = defaultdict(int)
    walker = player("random_agent", game)
    for seed in range(draws):
        counts[str(walker.choose(state, seed=seed))] += 1
    assert set(counts) == set(expected)
    for move, chance in expected.items():
        assert abs(counts[move] / draws - chance) < 0.035, move


def positions_of(name: str, seed: int, plies: int) -> harena.State:
    """Somewhere in a random game."""
    state, rng = GAMES[name].initial(seed), harena.generator(seed)
    for _ in range(plies):
        if not state.is_over:
            state = state.play(state.random_move(rng))
    assume(not state.is_over)
    return state


def final(outcome: Any, me: int) -> float:
    return 0.0 if outcome[0] is None else (10_000.0 if outcome[0] == me else -10_000.0)


def breadth_first(reference: colosseum.Reference) -> list[str]:
    """The course's order of moves: the cells by a queue, each cell's sides up, right, down, left."""
    queue, steps = [reference.locations[reference.player]], {reference.locations[reference.player]: 0}
    for cell in queue:
        for side in reference.open_sides(cell):
            other = colosseum.beyond(cell, side)
            near = steps[cell] < (reference.size + 1) // 2
            if near and other not in steps and other != reference.locations[1 - reference.player]:
                steps[other] = steps[cell] + 1
                queue.append(other)
    return [colosseum.cell_to_text(cell) + side for cell in queue for side in reference.open_sides(cell)]


def assert_first_best(state: harena.State, who: str, scores: dict[str, float]) -> None:
    """The move with the best score, the first of equals."""
    if state.game.name == "colosseum":
        scores = {move: scores[move] for move in breadth_first(colosseum.Reference.from_text(state.text))}
    assert sorted(scores) == sorted(str(move) for move in state.moves())
    best = max(scores.values())
    expected = next(move for move, score in scores.items() if score > best - 1e-9)
    result = player(who, state.game).think(state)
    assert str(state.named(result.move)) == expected, state.text
    assert result.value == pytest.approx(best)


random_positions = given(seed=st.integers(0, 2**32), plies=st.integers(0, 8))


@random_positions
@settings(max_examples=40)
def test_lookahead2_counts_the_moves_it_would_have_next(seed: int, plies: int) -> None:
    state = positions_of("colosseum", seed, plies)
    reference = colosseum.Reference.from_text(state.text)
    scores = {}
    for move in reference.moves():
        after = reference.play(move)
        end = after.outcome()
        again = replace(after, player=reference.player)
        scores[move] = float(len(again.moves())) if end is None else final(end, reference.player)
    assert_first_best(state, "lookahead2", scores)


@pytest.mark.parametrize("options", ["", "(c1=0.25, c3=30, c4=1, late_c1=2, late_c3=1, late_c4=0)"])
@random_positions
@settings(max_examples=30)
def test_greedy_weighs_distance_area_and_walls(options: str, seed: int, plies: int) -> None:
    state = positions_of("colosseum", seed, plies)
    reference = colosseum.Reference.from_text(state.text)
    scores = {}
    for move in reference.moves():
        after = reference.play(move)
        end, here, there = after.outcome(), after.locations[reference.player], after.locations[1 - reference.player]
        open_share = 1 - len(after.walls) / (2 * 4 * 3)
        early, late = ((0.05, 250, 80), (1, 800, 100)) if not options else ((0.25, 30, 1), (2, 1, 0))
        c1, c3, c4 = early if open_share > 0.4 else late
        distance = abs(here[0] - there[0]) + abs(here[1] - there[1])
        boxed = len(after.open_sides(here)) <= 1
        worth = -(c1 * distance + c3 / len(after.reached(here, 16, set())) + c4 * boxed)
        scores[move] = worth if end is None else final(end, reference.player)
    assert_first_best(state, f"greedy{options}", scores)


# ---- tiles'


@random_positions
@settings(max_examples=40)
def test_the_greedy_tiler_takes_the_best_balance(seed: int, plies: int) -> None:
    state = positions_of("tiles", seed, plies)
    reference = tiles.Reference.from_text(state.text)
    scores = {}
    for move in reference.moves():
        after = reference.play(move)
        left = list(after.board.values())
        balance = left.count(after.colour) - left.count(reference.colour)
        scores[move] = float(balance) if after.outcome() is None else final(after.outcome(), reference.player)
    assert_first_best(state, "greedy", scores)


def test_a_draw_that_is_bad_for_both_is_so_in_the_picture_of_the_tree() -> None:
    """uct1000 rewards a draw with -2, whoever moved."""
    game = harena.game("tiles")
    thinker = player("uct1000", game)
    result = thinker.think(game.initial())
    tree = recorded(thinker, game.initial(), result, 2)["root"]
    replies = [reply for child in tree["children"] for reply in child["children"] if reply["value"] is not None]
    search = thinker.search
    assert isinstance(search, Mcts) and search.memory.tree is not None
    assert replies
    for reply in replies:
        assert -3.0 <= reply["value"] <= 3.0
    # On this board almost every game is drawn: from the root's side that is -2 at every depth, not +2.
    assert sum(reply["value"] * reply["visits"] for reply in replies) < 0
