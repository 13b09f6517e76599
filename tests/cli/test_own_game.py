"""Mistakes in a game of one's own: one line that names the file, never "a bug in Harena"; and troubled output."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import run
from harena.arena.sources import WHOLE, check_unchanged, sources
from harena.errors import UsageError

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "examples" / "tictactoe.py").read_text("utf-8")

MISTAKES = {
    "no entry": ("    entry = Entry(", "    entries = Entry(", "TicTacToeFace needs an entry"),
    "entry is text": (
        'Entry(name="tictactoe", title="Tic-tac-toe", summary="three in a row win")',
        "'x'",
        "needs an entry",
    ),
    "no state": ("    state = TicTacToe\n", "", "needs the class of its states"),
    "no setup": ("    def setup(", "    def set_up(", "needs a method setup()"),
    "setup without return": ("        return Start(0)\n", "        Start(0)\n", "setup() gave None"),
    "face with arguments": ("    def setup(", "    def __init__(self, x): ...\n\n    def setup(", "without arguments"),
    "wrong max_moves": ("    return 9\n", "    return 2\n", "moves wrote 9 moves, but max_moves says 2"),
    "negative max_moves": ("    return 9\n", "    return -1\n", "max_moves is a whole number"),
    "huge max_moves": ("    return 9\n", "    return 10**12\n", "max_moves is a whole number"),
    "max_moves is no integer": ("    return 9\n", "    return 9.5\n", "max_moves is a whole number"),
    "moves without return": ("    return count\n", "    count\n", "mine.py"),
    "play without return": ("    return TicTacToe(state.theirs", "    TicTacToe(state.theirs", "play gave None"),
    "text that is a number": (
        "        return notation.format_cell(*divmod(move, 3))",
        "        return move",
        "mine.py",
    ),
    "wrong parameters": ("def format_move(self, value, move)", "def format_move(self, move)", "mine.py"),
    "picture is text": (
        "        return Picture(rows=3",
        "        return 'x'\n        return Picture(rows=3",
        "mine.py",
    ),
    "no method": ("@play.method(TicTacToe)\ndef _(state, move)", "def unused(state, move)", "play has no method for"),
    "two faces": ("class TicTacToeFace(Face):", "class Other(Face): ...\n\n\nclass TicTacToeFace(Face):", "name one"),
}


def harena(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harena", *words]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_line(
    tmp_path: Path,
    old: str,
    new: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert old in EXAMPLE
    mine = tmp_path / "mine.py"
    mine.write_text(EXAMPLE.replace(old, new), "utf-8")
    done = run(capsys, monkeypatch, "perft", str(mine), "2", "--divide")
    if done.code == 0:  # perft has no use for pictures
        done = run(capsys, monkeypatch, "show", str(mine), "--position", "X../.O./... 1")
    assert done.code == 2
    lines = [line for line in done.err.splitlines() if not line.startswith("compiling")]  # which a slow machine says
    assert len(lines) == 1 and message in lines[0], done.err
    assert "bug" not in done.err


@pytest.mark.process
def test_a_write_out_of_bounds_is_named_in_debug_mode(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(EXAMPLE.replace("out[index] = lowest(free)", "out[index + 10**6] = lowest(free)"), "utf-8")
    done = harena("show", str(mine), HARENA_DEBUG="1")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("(is max_moves right?)")


@pytest.mark.process
def test_a_game_in_a_module_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "mymodule.py").write_text(EXAMPLE.replace("marks = self.marks(value)", "marks = {}[0]"), "utf-8")
    done = harena("show", "mymodule:TicTacToeFace", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "mymodule.py" in done.stderr and "KeyError: 0" in done.stderr


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full: Linux")
def test_a_full_disk_behind_the_output_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "harena", "games"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (74, "harena: cannot write the output: No space left on device\n")


@pytest.mark.process
def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "harena", "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() in (0, 1, 141)  # rich's own answer is 1


@pytest.mark.process
def test_plain_ascii_where_the_terminal_has_no_more() -> None:
    for words in (["agents"], ["games"], ["show", "colosseum"]):
        done = harena(*words, PYTHONIOENCODING="ascii")
        assert done.returncode == 0, done.stderr


@pytest.mark.process
def test_ctrl_c_stops_rules_that_never_end(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    endless = "    while state.player < 9:\n        free += np.uint64(0)\n    count = popcount(free)\n"
    mine.write_text(EXAMPLE.replace("    count = popcount(free)\n", endless), "utf-8")
    cache = tmp_path / "cache"
    environment = os.environ | {"HARENA_CACHE": str(cache)}
    command = [sys.executable, "-m", "harena", "show", str(mine)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        deadline = time.monotonic() + 120
        while not list(cache.rglob("list_moves-*.kernel")):  # compiled and kept: it is called next, and loops
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    finally:
        process.kill()  # else it takes a core from all that follows
    assert process.stderr and "Traceback" not in process.stderr.read()
    process.stderr.close()


@pytest.mark.process
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        MISTAKES["wrong max_moves"],
        ("without_points(DRAW if", "without_points(RUNNING if", "the game runs, but there is no move"),
        ("without_points(DRAW if", "without_points(7 if", "outcome is FIRST, SECOND, DRAW or RUNNING, not 7"),
    ],
)
def test_rules_that_make_no_sense_are_not_charged_to_the_agents(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    mine = tmp_path / "mine.py"
    assert old in EXAMPLE
    mine.write_text(EXAMPLE.replace(old, new), "utf-8")
    words = ("match", str(mine), "random", "random", "--games", "20", "--local")
    done = harena(*words, HARENA_STORE=str(tmp_path / "games.sqlite"))
    assert done.returncode != 0 and message in " ".join(done.stderr.split()), done.stderr


def files(kept: dict[str, str]) -> set[str]:
    return {path for path in kept if not path.startswith(WHOLE)}


def test_a_run_does_not_go_on_with_other_rules(tmp_path: Path) -> None:
    mine, helper, agent = tmp_path / "mine.py", tmp_path / "helping.py", tmp_path / "agent.py"
    agent.write_text("from . import helping\n")
    assert files(sources("isolation", [str(agent), "random"])) == {str(agent)}, "which is not there yet"
    mine.write_text("import helping\n" + EXAMPLE, "utf-8")
    helper.write_text("X = 1\n")
    before = sources(str(mine), ["random"])
    assert files(before) == {str(mine), str(helper)}
    assert files(sources("isolation", [str(agent)])) == {str(agent), str(helper)}
    check_unchanged("0123", before, sources(str(mine), ["random"]))
    with pytest.raises(UsageError, match=r"run 0123 has kept no digest of .*helping\.py"):
        check_unchanged("0123", {str(mine): before[str(mine)]}, sources(str(mine), ["random"]))
    helper.write_text("X = 2\n")
    with pytest.raises(UsageError, match=r"helping\.py has changed since run 0123 began"):
        check_unchanged("0123", before, sources(str(mine), ["random"]))


@pytest.mark.process
@pytest.mark.parametrize("where", ["--local", "--concurrency=1"])
def test_a_game_of_ones_own_is_played_in_matches(tmp_path: Path, where: str) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(EXAMPLE, "utf-8")
    words = ("match", str(mine), "mcts(iterations=300)", "random", "--games", "6", where)
    done = harena(*words, HARENA_STORE=str(tmp_path / "games.sqlite"))
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0)
    assert "rules 6" in done.stdout and "% of 6 games" in done.stdout


def test_packages_beside_an_agent_belong_to_a_run(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "parts").mkdir()
    package, part = tmp_path / "parts" / "__init__.py", tmp_path / "parts" / "search.py"
    package.write_text("from .search import best\n")
    part.write_text("best = max\n")
    agent, student = tmp_path / "agent.py", tmp_path / "agents" / "student.py"
    for file in (agent, student):
        file.write_text("import parts\n")
    assert files(sources("isolation", [str(agent)])) == {str(agent), str(package), str(part)}
    agents = [f"comp424:{student}", f"id(heuristic={agent}:f)"]
    before = sources("colosseum", agents)
    assert files(before) == {str(agent), str(student), str(package), str(part)}
    part.write_text("best = min\n")
    with pytest.raises(UsageError, match=r"search\.py has changed since run 0123 began"):
        check_unchanged("0123", before, sources("colosseum", agents))


ENDLESS = (
    EXAMPLE.replace("DRAW if state.mine | state.theirs == BOARD else RUNNING", "RUNNING")
    .replace("if has_line(state.theirs):", "if False:")
    .replace("free = BOARD & ~(state.mine | state.theirs)", "free = BOARD")
)
DEAF = """
class Deaf:
    def run(self, state, limits, turn):
        while limits.nodes is None:
            open("searching", "w").close()
        return state.moves()[0]
