"""Out of its turn an agent does nothing, whatever it tries; and if it does, it is found out."""

import contextlib
import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harena.agents.fault import OUT_OF_TURN, AgentFault
from harena.agents.process import AgentProcess
from harena.errors import UnknownName
from harena.sandbox.groups import UNIFIED, NoGroups, make_hierarchies, own_groups, remove_group
from harena.sandbox.walls import FREEZERS, GROUP, LEVELS, SIGNALS, Walls, find_freezer, parse_choice, sandbox
from harena.sandbox.workplace import boot, has_ended, namespace, remove_leftovers, start_of, workplace
from sandbox.support import WALLED, ordinary_user, readable_source

PATIENT = 120.0  # seconds: only a test that fails waits so long
WAKER = """
import ctypes, json, os, signal, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)

def wake_me_all_the_time():
    "A timer of the kernel's that sends SIGCONT: it wakes a process that signals have stopped."
    signal.signal(signal.SIGCONT, lambda number, frame: None)  # the kernel sends none that is ignored
    event = struct.pack("=QII48x", 0, signal.SIGCONT, 0)
    timer, every = ctypes.c_void_p(), struct.pack("=qqqq", 0, 5_000_000, 0, 5_000_000)
    if libc.timer_create(1, event, ctypes.byref(timer)) == 0:
        libc.timer_settime(timer, 0, every, None)

def spin():
    while True:
        pass

for line in sys.stdin:
    if os.fork() == 0:
        wake_me_all_the_time()
        spin()
    wake_me_all_the_time()
    threading.Thread(target=spin, daemon=True).start()
    print(json.dumps({"type": "done"}), flush=True)
"""


@contextmanager
def agent(script: str, folder: Path, choice: str, memory: float | None = None) -> Iterator[AgentProcess]:
    """A Python program that runs as this choice of a sandbox has it."""
    around, freezer = sandbox(choice), find_freezer(choice)
    for name in ("tmp", "agent"):
        (folder / name).mkdir(exist_ok=True)
    walls = Walls(folder=str(folder / "agent"), tmp=str(folder / "tmp"), counts_children=freezer == SIGNALS)
    made = AgentProcess(
        around.enclose([sys.executable, "-c", script], walls),
        cwd=walls.folder,
        environment=around.environment(walls),
        memory=memory,
        group=workplace().new_group() if freezer == GROUP else None,
    )
    try:
        yield made
    finally:
        made.kill()


def think_of(asked: AgentProcess, seconds: float, enough: float = 0.1) -> float:
    """The CPU time that an agent uses while it is paused for so long, or until it has used enough."""
    asked.ask({}, "done", PATIENT)
    asked.pause()
    time.sleep(0.1)  # whatever is on its way has arrived
    before, deadline = asked.tree.cpu_seconds(), time.monotonic() + seconds
    while (used := asked.tree.cpu_seconds() - before) < enough and time.monotonic() < deadline:
        time.sleep(0.05)
    return used


@pytest.mark.process
@pytest.mark.parametrize("level", LEVELS)
def test_in_a_control_group_no_signal_wakes_it(tmp_path: Path, level: str) -> None:
    with agent(WAKER, tmp_path, f"{level},{GROUP}") as asked:
        assert think_of(asked, 0.5) == 0.0
        for pid in asked.group.members() if asked.group else []:
            os.kill(pid, signal.SIGCONT)
        asked.wake()


@pytest.mark.process
@pytest.mark.parametrize("level", WALLED)
def test_where_signals_stop_it_the_filter_refuses_what_would_wake_it(tmp_path: Path, level: str) -> None:
    with agent(WAKER, tmp_path, f"{level},{SIGNALS}") as asked:
        assert think_of(asked, 0.5) < 0.01
        asked.wake()


