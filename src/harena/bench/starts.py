"""How long a new process takes to the end of its first random game: cold (nothing compiled yet) and warm."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

FIRST_GAME = """
import sys, harena
state, rng = harena.game(sys.argv[1]).initial(), harena.generator(1)
while not state.is_over:
    state = state.play(state.random_move(rng))
"""


@dataclass(frozen=True, kw_only=True)
class Start:
    """Wall-clock seconds from starting Python to the end of the first game."""

    game: str
    cold_seconds: float
    warm_seconds: float


def measure(game: str) -> Start:
    """Play one game in a process with an empty cache, and one in the next process."""
    with tempfile.TemporaryDirectory(prefix="harena-start-") as folder:
        seconds = []
        for _ in range(2):
            begin = time.perf_counter()
            environment = os.environ | {"HARENA_CACHE": folder}
            subprocess.run(
                [sys.executable, "-P", "-c", FIRST_GAME, game], env=environment, check=True, start_new_session=True
            )
            seconds.append(round(time.perf_counter() - begin, 3))
    return Start(game=game, cold_seconds=seconds[0], warm_seconds=seconds[1])
