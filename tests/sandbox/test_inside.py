"""The launcher's parts, each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harena.sandbox import layout
from harena.sandbox.inside import landlock, seccomp
from harena.sandbox.inside.spaces import has_ended

pytestmark = pytest.mark.process


def launched(plan: dict[str, Any], *command: str) -> subprocess.CompletedProcess[str]:
    whole = {"limits": {}, **plan}
    words = layout.launcher(str(Path(layout.LAUNCHER).parent), whole, command)
    return subprocess.run(words, capture_output=True, text=True, check=False)


def python(script: str) -> str:
    path = str(Path(layout.LAUNCHER).parent)
    words = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {path!r})\n{script}"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_it_becomes_the_command() -> None:
    assert launched({}, "echo", "one", "two").stdout == "one two\n"


@pytest.mark.parametrize("command", ["no-such-program", "/"])
def test_a_command_that_cannot_be_started_is_told_in_a_line(command: str) -> None:
    done = launched({}, command)
    assert done.returncode == 127
    assert done.stderr.count("\n") == 1
    assert "cannot be started behind walls" in done.stderr


def test_it_ends_at_once_if_its_parent_has_gone() -> None:
    done = launched({"parent": 1}, "echo", "alive")
    assert (done.returncode, done.stdout) == (1, "")


def test_limits_are_set_and_never_raised() -> None:
    script = "import resource as r; print(r.getrlimit(r.RLIMIT_NOFILE), r.getrlimit(r.RLIMIT_CORE))"
    done = launched({"limits": {"NOFILE": 64, "CORE": 0}}, sys.executable, "-c", script)
    assert done.stdout.strip() == "(64, 64) (0, 0)"
    inner = layout.launcher(str(Path(layout.LAUNCHER).parent), {"limits": {"NOFILE": 99}}, ["sh", "-c", "ulimit -n"])
    assert launched({"limits": {"NOFILE": 64}}, *inner).stdout.strip() == "64"


def test_landlock_alone_keeps_files_closed(tmp_path: Path) -> None:
    script = (
        "from inside import calls, landlock\n"
        "calls.prctl(calls.NO_NEW_PRIVS, 1)\n"
        f"print(landlock.restrict([{str(tmp_path)!r}, '/dev/null']))\n"
        f"open({str(tmp_path / 'mine')!r}, 'w'), open('/dev/null', 'w')\n"
        "try:\n"
        f"    open({str(tmp_path.parent / 'not mine')!r}, 'w')\n"
        "except PermissionError:\n"
        "    print('closed')\n"
    )
    assert landlock.version() >= 1, "this kernel has no Landlock: the second lock cannot be tested"
    assert python(script).splitlines() == ["True", "closed"]


def test_where_there_is_no_landlock_it_is_told() -> None:
    """A filter that hides it from a process: an old kernel."""
    script = (
        "from inside import calls, landlock, seccomp\n"
        "calls.prctl(calls.NO_NEW_PRIVS, 1)\n"
        "seccomp.restrict()\n"
        "print(landlock.version(), landlock.restrict(['/tmp']))\n"
    )
    assert python(script) == "0 False"


def test_sessions_and_groups_stay_as_they_are() -> None:
    script = (
        "import os\n"
        "from inside import calls, seccomp\n"
        "calls.prctl(calls.NO_NEW_PRIVS, 1)\n"
        "seccomp.restrict()\n"
        "before = os.getpgid(0), os.getsid(0)\n"
        "os.setsid(), os.setpgid(0, 0)\n"
        "print(before == (os.getpgid(0), os.getsid(0)))\n"
    )
    assert python(script) == "True"


def test_an_unknown_processor_has_no_filter() -> None:
    with pytest.raises(OSError, match="no filter of system calls is known for pdp11"):
        seccomp.program("pdp11")


def test_a_process_learns_that_the_first_one_has_gone() -> None:
    alive, held = os.pipe()
    assert not has_ended(alive)
    os.close(held)
    assert has_ended(alive)
    os.close(alive)


def test_the_launcher_imports_little() -> None:
    heavy = "{'collections', 'enum', 'json', 'pathlib', 'signal', 'socket', 'typing'}"
    assert python(f"import inside.start; print({heavy} & set(sys.modules) or 'none of them')") == "none of them"