HIDER = """
import ctypes, json, os, signal, struct, sys, time

sys.stdin.readline()
for handler, flags in ((1, 0), (0, 2)):  # SIG_IGN; SA_NOCLDWAIT
    ctypes.CDLL(None).sigaction(signal.SIGCHLD, struct.pack("Q128siQ", handler, b"", flags, 0), None)
    reading, writing = os.pipe()
    for _ in range(3):
        if not os.fork():
            while time.process_time() < 0.2:
                pass
            os._exit(0)
    os.close(writing)
    os.read(reading, 1)  # until all have ended
time.sleep(0.2)
print(json.dumps({"type": "done"}), flush=True)
sys.stdin.readline()
"""


@pytest.mark.process
@pytest.mark.parametrize("freezer", FREEZERS)
@pytest.mark.parametrize("level", WALLED)
def test_children_whose_end_is_ignored_are_counted(tmp_path: Path, level: str, freezer: str) -> None:
    with agent(HIDER, tmp_path, f"{level},{freezer}") as asked:
        asked.ask({}, "done", PATIENT)
        assert asked.tree.cpu_seconds() > 1.1


@pytest.mark.process
@pytest.mark.parametrize("level", ["limits", "off"])
def test_without_walls_and_groups_who_thinks_in_the_opponents_time_is_found_out(tmp_path: Path, level: str) -> None:
    with agent(WAKER, tmp_path, f"{level},{SIGNALS}") as asked:
        used = think_of(asked, PATIENT)
        with pytest.raises(AgentFault, match=OUT_OF_TURN):
            asked.wake()
    assert used > 0.02  # the attack works: what holds elsewhere holds because of the group or the filter


@pytest.mark.process
@pytest.mark.parametrize("level", WALLED)
def test_one_that_is_woken_from_outside_is_found_out_too(tmp_path: Path, level: str) -> None:
    with agent(WAKER, tmp_path, f"{level},{SIGNALS}") as asked:
        asked.ask({}, "done", PATIENT)
        asked.pause()
        for one in asked.tree.processes():
            one.send_signal(signal.SIGCONT)
        deadline = time.monotonic() + PATIENT
        while asked.tree.cpu_seconds() < asked._used_at_pause + 0.05 and time.monotonic() < deadline:
            time.sleep(0.05)
        with pytest.raises(AgentFault, match=OUT_OF_TURN):
            asked.wake()


@pytest.mark.process
@pytest.mark.parametrize("level", LEVELS)
def test_a_group_ends_all_it_holds_at_once(tmp_path: Path, level: str) -> None:
    with agent(WAKER, tmp_path, f"{level},{GROUP}") as asked:
        asked.ask({}, "done", PATIENT)
        assert asked.group is not None
        members, folders = asked.group.members(), asked.group.places.folders
        assert len(members) >= 2
        asked.pause()  # frozen ones, too
    assert not any(os.path.exists(folder) for folder in folders)
    assert not any(os.path.exists(f"/proc/{pid}") and "Z" not in state_of(pid) for pid in members)


def state_of(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return "Z"


# Memory

ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"type": "done"}), flush=True)
"""
SHARER = """
import json, mmap, sys
held = []
for line in sys.stdin:
    for _ in range(40):
        one = mmap.mmap(-1, 10 << 20)  # shared and anonymous: of no process alone
        one.write(b"x" * (10 << 20))
        one.madvise(mmap.MADV_DONTNEED)  # given back, and not freed
        held.append(one)
    print(json.dumps({"type": "done"}), flush=True)
    import time; time.sleep(600)