"""


@pytest.mark.process
def test_rules_without_an_end_are_named_before_a_search_waits_for_it(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(ENDLESS, "utf-8")
    for words in (["analyse", str(mine)], ["match", str(mine), "random", "mcts", "--store", str(tmp_path / "s")]):
        done = harena(*words)
        lines = [line for line in done.stderr.splitlines() if "compiling" not in line]
        assert done.returncode == 2
        assert [line for line in lines if line.startswith("harena: ")] == lines[-1:]
        assert "a random game has not ended after 10,000 moves: does outcome end every game? mcts plays" in lines[-1]
    done = harena("analyse", str(mine), "--agent", "id(heuristic=null, depth=2)")
    assert done.returncode == 0 and done.stderr.count("does outcome end every game?") == 1
    done = harena("analyse", str(mine), "--agent", "mcts(plies=9, iterations=5)")
    assert done.returncode == 0 and "mcts plays to the end" not in done.stderr


def interrupted(words: list[str], folder: Path, sign: Callable[[], bool]) -> tuple[int, str]:
    """The exit code of a command, and what it said, when Ctrl-C comes after a sign that it is at work."""
    with open(folder / "out", "w") as out:
        command = [sys.executable, "-m", "harena", *words]
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        until = time.monotonic() + 120
        while not sign():
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()  # else it takes a core from all that follows
    return process.returncode, said


@pytest.mark.process
def test_the_first_ctrl_c_ends_a_search_of_ones_own_that_does_not_listen(tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text(DEAF)
    words = ["analyse", "isolation", "--agent", "deaf.py:Deaf"]
    code, said = interrupted(words, tmp_path, (tmp_path / "searching").exists)
    assert code == 2
    assert said.splitlines()[-1].startswith("harena: stopped, but the search goes on 5 s later: rules, a heuristic or")


@pytest.mark.process
def test_ctrl_c_says_that_it_was_heard(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, said = interrupted(["perft", "isolation", "14"], tmp_path, lambda: "depth  3" in out.read_text())
    assert code == 130 and said.splitlines()[-1] == "harena: stopped"
