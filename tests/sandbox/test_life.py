"""An agent behind walls starts, stops, ends and dies with all its processes, as one without."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from harena.agents import process
from harena.agents.fault import AgentFault, Due
from harena.agents.process import MARK, AgentProcess
from harena.sandbox.walls import Walls, sandbox
from sandbox.support import ATTACKER, WALLED, contestant, running, submission

pytestmark = [pytest.mark.process, pytest.mark.parametrize("level", [*WALLED, "limits"])]
PATIENT = 60.0  # seconds: only a test that fails waits so long
STARTER = """
import sys, time
sys.path[:0] = {path!r}
from sandbox.support import Path, contestant
agent = contestant(Path(sys.argv[1]), sys.argv[2])
agent.start()
agent.process.pause()
print(agent.process.mark, flush=True)
time.sleep(600)
"""


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 2 * PATIENT
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


MISTAKE = """
import json
json.loads('{')  # where this is counts, not what it calls
"""


def started(script: str, folder: Path, level: str) -> AgentProcess:
    """A Python program behind walls."""
    around = sandbox(level)
    (folder / "tmp").mkdir()
    (folder / "agent").mkdir()
    walls = Walls(folder=str(folder / "agent"), tmp=str(folder / "tmp"))
    command = around.enclose([sys.executable, "-c", script], walls)
    return AgentProcess(command, cwd=walls.folder, environment=around.environment(walls))


def test_out_of_its_turn_every_process_is_stopped(tmp_path: Path, level: str) -> None:
    script = (
        "import os, signal, sys, time\n"
        "for depth in range(3):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        time.sleep(600)\n"
        'print(\'{"type": "ready"}\')\n'
        "time.sleep(600)\n"
    )
    agent = started(script, tmp_path, level)
    try:
        agent.ask({}, "ready", PATIENT)
        agent.pause()
        family = agent.tree.processes()
        assert len(family) >= 4
        wait_until(lambda: all(one.status() == psutil.STATUS_STOPPED for one in family))
        agent.wake()
        wait_until(lambda: all(one.status() != psutil.STATUS_STOPPED for one in family))
    finally:
        agent.kill()
    wait_until(lambda: not running({agent.mark}))


@pytest.mark.parametrize(
    ("script", "reason", "detail"),
    [
        ("import os; os.abort()", "crash", "signal SIGABRT"),
        ("import sys; sys.exit('bad luck')", "crash", "exit code 1; bad luck"),
        ("print('x' * 0)", "unreadable answer", "is no line of JSON: print what is not an answer to stderr"),
        (f"exec(compile({MISTAKE!r}, '/a/mine.py', 'exec'))", "crash", "(char 1) (mine.py, line 3)"),
        ("compile('(', '/a/mine.py', 'exec')", "crash", "SyntaxError: '(' was never closed (mine.py, line 1)"),
        ("pass", "exit", "it ended by itself"),
        ("import os, time\nif os.fork(): os._exit(3)\nos.close(1)\ntime.sleep(600)", "crash", "exit code 3"),
    ],
)
def test_how_it_ended_is_told(
    tmp_path: Path, level: str, script: str, reason: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "GRACE", PATIENT)  # it closes what it writes to a moment before it has ended
    agent = started(script, tmp_path, level)
    with pytest.raises(AgentFault) as fault:
        agent.ask({}, "ready", PATIENT)
    agent.kill()
    assert fault.value.reason == reason
    assert detail in fault.value.detail


def test_it_dies_with_the_arena(tmp_path: Path, level: str) -> None:
    agent = submission(tmp_path / "agent")
    script = STARTER.format(path=[str(ATTACKER.parents[1])])
    with subprocess.Popen([sys.executable, "-c", script, agent, level], stdout=subprocess.PIPE, text=True) as arena:
        assert arena.stdout is not None
        try:
            mark = arena.stdout.readline().strip()
            assert len(running({mark})) >= 1
        finally:
            arena.kill()
    wait_until(lambda: not running({mark}))


def test_when_any_of_its_processes_is_killed_none_is_left(tmp_path: Path, level: str) -> None:
    agent = contestant(submission(tmp_path / "agent"), level)
    agent.start()
    assert agent.process is not None
    os.kill(agent.process.process.pid, signal.SIGKILL)
    wait_until(lambda: not running({agent.process.mark}) if agent.process else True)
    with pytest.raises(AgentFault):
        agent.process.ask({"type": "go", "id": 1, "legal": ["a1"]}, "move", PATIENT)
    agent.close()


def test_its_environment_is_clean(tmp_path: Path, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    agent = started("import json, os; print(json.dumps(dict(os.environ)))", tmp_path, level)
    line = agent._line(Due(begin=time.perf_counter(), limit=PATIENT, margin=0.0))[0].decode()
    agent.kill()
    assert "SECRET" not in line
    assert '"OPENBLAS_NUM_THREADS": "1"' in line
    assert MARK in line