"""


@pytest.mark.process
@pytest.mark.parametrize("freezer", FREEZERS)
@pytest.mark.parametrize("level", LEVELS)
def test_shared_memory_that_was_given_back_counts(tmp_path: Path, level: str, freezer: str) -> None:
    with agent(SHARER, tmp_path, f"{level},{freezer}", memory=300.0) as asked:
        with pytest.raises(AgentFault, match=r"\d+ MB of 300") as fault:
            asked.ask({}, "done", PATIENT)
            asked.ask({}, "never", PATIENT)
        assert fault.value.reason == "memory"


IN_FILES = """
import json, mmap, os, sys, time
for line in sys.stdin:
    file = os.open("/dev/shm/harena-test-" + str(os.getpid()), os.O_RDWR | os.O_CREAT)
    os.unlink("/dev/shm/harena-test-" + str(os.getpid()))
    os.ftruncate(file, 60 << 20)
    held = mmap.mmap(file, 60 << 20)
    held.write(b"x" * (60 << 20))
    print(json.dumps({"type": "done"}), flush=True)
    time.sleep(600)
"""


@pytest.mark.process
@pytest.mark.parametrize("freezer", FREEZERS)
@pytest.mark.parametrize("level", LEVELS)
def test_files_in_memory_count(tmp_path: Path, level: str, freezer: str) -> None:
    with agent(IN_FILES, tmp_path, f"{level},{freezer}", memory=50.0) as asked:
        with pytest.raises(AgentFault, match=r"\d+ MB of 50") as fault:
            asked.ask({}, "done", PATIENT)
            asked.ask({}, "never", PATIENT)
        assert fault.value.reason == "memory"


EATER = """
import json, sys
for line in sys.stdin:
    eaten = [bytearray(b"x" * (10 << 20)) for _ in range(100)]  # faster than anybody looks
    print(json.dumps({"type": "done"}), flush=True)
"""


@pytest.mark.process
def test_the_kernel_ends_one_that_eats_faster_than_anybody_looks(tmp_path: Path) -> None:
    hierarchies = workplace().hierarchies
    assert hierarchies is not None and "memory" in hierarchies.controllers, "this machine has no controller of memory"
    with agent(EATER, tmp_path, f"bubblewrap,{GROUP}", memory=100.0) as asked:
        asked.limit_memory(64.0)
        with pytest.raises(AgentFault) as fault:
            asked.ask({}, "done", PATIENT)
        assert fault.value.reason == "memory"


@pytest.mark.process
def test_what_the_host_has_loaded_is_not_the_agents(tmp_path: Path) -> None:
    script = "ballast = bytearray(b'x' * (80 << 20))\n" + ECHO
    for freezer in FREEZERS:
        with agent(script, tmp_path, f"bubblewrap,{freezer}", memory=60.0) as asked:
            asked.memory = None
            asked.ask({}, "done", PATIENT)
            asked.memory = 60.0
            asked.set_baseline()
            assert asked.baseline > 80
            asked.ask({}, "done", PATIENT)
            assert asked.tree.memory() - asked.baseline < 60


# Choices, groups, and what is left behind


def test_a_choice_may_name_what_stops_agents() -> None:
    assert str(parse_choice("required,signals,unlogged")) == "required,signals,unlogged"
    assert (parse_choice("auto").freezer, parse_choice("limits,group").freezer) == ("", GROUP)
    assert find_freezer("auto,signals") == SIGNALS
    assert not parse_choice("auto,unlogged").logs
    with pytest.raises(UnknownName, match="did you mean 'signals'"):
        parse_choice("auto,signal")


PURE = "0::/user.slice/user-1000.slice/session-2.scope\n"
PURE_MOUNTS = "25 1 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
HYBRID = "5:memory:/here\n4:pids:/\n1:name=systemd:/\n0::/here/there\n"
HYBRID_MOUNTS = (
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "39 31 0:36 /outside /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
)
CONTAINER_MOUNTS = "25 1 0:22 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n"


@pytest.mark.parametrize(
    ("memberships", "mounts", "found"),
    [
        (PURE, PURE_MOUNTS, {UNIFIED: "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope"}),
        (HYBRID, HYBRID_MOUNTS, {UNIFIED: "/sys/fs/cgroup/unified/here/there", "memory": "/sys/fs/cgroup/memory/here"}),
        ("0::/docker/abc/x\n", CONTAINER_MOUNTS, {UNIFIED: "/sys/fs/cgroup/x"}),
        ("0::/elsewhere\n", CONTAINER_MOUNTS, {}),
        ("0::/\n", "", {}),
    ],
)
def test_the_groups_of_this_process_are_found_in_every_layout(
    memberships: str, mounts: str, found: dict[str, str]
) -> None:
    assert own_groups(memberships, mounts) == found


DELEGATED = """
import os, subprocess, sys, time
from harena.sandbox.workplace import workplace
try:
    group = workplace().new_group()
