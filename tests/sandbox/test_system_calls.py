"""Ordinary programs run unchanged behind the filter of system calls; what it refuses is named in the agent's log."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from harena.agents.process import AgentProcess
from harena.sandbox.inside import supervise
from harena.sandbox.walls import Walls, sandbox
from sandbox import workloads
from sandbox.support import WALLED, ordinary_user, readable_source, run

pytestmark = pytest.mark.process

WORKLOADS = Path(workloads.__file__)
REFUSED = "harena: the sandbox refused the system call "
CALL = """
import ctypes, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(what, *arguments):
    result = what(*arguments)
    return result, ctypes.get_errno()
"""
RUN = """
import subprocess, sys, tempfile
from harena.sandbox.walls import Walls, sandbox
level, folder, *names = sys.argv[1:]
with tempfile.TemporaryDirectory() as tmp:
    walls, around = Walls(folder=folder, tmp=tmp), sandbox(level)
    command = around.enclose([sys.executable, around.seen(folder) + "/workloads.py", *names], walls)
    sys.exit(subprocess.run(command, env=around.environment(walls), cwd=folder).returncode)
"""
WAKE_EACH_OTHER = """
import os, signal
first, second = os.getpid(), os.fork()
other = second or first
print("ready", flush=True)
while True:
    try:
        os.kill(other, signal.SIGCONT)
    except OSError:
        pass
"""


def refused_calls(stderr: str) -> list[str]:
    """The calls that a log names, with all its other lines as they are."""
    return [line.removeprefix(REFUSED).removesuffix(": it returned ENOSYS") for line in stderr.splitlines()]


@pytest.mark.parametrize(
    ("level", "names"),
    [
        *((level, workloads.WITHOUT_PACKAGES) for level in WALLED),
        ("bubblewrap", workloads.WITH_PACKAGES),
        ("namespaces", workloads.WITH_PACKAGES[:-1]),  # Matplotlib takes seconds to look for fonts
    ],
)
def test_ordinary_programs_run_unchanged(tmp_path: Path, level: str, names: tuple[str, ...]) -> None:
    shutil.copy(WORKLOADS, tmp_path)
    done = run(level, [sys.executable, "workloads.py", *names], tmp_path)
    assert done.stdout.split() == list(names), done.stderr
    assert REFUSED not in done.stderr


@pytest.mark.parametrize("level", WALLED)
def test_ordinary_programs_run_unchanged_for_an_ordinary_user(level: str) -> None:
    with tempfile.TemporaryDirectory() as folder, ordinary_user() as (become, python):  # pytest's are closed to others
        os.chmod(folder, 0o755)
        shutil.copy(WORKLOADS, folder)
        names = workloads.WITHOUT_PACKAGES
        words = [*become, python, "-c", RUN, level, folder, *names]
        path = {"PATH": os.environ["PATH"], "PYTHONPATH": readable_source(), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(words, env=path, cwd="/", capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (list(names), "")


@pytest.mark.parametrize("level", WALLED)
@pytest.mark.parametrize("log_refused", [True, False], ids=["log", "no log"])
def test_a_refused_call_returns_enosys_and_is_named_once(tmp_path: Path, level: str, log_refused: bool) -> None:
    script = f"""{CALL}
import errno
for _ in range(3):
    assert call(libc.timer_create, 1, None, None) == (-1, errno.ENOSYS)
    assert call(libc.unshare, 1 << 28) == (-1, errno.ENOSYS)
    assert call(libc.syscall, 9999) == (-1, errno.ENOSYS)
for what in (lambda: socket.socket(), lambda: fcntl.fcntl(0, 10, 18), lambda: os.memfd_create("x")):
    try:
        what()
    except OSError as error:
        assert error.errno == errno.ENOSYS, error
    else:
        raise AssertionError
os.setsid(), os.setpgid(0, 0)
print("done")
"""
    done = run(level, [sys.executable, "-c", script], tmp_path, log_refused=log_refused)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    named = ["timer_create", "unshare", "number 9999", "socket (family 0x2)", "fcntl (command 0xa)", "memfd_create"]
    assert refused_calls(done.stderr) == (named if log_refused else [])


@pytest.mark.parametrize("level", WALLED)
def test_the_log_is_not_flooded(tmp_path: Path, level: str) -> None:
    script = f"{CALL}\nfor number in range(2000, 2200): call(libc.syscall, number), call(libc.syscall, number)"
    done = run(level, [sys.executable, "-c", script], tmp_path)
    assert refused_calls(done.stderr) == [f"number {number}" for number in range(2000, 2000 + supervise.MOST_LINES)]


def test_refused_calls_of_all_threads_and_children_are_answered(tmp_path: Path) -> None:
    script = f"""{CALL}
