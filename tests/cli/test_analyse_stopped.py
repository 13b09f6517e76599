"""Ctrl-C in `harena analyse` and `harena solve`: a process says when it has begun to think, and is stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import harena as api

pytestmark = pytest.mark.process

BEGUN = "begun"
SCRIPT = f"""
import signal, sys
from harena.cli.main import main
from harena.kernel import patience

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would inherit that it is ignored
search = patience.run_until_stopped

def run_and_say(function, seconds=None):
    def begin(flag):
        print("{BEGUN}", file=sys.stderr, flush=True)
        return function(flag)
    return search(begin)

patience.run_until_stopped = run_and_say
sys.argv = ["harena", *sys.argv[1:]]
main()
"""


def interrupted(*words: str) -> tuple[int, str, str]:
    """The exit code and the output of `harena WORDS`, stopped as soon as it has begun to think."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "80"},
    )
    assert process.stderr
    said = ""
    while BEGUN not in said:
        line = process.stderr.readline()
        assert line, f"it ended before it began: {said}"
        said += line
    time.sleep(0.5)  # for the process's first thread to wait for the one that thinks
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=120)  # the search was given ten minutes
    finally:
        process.kill()
    return process.returncode, out, err


def stopped(*words: str) -> dict[str, Any]:
    code, out, err = interrupted("analyse", *words, "--seconds", "600", "--json")
    assert code == 0, err
    assert "Traceback" not in err and "stopped" not in err
    found: dict[str, Any] = json.loads(out)
    return found


def test_ctrl_c_ends_with_the_best_move_so_far() -> None:
    game = api.game("isolation", size=8)
    position = "1......./......../......../......../......../......../......../.......2 1"
    found = stopped("isolation", "--position", position)
    assert found["stopped"] == "interrupted"
    assert found["move"] in map(str, game.position(position).moves())
    assert found["root"][0]["move"] == found["move"]


def test_ctrl_c_ends_monte_carlo_too() -> None:
    found = stopped("tiles", "--size", "8", "--agent", "uct1000(iterations=1000000000)")
    assert found["stopped"] == "interrupted" and found["iterations"] >= 1


def test_ctrl_c_is_told_in_words() -> None:
    position = "1......./......../......../......../......../......../......../.......2 1"
    code, out, err = interrupted("analyse", "isolation", "--position", position, "--seconds", "600")
    assert code == 0 and "; you stopped it" in " ".join(out.split()), err
    assert f"position: {position}" in out


def test_ctrl_c_is_told_of_a_search_of_ones_own_too(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "class Patient:\n"
        "    def run(self, state, limits, turn):\n"
        "        for _ in turn.rounds(limits):\n"
        "            move = state.moves()[0]\n"
        "        return move\n"
    )
    words = ("tiles", "--size", "4", "--agent", f"{mine}:Patient")
    assert stopped(*words)["stopped"] == "interrupted"
    code, out, err = interrupted("analyse", *words, "--seconds", "600")
    assert code == 0 and "you stopped it" in " ".join(out.split()), err


def test_ctrl_c_ends_the_solver_with_what_is_proven_so_far() -> None:
    code, out, err = interrupted("solve", "isolation", "--size", "8", "--seconds", "600")
    assert code == 0 and "Traceback" not in err, err
    assert "not solved, you stopped it; proven so far: " in " ".join(out.split())