except OSError as error:
    print("none:", error)
    sys.exit()
agent = subprocess.Popen([sys.executable, "-c", "while True: pass"])
with open(group.entrances[0], "w") as file:
    file.write(str(agent.pid))
time.sleep(0.3)
group.freeze()
time.sleep(0.1)
before = group.cpu_seconds()
time.sleep(0.3)
print(os.getuid(), group.cpu_seconds() == before, before > 0)
group.kill()
agent.wait()
group.remove()
print(os.path.exists(group.places.unified))
"""


only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can delegate a group to another user")


@pytest.mark.process
@only_root
@pytest.mark.parametrize("is_delegated", [True, False])
def test_an_ordinary_user_has_groups_where_one_is_delegated_to_him(is_delegated: bool) -> None:
    scope = make_hierarchies(f"harena-test-{os.getpid()}-{is_delegated}")
    members = os.path.join(scope.unified, "cgroup.procs")
    try:
        with ordinary_user() as (become, python):
            if is_delegated:
                os.chown(scope.unified, 65534, 65534)
                os.chown(members, 65534, 65534)
            join = ["/bin/sh", "-c", f'echo 0 >{members} && exec "$@"', "sh"]
            done = subprocess.run(
                [*join, *become, python, "-c", DELEGATED],
                env={"PATH": os.environ["PATH"], "PYTHONPATH": readable_source(), "PYTHONDONTWRITEBYTECODE": "1"},
                cwd="/",
                capture_output=True,
                text=True,
                check=False,
            )
    finally:
        for folder in scope.folders:
            assert remove_group(folder)
    assert done.returncode == 0, done.stderr
    if is_delegated:
        assert done.stdout.splitlines() == ["65534 True True", "False"]
    else:
        assert done.stdout.startswith("none: ") and "Permission denied" in done.stdout


def test_where_no_group_can_be_made_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harena.sandbox.groups._read_own_groups", dict)
    with pytest.raises(NoGroups, match="version 2 of control groups is not mounted"):
        make_hierarchies("x")


def test_leftovers_of_processes_that_have_ended_are_removed(tmp_path: Path) -> None:
    alive, here = f"{os.getpid()}-{start_of(os.getpid())}", f"harena-{boot()}-{namespace()}"
    kept = [f"{here}-{alive}", f"harena-{boot()}-{namespace() + 1}-4194305-1", "harena-demo-1", "other"]
    kept += [f"harena-0{boot()[1:]}x-1-1-1", f"harena-ffff0000-{namespace()}-4194305-77", f"{here}-4194305-0"]
    gone = [f"{here}-{os.getpid()}-1", f"{here}-4194305-77"]
    for name in (*kept, *gone):
        (tmp_path / name / "inner").mkdir(parents=True)
    held = os.open(tmp_path / gone[0], os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_SH)  # whatever its name says, somebody uses it
    remove_leftovers(str(tmp_path))
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([*kept, gone[0]])
    os.close(held)
    remove_leftovers(str(tmp_path))
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(kept)


def test_a_process_of_which_nothing_can_be_learnt_counts_as_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    start = start_of(os.getpid())
    assert start is not None
    assert not has_ended(boot(), namespace(), os.getpid(), start) and has_ended(boot(), namespace(), os.getpid(), 1)
    monkeypatch.setattr("harena.sandbox.workplace.start_of", lambda process: None)
    assert not has_ended(boot(), namespace(), os.getpid(), 1)


def test_a_folder_that_was_tidied_up_is_made_again() -> None:
    here = workplace()
    shutil.rmtree(here.folder)
    assert Path(here.new_folder()).is_dir() and stat.S_IMODE(os.stat(here.folder).st_mode) == 0o700


LEAF = """
import os, sys
from harena.sandbox import groups
from harena.sandbox.workplace import workplace
make = groups.make_hierarchies
def in_a_leaf(name):
    "As where a controller is handed down from a group that this process is alone in."
    made = make(name)
    leaf = made.unified + "-self"
    os.mkdir(leaf)
    groups._write(os.path.join(leaf, "cgroup.procs"), "0")
    return made
