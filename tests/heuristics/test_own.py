"""A user's own heuristic: compiled like ours, followed when it is edited, and one line for what is wrong with it."""

import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import harena
from cli.support import run
from harena.agents import plain
from harena.agents.player import player
from harena.cli.compiling import WORDS
from harena.errors import BadFile, HarenaError
from harena.heuristics.names import heuristic
from harena.search.result import Limits
from heuristics.support import random_positions, value

POSITIONS = random_positions("isolation", 5, 16, size=5)
MINE = """
from harena.heuristics.features import cell_of, hops, lookahead, mobility, open_ground, reach, territory

TWICE = 2


def my_score(state, me):
    return mobility(state, me) - TWICE * moves_of_the_other(state, me)


def moves_of_the_other(state, me):
    return mobility(state, 1 - me)


def ground(state, me):
    difference = open_ground(state, me) - open_ground(state, 1 - me)
    return difference + 2 * (reach(state, me) - reach(state, 1 - me)) + 4 * territory(state, me)


def ahead(state, me):
    if cell_of(state, me) < 0 or cell_of(state, 1 - me) < 0:
        return 0.0
    return lookahead(state, me) - hops(8, cell_of(state, me), cell_of(state, 1 - me))
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(MINE, "utf-8")
    return file


def same(text: str, other: str) -> None:
    for state in POSITIONS:
        for me in (0, 1):
            assert value(text, state, me) == pytest.approx(value(other, state, me), abs=1e-12), state.text


def test_a_function_with_helpers_and_constants_equals_the_heuristic_of_ours_that_it_restates(mine: Path) -> None:
    same(f"{mine}:my_score", "aggressive")


@pytest.mark.slow
def test_every_word_of_features_can_be_used(mine: Path) -> None:
    same(f"{mine}:ground", "horizon + 2*reach + 4*territory")
    placed = [state for state in POSITIONS if state.text.count("1") + state.text.count("2") == 3]
    assert placed
    for state in placed:
        assert value(f"{mine}:ahead", state, 0) == value("outlook + proximity", state, 0)


@pytest.mark.slow
def test_own_functions_are_parts_of_weighted_sums_and_phases(mine: Path) -> None:
    same(f"0.5*{mine}:my_score - 2*improved", "0.5*aggressive - 2*improved")
    same(f"phased({mine}:my_score, improved)", "phased(aggressive, improved)")


@pytest.mark.parametrize("text", ["improved+{}:my_score", "improved -{}:my_score", "-{}:my_score"])
def test_no_blanks_are_needed_around_the_signs(mine: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    spaced = text.replace("+", " + ").replace("-", " - ")
    assert heuristic("isolation", text.format("mine.py")) == heuristic("isolation", spaced.format("mine.py"))


def test_a_path_relative_to_the_working_folder(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine.parent)
    assert value("mine.py:my_score", POSITIONS[-1], 0) == value("aggressive", POSITIONS[-1], 0)
    assert heuristic("isolation", "2*./mine.py:my_score") == heuristic("isolation", "2*mine.py:my_score")


@pytest.mark.slow
def test_an_edited_file_gives_its_new_values_in_the_same_process(mine: Path) -> None:
    same(f"{mine}:my_score", "aggressive")
    mine.write_text(MINE.replace("TWICE = 2", "TWICE = 1"), "utf-8")
    same(f"{mine}:my_score", "improved")
    mine.write_text(MINE.replace("1 - me)\n\n\ndef ground", "1 - me) - 0.5\n\n\ndef ground"), "utf-8")  # a helper
    assert value(f"{mine}:my_score", POSITIONS[0], 0) == value("aggressive", POSITIONS[0], 0) + 1
    mine.write_text(MINE, "utf-8")
    same(f"{mine}:my_score", "aggressive")


def test_the_same_name_in_two_files_is_two_heuristics(mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("def my_score(state, me):\n    return 41 + me\n", "utf-8")
    assert [value(f"{other}:my_score", POSITIONS[0], me) for me in (0, 1)] == [41, 42]
    same(f"{mine}:my_score", "aggressive")


@pytest.mark.slow
def test_one_function_serves_every_game_with_pieces(mine: Path) -> None:
    for game in ("trap", "colosseum"):
        state = harena.game(game, size=5).initial(seed=1)
        assert value(f"{mine}:my_score", state, 1) == value("aggressive", state, 1)


@pytest.mark.slow
def test_a_search_plays_by_it_as_by_ours(mine: Path) -> None:
    game = harena.game("isolation", size=5)
    own, ours = (
        player(f"alphabeta(heuristic={name})", game).think(POSITIONS[2], Limits(depth=2))
        for name in (f"{mine}:my_score", "aggressive")
    )
    assert (own.move, own.value, own.nodes) == (ours.move, ours.value, ours.nodes)


WEIGHTED = """
from harena.heuristics.features import mobility


