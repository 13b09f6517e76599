"""Course environments: made of real wheels by the real pip, without a network, and agents hosted there behind walls."""

import ast
import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import venv
import zipfile
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.support import run
from courses.graded import grade, meet, verdicts
from harena.agents.environments import (
    DESCRIPTION,
    OLDEST,
    environments_for,
    find_environment,
    find_program,
    hosted_versions,
    restore,
    usual_environment,
    versions_text,
)
from harena.arena.claims import claimed
from harena.arena.conditions import conditions, spec_of
from harena.arena.contest import Contest, Spec
from harena.arena.slot import Slot
from harena.arena.store import STOPPED, Store
from harena.cli.course import make_environment, remove_environment
from harena.cli.grade import is_same, played_anew
from harena.cli.telling import told
from harena.courses import environments, hosting
from harena.courses.check import examine
from harena.courses.environments import nearest_version, parse_requirement, required
from harena.courses.grading import can_share_games, plan_of
from harena.courses.levels import Level
from harena.courses.subject import subject
from harena.errors import BadFile, HarenaError, UnknownName, UsageError
from harena.kernel import trusted
from harena.sandbox.layout import mounts
from harena.sandbox.walls import Interpreter, SandboxError, Walls, check_interpreter
from harena.search.result import Limits

PYTHON = ".".join(map(str, sys.version_info[:3]))
AGENT = """
import importlib.metadata, os, sys, termcolor
assert termcolor.colored("x") == "real x", "not hosted in the environment"
assert importlib.metadata.version("numpy") == "2.1.0"

class CustomPlayer:
    def get_move(self, game, legal_moves, time_left):
        return legal_moves[0] if legal_moves else (-1, -1)
"""
WALLED = """
import harena
assert not hasattr(harena, "SECRET"), "the package of that name in the environment is hidden"
assert not os.path.exists(os.path.join(sys.prefix, "environment.json"))
for path in (sys.prefix, os.path.dirname(termcolor.__file__)):
    try:
        open(os.path.join(path, "written"), "w")
    except OSError:
        continue
    raise AssertionError("the environment can be written to")
"""
ANYWHERE = AGENT[AGENT.index("class") :]


def wheel(folder: Path, name: str, version: str, text: str = "", tag: str = "py3-none-any") -> None:
    """Write the wheel of a package with one module."""
    about = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": text,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{version}-{tag}.whl", "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
        archive.writestr(f"{about}/RECORD", "".join(f"{file},,\n" for file in (*files, f"{about}/RECORD")))


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of numpy below 2, which AIND requires, there is a wheel only for another Python."""
    folder = tmp_path_factory.mktemp("wheels")
    wheel(folder, "numpy", "1.26.4", tag="cp27-none-any")
    for version in ("2.1.0", "2.2.0", "2.3.0rc1"):
        wheel(folder, "numpy", version)
    wheel(folder, "termcolor", "1.1.0", "def colored(text, *more, **named):\n    return f'real {text}'\n")
    wheel(folder, "harena", "9.9", "SECRET = 1\n")
    wheel(folder, "later", "1.0")
    return folder


@pytest.fixture(scope="module")
def made(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of environments with one for AIND, and what the command printed.

    A first attempt was killed half-way.
    """
    folder = tmp_path_factory.mktemp("environments")
    command = [sys.executable, "-m", "harena", "course", "env", "aind", "--wheels", str(wheels), "--with", "harena"]
    given = os.environ | {"HARENA_ENVIRONMENTS": str(folder)}
    first = subprocess.Popen(command, env=given, stdout=subprocess.PIPE, start_new_session=True)
    while not (folder / "aind" / DESCRIPTION).exists():
        assert first.poll() is None
        time.sleep(0.01)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    assert json.loads((folder / "aind" / DESCRIPTION).read_text())["is_complete"] is False
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARENA_ENVIRONMENTS", str(folder))
        assert find_environment("aind") is None
        with pytest.raises(UsageError, match="there is no environment for aind: make it with: harena course env aind"):
            find_environment("aind", "aind")
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=True)
    return folder, done.stdout


