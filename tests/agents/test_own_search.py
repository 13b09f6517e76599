"""A search of one's own in a file: a player like any other, and one line for what is wrong with it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import harena
from cli.support import Answer
from harena.agents.launch import is_file, is_ours
from harena.agents.own_search import PlainSearch
from harena.agents.player import player, resolve
from harena.agents.text import own_files, split
from harena.arena.store import Store
from harena.errors import BadFile, BadOption, CompileError, UnknownName
from harena.search.result import Limits, Turn

ROOT = Path(__file__).parents[2]
FLAT, FORCED = f"{ROOT}/examples/my_search.py:Flat", f"{ROOT}/examples/my_algorithm.py:Forced"
GAME = harena.game("isolation", size=5)
STATE = GAME.position("...../.2.../...../..1../..... 1")
TICTACTOE = harena.game(ROOT / "examples" / "tictactoe.py")

MINE = """
from typing import NamedTuple

import harena
from harena.search.workspace import search


class First:
    bounded_by = ()

    def run(self, state, limits, turn):
        return state.moves()[0]


class Told:
    def __init__(self, weight=2, name: str = "ada", sharp=False, share: "float" = 1):
        self.told = (weight, name, sharp, share)
        self.games = 0

    def run(self, state, limits, turn):
        assert turn.flag[0] == 0
        self.limits = limits
        return str(state.moves()[-1])

    def forget(self):
        self.games += 1


class Nothing:
    pass


class Illegal:
    def run(self, state, limits, turn):
        return 999


class Silent:
    def run(self, state, limits, turn):
        pass


class Wrong:
    def run(self, state, limits, turn):
        return harena.Result(move=999)


class Wants:
    def __init__(self, thing):
        pass

    def run(self, state, limits, turn):
        return 0


class Deep:
    def __init__(self, depth=3):
        pass

    def run(self, state, limits, turn):
        return 0


class Failing:
    def run(self, state, limits, turn):
        return {}["nothing"]


class Bare(NamedTuple):
    windows: bool = True


class Unknown(NamedTuple):
    windows: bool = True
    narrows: bool = False


class Greedy(NamedTuple):
    windows: bool = False
    narrows: bool = False
    heuristic: float = 1.0


@search.method(Bare)
def _(algorithm, state, me, heuristic, depth, alpha, beta, work, ply):
    return 0.0


@search.method(Unknown)
def _(algorithm, state, me, heuristic, depth, alpha, beta, work, ply):
    return undefined_name(state)


@search.method(Greedy)
def _(algorithm, state, me, heuristic, depth, alpha, beta, work, ply):
    return 0.0


function = len
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE, "utf-8")
    return file


def test_its_text_is_that_of_a_player_of_ours() -> None:
    assert split("a b/mine.py:Mine(width=4, heuristic=x.py:f(a=1, b=2))") == (
        "a b/mine.py:Mine",
        {"width": "4", "heuristic": "x.py:f(a=1, b=2)"},
    )
    assert own_files(" a b/mine.py:Mine(width=4, heuristic=./x.py:f(a=1) + y.py:g)") == [
        "a b/mine.py",
        "./x.py",
        "y.py",
    ]
    assert own_files("id(heuristic=mine.py:f)") == ["mine.py"] and own_files("id") == []
    for text in ("improved -mine.py:score", "improved - mine.py:score", "-mine.py:score", "2*mine.py:score(a=1)"):
        assert own_files(f"id(heuristic={text})") == ["mine.py"], "a minus before it is none of its letters"
    assert own_files("id(heuristic=my-own.py:score)") == ["my-own.py"]
    assert resolve("mine.py:Mine(width=4)", "isolation") == ("mine.py:Mine", {"width": "4"}), "and nothing is loaded"
    for text in ("mine.py:Mine", "./mine.py:Mine", "sub/mine.py:Mine(a=1)"):
        assert is_ours(text) and not is_file(text)
    assert is_file("mine.py") and is_file("./mine.py") and not is_ours("aind:mine.py:Mine")