def score(state, me, weight=1.0, bonus: float = 0, sharp=False, times=1):
    value = times * (mobility(state, me) - weight * mobility(state, 1 - me)) + bonus
    return 2 * value if sharp else value


def slow(state, me, weight=1.0):
    return {"value": mobility(state, me)}["value"] - weight * eval("mobility(state, 1 - me)", globals(), locals())
"""


@pytest.fixture
def weighted(tmp_path: Path) -> Path:
    file = tmp_path / "weighted.py"
    file.write_text(WEIGHTED, "utf-8")
    return file


@pytest.mark.slow
def test_parameters_are_numbers_with_defaults_that_the_text_may_set(weighted: Path) -> None:
    same(f"{weighted}:score", "improved")
    same(f"{weighted}:score()", "improved")
    same(f"{weighted}:score(weight=2)", "aggressive")
    same(f"2*{weighted}:score(weight=2, times=3) - improved", "6*aggressive - improved")
    same(f"phased({weighted}:score(sharp=yes), {weighted}:score(weight=2))", "phased(2*improved, aggressive)")
    found, plain = (value(f"{weighted}:score{given}", POSITIONS[0], 0) for given in ("(bonus=-1.5)", ""))
    assert found == plain - 1.5


def test_all_values_of_a_parameter_are_one_class(weighted: Path) -> None:
    one, other = (heuristic("isolation", f"{weighted}:score(weight={weight})") for weight in (1, 2.5))
    assert type(one) is type(other) and one != other


@pytest.mark.slow
def test_parameters_reach_what_cannot_be_compiled(weighted: Path) -> None:
    game = harena.game("isolation", size=5)
    own, ours = (
        player(f"alphabeta(heuristic={name})", game).think(POSITIONS[2], Limits(depth=2))
        for name in (f"{weighted}:slow(weight=2)", "aggressive")
    )
    assert (own.move, own.value, own.nodes) == (ours.move, ours.value, ours.nodes)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("(wight=2)", "no parameter of score 'wight'; there are: weight, bonus, sharp, times"),
        ("(weight=a)", "weight is a number, not 'a'"),
        ("(times=1.5)", "times is a whole number, not '1.5': its default is 1; write 1.0 there for any number"),
        ("(sharp=perhaps)", "sharp is true or false, not 'perhaps'"),
        ("(weight=1, weight=2)", "weight is given twice"),
        ("(weight=)", "a value is missing before ')'"),
        ("(=1)", "a name is missing before '='"),
        ("(weight)", "'=' is missing"),
        ("(weight=1 times=2)", "',' is missing"),
        ("(weight=1", "',' is missing at the end"),
    ],
)
def test_a_wrong_parameter_is_one_line(weighted: Path, given: str, message: str) -> None:
    with pytest.raises(HarenaError) as error:
        heuristic("isolation", f"{weighted}:score{given}")
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_function_without_parameters_has_none(mine: Path) -> None:
    with pytest.raises(HarenaError, match="no parameter of my_score 'a'; there are: none"):
        heuristic("isolation", f"{mine}:my_score(a=1)")


@pytest.mark.parametrize(("weight", "times"), [("100", 0), ("5000", 1)])
def test_values_that_are_cut_are_named_once(
    tmp_path: Path, weight: str, times: int, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "large.py"
    file.write_text(
        "from harena.heuristics.features import mobility\n"
        "def score(state, me, weight=1.0):\n    return 1 / 0 if me > 5 else weight * mobility(state, me)\n"
        "def fails(state, me):\n    return 1 / (mobility(state, me) - 8)\n",
        "utf-8",
    )
    game = harena.game("isolation")
    with caplog.at_level(logging.WARNING, "harena"):
        for _ in range(2):
            player(f"id(heuristic=improved + {file}:score(weight={weight}))", game)
        player(f"id(heuristic={file}:fails)", game)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == times
    assert all("large.py: score: in a random position the heuristic is" in one and "9,999" in one for one in said)


@pytest.mark.slow
def test_the_look_for_values_that_are_cut_is_short_and_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "looked.py"
    file.write_text("def score(state, me, weight=1.0):\n    return weight\n", "utf-8")
    asked: list[object] = []
    monkeypatch.setattr(plain, "evaluate", lambda whole, state, me: asked.append(whole) or time.sleep(0.01) or 0.0)
    monkeypatch.setattr(plain, "LOOK", 0.05)
    game = harena.game("isolation", size=5)
    player(f"id(heuristic={file}:score)", game)
    first = len(asked)
    assert 0 < first <= 6
    player(f"id(heuristic={file}:score)", game)
    assert len(asked) == first
    player(f"id(heuristic={file}:score(weight=2))", game)
    assert len(asked) > first, "with other weights it is another one"


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        (MINE, "score", "there is no function 'score'; there are: my_score, moves_of_the_other, ground, ahead"),
        (MINE, "mobility_of", "there is no function 'mobility_of'"),
        (MINE, "TWICE", "there is no function 'TWICE'"),
        ("x = 1\n", "my_score", "there are: none"),
        ("def my_score(state):\n    return 0\n", "my_score", "must take a state and a player"),
        ("def my_score(state, me, more):\n    return 0\n", "my_score", "as in: def my_score(state, me)"),
        ("def my_score(state, me, *, more=1.0):\n    return 0\n", "my_score", "only numbers with defaults"),
        ("def my_score(state, me, more='x'):\n    return 0\n", "my_score", "def my_score(state, me, weight=1.0)"),
        ("def my_score(state, me)\n    return 0\n", "my_score", "mine.py:1: expected ':'"),
        ("\n\n1 / 0\n", "my_score", "mine.py:3: ZeroDivisionError: division by zero"),
        ("import nowhere_to_be_found\n", "my_score", "mine.py:1: ModuleNotFoundError"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(mine: Path, source: str, name: str, message: str) -> None:
    mine.write_text(source, "utf-8")
    with pytest.raises(BadFile) as error:
        heuristic("isolation", f"{mine}:{name}")
    assert message in str(error.value) and "mine.py" in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"gone\.py: cannot be read: No such file or directory$"):
        heuristic("isolation", f"{tmp_path}/gone.py:my_score")


# What Numba cannot compile runs as plain Python, with the same values, and that is said.

PLAIN = """
import json
from harena.heuristics.features import mobility


