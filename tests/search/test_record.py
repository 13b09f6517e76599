"""A recorded tree tells the truth about the search: its value, its bounds, and where it cut."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import harena
from harena import calls
from harena.heuristics.mobility import Mobility
from harena.heuristics.tiles import TileCounts
from harena.kernel.values import coerce
from harena.search.alphabeta import AlphaBeta
from harena.search.expectiminimax import PLAIN, STAR1, STAR2, Expectiminimax
from harena.search.minimax import Minimax
from harena.search.principal import Principal
from harena.search.record import OPEN, Node, as_tree, cuts_chance, record, value_below
from harena.search.workspace import WIN, new_workspace

MOBILITY: Any = Mobility(1.0, -2.0, proximity=0.5)
GAMES: dict[str, tuple[harena.Game, Any, int]] = {
    "isolation": (harena.game("isolation", size="4x5", setup="random-placements"), MOBILITY, 4),
    "trap": (harena.game("trap", size=4), MOBILITY, 3),
    "colosseum": (harena.game("colosseum", size=4), MOBILITY, 2),
    "tiles": (harena.game("tiles", setup="random"), TileCounts(1.0, 0.5), 3),
}
SEARCHES = [
    ("isolation", AlphaBeta()),
    ("trap", Expectiminimax(STAR2)),
    ("trap", Principal()),
    ("colosseum", AlphaBeta()),
    ("tiles", AlphaBeta()),
]
every_search = pytest.mark.parametrize(("name", "algorithm"), SEARCHES, ids=lambda one: str(one).partition("(")[0])
every_game = pytest.mark.parametrize("name", GAMES)


def position(name: str, seed: int, plies: int) -> harena.State:
    """The state after some random plies, or the last one before the game was over."""
    state, rng = GAMES[name][0].initial(seed), harena.generator(seed)
    for _ in range(plies):
        after = state.play(state.random_move(rng))
        if after.is_over:
            break
        state = after
    return state


def positions(name: str) -> list[harena.State]:
    """Early and late ones, with chance nodes among those of Trap!."""
    return [position(name, seed, plies) for seed, plies in ((0, 0), (1, 5), (2, 15), (5, 24))]


def search_value(algorithm: Any, name: str, state: Any, me: int, depth: int) -> float:
    work = new_workspace(calls.look(state).max_moves, megabytes=1.0 if algorithm.narrows else 0.0)
    return float(value_below(algorithm, state, me, GAMES[name][1], depth, -OPEN, OPEN, work, 0))


def walk(node: Node, state: Any, depth: int) -> Iterator[tuple[Node, Any, int]]:
    """Every node that has a value, with its state and how many decisions were looked ahead there."""
    yield node, state, depth
    for child in node.children:
        if child.value is not None and child.move is not None:
            after = coerce(calls.step(state, child.move))
            yield from walk(child, after, depth - (node.kind != "chance"))


@every_search
def test_the_root_has_the_value_of_the_search_and_every_bound_is_true(name: str, algorithm: Any) -> None:
    _, heuristic, depth = GAMES[name]
    for state in positions(name):
        me = 0 if state.mover == harena.CHANCE else state.mover
        root = record(algorithm, heuristic, state.value, depth, levels=3, width=4)
        assert root.bound == "="
        assert root.value == pytest.approx(search_value(algorithm, name, state.value, me, depth), abs=1e-9)
        assert root.value == pytest.approx(record(Minimax(), heuristic, state.value, depth, levels=1).value, abs=1e-9)
        for node, value, ahead in walk(root, state.value, depth):
            truth = search_value(Minimax(), name, value, me, ahead)
            assert node.bound == ">=" or truth <= node.worth + 1e-6
            assert node.bound == "<=" or truth >= node.worth - 1e-6


@every_search
def test_only_a_closed_window_prunes(name: str, algorithm: Any) -> None:
    _, heuristic, depth = GAMES[name]
    cuts = 0
    for state in positions(name):
        root = record(algorithm, heuristic, state.value, depth, levels=3, width=100)
        for node, _, _ in walk(root, state.value, depth):
            *shown, last = node.children or (node,)
            assert all(child.kind != "pruned" for child in shown)
            if last.kind == "pruned":
                cuts += 1
                assert node.value is not None and node.alpha is not None and node.beta is not None
                if node.kind == "chance":
                    assert node.value <= node.alpha or node.value >= node.beta
                else:
                    assert node.value >= node.beta if node.kind == "max" else node.value <= node.alpha
    assert cuts > 0


@every_game
def test_minimax_searches_everything_without_windows(name: str) -> None:
    _, heuristic, depth = GAMES[name]
    for state in positions(name):
        root = record(Minimax(), heuristic, state.value, depth, levels=2, width=100)
        assert [int(move) for move in state.moves()] == [child.move for child in root.children]
        for node, _, _ in walk(root, state.value, depth):
            assert (node.alpha, node.beta, node.bound) == (None, None, "=")
            assert all(child.kind not in ("pruned", "more") for child in node.children)


@pytest.mark.parametrize(
    "algorithm", [Minimax(), Expectiminimax(STAR2), Principal()], ids=["all", "star2", "principal"]
)
@pytest.mark.parametrize("width", [1, 3, 100])
def test_the_probabilities_below_a_chance_node_sum_to_one(algorithm: Any, width: int) -> None:
    seen = 0
    for state in positions("trap"):
        root = record(algorithm, MOBILITY, state.value, 2, levels=3, width=width)
        for node, _, _ in walk(root, state.value, 2):
            parts = [child.probability for child in node.children]
            if node.kind == "chance" and parts:
                seen += 1
                assert sum(part or 0.0 for part in parts) == pytest.approx(1.0)
            else:
                assert all(part is None for part in parts)
    assert seen > 0


def test_the_plain_form_cuts_no_chance_node() -> None:
    assert [cuts_chance(one) for one in (Minimax(), AlphaBeta(), Expectiminimax(PLAIN))] == [False] * 3
    assert [cuts_chance(one) for one in (Principal(), Expectiminimax(STAR1), Expectiminimax(STAR2))] == [True] * 3
    for state in positions("trap"):
        root = record(Expectiminimax(PLAIN), MOBILITY, state.value, 3, levels=3, width=100)
        for node, _, _ in walk(root, state.value, 3):
            if node.kind == "chance":
                assert {(child.alpha, child.beta) for child in node.children} <= {(-OPEN, OPEN)}


@every_game
def test_the_width_keeps_the_best_in_the_order_of_the_game(name: str) -> None:
    _, heuristic, depth = GAMES[name]
    state = position(name, 1, 0)
    whole = record(Minimax(), heuristic, state.value, depth, width=100)
    for width in (1, 2, 3):
        root = record(Minimax(), heuristic, state.value, depth, width=width)
        *shown, more = root.children
        assert (more.kind, more.count + len(shown), len(shown)) == ("more", len(whole.children), width)
        values = sorted((child.worth for child in whole.children), reverse=True)
        assert sorted((child.worth for child in shown), reverse=True) == values[:width]
        order = [child.move for child in whole.children]
        assert sorted((child.move for child in shown), key=order.index) == [child.move for child in shown]


@every_game
def test_the_principal_line_is_one_line_of_the_roots_value(name: str) -> None:
    _, heuristic, depth = GAMES[name]
    for state in positions(name):
        node = record(Principal() if name == "trap" else AlphaBeta(), heuristic, state.value, depth, width=2)
        value = node.value
        assert node.best
        while any(child.best for child in node.children):
            assert node.kind in ("max", "min")
            [node] = [child for child in node.children if child.best]
            assert node.value == value
        assert not node.children or node.kind == "chance"  # the line goes on to the last recorded level


def test_a_finished_game_is_a_single_end() -> None:
    over = harena.game("isolation", size=3).position("1x./xx./xx2 1").play("c2")
    assert over.is_over
    root = record(AlphaBeta(), MOBILITY, over.value, 3)
    assert (root.kind, root.player, root.children, root.best, root.deeper) == ("end", None, (), True, 0)
    assert root.value in (WIN, -WIN)


def test_a_chance_root_is_seen_by_the_first_player() -> None:
    state = position("trap", 0, 5)
    assert state.mover == harena.CHANCE
    root = record(Expectiminimax(STAR2), MOBILITY, state.value, 1, levels=1, width=100)
    assert (root.kind, root.player) == ("chance", None)
    assert root.value == pytest.approx(sum((child.probability or 0) * child.worth for child in root.children))
    assert [(child.move, child.probability) for child in root.children] == [(int(m), p) for m, p in state.chances()]
    assert not any(child.best for child in root.children)


def test_what_lies_below_the_recorded_levels_is_counted() -> None:
    state = position("isolation", 1, 2)
    assert record(AlphaBeta(), MOBILITY, state.value, 4, levels=0).deeper == 4
    assert record(AlphaBeta(), MOBILITY, state.value, 0).kind == "leaf"
    root = record(AlphaBeta(), MOBILITY, state.value, 3, levels=1)
    assert {(child.kind, child.deeper) for child in root.children if child.value is not None} == {("min", 2)}


@pytest.mark.parametrize("wrong", [{"depth": -1}, {"depth": 61}, {"levels": -1}, {"width": 0}])
def test_what_cannot_be_recorded_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(harena.BadOption, match="recorded"):
        record(Minimax(), MOBILITY, position("isolation", 1, 2).value, **{"depth": 1, **wrong})


def test_the_tree_as_plain_data() -> None:
    state = position("isolation", 1, 2)
    root = record(AlphaBeta(), MOBILITY, state.value, 2)
    tree = as_tree(root, state.value, state.game.face.format_move, game="isolation", position=state.text)
    assert json.loads(json.dumps(tree)) == tree
    assert (tree["harena-tree"], tree["position"], tree["root"]["window"]) == (1, state.text, "[−∞, ∞]")
    names = {str(move) for move in state.moves()}
    assert {child["move"] for child in tree["root"]["children"] if child["move"]} <= names


@pytest.mark.parametrize(
    ("node", "label", "window"),
    [
        (Node(kind="max", value=-0.001, alpha=-OPEN, beta=OPEN), "0", "[−∞, ∞]"),
        (Node(kind="max", value=WIN, alpha=-WIN, beta=WIN), "win", "[−∞, ∞]"),
        (Node(kind="min", value=-WIN, alpha=WIN, beta=OPEN), "loss", "[win, ∞]"),
        (Node(kind="min", value=-2.5, bound="<=", alpha=-1.25, beta=3.0), "≤ −2.5", "[−1.25, 3]"),
        (Node(kind="min", value=10, bound=">="), "≥ 10", ""),
        (Node(kind="pruned", count=3), "", ""),
    ],
)
def test_labels(node: Node, label: str, window: str) -> None:
    plain = replace(node).as_dict(None, lambda _, move: str(move))
    assert (plain["label"], plain["window"]) == (label, window)
