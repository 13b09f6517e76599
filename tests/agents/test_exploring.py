"""Trees opened node by node: what a node says agrees with what its children say, however deep."""

from typing import Any

import numpy as np
import pytest

import harena
from harena.agents.analysis import analyst
from harena.agents.exploring import opened
from harena.errors import BadOption
from harena.search.result import Limits

SIGNS = {"=": 0, "<=": -1, ">=": 1}


def documents(text: str, game: str, position: str, depth: int, levels: int) -> list[tuple[Any, Any]]:
    """Pairs of a child as its parent shows it and as it shows itself, along the first, second, ... children."""
    state = harena.game(game, size=len(position.split("/", maxsplit=1)[0])).position(position)
    player = analyst(harena.player(text, state.game))
    result = player.think(state, Limits(depth=depth))
    pairs, paths = [], list[list[str]]([[]])
    for _ in range(levels):
        longer: list[list[str]] = []
        for path in paths:
            above = opened(player, state, result, path, depth=depth, width=400)
            for child in [one for one in above["children"] if one["opens"]][:3]:
                longer.append([*path, child["move"]])
                pairs.append((child, opened(player, state, result, longer[-1], depth=depth, width=400)))
        paths = longer
    return pairs


CASES = [
    ("minimax(heuristic=improved)", "isolation", "..../.1../..2./.... 1", 3, 2),
    ("alphabeta(heuristic=improved)", "isolation", "..../.1../..2./.... 1", 4, 3),
    ("id(heuristic=improved)", "isolation", "..../.1../..2./.... 1", 4, 3),
    ("star(heuristic=improved)", "trap", "1.../..../..../...2 1 aim 0", 2, 3),
    ("star(heuristic=improved, bounds=none)", "trap", "1.../..../..../...2 1 aim 0", 2, 3),
    ("trees(depth=3)", "trap", "1.../..../..../...2 1 walk 0", 3, 3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_node_says_what_its_parent_says_of_it(case: Any) -> None:
    for shown, node in documents(*case):
        assert (shown["kind"], shown["player"], shown["window"]) == (node["kind"], node["player"], node["window"])
        if shown["bound"] == node["bound"] == "=":
            assert node["value"] == pytest.approx(shown["value"])
        elif shown["bound"] == "=":  # the parent's search came with a narrower window
            assert SIGNS[node["bound"]] * (shown["value"] - node["value"]) >= -1e-9


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_node_follows_from_its_children(case: Any) -> None:
    for _, node in documents(*case):
        values = [child["value"] for child in node["children"]]
        if node["kind"] == "chance" and not node["cut"]:
            assert sum(child["probability"] for child in node["children"]) == pytest.approx(1)
            if all(child["bound"] == "=" for child in node["children"]):
                mean = sum(child["probability"] * child["value"] for child in node["children"])
                assert node["value"] == pytest.approx(mean)
        elif node["kind"] in ("max", "min"):
            assert node["value"] == (max if node["kind"] == "max" else min)(values)
            assert [child["best"] for child in node["children"]].count(True) == 1
            if node["cut"]:
                assert node["value"] >= node["beta"] if node["kind"] == "max" else node["value"] <= node["alpha"]


def test_alpha_beta_cuts_and_says_why_and_minimax_does_not() -> None:
    cuts = [node["cut"] for _, node in documents(*CASES[1]) if node["cut"]]
    assert cuts and all(cut["moves"] and ("≥ β" in cut["why"] or "≤ α" in cut["why"]) for cut in cuts)
    assert not any(node["cut"] for _, node in documents(*CASES[0]))


def test_star1_cuts_at_chance_nodes_and_says_why() -> None:
    state = harena.game("trap", size=4).position("1.../..../...x/..x2 1 aim 0")
    player = harena.player("star(heuristic=improved)", state.game)
    result = player.think(state, Limits(depth=2))
    root = opened(player, state, result, [], depth=2, width=400)
    nodes = [opened(player, state, result, [child["move"]], depth=2) for child in root["children"]]
    assert any(node["kind"] == "chance" and node["cut"] and "even if all" in node["cut"]["why"] for node in nodes)


def test_a_tree_that_takes_too_long_says_so() -> None:
    state = harena.game("isolation", size=5).initial()
    player = harena.player("minimax", state.game)
    result = player.think(state, Limits(depth=1))
    with pytest.raises(BadOption, match="takes too long"):
        opened(player, state, result, [], depth=6, flag=np.ones(1, np.int64))


def test_a_monte_carlo_tree_that_is_gone_says_so() -> None:
    state = harena.game("isolation", size=4).initial()
    player = harena.player("mcts(iterations=50)", state.game)
    result = player.think(state)
    assert opened(player, state, result, [])["children"]
    with pytest.raises(BadOption, match="never comes there"):
        opened(player, state, result, [_untried(opened(player, state, result, [])), "a1"])
    player.search.memory.tree = None  # type: ignore[attr-defined]
    with pytest.raises(BadOption, match="no longer there"):
        opened(player, state, result, [])


def _untried(root: dict[str, Any]) -> str:
    """A move after which nothing has been tried."""
    return str(min(root["children"], key=lambda child: child["visits"])["move"])
