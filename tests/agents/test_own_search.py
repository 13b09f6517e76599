"""A search of one's own in a file: a player like any other, and one line for what is wrong with it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import harena
from cli.support import Answer, run
from harena.agents.contestant import LocalContestant
from harena.agents.launch import is_file, is_ours
from harena.agents.own_search import PlainSearch
from harena.agents.player import player, resolve
from harena.agents.process import AgentFault
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


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Answer]:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: run(capsys, monkeypatch, *words)


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
        ("Deep", "depth is an option of every search: call that of Deep otherwise"),
        ("Greedy", "heuristic is an option of every search"),
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
    answer = command("resume", last)
    assert answer.code == 2 and f"mine.py has changed since run {last} began" in answer.err


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


ANSWERS = """
import sys

import numpy as np

import harena


class Numpy:
    bounded_by = ()

    def run(self, state, limits, turn):
        moves = state.moves()
        root = [harena.RootMove(move=np.int64(moves[0]), value=np.float32(0.5), visits=np.int64(3)),
                harena.RootMove(move=str(moves[-1]))]
        return harena.Result(move=np.int64(moves[0]), value=np.float32(0.5), nodes=np.int64(7), depth=np.int8(2),
                             iterations=4.0, root=root, line=[moves[0], 999, 0])


class Astray(Numpy):
    def run(self, state, limits, turn):
        return harena.Result(move=state.moves()[0], line=(state.moves()[-1], 0))


class Follows(Numpy):
    def run(self, state, limits, turn):
        move = str(state.moves()[0])
        answers = state.play(move).moves()
        return harena.Result(move=move, line=(move, str(answers[0])) if answers else (move,))


class Answers:
    bounded_by = ()
    what = {}

    def run(self, state, limits, turn):
        return harena.Result(move=state.moves()[0], **self.what)


def answering(**given):
    return type("Wrong", (Answers,), {"what": given})


Text = answering(value="high")
Nan = answering(value=float("nan"))
Half = answering(nodes=0.5)
Many = answering(value=np.zeros(2))
Line = answering(line=3)
Bare = answering(root=(3,))
Far = answering(root=(harena.RootMove(move=999),))
Strange = answering(root=(harena.RootMove(move=[]),))


class Bound(Answers):
    def run(self, state, limits, turn):
        move = state.moves()[0]
        return harena.Result(move=move, root=(harena.RootMove(move=move, bound="?"),))


class Later:
    \"\"\"Fails in a game, and not when it is tried before.\"\"\"

    bounded_by = ("nodes",)

    def run(self, state, limits, turn):
        if limits.seconds is None:
            self.fail(state)
        return state.moves()[0]


class Raises(Later):
    def fail(self, state):
        raise ValueError("no idea")


class Leaves(Later):
    def fail(self, state):
        sys.exit("enough")


class Asks(Later):
    def fail(self, state):
        state.play(999)


class Cheats(Later):
    def run(self, state, limits, turn):
        return 999 if limits.seconds is None else state.moves()[0]


class Never(Later):
    def run(self, state, limits, turn):
        raise ValueError("no idea")


class Forgets(Later):
    games = 0

    def fail(self, state):
        self.games += 1

    def forget(self):
        if self.games:
            raise KeyError("lost")


class Made:
    def __init__(self, width=1):
        raise ValueError("too wide")

    def run(self, state, limits, turn):
        return 0


class OneWord(Answers):
    bounded_by = "seconds"


class Misspelt(Answers):
    bounded_by = ["second"]


class Nameless(Answers):
    def __init__(self, width=1, /):
        pass


class Few(Answers):
    def run(self, state):
        return 0
