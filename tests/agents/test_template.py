"""Players of ours are forked from a template that has loaded their code, and are processes of their own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import harena
from harena.agents.contestant import ProcessContestant
from harena.agents.fault import AgentFault
from harena.agents.forked import IS_USABLE, ForkedProcess
from harena.sandbox.workplace import workplace
from harena.search.result import Limits

pytestmark = [pytest.mark.process, pytest.mark.skipif(not IS_USABLE, reason="players are forked on Linux only")]

OPTIONS = {"size": "4"}
PATIENT = 60.0  # seconds: only a test that fails waits so long


def start(text: str = "random") -> tuple[ProcessContestant, ForkedProcess]:
    agent = ProcessContestant(text, "isolation", [OPTIONS], margin=20.0)
    agent.start()
    assert agent.process is not None and isinstance(agent.process.process, ForkedProcess)
    return agent, agent.process.process


@pytest.fixture
def player() -> Iterator[tuple[ProcessContestant, ForkedProcess]]:
    agent, process = start()
    yield agent, process
    agent.close()


def test_a_player_has_a_group_pipes_and_control_group_of_its_own(
    player: tuple[ProcessContestant, ForkedProcess],
) -> None:
    agent, process = player
    assert agent.process is not None
    assert os.getpgid(process.pid) == process.pid != os.getpgid(0)
    assert os.getsid(process.pid) == os.getsid(0)
    opened = {
        int(name): os.readlink(f"/proc/{process.pid}/fd/{name}") for name in os.listdir(f"/proc/{process.pid}/fd")
    }
    assert all(opened[number].startswith("pipe:") for number in range(3))
    own = {os.readlink(f"/proc/self/fd/{pipe.fileno()}") for pipe in agent.process.pipes}
    assert set(opened.values()) <= own  # nothing of the template's, nothing of another player's
    assert os.readlink(f"/proc/{process.pid}/cwd") == os.getcwd()
    if workplace().hierarchies is not None:
        assert agent.process.group is not None and agent.process.group.members() == [process.pid]


def test_a_template_has_one_thread_and_no_file_of_the_arena() -> None:
    agent, process = start()
    template = psutil.Process(process.pid).parent()
    assert template is not None and template.pid != os.getpid()
    assert template.num_threads() == 1
    held = {os.readlink(f"/proc/{template.pid}/fd/{name}") for name in os.listdir(f"/proc/{template.pid}/fd")}
    assert held.isdisjoint(os.readlink(f"/proc/self/fd/{pipe.fileno()}") for pipe in agent.process.pipes)  # type: ignore[union-attr]
    agent.close()


def test_exit_codes_come_through(player: tuple[ProcessContestant, ForkedProcess]) -> None:
    agent, process = player
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.0)
    assert agent.process is not None
    agent.process.wake()
    os.kill(process.pid, signal.SIGSEGV)
    assert process.wait(PATIENT) == -signal.SIGSEGV == process.poll() == process.returncode
    deadline = time.monotonic() + PATIENT
    while psutil.pid_exists(process.pid) and time.monotonic() < deadline:  # the template has taken note of its end
        time.sleep(0.01)
    assert not psutil.pid_exists(process.pid)


def test_a_player_that_crashed_is_started_again(player: tuple[ProcessContestant, ForkedProcess]) -> None:
    agent, process = player
    state = harena.game("isolation", **OPTIONS).initial()
    agent.begin(OPTIONS, state.text, 0, 1)
    os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(AgentFault, match="SIGKILL"):
        agent.choose(state, [], Limits(nodes=1), 1)
    agent.begin(OPTIONS, state.text, 0, 1)
    assert agent.choose(state, [], Limits(nodes=1), 1).move in map(str, state.moves())


def test_players_survive_that_another_template_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    first, one = start()
    monkeypatch.setenv("HARENA_CACHE", os.environ.get("HARENA_CACHE") or str(Path.home() / ".cache" / "harena"))
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    second, other = start()
    assert psutil.Process(one.pid).ppid() != psutil.Process(other.pid).ppid()
    assert one.poll() is None
    first.close()
    second.close()
    assert one.poll() == other.poll() == 0


def test_the_template_is_replaced_when_it_was_killed() -> None:
    agent, process = start()
    os.kill(psutil.Process(process.pid).ppid(), signal.SIGKILL)
    assert process.wait(PATIENT) == -signal.SIGKILL  # the kernel ends players with their template
    agent.close()
    agent, again = start()
    assert again.pid != process.pid
    agent.close()


def test_random_numbers_environment_and_folder_are_the_players_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "probe.py"
    file.write_text(
        "import json, os, random, sys\nimport numpy as np\n"
        "found = {'random': random.random(), 'numpy': float(np.random.random()), 'set': os.environ.get('PROBED'),\n"
        "         'folder': os.getcwd(), 'here': os.getcwd() in sys.path[:1] or '' in sys.path}\n"
        "print('probe', json.dumps(found), file=sys.stderr, flush=True)\n"
        "raise SystemExit(3)\n"
    )
    start()[0].close()  # the template runs
    monkeypatch.setenv("PROBED", "1")
    monkeypatch.chdir(tmp_path)
    found = []
    for _ in range(2):
        agent = ProcessContestant(f"{file}:Probe", "isolation", [OPTIONS], margin=20.0)
        agent.most_heard = 1 << 16
        with pytest.raises(AgentFault):
            agent.start()
        line = next(line for line in agent.words().decode().splitlines() if line.startswith("probe"))
        found.append(json.loads(line.removeprefix("probe ")))
    one, other = found
    assert one["random"] != other["random"] and one["numpy"] != other["numpy"]
    assert one["set"] == "1" and one["folder"] == str(tmp_path) and not one["here"]


ARENA = """
import sys, threading, time
from harena.arena.contest import Contest, Spec
from harena.arena.slot import Slot
from harena.kernel import switch