@pytest.fixture
def home(made: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of environments, in use."""
    monkeypatch.setenv("HARENA_ENVIRONMENTS", str(made[0]))
    monkeypatch.setattr(trusted, "_typed", replace(trusted._typed, code=list(trusted._typed.code)))
    return made[0]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of environments without any."""
    monkeypatch.setenv("HARENA_ENVIRONMENTS", str(tmp_path / "environments"))
    return tmp_path / "environments"


def script(file: Path, line: str) -> Path:
    """A program in the place of an interpreter."""
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)
    return file


def agent(folder: Path, text: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "game_agent.py").write_text(text)
    return f"aind:{folder}"


def play(spec: Spec) -> list[Any]:
    """Two games, seats swapped."""
    contest, contestants = Contest(replace(spec, local=True)), dict[int, Any]()  # our player needs no process
    try:
        return [contest.play(Slot(a=0, b=1, pair=0, swapped=swapped), contestants) for swapped in (False, True)]
    finally:
        for one in contestants.values():
            one.close()


def specification(text: str, **given: Any) -> Spec:
    return spec_of("isolation", [text, "random"], Limits(seconds=20.0), **given)


# Making


@pytest.mark.process
def test_a_requirement_without_a_wheel_is_replaced_by_the_nearest_and_that_is_said_and_stored(
    made: tuple[Path, str],
) -> None:
    folder, printed = made
    assert "numpy<2 has no wheel for this Python: 2.1.0 is the nearest that has one" in printed
    assert f"aind: Python {PYTHON} in {folder / 'aind'}" in printed and "  termcolor 1.1.0\n" in printed
    kept = json.loads((folder / "aind" / DESCRIPTION).read_text())
    assert kept["replaced"] == {"numpy<2": "numpy==2.1.0"} and kept["python"] == PYTHON and kept["course"] == "aind"
    assert kept["wanted"] == ["numpy<2", "termcolor", "harena"] and kept["installed"]["numpy"] == "2.1.0"


@pytest.mark.process
def test_an_environment_that_is_there_is_shown_and_not_made_again(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (home / "aind" / DESCRIPTION).stat().st_mtime_ns
    make_environment("aind", python=None, wheels=None, extra=[], folder=None)
    printed = capsys.readouterr().out
    assert printed.startswith(f"aind: Python {PYTHON}") and "numpy==2.1.0 in place of numpy<2" in printed
    assert (home / "aind" / DESCRIPTION).stat().st_mtime_ns == before
    with pytest.raises(UsageError, match="first remove it with: harena course env aind --remove"):
        make_environment("aind", python=sys.executable, wheels=None, extra=[], folder=None)


@pytest.mark.parametrize(
    ("versions", "offered", "nearest"),
    [
        ("==1.22.2", "1.21.0 1.23.2 1.26.4", "1.23.2"),
        ("==1.22.2", "1.20.3 1.21.10 1.21.9", "1.21.10"),
        ("==1.22.2", "1.22.3rc1 1.24.0", "1.24.0"),
        ("<2", "2.1.0 2.0 3.0", "2.0"),
        (">=1.22.2,<2", "2.1.0 2.4.6", "2.1.0"),
        ("==1.22.2", "none", None),
    ],
)
def test_the_nearest_version_is_the_smallest_above_else_the_largest(
    versions: str, offered: str, nearest: str | None
) -> None:
    assert nearest_version(versions, offered.split()) == nearest


def test_courses_require_what_their_files_did() -> None:
    assert dict(required("comp424-2022")) == {
        **{"numpy": "==1.22.2", "matplotlib": "==3.5.1"},
        **{"tqdm": "==4.62.3", "click": "==8.0.4"},
    }
    assert dict(required("comp424"))["numpy"].startswith(">=1.22.2")
    for course in ("w4701", "aind"):
        assert dict(required(course, ["SciPy == 1.8"])) == {"numpy": "<2", "termcolor": "", "scipy": "==1.8"}
    assert dict(required("aind", ["numpy==1.22.2"]))["numpy"] == "==1.22.2"


@pytest.mark.parametrize(
    "text",
    [
        *("../somewhere[x]", "evil/pkg", "./evil", "evil.tar.gz", "evil-1.0-py3-none-any.whl", "evil.ZIP", "."),
        *(
            "tqdm @ https://example.org/tqdm.whl",
            "tqdm@file:evil",
            "https://example.org/evil",
            "git+ssh:evil",
            "-e",
            "-r",
        ),
        *("tqdm; python_version>'3'", "tqdm==", "tqdm=1", "tqdm==1 --pre", "tqdm==1+a.zip", "tqdm==1/evil", "", "a b"),
    ],
)
def test_only_names_and_versions_of_packages_are_installed(text: str) -> None:
    with pytest.raises(
        UsageError, match=r"write a package and, if you like, its version, as scipy==1\.8\.0, not a fol"
    ):
        parse_requirement(text)


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("torch == 2.0.1+cpu", "==2.0.1+cpu"),
        ("torch>=1.8, <2", ">=1.8,<2"),
        ("torch~=1.8rc1,!=1.9.*", "~=1.8rc1,!=1.9.*"),
        ("Torch", ""),
    ],
)
def test_versions_are_written_as_for_pip(text: str, versions: str) -> None:
    assert parse_requirement(text) == ("torch", versions)