class Pair:
    def __init__(self, mine, theirs):
        self.mine, self.theirs = mine, theirs


def with_json(state, me):
    return json.loads(json.dumps({"mine": mobility(state, me)}))["mine"] - 2 * mobility(state, 1 - me)


def with_class(state, me):
    pair = Pair(mobility(state, me), mobility(state, 1 - me))
    return pair.mine - 2 * pair.theirs


def with_dictionary(state, me):
    return sum({"mine": mobility(state, me), 2: -2 * mobility(state, 1 - me)}.values())
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["with_json", "with_class", "with_dictionary"])
def test_what_cannot_be_compiled_plays_the_same_and_says_that_it_is_slower(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "plain.py"
    file.write_text(PLAIN, "utf-8")
    game = harena.game("isolation", size=5)
    with caplog.at_level(logging.WARNING, "harena"):
        own = player(f"alphabeta(heuristic=1*{file}:{name})", game)
        own.ready()
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1 and "plain Python" in said[0] and "slower" in said[0] and "plain.py" in said[0]
    assert "\n" not in said[0]
    ours = player("alphabeta(heuristic=aggressive)", game)
    for state in POSITIONS[:3]:
        found, expected = (one.think(state, Limits(depth=2)) for one in (own, ours))
        assert (found.move, found.value, found.nodes) == (expected.move, expected.value, expected.nodes)


def command(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    whole = [sys.executable, "-m", "harena", "analyse", "isolation", "--size", "4", "--depth", "2", *words]
    return subprocess.run(
        whole, capture_output=True, text=True, cwd=folder, env=os.environ | {"COLUMNS": "80"} | env, check=False
    )


@pytest.mark.process
def test_the_command_says_once_that_it_is_slower_now_and_when_it_comes_from_the_disk(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN, "utf-8")
    answers = [
        command(tmp_path, "--json", "--agent", "greedy(heuristic=plain.py:with_json)", HARENA_CACHE=str(tmp_path / "c"))
        for _ in range(2)
    ]
    for answer in answers:
        assert answer.returncode == 0, answer.stderr
        told = answer.stderr.replace(f"{WORDS}\n", "")  # on a slow machine it says that too
        assert told.count("slower") == 1 and told.strip().count("\n") == 0
    first, second = (json.loads(answer.stdout) for answer in answers)
    assert first["root"] == second["root"]


WRONG = {
    "return 'good'": "'good'",
    "pass": "None",
    "raise ValueError('ouch')": "ouch",
    "if me < 2:\n        raise ValueError('ouch')\n    return 1.0": "ouch",
    "return [1, 2, 3][me + state.rows]": "IndexError",
    "return {}[me]": "KeyError",
    "return undefined_name": "undefined_name",
}


@pytest.mark.parametrize(("body", "message"), WRONG.items(), ids=WRONG)
def test_what_fails_when_it_is_asked_ends_in_one_line_that_names_the_file(
    mine: Path,
    body: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    mine.write_text(f"def my_score(state, me):\n    {body}\n", "utf-8")
    agent = f"greedy(heuristic={mine}:my_score)"
    answer = run(capsys, monkeypatch, "analyse", "isolation", "--size", "5", "--agent", agent)
    assert (answer.code, answer.out) == (2, ""), answer.err
    assert answer.err.startswith("harena: ") and answer.err.count("\n") == 1
    assert "mine.py" in answer.err and message in answer.err
    assert "bug" not in answer.err and "max_moves" not in answer.err
    assert "src/harena" not in answer.err + caplog.text.replace("harena:plain.py", ""), "the user's line is to look at"


@pytest.mark.process
def test_plain_python_mode_gives_the_same_values(mine: Path) -> None:
    words = ("--json", "--agent", f"greedy(heuristic={mine}:my_score)")
    compiled, interpreted = (command(mine.parent, *words, HARENA_JIT=jit) for jit in "10")
    assert compiled.returncode == interpreted.returncode == 0, interpreted.stderr
    assert json.loads(compiled.stdout)["root"] == json.loads(interpreted.stdout)["root"]


def test_errors_are_of_the_family_that_the_command_line_knows(tmp_path: Path) -> None:
    with pytest.raises(HarenaError):
        player(f"id(heuristic={tmp_path}/gone.py:f)", harena.game("isolation", size=4))
