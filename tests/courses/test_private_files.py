"""Grades, submissions and stores are closed to other users of the machine, also those that version 0.1.0 left open."""

import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from courses.graded import grade, meet, small_class, verdicts
from harena.arena.store import Store
from harena.arena.store_files import files_of, usual_path
from harena.courses.levels import Level
from sandbox.support import ordinary_user

READ = """
import os, sys
for folder, folders, files in os.walk(sys.argv[1]):
    for name in files:
        try:
            open(os.path.join(folder, name), 'rb').close()
            print(os.path.join(folder, name))
        except OSError:
            pass
"""


@pytest.fixture
def lax_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def open_paths(folder: Path) -> list[Path]:
    """What other users have any right to; submissions, which agents read as other users, are closed as a whole."""
    assert mode(folder / "submissions") == 0o700
    found = [path for path in folder.rglob("*") if "submissions" not in path.relative_to(folder).parts]
    return [path for path in found if mode(path) & 0o077]


@pytest.mark.process
@pytest.mark.usefixtures("lax_umask")
@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
def test_a_grading_is_for_its_user_alone(monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    """Submissions are read all the same: as root each agent is another user."""
    meet(monkeypatch, "w4701", Level(player="random"))
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)  # else nobody else gets here anyway
        folder = small_class(Path(place, "class"), "ada")
        (folder / "bob").mkdir(mode=0o700)
        (folder / "bob" / "PlayerAI.py").write_text("import helper\n")
        (folder / "bob" / "helper.py").write_text("raise ValueError('helper was read')\n")
        os.chmod(folder / "bob" / "helper.py", 0o600)
        out = grade(folder, pseudonyms=True, sandbox=level)
        assert mode(out) == 0o700 and not open_paths(out)
        assert sorted(row["verdict"] for row in verdicts(out).values()) == ["did not load", "graded"]
        assert "helper was read" in (out / "reports" / "bob.html").read_text("utf-8")
        out.chmod(0o755)  # as a user may have made it
        with ordinary_user() as (become, python):
            done = subprocess.run([*become, python, "-c", READ, out], capture_output=True, text=True, check=True)
        assert done.stdout == ("" if become else done.stdout)


@pytest.mark.process
@pytest.mark.usefixtures("lax_umask")
def test_what_an_earlier_version_left_open_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", Level(player="random"))
    folder = small_class(tmp_path / "class")
    (folder / "ada.py").write_text("raise ValueError\n")
    out = grade(folder, pseudonyms=True)
    for path in [out, *out.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    (out / "mine.txt").write_text("a user's own")
    (out / "mine.txt").chmod(0o644)
    grade(folder, pseudonyms=True)
    assert mode(out) == 0o755, "the folder may be the user's own"
    students = {"reports", "replays", "gradescope"}  # closed as a whole
    assert {path.relative_to(out).parts[0] for path in open_paths(out)} - students == {"mine.txt"}
    assert all(mode(out / name) == 0o700 for name in students)


@pytest.mark.usefixtures("lax_umask")
def test_the_usual_store_is_for_its_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("HARENA_STORE", raising=False)
    for _ in range(2):
        with Store() as store:
            store.new_run("match", {})
            assert store.path == usual_path() and store.path.is_relative_to(tmp_path)
            there = [path for path in files_of(store.path) if path.exists()]
            assert len(there) == 3, "with its log"
            assert {mode(path) for path in there} == {0o600} and mode(store.path.parent) == 0o700
        store.path.chmod(0o644)  # as version 0.1.0 made it
        store.path.parent.chmod(0o755)


@pytest.mark.usefixtures("lax_umask")
def test_a_new_store_is_private_and_a_shared_one_stays_shared(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite"
    Store(path).close()
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    path.chmod(0o640)
    path.parent.chmod(0o750)
    Store(path).close()
    assert (mode(path), mode(path.parent)) == (0o640, 0o750)
