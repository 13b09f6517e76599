"""`harena analyse`: the board, the move, its line, the table; the same as JSON; the tree; and refusals in one line."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import harena as api
from cli.support import Answer, run
from harena.agents.player import player
from harena.cli.analyse import WEAKENED
from harena.search.result import Limits

Harena = Callable[..., Answer]
POSITIONS = {  # small ones, with a player (two of them compile fast) and a limit for each
    "isolation": ("1..../...../..x../...../...2. 1", "champion", "--depth", "4"),
    "trap": ("1.../..x./..../...2 1 walk 4", "alphabeta(heuristic=improved)", "--depth", "2"),
    "colosseum": ("4 a1 d4 2 b2r,c3d", "alphabeta(heuristic=improved)", "--depth", "1"),
    "tiles": ("BRBR/RBXB/BRBR/RBRB R 1", "champion", "--nodes", "300"),
}
EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tictactoe.py")


@pytest.fixture
def harena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *words: run(capsys, monkeypatch, *words)


def after(state: api.State, line: list[str]) -> api.State:
    for move in line:
        state = state.play(move)
    return state


def table_of(out: str) -> list[list[str]]:
    """The rows below the heading of the table, without their bars."""
    lines = out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.split()[:2] == ["move", "value"])
    rows = [line for line in lines[start + 1 : lines.index("", start)] if not line.startswith("...")]
    return [[word for word in row.split() if word.strip("█#")] for row in rows]


def move_of(out: str, agent: str) -> str:
    """The move in front of its verdict: the line before the one on the player's effort."""
    lines = out.splitlines()
    return lines[next(number for number, line in enumerate(lines) if line.startswith(f"{agent}: ")) - 1].split()[0]


@pytest.mark.parametrize("game", POSITIONS)
def test_it_prints_the_board_the_move_the_line_and_the_table(harena: Harena, game: str) -> None:
    position, agent, *limit = POSITIONS[game]
    answer = harena("analyse", game, "--position", position, "--agent", agent, *limit, "--moves", "4")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0].split()[:4] == ["a", "b", "c", "d"]
    assert any("player" in line and "to " in line for line in lines)
    assert lines[-1] == f"position: {position}"
    state = api.game(game, size=len(position.split("/")[0].split()[0]) if "/" in position else 4).position(position)
    rows = table_of(answer.out)
    line = next((line.split()[1:] for line in lines if line.startswith("line: ")), [rows[0][0]])
    assert rows[0][0] == move_of(answer.out, agent) == line[0]
    after(state, line)
    assert len(rows) == min(4, len(state.moves()))
    assert len({row[0] for row in rows}) == len(rows) and {row[0] for row in rows} <= set(map(str, state.moves()))
    more = len(state.moves()) - 4
    assert (f"... and {more} more (--moves {more + 4})" in answer.out) == (more > 0)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("game", POSITIONS)
def test_json_agrees_with_the_table(harena: Harena, game: str) -> None:
    position, agent, *limit = POSITIONS[game]
    words = ("analyse", game, "--position", position, "--agent", agent, *limit, "--moves", "99")
    printed, found = harena(*words), json.loads(harena(*words, "--json").out)
    assert (found["game"], found["position"], found["agent"]) == (game, position, agent)
    words_for = {1: ["won"], 0: ["drawn"], -1: ["lost"], None: []}
    rows = table_of(printed.out)
    values = [row.pop(1 if one["bound"] == "=" else 2) for row, one in zip(rows, found["root"], strict=True)]
    assert rows == [
        [one["move"], *([] if one["bound"] == "=" else [one["bound"]]), *words_for[one.get("proven")]]
        for one in found["root"]
    ]
    (decimals,) = {len(value.partition(".")[2]) for value in values}  # the same number of them in all rows
    shown = [float(value.replace(",", "")) for value in values]
    assert shown == pytest.approx([one["value"] for one in found["root"]], abs=0.51 * 10**-decimals)
    assert (f"line: {' '.join(found['line'])}\n" in printed.out) == (len(found["line"]) > 1)
    assert found["root"][0]["move"] == found["move"] == found["line"][0]
    assert found["root"][0]["value"] == found["value"]
    assert f"{found['nodes']:,} nodes, depth {found['depth']}" in printed.out
    assert found["stopped"] in ("depth", "nodes")


