"""`harena solve`: exact values of small positions, and how far it got where that is too much."""

import json
from collections.abc import Callable
from functools import cache

import pytest

import harena as api
from cli.support import Answer, run
from harena.cli.solve import Working

Harena = Callable[..., Answer]
SOLVING = "solving {}; Ctrl-C stops it with what is proven so far\n"
WORDS = {1: "wins", 0: "draws", -1: "loses"}
TILES = ["BRB/RBR/BRB R 1", "BXB/RBR/BRB R 2", "RRB/XBR/BRR B 1", "RBX/BXB/XBR R 1"]
ISOLATION = [".../.../... 1", "1.../..x./..../...2 1", "1x../..x./.x../.2.x 2", "1..../.x.x./..x../.x.x./....2 1"]


@pytest.fixture
def harena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    monkeypatch.setenv("COLUMNS", "80")
    return lambda *words: run(capsys, monkeypatch, *words)


@cache
def exact(state: api.State) -> int:
    """1 won, 0 drawn, -1 lost for the player to move, by trying everything."""
    if state.outcome is not None:
        return 0 if state.outcome.winner is None else (1 if state.outcome.winner == state.mover else -1)
    return max(-exact(state.play(move)) for move in state.moves())


def position(game: str, text: str) -> api.State:
    return api.game(game, size=text.split(maxsplit=1)[0].count("/") + 1).position(text)


def verdict(out: str) -> str:
    """The line below the board's caption."""
    lines = out.splitlines()
    return lines[next(number for number, line in enumerate(lines) if " positions visited in " in line) - 1]


def groups(out: str) -> dict[str, list[str]]:
    """The rows of the table: a word, and the moves it holds for."""
    lines = out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("line: ")) + 2
    rows = [line.strip().rpartition("  ") for line in lines[start : lines.index("", start)]]
    return {word.strip(): moves.split() for word, _, moves in rows}


@pytest.mark.parametrize(
    ("game", "text"), [("tiles", text) for text in TILES] + [("isolation", text) for text in ISOLATION]
)
def test_the_value_is_the_exact_one_and_the_line_holds_it(harena: Harena, game: str, text: str) -> None:
    state = position(game, text)
    answer = harena("solve", game, "--position", text)
    assert (answer.code, answer.err) == (0, SOLVING.format(game))
    assert verdict(answer.out) == f"player {state.mover + 1} {WORDS[exact(state)]}"
    line = next(line for line in answer.out.splitlines() if line.startswith("line: ")).split()[1:]
    value = exact(state)
    for move in line:
        state, value = state.play(move), -value
        assert exact(state) == value, f"{move} is a mistake"
    assert answer.out.splitlines()[-1] == f"position: {text}"
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("game", "text"), [("tiles", text) for text in TILES[1:]] + [("isolation", text) for text in ISOLATION[:3]]
)
def test_all_settles_every_move(harena: Harena, game: str, text: str) -> None:
    state = position(game, text)
    answer = harena("solve", game, "--position", text, "--all")
    expected: dict[str, set[str]] = {}
    for move in state.moves():
        expected.setdefault(WORDS[-exact(state.play(move))], set()).add(str(move))
    assert {word: set(moves) for word, moves in groups(answer.out).items()} == expected
    told = json.loads(harena("solve", game, "--position", text, "--all", "--json").out)
    assert (told["game"], told["position"], told["value"]) == (game, text, exact(state))
    assert {one["move"]: one["value"] for one in told["root"]} == {
        str(move): -exact(state.play(move)) for move in state.moves()
    }


def test_without_all_it_says_what_it_did_not_need(harena: Harena) -> None:
    text = TILES[0]
    state = position("tiles", text)
    found = groups(harena("solve", "tiles", "--position", text).out)
    assert found["draws"][0] in map(str, state.moves())
    for move in found["does not win"]:
        assert -exact(state.play(move)) <= 0
    assert sum(map(len, found.values())) == len(state.moves())


def test_a_size_stands_for_its_start_position(harena: Harena) -> None:
    answer = harena("solve", "isolation", "--size", "3")
    assert verdict(answer.out) == "player 1 loses" and answer.out.endswith("position: .../.../... 1\n")


def test_too_few_positions_are_said_with_how_far_it_got(harena: Harena) -> None:
    answer = harena("solve", "isolation", "--size", "7", "--nodes", "50")
    assert (answer.code, answer.err) == (0, SOLVING.format("isolation"))
    words = " ".join(answer.out.split())
    assert "not solved, the positions were used up; proven so far: " in words
    assert "0 of 49 moves settled" in words
    assert "line: " not in answer.out


def test_what_is_not_solved_is_null_with_its_bounds_for_programs(harena: Harena) -> None:
    told = json.loads(harena("solve", "isolation", "--size", "7", "--nodes", "50", "--json").out)
    assert (told["value"], told["low"], told["high"], told["stopped"]) == (None, -1.0, 1.0, "nodes")
    thrown = json.loads(harena("solve", "trap", "--position", "..../..../..xx/.1.2 1 @c4 9", "--json").out)
    assert thrown["value"] == 1.0 and [one["move"] for one in thrown["root"]] == ["!c4"]


def test_what_is_proven_so_far_is_true(harena: Harena) -> None:
    state = position("isolation", ISOLATION[3])
    for nodes in (5, 40, 200):
        answer = harena("solve", "isolation", "--position", ISOLATION[3], "--nodes", str(nodes), "--all")
        words = " ".join(answer.out.split())
        if "not solved" not in words:
            assert f"player 1 {WORDS[exact(state)]}" in words
        if "does not win" in words:
            assert exact(state) <= 0
        if "does not lose" in words:
            assert exact(state) >= 0


def test_a_throw_in_flight_that_cannot_miss_is_won(harena: Harena) -> None:
    """2 in the corner d4 has only c4 left, which is beside 1."""
    answer = harena("solve", "trap", "--position", "..../..../..xx/.1.2 1 @c4 9", "--nodes", "1000")
    assert (answer.code, answer.err) == (0, SOLVING.format("trap"))
    assert verdict(answer.out) == "player 1 wins"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["isolation", "--position", "1x./xxx/xx2 1"], "there is nothing to solve: player 2 wins"),
        (["tiles", "--position", "RXX/XXX/XXX R 1"], "there is nothing to solve: player 2 wins"),
        (["isolation", "--nodes", "0"], "a limit of nodes is more than 0"),
        (["isolation", "--memory", "much"], "--memory is a number, not much"),
        (["isolation", "--memory", "0", "--nodes", "5"], "memory"),
        (["isolation", "--memory", "-1", "--nodes", "5"], "memory"),
        (["isolation", "--memory", "nan", "--nodes", "5"], "memory"),
        (["isolatoin"], "did you mean 'isolation'?"),
    ],
)
def test_a_mistake_gets_one_line(harena: Harena, words: list[str], message: str) -> None:
    answer = harena("solve", *words)
    assert (answer.code, answer.out) == (2, ""), answer.err
    assert answer.err.startswith("harena: ") and answer.err.count("\n") == 1 and message in answer.err


def test_seconds_are_beside_the_spinner() -> None:
    beside = Working()
    beside.begin -= 12.2
    assert str(beside.__rich__()) == "solving, 12 s (Ctrl-C stops it with what is proven so far)"
