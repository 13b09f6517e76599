"""Long runs of the arena, for `make soak`: what a tight clock costs on busy cores."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harena.agents.fault import CLOCK_KINDS, WALL
from harena.bench.matches import Throughput, measure
from harena.cli.bench_arena import lines

GAMES, MARGIN = 2000, 0.005
QUICK = ("id_improved", "id_improved(settled=false)")
DAWDLERS = ("spar_dawdler", "id_improved(settled=false)")  # the first uses every millisecond
STRANGERS_GAMES = 300
STRANGER = """
import json, sys, time

for line in sys.stdin:
    begin, told = time.perf_counter(), json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "harena": 1, "name": "stranger"}), flush=True)
    elif told["type"] == "go":
        while time.perf_counter() < begin + 0.9 * told["limits"]["seconds"]:
            pass
        print(json.dumps({"type": "move", "id": told["id"], "move": told["legal"][0]}), flush=True)
    elif told["type"] == "quit":
        break
"""
KEPT_PACE = 0.8  # of the quiet machine's games a minute, divided by the load


@contextmanager
def busy_cores(number: int) -> Iterator[None]:
    """So many programs that never rest."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def show(capsys: pytest.CaptureFixture[str], what: str, found: Throughput) -> None:
    with capsys.disabled():
        print(f"\n{what}")
        for name, text in lines(found):
            print(f"{name:>20}  {text}")


@pytest.mark.soak
@pytest.mark.parametrize("clock", CLOCK_KINDS)
@pytest.mark.parametrize(("agents", "games"), [(QUICK, GAMES), (DAWDLERS, GAMES // 4)])
def test_no_game_at_10_ms_with_5_ms_of_margin_is_lost_on_busy_cores(
    agents: tuple[str, str], games: int, clock: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with busy_cores(2 * (os.cpu_count() or 1)):
        found = measure(games, agents=agents, margin=MARGIN, clock=clock)
    show(capsys, f"{games} games of {' and '.join(agents)}, {clock} clock, busy cores", found)
    assert found.games == games
    assert found.time_losses == 0
    assert found.most_replays <= 1


@pytest.mark.soak
@pytest.mark.parametrize("freezer", ["group", "signals"])
def test_a_strangers_program_that_uses_all_its_time_loses_none_either(
    freezer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "stranger.py"
    program.write_text(STRANGER)
    with busy_cores(2 * (os.cpu_count() or 1)):
        found = measure(STRANGERS_GAMES, agents=(str(program), QUICK[0]), margin=MARGIN, sandbox=f"auto,{freezer}")
    show(capsys, f"{STRANGERS_GAMES} games of a stranger's program and {QUICK[0]}, {freezer}, busy cores", found)
    assert found.games == STRANGERS_GAMES
    assert found.time_losses == 0
    assert found.most_replays <= 1


@pytest.mark.soak
@pytest.mark.parametrize("agents", [QUICK, DAWDLERS])
def test_a_busy_machine_plays_as_fast_as_its_load_allows(
    agents: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    cores = os.cpu_count() or 1
    quiet = measure(200, agents=agents, margin=MARGIN, clock=WALL)
    show(capsys, f"{' and '.join(agents)}, quiet", quiet)
    with busy_cores(2 * cores):
        busy = measure(200, agents=agents, margin=MARGIN, clock=WALL)
    show(capsys, f"{' and '.join(agents)}, busy cores", busy)
    load = max(1.0, busy.runnable / cores) / max(1.0, quiet.runnable / cores)
    assert busy.games_per_minute >= KEPT_PACE * quiet.games_per_minute / load
    assert busy.time_losses == quiet.time_losses == 0
