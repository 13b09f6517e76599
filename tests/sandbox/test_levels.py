"""Which walls are put up, what is said where there are none, and what can be used behind them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harena.agents.launch import COURSES, HOSTING, PACKAGE
from harena.agents.process import LOOK_EVERY
from harena.errors import UnknownName
from harena.sandbox import layout, users
from harena.sandbox.inside.mounts import MOST_FILES
from harena.sandbox.walls import CHOICES, INSTALL, LEVELS, Walls, sandbox
from sandbox.support import WALLED, run

CHOOSE = """
import sys
from harena.errors import HarenaError
from harena.sandbox.walls import sandbox
for choice in sys.argv[1:]:
    try:
        print(sandbox(choice).level)
    except HarenaError as error:
        print(error)
"""


@pytest.mark.process
def test_the_strongest_walls_are_chosen() -> None:
    assert shutil.which("bwrap"), "bubblewrap is missing: sudo apt-get install bubblewrap"
    assert [sandbox(choice).level for choice in ("auto", "required")] == ["bubblewrap", "bubblewrap"]
    assert [sandbox(choice).level for choice in LEVELS] == list(LEVELS)
    assert set(CHOICES) == {"auto", "required", *LEVELS}


def test_a_wrong_choice_is_told() -> None:
    with pytest.raises(UnknownName, match="did you mean 'namespaces'"):
        sandbox("namespace")


@pytest.mark.process
def test_without_bubblewrap_the_launcher_does_it(tmp_path: Path) -> None:
    words = ("auto", "required", "namespaces", "bubblewrap")
    done = subprocess.run(
        [sys.executable, "-c", CHOOSE, *words],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["namespaces"] * 3 + ["bubblewrap is not installed"]
    assert done.stderr == ""


@pytest.mark.process
@pytest.mark.parametrize("level", WALLED)
def test_where_no_walls_can_be_had_it_is_said_loudly(tmp_path: Path, level: str) -> None:
    """Behind our own walls nobody can put up others: a machine that allows nothing."""
    words = ("auto", "auto", "limits", "off", "required", "namespaces", "bubblewrap")
    done = run(level, [sys.executable, "-c", CHOOSE, *words], tmp_path, (PACKAGE,))
    *works, required, namespaces, bubblewrap = done.stdout.splitlines()
    assert works == ["limits", "limits", "limits", "off"]
    assert INSTALL in required
    assert "namespaces does not work here (python" in namespaces
    assert "bubblewrap does not work here (bwrap:" in bubblewrap
    refused, said = "harena: the sandbox refused the system call ", done.stderr.splitlines()
    (warning,) = (line for line in said if not line.startswith(refused))
    assert "WARNING: agents run WITHOUT WALLS" in warning
    assert any(line.startswith(f"{refused}unshare") for line in said)


@pytest.mark.process
def test_nothing_is_graded_without_walls_unless_that_is_typed(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.py").write_text("")
    words = ["grade", "class", "--course", "w4701", "--out", "/tmp/grades"]
    done = run("bubblewrap", [sys.executable, "-m", "harena", *words], tmp_path, (PACKAGE,), log_refused=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("harena: nothing is graded without walls: ") and INSTALL in done.stderr
    assert done.stderr.endswith("; or type --sandbox limits, which lets submissions read and change your files\n")
    typed = "from harena.cli.grade import check_walls; check_walls('limits'); check_walls('off'); print('graded')"
    assert run("bubblewrap", [sys.executable, "-c", typed], tmp_path, (PACKAGE,)).stdout == "graded\n"


@pytest.mark.process
@pytest.mark.parametrize("level", LEVELS[:3])
def test_numpy_and_numba_work_behind_walls(tmp_path: Path, level: str) -> None:
    script = (
        "import multiprocessing, threading\n"
        "import numba, numpy\n"
        "assert (numpy.ones((300, 300)) @ numpy.ones((300, 300)))[0, 0] == 300\n"
        "assert numba.njit(lambda x: x + 1)(1) == 2\n"
        "threads = [threading.Thread(target=print) for _ in range(8)]\n"
        "[one.start() for one in threads], [one.join() for one in threads]\n"
        "with multiprocessing.Pool(2) as pool: print(pool.map(abs, [-1, -2]))\n"
    )
    done = run(level, [sys.executable, "-c", script], tmp_path)
    assert (done.stdout.strip(), done.stderr) == ("[1, 2]", "")


@pytest.mark.process
@pytest.mark.parametrize("level", LEVELS[:3])
def test_the_hosting_folder_is_all_that_a_course_agent_sees_of_ours(tmp_path: Path, level: str) -> None:
    script = f"import sys; sys.path.insert(0, {COURSES!r}); import hosting, os; print(os.listdir({PACKAGE!r}))"
    done = run(level, [sys.executable, "-c", script], tmp_path, (HOSTING,))
    assert done.stderr == ""
    assert (done.stdout.strip() == "['courses']") == (level != "limits")


@pytest.mark.process
@pytest.mark.parametrize("level", WALLED)
def test_an_installed_package_is_hidden(tmp_path: Path, level: str) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    shutil.copytree(PACKAGE, site / "harena", ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "agent"
    folder.mkdir()
    script = (
        "import subprocess, sys, tempfile\n"
        "from harena.sandbox.walls import Walls, sandbox\n"
        "package = sys.argv[3]\n"
        "for visible in (), (package,):\n"
        "    with tempfile.TemporaryDirectory() as tmp:\n"
        "        walls = Walls(folder=sys.argv[2], tmp=tmp, visible=visible)\n"
        "        around = sandbox(sys.argv[1])\n"
        "        for line in 'import harena.errors', 'open(sys.argv[1] + \"/planted\", \"w\")':\n"
        "            command = around.enclose([sys.executable, '-c', 'import sys; ' + line, package], walls)\n"
        "            done = subprocess.run(command, env=around.environment(walls), stderr=subprocess.PIPE, text=True)\n"
        "            print(done.returncode, done.stderr.strip().splitlines()[-1:])\n"
    )
    words = [str(tmp_path / "venv/bin/python"), "-c", script, level, str(folder), str(site / "harena")]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]})
    hidden, closed, seen, closed_too = done.stdout.splitlines()
    assert "No module named 'harena" in hidden
    assert seen == "0 []"
    assert all("Read-only file system" in one or "Permission denied" in one for one in (closed, closed_too))


@pytest.mark.process
@pytest.mark.parametrize("level", WALLED)
def test_a_submission_that_others_may_not_read_is_read(tmp_path: Path, level: str) -> None:
    folder = tmp_path / "agent"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "table").write_text("42")
    (folder / "program").write_text("#!/bin/sh\ncat data/table")
    os.mkfifo(folder / "fifo")
    for path, mode in ((folder / "data" / "table", 0o600), (folder / "program", 0o700), (folder / "data", 0o700)):
        path.chmod(mode)
    folder.chmod(0o700)
    done = run(level, ["./program"], folder)
    assert (done.stdout, done.stderr) == ("42", "")


def test_a_large_submission_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, tmp = tmp_path / "agent", tmp_path / "tmp"
    folder.mkdir()
    tmp.mkdir()
    for number in range(3):
        (folder / str(number)).write_text("x")
        (folder / str(number)).chmod(0o600)
    walls = Walls(folder=str(folder), tmp=str(tmp))
    assert layout.opened(walls).folder != str(folder)
    monkeypatch.setattr(layout, "MOST_FILES", 2)
    assert layout.opened(walls) == walls
    for number in range(3):
        (folder / str(number)).chmod(0o644)
    folder.chmod(0o755)
    monkeypatch.undo()
    assert layout.opened(walls) == walls


def test_root_gives_every_agent_a_user_of_its_own() -> None:
    given = {users.stranger() for _ in range(20)}
    assert len(given) == (20 if os.geteuid() == 0 else 1)


def test_others_under_our_name_are_not_counted_as_the_agents() -> None:
    assert [users.counts_by_namespace(one) for one in ("5.10.0-28-amd64", "5.14.1", "6.1", "10.0")] == [
        False,
        *[True] * 3,
    ]
    assert users.most_processes(32, has_own_count=True) == 32
    assert users.most_processes(32, has_own_count=False) > 32 * 8


def test_the_page_says_what_the_limits_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
    walls = Walls(folder="", tmp="")
    limits = layout.limits(walls, walls.processes)
    assert f"at most {limits['NPROC']} processes" in page
    assert f"a private tmp ({walls.scratch} MB, {MOST_FILES:,} files)" in page
    assert f"no file of more than {limits['FSIZE'] >> 20} MB, opens no more than {limits['NOFILE']}" in page
    assert f"at most {limits['AS'] >> 30} GB of address space" in page
    assert f"added up every {1000 * LOOK_EVERY:.0f} ms" in page
    assert all(f"`{choice}`" in page for choice in CHOICES)
    assert f"at `{layout.SUBMISSION}`" in page