def test_the_plain_example_finds_a_win_and_repeats_itself() -> None:
    state = TICTACTOE.position("XX./OO./... 1")
    result = player(f"{FLAT}(c=2, iterations=200)", TICTACTOE).think(state, seed=3)
    assert str(state.named(result.move)) == "c1" and result.value == 1.0 and result.iterations == 200
    assert sum(one.visits or 0 for one in result.root) == 200 and result.line == (result.move,)
    again = player(f"{FLAT}(c=2, iterations=200)", TICTACTOE).think(state, seed=3)
    assert replace(again, seconds=result.seconds) == result
    other = player(f"{FLAT}(iterations=200)", TICTACTOE).think(state, seed=3)
    assert other.root != result.root


def test_the_compiled_example_is_alpha_beta_where_nothing_is_forced_and_looks_further_where_it_is() -> None:
    for state in (STATE, STATE.play(STATE.moves()[0])):
        ours = player("alphabeta(heuristic=improved, deepen=yes)", GAME).think(state, Limits(depth=4))
        same = player(f"{FORCED}(free=0, heuristic=improved)", GAME).think(state, Limits(depth=4))
        assert (same.move, same.value, same.nodes, same.root) == (ours.move, ours.value, ours.nodes, ours.root)
        more = player(f"{FORCED}(heuristic=improved)", GAME).think(state, Limits(depth=4))
        assert more.nodes > same.nodes
    trap = harena.game("trap", size=4)
    thrown = player(f"{FORCED}(heuristic=improved, free=0, deepen=no)", trap).think(trap.initial(), Limits(depth=2))
    ours = player("alphabeta(heuristic=improved)", trap).think(trap.initial(), Limits(depth=2))
    assert thrown.value == pytest.approx(ours.value)


def test_options_are_read_by_annotation_or_default(mine: Path) -> None:
    made = player(f"{mine}:Told(weight=3, name=bob, sharp=yes, share=0.5)", GAME).search
    assert isinstance(made, PlainSearch) and made.made.told == (3, "bob", True, 0.5)
    assert player(f"{mine}:Told", GAME).search.made.told == (2, "ada", False, 1)  # type: ignore[attr-defined]
    for text, error, message in (
        ("Told(weight=1.5)", BadOption, "weight is a whole number, not '1.5'"),
        ("Told(wight=1)", UnknownName, "did you mean 'weight'?"),
        ("Told(sharp=perhaps)", BadOption, "sharp is true or false"),
    ):
        with pytest.raises(error, match=message.replace("?", r"\?")):
            player(f"{mine}:{text}", GAME)


def test_limits_and_the_end_of_a_game_come_to_it(mine: Path) -> None:
    found = player(f"{mine}:Told", GAME)
    assert found.think(STATE).move == STATE.moves()[-1]
    made = found.search.made  # type: ignore[attr-defined]
    assert made.limits == Limits(seconds=1.0) and made.games == 1, "after the rehearsal"
    found.think(STATE, Limits(iterations=5))
    assert made.limits == Limits(iterations=5)
    first = player(f"{mine}:First", GAME)
    assert first.search.bounded_by == () and first.think(STATE).stopped == "chosen"
    first.forget()  # nothing to tell