import threading
children = [os.fork() for _ in range(2)]
threads = [threading.Thread(target=lambda: [call(libc.syscall, 9999) for _ in range(500)]) for _ in range(4)]
[one.start() for one in threads], [one.join() for one in threads]
if all(children):
    print(sorted(os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in children))
else:
    os._exit(0)
"""
    done = run("bubblewrap", [sys.executable, "-c", script], tmp_path)
    assert (done.stdout, refused_calls(done.stderr)) == ("[0, 0]\n", ["number 9999"])


def test_a_full_log_stops_nobody(tmp_path: Path) -> None:
    """The pipe of the log is full and is not read: the refused call returns all the same."""
    script = f"""{CALL}
os.set_blocking(2, False)
try:
    while True:
        os.write(2, bytes(4096))
except BlockingIOError:
    pass
print(call(libc.syscall, 9999)[0], flush=True)
"""
    around = sandbox("bubblewrap")
    (tmp_path / "tmp").mkdir()
    walls = Walls(folder=str(tmp_path), tmp=str(tmp_path / "tmp"))
    command = around.enclose([sys.executable, "-c", script], walls)
    with subprocess.Popen(
        command, env=dict(around.environment(walls)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"-1\n"
        process.communicate()


@pytest.mark.parametrize("level", WALLED)
def test_behind_a_filter_with_a_listener_calls_are_refused_without_names(tmp_path: Path, level: str) -> None:
    """The kernel allows one listener a process: with one outside, the fallback is used."""
    inside = str(Path(supervise.__file__).parents[1])
    script = f"""
import os, sys, time
sys.path.insert(0, {inside!r})
from inside import calls, seccomp
calls.prctl(calls.NO_NEW_PRIVS, 1)
steps = seccomp.step(seccomp.RETURN, seccomp.ALLOW)
seccomp._install(steps, os.uname().machine, seccomp.NEW_LISTENER)
if os.fork() == 0:  # this process keeps the listener open as long as the walls stand
    calls.prctl(calls.PDEATHSIG, calls.SIGKILL)
    os.closerange(0, 3)
    time.sleep(600)
os.execvp(sys.argv[1], sys.argv[1:])
"""
    around = sandbox(level)
    with tempfile.TemporaryDirectory() as tmp:
        walls = Walls(folder=str(tmp_path), tmp=tmp)
        script_inside = f"{CALL}\nprint(call(libc.syscall, 9999))"
        command = around.enclose([sys.executable, "-c", script_inside], walls)
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", script, *command],
            env=dict(around.environment(walls)),
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.stdout, done.stderr) == ("(-1, 38)\n", "")


@pytest.mark.parametrize("level", WALLED)
@pytest.mark.parametrize("log_refused", [True, False], ids=["log", "no log"])
@pytest.mark.parametrize(("script", "code"), [("os._exit(7)", 7), ("os.kill(os.getpid(), 11)", 139), ("pass", 0)])
def test_the_exit_code_is_the_agents(tmp_path: Path, level: str, log_refused: bool, script: str, code: int) -> None:
    done = run(level, [sys.executable, "-c", f"import os; {script}"], tmp_path, log_refused=log_refused)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


@pytest.mark.parametrize("level", WALLED)
def test_signals_to_all_do_not_end_the_supervisor(tmp_path: Path, level: str) -> None:
    script = (
        "import contextlib, os, signal\n"
        "for number in sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT}):\n"
        "    with contextlib.suppress(ProcessLookupError):\n"
        "        os.kill(os.getppid(), number), os.kill(-1, number)\n"
        "print('alive')\n"
    )
    done = run(level, [sys.executable, "-c", script], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")


@pytest.mark.parametrize("level", WALLED)
def test_processes_that_wake_each_other_stay_stopped(tmp_path: Path, level: str) -> None:
    """SIGCONT takes a SIGSTOP back that has not been delivered yet: of two processes one could save the other."""
    around = sandbox(level)
    (tmp_path / "tmp").mkdir()
    walls = Walls(folder=str(tmp_path), tmp=str(tmp_path / "tmp"))
    command = around.enclose([sys.executable, "-c", WAKE_EACH_OTHER], walls)
    agent = AgentProcess(command, cwd=walls.folder, environment=around.environment(walls))
    try:
        assert agent.process.stdout is not None
        os.set_blocking(agent.stdout, True)
        os.read(agent.stdout, 6)
        for _ in range(20):
            agent.pause()
            deadline = time.monotonic() + 5
            while states(agent) != {"T"} and time.monotonic() < deadline:
                time.sleep(0.001)
            assert states(agent) == {"T"}
            agent.wake()
            time.sleep(0.01)
    finally:
        agent.kill()


def states(agent: AgentProcess) -> set[str]:
    return {Path(f"/proc/{one.pid}/stat").read_text().rpartition(")")[2].split()[0] for one in agent.tree.processes()}
