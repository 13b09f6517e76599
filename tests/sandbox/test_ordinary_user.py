"""The same walls for whoever is not root: every attack once, from one process."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from sandbox.support import WALLED, ordinary_user, readable_source, submission

pytestmark = pytest.mark.process

ATTACKS = (
    *("read_files", "read_home", "write_outside", "open_socket", "connect", "kill_referee", "trace_referee"),
    *("see_processes", "large_file", "fill_tmp", "hidden_memory", "eat_addresses", "import_arena", "read_seed"),
    *(
        "answer_for_the_other",
        "wake_itself",
        "use_other_numbers",
        "change_supervisor",
        "move_to_all_processors",
        "be_nice",
    ),
    "fork_bomb",  # leaves processes
)
RUN = """
import os, subprocess, sys, tempfile
from harena.sandbox.walls import Walls, sandbox
level, folder, *attacks = sys.argv[1:]
with tempfile.TemporaryDirectory() as tmp:
    walls, around = Walls(folder=folder, tmp=tmp), sandbox(level)
    command = around.enclose([sys.executable, around.seen(folder) + "/attacker.py", *attacks], walls)
    subprocess.run(command, env=around.environment(walls), cwd=folder, check=True)
print(os.getuid(), around.level)
"""


@pytest.mark.parametrize("level", WALLED)
def test_an_ordinary_user_has_the_same_walls(level: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # pytest's are closed to others
        os.chmod(folder, 0o755)
        attack(Path(folder), level)


def attack(tmp_path: Path, level: str) -> None:
    other = submission(tmp_path / "other")
    folders = ["/", "/usr", "/etc", "/dev", "/dev/shm/..", "/proc", "/submission", "/launcher", "/launcher/inside"]
    orders = {
        "files": [str(other)],
        "home": "/home",
        "python": [],
        "folders": folders,
        "changed": ["/submission/attacker.py", "/usr/bin/env", "/proc/sys/kernel/core_pattern"],
        "port": 9,
        "abstract": "harena-none",
        "socket": str(tmp_path / "none"),
        "referee": os.getpid(),
        "group": os.getpid(),
        "secrets": ["8472650193"],
        "others": [os.getpid()],
    }
    agent = submission(tmp_path / "agent", **orders)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": readable_source(),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SECRET": "8472650193",
    }
    with ordinary_user() as (become, python):
        words = [*become, python, "-c", RUN, level, str(agent.parent), *ATTACKS]
        done = subprocess.run(words, env=environment, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    achieved, last = done.stdout.splitlines()
    assert json.loads(achieved) == dict.fromkeys(ATTACKS, "")
    assert last == f"{65534 if become else os.getuid()} {level}"


HOG = """
import mmap, sys
sys.stdin.readline()
print('{"type": "done"}', flush=True)
sys.stdin.readline()
shared = mmap.mmap(-1, 400_000_000)
for place in range(0, 400_000_000, 4096):
    shared[place] = 1
sys.stdin.readline()
"""
SHOUTER = """
import sys
sys.stdin.readline()
print('{"type": "done"}', flush=True)
sys.stdin.readline()
print("x" * 900_000, flush=True)
sys.stdin.readline()
"""
ASK = """
import sys
from harena.agents.fault import AgentFault
from harena.agents.process import AgentProcess
from harena.sandbox.walls import Walls, sandbox
from harena.sandbox.workplace import workplace
choice, folder, *scripts = sys.argv[1:]
around, here = sandbox(choice), workplace()
for script in scripts:
    walls = Walls(folder=folder, tmp=here.new_folder())
    command = around.enclose([sys.executable, "-c", script], walls)
    agent = AgentProcess(command, memory=200, cwd=folder, environment=around.environment(walls))
    agent.ask({}, "done", 120)
    try:
        agent.ask({}, "done", 120)
    except AgentFault as fault:
        print(fault.reason)
    agent.kill()
"""


@pytest.mark.parametrize("level", [*WALLED, "off"])
def test_an_ordinary_users_agents_hide_no_memory_and_write_no_long_lines(level: str) -> None:
    with tempfile.TemporaryDirectory() as folder, ordinary_user() as (become, python):
        os.chmod(folder, 0o755)
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": readable_source(), "PYTHONDONTWRITEBYTECODE": "1"}
        words = [*become, python, "-c", ASK, f"{level},signals", folder, HOG, SHOUTER]
        done = subprocess.run(words, env=environment, cwd="/", capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["memory", "output"], done.stderr