def test_the_table_has_the_exact_value_of_every_move(harena: Harena) -> None:
    """Against plain minimax of the position after each move, from the other side."""
    position, *_ = POSITIONS["isolation"]
    state = api.game("isolation", size=5).position(position)
    found, other = (
        json.loads(
            harena("analyse", "isolation", "--position", position, "--depth", "4", "--json", "--agent", agent).out
        )
        for agent in ("id(heuristic=territory)", "minimax(heuristic=territory)")
    )
    assert len(found["root"]) == len(state.moves()) > 1
    assert {one["move"]: (one["value"], one["bound"]) for one in found["root"]} == {
        one["move"]: (one["value"], "=") for one in other["root"]
    }


def test_monte_carlo_shows_visits_that_add_up(harena: Harena) -> None:
    words = ("analyse", "tiles", "--size", "4", "--agent", "uct1000", "--seed", "3", "--moves", "99")
    printed, found = harena(*words), json.loads(harena(*words, "--json").out)
    assert found["stopped"] == "iterations" and found["iterations"] == 1000
    assert "1,000 iterations" in printed.out and "mean reward" in printed.out
    assert sum(one["visits"] for one in found["root"]) == 1000
    shares = [row[row.index("%") - 1] for row in table_of(printed.out)]
    assert shares == [f"{one['visits'] / 10:.1f}" for one in found["root"]]
    assert len({len(row[1].partition(".")[2]) for row in table_of(printed.out)}) == 1  # of the values
    for one in found["root"]:
        assert one["won"] + one["drawn"] + one["lost"] == one["visits"]
        mean = (3 * one["won"] - 3 * one["lost"] - 2 * one["drawn"]) / one["visits"]
        assert one["value"] == pytest.approx(mean)
    best = max(found["root"], key=lambda one: one["value"])
    assert found["move"] == best["move"]


def test_the_monte_carlo_table_is_not_cut_off_on_a_terminal_of_80_columns(harena: Harena) -> None:
    answer = harena("analyse", "tiles", "--size", "4", "--agent", "uct1000", "--seed", "3")
    assert "…" not in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_a_limit_of_the_player_wins_over_that_of_the_command(harena: Harena) -> None:
    position, *_ = POSITIONS["isolation"]
    words = ("analyse", "isolation", "--position", position, "--json", "--depth", "4", "--agent", "champion(depth=2)")
    assert json.loads(harena(*words).out)["depth"] == 2


def test_a_won_position_is_said_to_be_proven(harena: Harena) -> None:
    """1 takes c2, the only cell of 2; after b3 2 takes it, and 1 has no other."""
    answer = harena("analyse", "isolation", "--position", "1xx/xx./2.x 1", "--depth", "6")
    assert move_of(answer.out, "champion") == "c2" and "won, proven" in answer.out
    assert table_of(answer.out)[0][-1] == "won"


def test_a_proven_win_is_hotter_than_a_move_of_which_less_is_known() -> None:
    from harena.agents.analysis import warmths
    from harena.search.result import RootMove

    warmth = warmths((RootMove(move=1, value=10_000.0, proven=1), RootMove(move=2, value=-1.5)))
    assert warmth[1] == 9 and warmth[2] <= 5


def test_warmth_tells_what_differs_and_hides_what_does_not() -> None:
    from harena.agents.analysis import warmths
    from harena.search.result import RootMove

    def by_value(*values: float) -> list[int]:
        return list(warmths(tuple(RootMove(move=number, value=one) for number, one in enumerate(values))).values())

    assert by_value(1.9971, 1.9969) == [9, 9] and by_value(0.001, -0.001) == [9, 8]
    assert by_value(3, 0, -3) == [9, 4, 0] and by_value(0.52, 0.5) == [9, 7]
    assert by_value(9_900, 3, 0, -9_900) == [9, 9, 0, 0]  # nearly won does not hide what is between
    lost = warmths((RootMove(move=1, value=1.0), RootMove(move=2, value=-1.0), RootMove(move=3, proven=-1)))
    assert lost == {1: 9, 2: 2, 3: 0}


def test_random_has_a_move_and_nothing_more(harena: Harena) -> None:
    position, *_ = POSITIONS["colosseum"]
    answer = harena("analyse", "colosseum", "--position", position, "--agent", "random", "--seed", "5")
    state = api.game("colosseum", size=4).position(position)
    assert answer.code == 0 and "; it draws at random" in answer.out and "value" not in answer.out
    assert move_of(answer.out, "random") == str(player("random", state.game).choose(state, seed=5))