def test_rounds_end_at_the_first_limit_or_when_stopped() -> None:
    assert list(Turn().rounds(Limits(iterations=3, nodes=5))) == [0, 1, 2]
    assert list(Turn().rounds(Limits(nodes=2, seconds=60))) == [0, 1]
    assert list(Turn().rounds(Limits(seconds=1e-9))) == [0], "one at least"
    flag = np.ones(1, np.int64)
    assert list(Turn(flag=flag).rounds(Limits())) == [0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Gone", "there is no search 'Gone'; there are: First, Told, Illegal,"),
        ("function", "there is no search 'function'"),
        ("Nothing", r"Nothing is no search: it needs a method run\(self, state, limits, turn\)"),
        ("Wants", "thing of Wants must be a number, a word or true or false, with a default"),
        ("Deep", "rename the option depth of Deep: every search has one of that name"),
        ("Greedy", "rename the option heuristic of Greedy"),
        ("Bare", "Bare needs the field narrows, as in narrows: bool = False"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(mine: Path, name: str, message: str) -> None:
    with pytest.raises(BadFile, match=message) as error:
        player(f"{mine}:{name}", GAME)
    assert "\n" not in str(error.value) and str(mine) in str(error.value)


@pytest.mark.parametrize("name", ["Illegal", "Silent", "Wrong"])
def test_an_answer_that_is_no_move_is_one_line(mine: Path, name: str) -> None:
    with pytest.raises(BadFile, match=rf"mine\.py: {name}\.run gave .+, which is no legal move"):
        player(f"{mine}:{name}", GAME).think(STATE)


@pytest.mark.slow
def test_what_cannot_be_compiled_names_the_line(mine: Path) -> None:
    with pytest.raises(CompileError, match=r"mine\.py:\d+: cannot be compiled: name 'undefined_name'"):
        player(f"{mine}:Unknown", GAME).ready()


def test_a_file_without_the_search_or_without_itself(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("X = 1\n")
    with pytest.raises(BadFile, match="there are: none"):
        player(f"{tmp_path}/empty.py:Mine", GAME)
    with pytest.raises(BadFile, match=r"gone\.py: cannot be read: No such file"):
        player(f"{tmp_path}/gone.py:Mine", GAME)


def test_an_edited_file_is_another_search(mine: Path) -> None:
    assert player(f"{mine}:First", GAME).choose(STATE) == STATE.moves()[0]
    mine.write_text(MINE.replace("state.moves()[0]", "state.moves()[1]"), "utf-8")
    assert player(f"{mine}:First", GAME).choose(STATE) == STATE.moves()[1]


def test_analyse_tells_what_it_found_and_where_it_failed(mine: Path, command: Callable[..., Answer]) -> None:
    words = ("analyse", "isolation", "--size", "5")
    answer = command(*words, "--agent", f"{FLAT}(iterations=30)", "--json")
    assert answer.code == 0 and json.loads(answer.out)["iterations"] == 30
    assert "30 iterations, 0." in command(*words, "--agent", f"{FLAT}(iterations=30)").out
    answer = command(*words, "--agent", f"{FORCED}(heuristic=improved, depth=2)")
    assert answer.code == 0 and "depth 2" in answer.out
    answer = command(*words, "--agent", f"{mine}:Failing")
    assert answer.code == 2 and "KeyError: 'nothing'" in answer.err and "mine.py" in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.process
def test_it_plays_matches_and_sweeps_and_a_run_does_not_go_on_with_another(
    mine: Path, command: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--games", "2", "--size", "4", "--seconds", "5")
    answer = command("match", "isolation", f"{mine}:First", f"{FORCED}(depth=1)", *words)
    assert answer.code == 0 and "ends           rules 2" in answer.out, answer.err
    template = f"{FORCED}(free={{n}}, heuristic=improved, depth=1)"
    answer = command("sweep", "isolation", template, "random", "--over", "n=0,3", "--games", "2", "--size", "4")
    assert answer.code == 0 and "in one process" in answer.out, answer.err
    answer = command("tournament", "isolation", f"{mine}:First", "random", "--games", "2", "--size", "4", "--local")
    assert answer.code == 0, answer.err
    monkeypatch.setattr("harena.cli.match.play_missing", _stop)
    command("match", "isolation", f"{mine}:First", "random", *words)
    mine.write_text(MINE.replace("state.moves()[0]", "state.moves()[1]"), "utf-8")
    with Store() as store:
        last = store.runs()[-1].id
    answer = command("resume", last, "--agent", f"{mine}:First")
    assert answer.code == 2 and f"mine.py has changed since run {last} began" in answer.err


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["my_search", "my_algorithm"])
def test_the_page_shows_the_whole_example(name: str) -> None:
    page = (ROOT / "docs" / "search" / "own.md").read_text("utf-8")
    assert (ROOT / "examples" / f"{name}.py").read_text("utf-8") in page
    heuristics = (ROOT / "docs" / "heuristics.md").read_text("utf-8")
    assert (ROOT / "examples" / "my_heuristic.py").read_text("utf-8") in heuristics