switch.MAY_FORK = sys.argv[1] == "forked"
spec = Spec(game="isolation", variants=[{"size": "4"}], agents=["random", "greedy"], limits={"nodes": 1},
            sandbox=sys.argv[2])
slots = [Slot(a=0, b=1, pair=pair, swapped=False) for pair in range(100000)]
for slot, record in Contest(spec).run(slots, 1, threading.Event()):
    if slot.pair == 3:
        print("playing", flush=True)
"""


@pytest.mark.parametrize("kind", ["forked", "started"])
@pytest.mark.parametrize("choice", ["auto", "off,signals"])
def test_template_and_players_end_with_an_arena_that_is_killed(kind: str, choice: str) -> None:
    arena = subprocess.Popen([sys.executable, "-c", ARENA, kind, choice], stdout=subprocess.PIPE, text=True)
    assert arena.stdout is not None and arena.stdout.readline() == "playing\n"
    descendants = psutil.Process(arena.pid).children(recursive=True)
    players = [one for one in descendants if one.ppid() != arena.pid]
    assert len(players) == 2
    arena.kill()
    arena.wait()
    arena.stdout.close()
    _, left = psutil.wait_procs(descendants, timeout=PATIENT)
    assert left == []


def test_a_template_ends_with_an_arena_that_ends_by_itself() -> None:
    script = (
        ARENA.replace("range(100000)", "range(4)")
        + "\nimport psutil\n"
        + ("print(*(one.pid for one in psutil.Process().children()), flush=True)\n")
    )
    done = subprocess.run([sys.executable, "-c", script, "forked", "auto"], capture_output=True, text=True, check=True)
    pids = [int(word) for word in done.stdout.splitlines()[-1].split()]
    deadline = time.monotonic() + PATIENT
    while any(map(psutil.pid_exists, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert pids and not any(map(psutil.pid_exists, pids))