import harena.sandbox.workplace as place
place.make_hierarchies = in_a_leaf
here = workplace()
print(here.folder, here.hierarchies.unified)
"""


@pytest.mark.process
def test_an_arena_that_moved_into_a_leaf_ends_well_and_leaves_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", LEAF], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    folder, unified = done.stdout.split()
    deadline = time.monotonic() + PATIENT
    while left := [one for one in (folder, unified, f"{unified}-self") if os.path.exists(one)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


# As an ordinary user

ORDINARY = """
import os, sys, time
from harena.agents.fault import AgentFault
from harena.agents.process import AgentProcess
from harena.sandbox.walls import Walls, find_freezer, sandbox
from harena.sandbox.workplace import workplace
choice, folder, script, seconds = sys.argv[1:]
around, here = sandbox(choice), workplace()
walls = Walls(folder=folder, tmp=here.new_folder())
agent = AgentProcess(
    around.enclose([sys.executable, "-c", script], walls),
    cwd=folder,
    environment=around.environment(walls),
    group=here.new_group() if find_freezer(choice) == "group" else None,
)
agent.ask({}, "done", 120)
agent.pause()
time.sleep(0.1)
before, deadline = agent.tree.cpu_seconds(), time.monotonic() + float(seconds)
while (used := agent.tree.cpu_seconds() - before) < 0.1 and time.monotonic() < deadline:
    time.sleep(0.05)
try:
    agent.wake()
    print(os.getuid(), around.level, "nothing" if used < 0.01 else used)
except AgentFault as fault:
    print(os.getuid(), around.level, fault.reason)
agent.kill()
"""


@pytest.mark.process
@only_root
@pytest.mark.parametrize("freezer", FREEZERS)
@pytest.mark.parametrize("level", LEVELS)
def test_an_ordinary_users_agents_do_nothing_out_of_their_turn_or_are_found_out(level: str, freezer: str) -> None:
    is_held = freezer == GROUP or level in WALLED
    scope = make_hierarchies(f"harena-test-{os.getpid()}-{level}")
    with tempfile.TemporaryDirectory() as folder, ordinary_user() as (become, python):
        os.chmod(folder, 0o755)
        agents = Path(folder, "agent")
        agents.mkdir()
        for name in ("", "cgroup.procs"):
            os.chown(os.path.join(scope.unified, name), 65534, 65534)
        try:
            done = subprocess.run(
                [
                    *("/bin/sh", "-c", f'echo 0 >{scope.unified}/cgroup.procs && exec "$@"', "sh", *become),
                    *(python, "-c", ORDINARY, f"{level},{freezer}", str(agents), WAKER, "0.5" if is_held else "120"),
                ],
                env={
                    "PATH": os.environ["PATH"],
                    "PYTHONPATH": readable_source(),
                    "PYTHONDONTWRITEBYTECODE": "1",
                },
                cwd="/",
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            for one in scope.folders:
                assert remove_group(one)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(" ", 2) == ["65534", level, ("nothing" if is_held else OUT_OF_TURN) + "\n"]
