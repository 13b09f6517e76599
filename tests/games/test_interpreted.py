"""Compiled rules and the same rules as plain Python play the very same games."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.support import VARIANTS
from games.transcript import everything

TESTS = Path(__file__).parents[1]


@pytest.mark.process
@pytest.mark.slow
def test_plain_python_plays_the_same_games_without_numba() -> None:
    environment = os.environ | {
        "HARENA_JIT": "0",
        "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
    }
    command = [sys.executable, "-W", "error", "-m", "games.transcript"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    compiled = [everything(*variant) for variant in VARIANTS]
    assert run.stdout.splitlines() == [*"\n".join(compiled).splitlines(), "numba: False"]