"""


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.py"
    file.write_text(ANSWERS, "utf-8")
    return file


def test_numbers_of_numpy_are_told_to_other_processes(answers: Path, command: Callable[..., Answer]) -> None:
    found = player(f"{answers}:Numpy", GAME).think(STATE)
    assert (found.value, found.nodes, found.depth, found.iterations) == (0.5, 7, 2, 4)
    kinds = [type(one) for one in (found.move, found.value, found.nodes, found.depth, found.iterations)]
    assert kinds == [int, float, int, int, int]
    first = found.root[0]
    assert [type(one) for one in (first.move, first.value, first.visits)] == [int, float, int]
    assert [one.move for one in found.root] == [int(STATE.moves()[0]), int(STATE.moves()[-1])]
    assert found.line == (found.move,), "the rest cannot be played"
    words = ("match", "isolation", f"{answers}:Numpy", "random", "--games", "2", "--size", "4", "--seconds", "5")
    assert "ends           rules 2" in command(*words).out


def test_a_line_is_kept_as_far_as_it_can_be_played(answers: Path) -> None:
    found = player(f"{answers}:Astray", GAME).think(STATE)
    assert found.line == (found.move,) == (STATE.moves()[0],)
    found = player(f"{answers}:Follows", GAME).think(STATE)
    assert found.line == (found.move, STATE.play(found.move).moves()[0])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Text", "run: the value is a number, not 'high'"),
        ("Nan", "run: the value is a number, not nan"),
        ("Many", r"run: the value is a number, not array"),
        ("Half", "run: nodes is a whole number, not 0.5"),
        ("Line", "run: the line is a tuple, not 3"),
        ("Bare", r"run: the root holds harena.RootMove\(move=...\), not 3"),
        ("Far", "run: the root holds 999, which is no legal move"),
        ("Strange", r"run: the root holds \[\], which is no legal move"),
        ("Bound", "the bound of a root's move is =, <= or >=, not '\\?'"),
        ("Made", "ValueError: too wide"),
        ("OneWord", r"bounded_by of OneWord is a tuple, as in \(\"seconds\",\), not 'seconds'"),
        ("Misspelt", "bounded_by of Misspelt has 'second', which is no limit: those are seconds, nodes,"),
        ("Nameless", "width of Nameless cannot be given by its name: take the / away"),
        ("Few", r"Few.run takes other things: it must be run\(self, state, limits, turn\)"),
    ],
)
def test_what_makes_no_sense_is_one_line(answers: Path, name: str, message: str) -> None:
    with pytest.raises(BadFile, match=message) as error:
        player(f"{answers}:{name}", GAME).think(STATE)
    assert "\n" not in str(error.value) and str(answers) in str(error.value)


@pytest.mark.parametrize(
    ("name", "reason", "message"),
    [
        ("Raises", "crash", "ValueError: no idea"),
        ("Leaves", "crash", "SystemExit: enough"),
        ("Asks", "crash", "IllegalMove"),
        ("Cheats", "crash", "Cheats.run gave 999, which is no legal move"),
        ("Never", "did not load", "ValueError: no idea"),
        ("Forgets", "crash", "KeyError: 'lost'"),
    ],
)
def test_what_it_does_wrong_in_one_process_loses_the_game(
    answers: Path, command: Callable[..., Answer], name: str, reason: str, message: str
) -> None:
    one = LocalContestant(f"{answers}:{name}", "isolation")
    with pytest.raises(AgentFault, match=r"answers\.py") as fault:
        for _ in range(2):
            one.begin({"size": 5}, STATE.text, 0, 1)
            one.choose(STATE, [], Limits(nodes=5), 1)
    assert fault.value.reason == reason and message in fault.value.detail
    if name != "Forgets":  # which is said between two games
        answer = command("analyse", "isolation", "--size", "5", "--agent", f"{answers}:{name}", "--nodes", "5")
        assert answer.code == 2 and message in answer.err and answer.err.count("\n") == 1
    if name in ("Leaves", "Cheats"):
        words = ("--games", "2", "--size", "4", "--nodes", "5", "--local")
        answer = command("match", "isolation", f"{answers}:{name}", "random", *words)
        assert answer.code == 0 and "crash 2" in answer.out, answer.err


def test_what_the_rules_of_a_game_do_wrong_is_not_its_fault(tmp_path: Path) -> None:
    rules, looks = tmp_path / "rules.py", tmp_path / "looks.py"
    text = (ROOT / "examples" / "tictactoe.py").read_text("utf-8")
    rules.write_text(text.replace("marks = self.marks(value)", "marks = {}[0]"), "utf-8")
    looks.write_text("class Looks:\n    def run(self, state, limits, turn):\n        return state.text\n")
    one = LocalContestant(f"{looks}:Looks", str(rules))
    with pytest.raises(KeyError):
        one.begin({}, "", 0, 1)


@pytest.mark.parametrize("name", ["my_search", "my_algorithm"])
def test_the_page_shows_the_whole_example(name: str) -> None:
    page = (ROOT / "docs" / "search" / "own.md").read_text("utf-8")
    assert (ROOT / "examples" / f"{name}.py").read_text("utf-8") in page
    heuristics = (ROOT / "docs" / "heuristics.md").read_text("utf-8")
    assert (ROOT / "examples" / "my_heuristic.py").read_text("utf-8") in heuristics
