"""Games against programs that attack, and programs run behind walls."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psutil

import harena
from harena.agents.contestant import Contestant, LocalContestant, ProcessContestant
from harena.agents.launch import Launch
from harena.agents.process import MARK
from harena.agents.spec import parse_agent
from harena.arena.play.referee import Referee
from harena.arena.play.session import Terms
from harena.arena.record import Record
from harena.courses.course import HOSTING
from harena.sandbox import layout
from harena.sandbox.walls import Walls, sandbox
from harena.search.result import Limits

WALLED = ("bubblewrap", "namespaces")
GAME = harena.game("isolation", size=6)
OPTIONS = {"size": 6}
ATTACKER = Path(__file__).with_name("attacker.py")


def submission(folder: Path, **orders: Any) -> Path:
    """A folder with the attacker and its orders, which anybody may read."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    shutil.copyfile(ATTACKER, folder / "attacker.py")
    (folder / "orders.json").write_text(json.dumps(orders))
    for file in folder.iterdir():
        file.chmod(0o644)
    return folder / "attacker.py"


def contestant(program: Path, level: str, memory: float | None = None) -> ProcessContestant:
    return ProcessContestant(parse_agent(str(program)), "isolation", [OPTIONS], margin=1.0, memory=memory, walls=level)


class Hosted(ProcessContestant):
    """A program behind the walls of a course agent."""

    def launch(self, tmp: str) -> Launch:
        around, folder = sandbox(self.walls), os.path.dirname(self.text)
        walls = Walls(folder=folder, tmp=tmp, visible=(HOSTING,))
        command = around.enclose([sys.executable, f"{around.seen(folder)}/attacker.py"], walls)
        return Launch(command=command, folder=folder, environment=around.environment(walls), level=around.level)


def play(agent: ProcessContestant, other: Contestant | None = None, seconds: float = 20.0) -> Record:
    """A game, the attacker first; both agents are ended."""
    against = other or LocalContestant(parse_agent("random"), "isolation")
    terms = (Terms(limits=Limits(seconds=seconds)), Terms(limits=Limits(seconds=20.0, nodes=1)))
    referee = Referee(options=OPTIONS, terms=terms)
    try:
        return referee.play(GAME.initial(), (agent, against), ("attacker", "other"), 1)
    finally:
        agent.close()
        against.close()


def run(
    level: str, command: Sequence[str], folder: Path, visible: tuple[str, ...] = (), **options: Any
) -> subprocess.CompletedProcess[str]:
    """What a command prints behind walls; options are those of `Walls`."""
    around = sandbox(level)
    with tempfile.TemporaryDirectory() as tmp:
        walls = Walls(folder=str(folder), tmp=tmp, visible=visible, **options)
        return subprocess.run(
            around.enclose(command, walls),
            cwd=folder,
            env=dict(around.environment(walls)),
            capture_output=True,
            text=True,
            check=False,
        )


def running(marks: set[str]) -> list[psutil.Process]:
    """The processes on this machine that carry one of these marks."""
    return [one for one in psutil.process_iter() if mark_of(one) in marks]


def open_files() -> int:
    """Those of this process, without the one that each of its threads has for its delays."""
    links = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
    return sum(os.path.lexists(link) and not os.readlink(link).endswith("schedstat") for link in links)


def mark_of(process: psutil.Process) -> str | None:
    try:
        return process.environ().get(MARK) if process.status() != psutil.STATUS_ZOMBIE else None
    except (psutil.Error, OSError):
        return None


def python_on_the_way(home: str) -> list[str]:
    """Names in the home folder on the way to what an agent may see of it."""
    shown = [*layout.python_folders(), layout.PACKAGE]
    return [os.path.relpath(one, home).split(os.sep)[0] for one in shown if layout.is_within(one, home)]


@contextmanager
def ordinary_user() -> Iterator[tuple[list[str], str]]:
    """The words before a command that run it as an ordinary user, and a Python that this user can start."""
    become = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        script = "import ctypes, subprocess, sys; subprocess.run([sys.executable, '-c', ''], check=True)"
        done = subprocess.run([*become, python, "-c", script], capture_output=True, check=False)
        if done.returncode == 0:
            yield become, python
            return
    raise AssertionError("there is no Python that an ordinary user can start: install python3")


@cache
def readable_source() -> str:
    """A folder of modules that any user may read: Harena, wherever its checkout lies, and psutil."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    for package in (layout.PACKAGE, os.path.dirname(psutil.__file__)):
        copy = os.path.join(folder, os.path.basename(package))
        shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return folder