@pytest.mark.slow
def test_a_game_of_ones_own_has_no_champion_but_searches(harena: Harena) -> None:
    assert "mcts: 50 iterations" in harena("analyse", EXAMPLE, "--iterations", "50").out  # the default, without one
    answer = harena("analyse", EXAMPLE, "--agent", "minimax", "--depth", "9", "--position", "XX./OO./... 1")
    assert answer.code == 0 and "won, proven" in answer.out
    assert answer.out.splitlines()[-1] == "position: XX./OO./... 1"


# The tree


@pytest.mark.parametrize("name", ["tree", "tree.svg", "tree.json"])
def test_the_tree_is_two_files_a_document_and_its_drawing(harena: Harena, tmp_path: Path, name: str) -> None:
    position, _, *limit = POSITIONS["isolation"]
    words = ("analyse", "isolation", "--position", position, *limit, "--levels", "2")
    answer = harena(*words, "--tree", str(tmp_path / name))
    assert answer.code == 0, answer.err
    assert "".join(answer.out.split()).endswith("".join(f"wrote{tmp_path}/tree.jsonand{tmp_path}/tree.svg".split()))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["tree.json", "tree.svg"]
    assert ElementTree.parse(tmp_path / "tree.svg").getroot().tag.endswith("svg")
    document = json.loads((tmp_path / "tree.json").read_text("utf-8"))
    assert (document["game"], document["position"]) == ("isolation", position)
    state = api.game("isolation", size=5).position(position)
    first = [child for child in document["root"]["children"] if child.get("move")]
    assert {child["move"] for child in first} <= set(map(str, state.moves())) and first
    for child in first:
        second = [one["move"] for one in child.get("children", []) if one.get("move")]
        assert set(second) <= set(map(str, state.play(child["move"]).moves()))


def visits_drawn(harena: Harena, folder: Path, agent: str) -> None:
    words = ("analyse", "tiles", "--size", "4", "--agent", agent, "--seed", "3", "--iterations", "1000", "--json")
    answer = harena(*words, "--tree", str(folder / "tree"))
    assert answer.code == 0, answer.err
    found = json.loads(answer.out[: answer.out.rindex("}") + 1])
    document = json.loads((folder / "tree.json").read_text("utf-8"))
    visits = {child["move"]: child["visits"] for child in document["root"]["children"] if child.get("move")}
    assert visits == {one["move"]: one["visits"] for one in found["root"] if one["move"] in visits} and visits


def test_the_tree_of_monte_carlo_is_read_off(harena: Harena, tmp_path: Path) -> None:
    visits_drawn(harena, tmp_path, "uct1000(reuse=true)")


def test_the_tree_of_the_courses_own_player_is_read_off(harena: Harena, tmp_path: Path) -> None:
    visits_drawn(harena, tmp_path, "uct1000")


def test_json_stays_json_when_a_tree_is_written_too(harena: Harena, tmp_path: Path) -> None:
    position, _, *limit = POSITIONS["isolation"]
    answer = harena("analyse", "isolation", "--position", position, *limit, "--json", "--tree", str(tmp_path / "tree"))
    assert json.loads(answer.out)["move"]


