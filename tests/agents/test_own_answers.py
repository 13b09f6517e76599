"""What a search of one's own answers: numbers of every kind are kept, and nonsense is one line or a lost game."""

from collections.abc import Callable
from pathlib import Path

import pytest

import harena
from cli.support import Answer
from harena.agents.contestant import LocalContestant
from harena.agents.fault import AgentFault
from harena.agents.player import player
from harena.errors import BadFile
from harena.search.result import Limits

ROOT = Path(__file__).parents[2]
GAME = harena.game("isolation", size=5)
STATE = GAME.position("...../.2.../...../..1../..... 1")

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


@pytest.mark.process
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


@pytest.mark.process
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


@pytest.mark.slow
def test_what_the_rules_of_a_game_do_wrong_is_not_its_fault(tmp_path: Path) -> None:
    rules, looks = tmp_path / "rules.py", tmp_path / "looks.py"
    text = (ROOT / "examples" / "tictactoe.py").read_text("utf-8")
    rules.write_text(text.replace("marks = self.marks(value)", "marks = {}[0]"), "utf-8")
    looks.write_text("class Looks:\n    def run(self, state, limits, turn):\n        return state.text\n")
    one = LocalContestant(f"{looks}:Looks", str(rules))
    with pytest.raises(KeyError):
        one.begin({}, "", 0, 1)