@pytest.mark.process
def test_a_local_folder_is_not_built(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "evil" / "pkg").mkdir(parents=True)
    (tmp_path / "evil" / "pkg" / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    done = run(capsys, monkeypatch, "course", "env", "aind", "--with", "evil/pkg")
    assert done.code == 2 and "not a folder, a file or an address" in " ".join(done.err.split())
    assert not (tmp_path / "ran").exists()


@pytest.mark.process
def test_pip_runs_in_an_empty_folder(wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    said = tmp_path / "said"
    python = script(tmp_path / "python", f'[ "$2" = -m ] && (echo "$@"; ls -A; pwd) > {said}')
    (tmp_path / "here" / "a-file").touch()
    with pytest.raises(BadFile):  # it installs nothing, and is no Python
        environments.install(python, [("later", "")], str(wheels), lambda line: None)
    options, folder = said.read_text().splitlines()
    assert "--only-binary=:all:" in options and folder != str(tmp_path / "here")


@pytest.mark.process
def test_a_replaced_line_goes_with_its_requirement_and_two_who_add_packages_add_both(
    made: tuple[Path, str],
    wheels: Path,
    empty: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = empty / "aind"
    shutil.copytree(made[0] / "aind", place, symlinks=True)
    make_environment("aind", python=None, wheels=str(wheels), extra=["numpy==2.2.0"], folder=None)
    assert "in place of" not in capsys.readouterr().out
    kept = json.loads((place / DESCRIPTION).read_text())
    assert kept["replaced"] == {} and kept["installed"]["numpy"] == "2.2.0"

    def wait_for_another(*words: Any) -> AbstractContextManager[None]:
        """Another process adds a package just before this one gets its turn."""
        (place / DESCRIPTION).write_text(json.dumps(kept | {"extra": [*kept["extra"], "later"]}))
        return claimed(*words)

    monkeypatch.setattr(environments, "claimed", wait_for_another)
    make_environment("aind", python=None, wheels=str(wheels), extra=["termcolor==1.1.0"], folder=None)
    kept = json.loads((place / DESCRIPTION).read_text())
    assert kept["extra"] == ["harena", "numpy==2.2.0", "later", "termcolor==1.1.0"]
    assert kept["installed"]["later"] == "1.0"


@pytest.mark.process
def test_an_environment_that_cannot_be_made_is_one_line_and_leaves_nothing(empty: Path, tmp_path: Path) -> None:
    python = script(tmp_path / "python", f'[ $2 = -m ] && echo no ensurepip && exit 1; exec {sys.executable} "$@"')
    with pytest.raises(HarenaError, match=r"python cannot make an environment: no ensurepip \(Debian and Ubuntu"):
        make_environment("aind", python=str(python), wheels=None, extra=[], folder=None)
    assert not (empty / "aind").exists() and find_environment("aind") is None


def test_a_folder_of_something_else_is_left_alone(empty: Path, tmp_path: Path) -> None:
    folder = tmp_path / "thesis"
    folder.mkdir()
    (folder / "chapter").write_text("one")
    with pytest.raises(UsageError, match="thesis is in the way"):
        make_environment("aind", python=None, wheels=None, extra=[], folder=str(folder))
    with pytest.raises(UsageError, match="there is no environment to remove"):
        remove_environment("aind", str(folder))
    assert (folder / "chapter").read_text() == "one"


@pytest.mark.process
def test_other_mistakes_are_one_line_each(empty: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'comp424'"):
        make_environment("comp42", python=None, wheels=None, extra=[], folder=None)
    with pytest.raises(BadFile, match="there is no such folder"):
        make_environment("aind", python=None, wheels=str(tmp_path / "none"), extra=[], folder=None)
    old = script(tmp_path / "python3.8", "echo '{\"version\": [3, 8, 18]}'")
    for use in (lambda: find_environment("aind", str(old)), lambda: _make_of(old)):
        with pytest.raises(BadFile, match=r"is Python 3\.8\.18: course agents need Python 3\.9 or newer"):
            use()
    bare = script(tmp_path / "bare", 'echo \'{"version": [3, 12, 1], "packages": {}}\'')
    with pytest.raises(BadFile, match=r"has no numpy, which course agents need: .*bare -m pip install numpy"):
        find_environment("aind", str(bare))
    with pytest.raises(BadFile, match=r"is not a Python that runs here: try .*broken --version"):
        find_environment("aind", str(script(tmp_path / "broken", "exit 3")))
    with pytest.raises(BadFile, match="no such interpreter or folder, and no course"):
        find_environment("aind", "no-such-python")
    with pytest.raises(BadFile, match="there is no Python in this folder"):
        find_environment("aind", str(tmp_path))
    with pytest.raises(UsageError, match="--python is for agents of a course"):
        environments_for(["random", "greedy"], sys.executable)


def test_a_command_is_not_looked_for_in_the_present_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, commands = tmp_path / "submission", tmp_path / "bin"
    folder.mkdir()
    commands.mkdir()
    (folder / "student_agent.py").write_text(ANYWHERE)
    script(folder / "python3.10", f"touch {tmp_path / 'ran'}")
    (folder / "venv" / "bin").mkdir(parents=True)
    script(folder / "venv" / "bin" / "python", "")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", os.pathsep.join([".", str(commands)]))
    for name in ("python3.10", "venv"):
        with pytest.raises(BadFile, match=rf"no such command; for the file or folder here write \./{name}$"):
            find_program(name)
    done = run(capsys, monkeypatch, "check", "aind:student_agent.py", "--python", "python3.10")
    assert done.code == 2 and "write ./python3.10" in " ".join(done.err.split()) and not (tmp_path / "ran").exists()
    assert find_program("./python3.10") == str(folder / "python3.10")
    assert find_program("./venv") == str(folder / "venv" / "bin" / "python")
    found = script(commands / "python3.10", "")
    assert find_program("python3.10") == str(found)


def _make_of(python: Path) -> None:
    make_environment("aind", python=str(python), wheels=None, extra=[], folder=None)


# Hosting


@pytest.mark.process
def test_agents_are_hosted_in_the_environment_of_their_course_and_records_say_so(home: Path, tmp_path: Path) -> None:
    spec = specification(agent(tmp_path / "mine", AGENT + WALLED), walls="required")
    text = f"Python {PYTHON} (numpy 2.1.0; termcolor 1.1.0)"
    assert f"agents in {text}" in conditions(spec)
    for record in play(spec):
        assert (record.reason, record.detail) == ("rules", "")
        versions = {"python": PYTHON, "numpy": "2.1.0", "termcolor": "1.1.0"}
        assert record.conditions["hosted"] == {"aind": versions}
        assert dict(told(record.conditions))["hosted by"] == text


@pytest.mark.process
def test_python_overrides_it(home: Path, tmp_path: Path) -> None:
    text = agent(tmp_path / "mine", AGENT)
    spec = specification(text, python="harena")
    assert spec.environments == {} and "agents in" not in conditions(spec)
    first, _ = play(spec)
    assert first.reason == "did not load" and "not hosted in the environment" in first.detail
    assert first.conditions["hosted"]["aind"]["numpy"] == hosted_versions("aind", None)["numpy"] != "2.1.0"
    for place in (home / "aind", home / "aind" / "bin" / "python"):
        found = specification(text, python=str(place)).environments["aind"]
        assert found["place"] == str(home / "aind" / "bin" / "python") and found["versions"]["numpy"] == "2.1.0"


@pytest.mark.process
def test_check_hosts_an_agent_there_and_says_so(home: Path, tmp_path: Path) -> None:
    text = agent(tmp_path / "mine", AGENT)
    lines = examine(subject(text, None, None, 20.0), walls="off")
    assert next(lines).text.endswith(f"; sandbox: off; Python {PYTHON} (numpy 2.1.0; termcolor 1.1.0)")
    lines.close()  # type: ignore[attr-defined]
    assert "not hosted in the environment" in next(examine(subject(text, None, None, 20.0), python="harena")).text


@pytest.mark.process
def test_agents_are_not_blamed_for_an_environment_that_does_not_run_behind_walls(home: Path, tmp_path: Path) -> None:
    spec = specification(agent(tmp_path / "mine", AGENT))
    file = next((home / "aind").rglob("numpy")) / "__init__.py"
    file.write_text("import nothing_of_this_name")
    check_interpreter.cache_clear()
    try:
        with pytest.raises(SandboxError, match=r"bin/python does not run in the sandbox \w+ \(ModuleNotFoundError"):
            Contest(spec)
    finally:
        file.write_text("")


def test_the_packages_of_another_environment_with_our_name_are_hidden(tmp_path: Path) -> None:
    library = tmp_path / "lib"
    other = Interpreter(program="python", folders=(str(library),), hidden=(str(library / "harena"), "/elsewhere"))
    found = mounts(Walls(folder=str(tmp_path), tmp=str(tmp_path), interpreter=other))
    assert found.index(("see", str(library), str(library))) < found.index(("hide", str(library / "harena"), ""))
    assert ("hide", "/elsewhere", "") not in found


@pytest.mark.process
def test_packages_are_added_to_an_environment(
    home: Path, wheels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = find_environment("aind")
    assert before is not None
    (home / "aind" / DESCRIPTION).chmod(0o644)
    kept = (home / "aind" / DESCRIPTION).read_text()
    make_environment("aind", python=None, wheels=str(wheels), extra=["later==1.0"], folder=None)
    assert "  later 1.0\n" in capsys.readouterr().out
    after = find_environment("aind")
    assert after is not None and after.packages["later"] == "1.0" and after.digest != before.digest
    assert json.loads((home / "aind" / DESCRIPTION).read_text())["extra"] == ["harena", "later==1.0"]
    with pytest.raises(Exception, match="there is no wheel of nobody for this Python"):
        make_environment("aind", python=None, wheels=str(wheels), extra=["nobody"], folder=None)
    assert find_environment("aind") == after  # what was there still is
    for file in (home / "aind").rglob("later*"):
        if file.is_dir():
            file.rename(tmp_path / file.name)
    (home / "aind" / DESCRIPTION).write_text(kept)
    assert find_environment("aind") == before


# Runs


@pytest.mark.process
def test_a_run_goes_on_only_with_the_environment_that_it_began_with(home: Path, tmp_path: Path) -> None:
    spec = specification(agent(tmp_path / "mine", AGENT))
    assert Contest(Spec(**json.loads(json.dumps(spec.as_dict())))).environments["aind"].python == PYTHON
    before = {"aind": spec.environments["aind"] | {"versions": {"python": "3.10.13"}, "digest": "another"}}
    with pytest.raises(UsageError, match=r"changed from Python 3\.10\.13 to Python .* since this run began"):
        Contest(replace(spec, environments=before))
    old = {key: value for key, value in spec.as_dict().items() if key != "environments"}
    assert Contest(Spec(**old)).environments == {}  # of a run that was begun before there were any


@pytest.mark.process
def test_an_interpreter_that_a_store_names_is_started_only_if_it_is_typed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    python, mark = tmp_path / "python", tmp_path / "ran"
    python.write_text(f'#!/bin/sh\ntouch {mark}\nexec {home / "aind" / "bin" / "python"} "$@"\n')
    python.chmod(0o755)
    text = agent(tmp_path / "mine", AGENT)
    spec = specification(text, python=str(python), sizes="4")
    mark.unlink()
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        begun = store.new_run("match", {"spec": replace(spec, local=True).as_dict(), "pairs": 1, "sprt": None})
        store.finish(begun.id, STOPPED)
    words = ["resume", "--store", str(path), "--agent", str(tmp_path / "mine")]
    trusted._typed.code.clear()
    refused = run(capsys, monkeypatch, *words)
    assert refused.code == 2 and not mark.exists()
    assert f"runs code of {python}: if you trust it, type: " in refused.err and f"--python {python}" in refused.err
    done = run(capsys, monkeypatch, *words, "--python", str(python))
    assert done.code == 0 and mark.exists() and "numpy 2.1.0" in " ".join(done.out.split())


@pytest.mark.process
def test_a_typed_interpreter_is_no_other_environment_of_the_same_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trusted, "_typed", trusted._Typed())
    places = [tmp_path / name / "bin" / "python" for name in ("first", "second")]
    described = []
    for place in places:
        venv.create(place.parent.parent, symlinks=True)
        library = next((place.parent.parent / "lib").glob("python*")) / "site-packages"
        (library / "numpy").mkdir()
        (library / "numpy" / "__init__.py").touch()
        (library / "numpy-2.0.dist-info").mkdir()
        (library / "numpy-2.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: numpy\nVersion: 2.0\n")
        described.append(environments_for([agent(tmp_path / "mine", AGENT)], str(place))["aind"])
    assert places[0].resolve() == places[1].resolve()
    trusted._typed.code.clear()
    trusted.trust(places[0])
    assert restore("aind", described[0], "off").place == str(places[0])
    with pytest.raises(trusted.NotTrusted, match=f"type --python {places[1]}"):
        restore("aind", described[1], "off")
    with trusted.only_trusted([], agents=[tmp_path]), pytest.raises(trusted.NotTrusted):
        restore("aind", described[1], "off")  # a folder of agents makes no interpreter in it trusted


@pytest.mark.process
def test_an_environment_is_neither_changed_nor_removed_while_a_run_lives(
    home: Path, wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gc.collect()  # runs of other tests
    text = agent(tmp_path / "mine", AGENT)
    before = (home / "aind" / DESCRIPTION).read_text()
    refusal = "aind's environment is in use by a running match or grading: wait until it has ended"
    for user in (
        Contest(specification(text)),
        Contest(specification(text, python=str(home / "aind"))),
        usual_environment(text),
    ):
        for words in (["--with", "later", "--wheels", str(wheels)], ["--remove"]):
            done = run(capsys, monkeypatch, "course", "env", "aind", *words)
            assert done.code == 2 and refusal in " ".join(done.err.split())
        assert (home / "aind" / DESCRIPTION).read_text() == before
        del user
    gc.collect()
    spec, changed = specification(text), "aind's environment is being changed by another process: wait for it"
    with environments._claimed(home / "aind", "aind"), pytest.raises(UsageError, match=changed):
        Contest(spec)  # it is free again, and no run begins while it is changed
    assert Contest(specification(text)).environments["aind"].python == PYTHON


@pytest.mark.process
def test_a_run_ends_if_its_environment_has_changed_when_an_agent_does_not_load(home: Path, tmp_path: Path) -> None:
    spec = specification(agent(tmp_path / "mine", AGENT))
    broken = specification(agent(tmp_path / "broken", "import nothing_of_this_name"))
    assert play(broken)[0].reason == "did not load"  # by its own fault
    (package,) = (home / "aind").rglob("termcolor-*.dist-info")
    module = package.with_name("termcolor")
    contest, contestants = Contest(replace(spec, local=True)), dict[int, Any]()
    for one in (package, module):
        one.rename(tmp_path / one.name)
    try:
        with pytest.raises(UsageError, match="the environment aind has changed since this run began: begin a new one"):
            contest.play(Slot(a=0, b=1, pair=0, swapped=False), contestants)
    finally:
        for one in (package, module):
            (tmp_path / one.name).rename(one)
        for contestant in contestants.values():
            contestant.close()
    assert not contest.unloadable


@pytest.mark.process
def test_a_grading_in_another_environment_plays_everybody_anew(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(monkeypatch, "aind", Level(player="random"))
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "ada.py").write_text(ANYWHERE)
    out = grade(folder, course="aind", seconds=20.0)
    text = f"agents in Python {PYTHON} (numpy 2.1.0; termcolor 1.1.0)"
    for page in ("leaderboard.html", "reports/ada.html"):
        assert text in (out / page).read_text("utf-8")
    assert verdicts(out)["ada"]["verdict"] == "graded"
    grade(folder, course="aind", seconds=20.0)
    with Store(out / "games.sqlite") as store:
        (run,) = store.runs()  # the same one: nothing was played again
        before = plan_of(dict(run.spec))
    now = replace(before, spec=replace(before.spec, environments={}))
    assert not is_same(now, before) and not can_share_games(now, before)
    assert played_anew(now, [before]).endswith(f"under other conditions: now without, before {text}")
    other = {"aind": before.spec.environments["aind"] | {"digest": "another"}}
    now = replace(before, spec=replace(before.spec, environments=other))
    assert played_anew(now, [before]).endswith("other packages are installed in the environment")
    elsewhere = {"aind": before.spec.environments["aind"] | {"place": "/another/python"}}
    assert can_share_games(replace(before, spec=replace(before.spec, environments=elsewhere)), before)


def test_versions_of_a_store_that_is_not_ours_are_told_all_the_same() -> None:
    assert versions_text({"python": "3.9.1"}) == "Python 3.9.1" and versions_text(None) == "unknown versions"
    assert dict(told({"hosted": {"aind": 3, "comp424": {"numpy": "1"}}})) == {
        "hosted by": "aind: unknown versions; comp424: Python ? (numpy 1)"
    }


# The Python that hosts


HOSTING = Path(hosting.__file__).parent
NEWER = re.compile(r"strict=|kw_only|slots=True|sys\.stdlib_module_names|ast\.(?:pattern|Match|TryStar)\b|\bSelf\b")


SOURCES = sorted(file for file in HOSTING.rglob("*.py") if file.name != "__init__.py")


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(HOSTING)))
def test_what_runs_beside_an_agent_is_written_for_the_oldest_python(file: Path) -> None:
    text = file.read_text("utf-8")
    tree = ast.parse(text, feature_version=OLDEST)
    assert not NEWER.search(text)
    if "modules" not in file.parts:  # whose functions have no annotations
        assert any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