ONE_LINE: dict[str, tuple[list[str], str]] = {
    "bad folder": (["isolation", "--depth", "1", "--size", "5", "--tree", "missing/folder/tree"], "cannot be written"),
    "no tree": (["isolation", "--size", "5", "--agent", "random", "--tree", "x"], "random has no tree"),
    "over": (["isolation", "--position", "1x./xxx/xx2 1"], "there is nothing to analyse: player 2 wins"),
    "drawn": (["trap", "--position", "1.../..../..../...2 1 walk 150"], "there is nothing to analyse: draw"),
    "chance": (["trap", "--position", "1.../..../..../...2 1 @d3 0"], "chance decides here"),
    "no such player": (["isolation", "--agent", "champoin"], "no player 'champoin'; did you mean 'champion'?"),
    "no such option": (["isolation", "--agent", "id(hueristic=open)"], "did you mean 'heuristic'?"),
    "no such heuristic": (["isolation", "--agent", "id(heuristic=opne)"], "did you mean 'open'?"),
    "unfinished": (["isolation", "--agent", "id(heuristic=open"], "is no player"),
    "no value": (["isolation", "--agent", "id(heuristic)"], "is not of the form key=value"),
    "twice": (["isolation", "--agent", "id(depth=1,depth=2)"], "depth is given twice"),
    "no number": (["isolation", "--agent", "id(depth=x)"], "depth is a whole number, not 'x'"),
    "no truth": (["isolation", "--agent", "id(settled=maybe)"], "settled is true or false, not 'maybe'"),
    "no choice": (["isolation", "--agent", "mcts(choice=best)"], "choice is visits, mean or wins, not 'best'"),
    "not a number": (["isolation", "--agent", "mcts(c=nan)"], "c is a number"),
    "of another game": (["isolation", "--agent", "mcts(handicap=2)"], "is colosseum's"),
    "another game's player": (["tiles", "--agent", "uct"], "the player uct is colosseum's"),
    "empty": (["isolation", "--agent", ""], "is no player"),
    "depth 0": (["isolation", "--depth", "0"], "a limit of depth is more than 0"),
    "nodes below 0": (["isolation", "--nodes", "-5"], "a limit of nodes is more than 0"),
    "no seconds": (["isolation", "--seconds", "0"], "a limit of seconds is more than 0"),
    "no time": (["isolation", "--seconds", "soon"], "harena: --seconds "),
    "seven levels": (["isolation", "--levels", "7"], "harena: --levels "),
    "no moves": (["isolation", "--moves", "0"], "harena: --moves "),
    "no game": (["isolatoin"], "did you mean 'isolation'?"),
    "no position": (["isolation", "--position", "nonsense"], "2 fields, not 1"),
}


@pytest.mark.parametrize(("words", "message"), ONE_LINE.values(), ids=ONE_LINE)
def test_a_mistake_gets_one_line(
    harena: Harena, words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = harena("analyse", *words)
    assert (answer.code, answer.out) == (2, ""), answer.err
    assert answer.err.startswith("harena: ") and answer.err.count("\n") == 1 and message in answer.err
    assert list(tmp_path.iterdir()) == []


def test_any_limits_are_kept() -> None:
    game = api.game("isolation", size=5)
    state = game.position(POSITIONS["isolation"][0])
    found = player("champion", game).think(state, Limits(nodes=50))
    assert found.stopped == "nodes" and found.nodes <= 60


def test_moves_that_were_never_tried_have_no_figures(harena: Harena) -> None:
    answer = harena("analyse", "isolation", "--size", "5", "--agent", "mcts(iterations=3)", "--moves", "25")
    assert answer.code == 0
    assert sum(line.split()[1:] == ["?"] for line in answer.out.splitlines() if line.strip()) >= 20


@pytest.mark.process
def test_where_only_ascii_can_be_printed_bars_are_too() -> None:
    words = [sys.executable, "-m", "harena", "analyse", "tiles", "--agent", "greedy"]
    done = subprocess.run(words, env=os.environ | {"PYTHONIOENCODING": "ascii"}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"####" in done.stdout


@pytest.mark.parametrize("game", POSITIONS)
def test_a_level_is_said_to_be_a_weakened_look(harena: Harena, game: str) -> None:
    words = ("analyse", game, "--position", POSITIONS[game][0], "--nodes", "500", "--agent")
    assert WEAKENED in harena(*words, "champion(level=3)").out.splitlines()
    assert WEAKENED not in harena(*words, "champion").out and WEAKENED not in harena(*words, "greedy").out


def test_the_champion_tells_what_it_knows_and_what_its_value_means(harena: Callable[..., Answer]) -> None:
    said = harena("analyse", "tiles", "--nodes", "20000").out
    assert "drawn, proven" in said and "the whole tree was searched" in " ".join(said.split()) and "-0 " not in said
    opening = "......./......./......./...1.../......./......./....... 2"
    assert "won, proven" in harena("analyse", "isolation", "--nodes", "2000", "--position", opening).out  # it is solved
    assert "lost, proven" in harena("analyse", "isolation", "--nodes", "2000").out  # who places first is hunted
    words = ("analyse", "colosseum", "--size", "6", "--seed", "3", "--nodes", "5000")
    values = [one["value"] for one in json.loads(harena(*words, "--json").out)["root"]]
    assert values == sorted(values, reverse=True)
    assert re.search(r"expected score \d+ %", harena(*words).out)
