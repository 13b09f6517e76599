"""Submissions nobody has looked at: good ones are copied, bad ones refused with one line and nothing written."""

import contextlib
import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harena.courses import archives, intake
from harena.courses.intake import BadSubmission, submissions, take_in
from sandbox.support import ordinary_user, readable_source

LINK = (stat.S_IFLNK | 0o777) << 16


def made(file: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    """A zip with these entries, compressed."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return file


def entry(name: str, attributes: int = 0) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("placeholder")
    info.filename, info.external_attr = name, attributes
    return info


def taken(source: Path, target: Path) -> dict[str, str]:
    """What was taken in."""
    take_in(source, target)
    files = (one for one in target.rglob("*") if one.is_file())
    return {str(one.relative_to(target)): one.read_text() for one in files}


def refused(source: Path, target: Path) -> str:
    """Why it was not; nothing is there then, and nothing beside it."""
    around = set(target.parent.rglob("*"))
    with pytest.raises(BadSubmission) as error:
        take_in(source, target)
    assert list(target.iterdir()) == []
    assert set(target.parent.rglob("*")) - {target} == around - {target}
    line = str(error.value)
    assert "\n" not in line and len(line) < 300
    assert line.startswith(source.name)
    return line


def test_a_file_a_folder_and_a_zip_are_copied(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    (folder / "agents" / "deep").mkdir(parents=True)
    (folder / "agents" / "student_agent.py").write_text("a")
    (folder / "agents" / "deep" / "data").write_text("b")
    for name in (".git", "__pycache__"):
        (folder / name).mkdir()
        (folder / name / "x").write_text("left out")
    os.chmod(folder / "agents", 0o700)
    os.chmod(folder / "agents" / "student_agent.py", 0o700)
    expected = {"agents/student_agent.py": "a", "agents/deep/data": "b"}
    assert taken(folder, tmp_path / "1") == expected
    zipped = made(
        tmp_path / "bob.ZIP",
        ("./", b""),
        ("agents/", b""),
        ("agents/student_agent.py", b"a"),
        ("agents\\deep\\data", b"b"),
        ("__MACOSX/._x", b"left out"),
        (".DS_Store", b"left out"),
        ("agents/__pycache__/x.pyc", b"left out"),
    )
    assert taken(zipped, tmp_path / "2") == expected
    (tmp_path / "Player AI.py").write_text("c")
    assert taken(tmp_path / "Player AI.py", tmp_path / "3") == {"Player_AI.py": "c"}
    for one in [*(tmp_path / "1").rglob("*"), *(tmp_path / "2").rglob("*"), *(tmp_path / "3").rglob("*")]:
        assert stat.S_IMODE(one.stat().st_mode) == (0o755 if one.is_dir() else 0o644)


def test_a_zip_in_a_zip_is_not_opened(tmp_path: Path) -> None:
    inner = made(tmp_path / "inner.zip", ("../evil", b"x")).read_bytes()
    outer = made(tmp_path / "outer.zip", ("inner.zip", inner), ("PlayerAI.py", b"x"))
    take_in(outer, tmp_path / "target")
    assert sorted(one.name for one in (tmp_path / "target").iterdir()) == ["PlayerAI.py", "inner.zip"]
    alone = made(tmp_path / "alone.zip", ("inner.zip", inner))
    with pytest.raises(BadSubmission, match=r"no Python file in it, but 'inner\.zip': unpack that one"):
        take_in(alone, tmp_path / "other")


def test_a_folder_with_just_a_zip_is_that_zip(tmp_path: Path) -> None:
    (tmp_path / "Jane Doe_12345_assignsubmission_file_").mkdir()
    made(tmp_path / "Jane Doe_12345_assignsubmission_file_" / "proj.zip", ("PlayerAI.py", b"x"))
    take_in(tmp_path / "Jane Doe_12345_assignsubmission_file_", tmp_path / "target")
    assert [one.name for one in (tmp_path / "target").iterdir()] == ["PlayerAI.py"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../evil.py", "outside"),
        ("a/../../evil.py", "outside"),
        ("..\\evil.py", "outside"),
        ("/etc/evil.py", "outside"),
        ("\\evil.py", "outside"),
        ("C:\\evil.py", "outside"),
        ("c:evil.py", "outside"),
        ("evil\n.py", "cannot be used"),
        ("evil\x1b[31m.py", "cannot be used"),
        (". ", "cannot be used"),
        ("x" * 250, "too long"),
        ("/".join("x" * 100 for _ in range(11)), "too long"),
    ],
)
def test_names_that_lead_astray_are_refused(tmp_path: Path, name: str, why: str) -> None:
    zipped = made(tmp_path / "evil.zip", ("good.py", b"x"), (entry(name), b"x"))
    assert why in refused(zipped, tmp_path / "target")


def test_links_and_devices_in_a_zip_are_refused(tmp_path: Path) -> None:
    linked = made(tmp_path / "link.zip", ("good.py", b"x"), (entry("passwd", LINK), b"/etc/passwd"))
    assert "is a link" in refused(linked, tmp_path / "1")
    device = made(tmp_path / "device.zip", (entry("sda", stat.S_IFBLK << 16), b""))
    assert "neither a file nor a folder" in refused(device, tmp_path / "2")


@pytest.mark.slow
def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = bytes(20 << 20)
    assert "is a zip bomb" in refused(made(tmp_path / "bomb.zip", ("a", zeros)), tmp_path / "1")
    many = made(tmp_path / "many.zip", *((f"{number}.py", b"") for number in range(archives.MOST_FILES + 1)))
    assert "more than 2,000 files" in refused(many, tmp_path / "2")
    noise = os.urandom(1 << 20)
    loud = made(tmp_path / "loud.zip", *((str(number), noise + zeros[: 5 << 20]) for number in range(12)))
    assert "more than 64 MB" in refused(loud, tmp_path / "3")
    with (tmp_path / "large.zip").open("wb") as file:
        file.truncate(archives.MOST_BYTES + 1)
    assert "larger than 64 MB" in refused(tmp_path / "large.zip", tmp_path / "4")
    monkeypatch.setattr(archives, "MOST_ENTRIES", 1000)
    assert "more than 2,000 files" in refused(many, tmp_path / "5")


def test_a_zip_that_lies_about_sizes_is_refused(tmp_path: Path) -> None:
    zipped = made(tmp_path / "liar.zip", ("a.py", b"x" * 5000))
    data = bytearray(zipped.read_bytes())
    at = data.index(archives.ENTRY)
    data[at + 24 : at + 28] = struct.pack("<I", 10)  # it is said to have ten bytes
    zipped.write_bytes(data)
    assert "cannot be read" in refused(zipped, tmp_path / "target")


def test_encrypted_and_broken_zips_are_refused(tmp_path: Path) -> None:
    zipped = made(tmp_path / "secret.zip", ("a.py", b"print(1)" * 100))
    good = zipped.read_bytes()
    data = bytearray(good)
    data[data.index(archives.ENTRY) + 8] |= 1
    zipped.write_bytes(data)
    assert "is encrypted" in refused(zipped, tmp_path / "1")
    half = len(good) // 2
    broken = {
        "empty": b"",
        "text": b"this is no zip",
        "half": good[:half],
        "changed": good[:50] + bytes([good[50] ^ 255]) + good[51:],
        "method": good.replace(struct.pack("<H", zipfile.ZIP_DEFLATED), struct.pack("<H", 77)),
    }
    for number, (name, content) in enumerate(broken.items(), 2):
        (tmp_path / f"{name}.zip").write_bytes(content)
        assert "cannot be read" in refused(tmp_path / f"{name}.zip", tmp_path / str(number)), name


def test_one_name_twice_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = made(tmp_path / "twice.zip", ("a.py", b"1"), ("a.py", b"2"))
    assert "twice" in refused(twice, tmp_path / "1")
    assert "twice" in refused(made(tmp_path / "dots.zip", ("a.py", b"1"), (entry("./a.py"), b"2")), tmp_path / "2")
    both = made(tmp_path / "both.zip", ("a", b"1"), ("a/b.py", b"2"))
    assert "is a file and a folder" in refused(both, tmp_path / "3")


def test_what_has_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / ".git").mkdir()
    assert "no file" in refused(tmp_path / "empty", tmp_path / "1")
    assert "no file" in refused(made(tmp_path / "empty.zip", ("a/", b"")), tmp_path / "2")


def test_links_in_a_folder_stay_within_it(tmp_path: Path) -> None:
    folder = tmp_path / "alice"
    (folder / "sub").mkdir(parents=True)
    (folder / "agent.py").write_text("a")
    (folder / "sub" / "same.py").symlink_to(folder / "agent.py")
    (folder / "again").symlink_to("sub")
    (folder / "nowhere").symlink_to("missing")
    (folder / "loop").symlink_to("loop")
    assert taken(folder, tmp_path / "1")["sub/same.py"] == "a"
    assert os.readlink(tmp_path / "1" / "sub" / "same.py") == "../agent.py"
    assert sorted(os.listdir(tmp_path / "1")) == ["again", "agent.py", "sub"]
    (tmp_path / "bob.py").write_text("secret")
    (folder / "other.py").symlink_to("../bob.py")
    assert "leads out" in refused(folder, tmp_path / "2")
    (folder / "other.py").unlink()
    (folder / "all").symlink_to("/etc")
    assert "leads out" in refused(folder, tmp_path / "3")
    (tmp_path / "link").symlink_to(folder)
    assert "is a link" in refused(tmp_path / "link", tmp_path / "4")


def test_odd_things_in_a_folder_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "alice"
    folder.mkdir()
    (folder / "agent.py").write_text("a")
    os.mkfifo(folder / "pipe")
    assert "neither a file nor a folder" in refused(folder, tmp_path / "1")
    (folder / "pipe").unlink()
    (folder / os.fsdecode(b"\xff.py")).write_text("a")
    assert "is no text" in refused(folder, tmp_path / "2")
    (folder / os.fsdecode(b"\xff.py")).unlink()
    monkeypatch.setattr(intake, "MOST_FILES", 0)
    assert "more than 0 files" in refused(folder, tmp_path / "3")
    monkeypatch.undo()
    assert taken(folder, tmp_path / "4") == {"agent.py": "a"}


def test_what_is_no_submission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "alice.rar").write_bytes(b"Rar!")
    os.mkfifo(tmp_path / "pipe.zip")
    for number, name in enumerate(("alice.rar", "pipe.zip", "missing.py")):
        assert "neither a Python file nor a folder nor a zip" in refused(tmp_path / name, tmp_path / str(number))
    (tmp_path / "two\nlines.rar").write_bytes(b"Rar!")
    with pytest.raises(BadSubmission, match=r"two\?lines\.rar: is neither"):
        take_in(tmp_path / "two\nlines.rar", tmp_path / "lines")
    (tmp_path / "large.py").write_text("a")
    monkeypatch.setattr(intake, "LARGEST", 0)
    assert "is larger than" in refused(tmp_path / "large.py", tmp_path / "large")


@pytest.mark.process
def test_what_cannot_be_read_is_refused() -> None:
    """By somebody whom the system refuses something: not root."""
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from harena.courses.intake import BadSubmission, take_in\n"
        "home = Path(sys.argv[1])\n"
        "(home / 'alice').mkdir()\n"
        "(home / 'alice' / 'a.py').write_text('a')\n"
        "(home / 'alice' / 'folder').mkdir()\n"
        "(home / 'alice' / 'folder' / 'b.py').write_text('b')\n"
        "for closed in (home / 'alice' / 'folder' / 'b.py', home / 'alice' / 'folder'):\n"
        "    closed.chmod(0)\n"
        "    try:\n"
        "        take_in(home / 'alice', home / 'target')\n"
        "    except BadSubmission as error:\n"
        "        print(error, os.listdir(home / 'target'))\n"
        "    closed.chmod(0o700)\n"
    )
    with ordinary_user() as (become, python), tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        words = [*become, python, "-B", "-c", script, folder]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": readable_source()}
        done = subprocess.run(words, env=environment, cwd="/", capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["alice: 'b.py' cannot be read []", "alice: 'folder' cannot be read []"], done


def test_submissions_of_a_folder_have_safe_and_unique_names(tmp_path: Path) -> None:
    for name in ("bob.py", "Bob.zip", "notes.txt", "grades.csv", ".hidden.py", ".DS_Store", "eve.tar.gz"):
        (tmp_path / name).write_text("x")
    for name in ("alice", "bob", "__MACOSX", ".git", "a:b c", "..", "-rf", "Zoë", "x" * 120):
        (tmp_path / name).mkdir(exist_ok=True)
    found = submissions(tmp_path)
    names = {one.path.name: one.name for one in found}
    assert names == {
        "-rf": "rf",
        "a:b c": "a_b_c",
        "alice": "alice",
        "bob": "bob",
        "bob.py": "bob-2",
        "Bob.zip": "Bob-3",
        "eve.tar.gz": "eve.tar",
        "x" * 120: "x" * 80,
        "Zoë": "Zoë",
    }
    assert [one.name for one in found] == ["rf", "a_b_c", "alice", "bob", "bob-2", "Bob-3", "eve.tar", "x" * 80, "Zoë"]
    with pytest.raises(BadSubmission, match=r"eve\.tar\.gz: is neither"):
        take_in(tmp_path / "eve.tar.gz", tmp_path / "target")


@pytest.fixture
def at_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Callable[[], None]], None]]:
    """Calls something the moment before a file or folder of this name is opened: between every look and its use."""
    planned: dict[str, Callable[[], None]] = {}

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if planned and event in ("open", "os.scandir") and isinstance(arguments[0], (str, bytes, os.PathLike)):
            act = planned.pop(os.path.basename(os.fsdecode(arguments[0])), None)
            if act is not None:
                act()

    sys.addaudithook(hook)  # stays: without a plan it does nothing
    yield planned.__setitem__
    planned.clear()


Swap = Callable[[str, Callable[[], None]], None]


@pytest.mark.parametrize("kind", ["file", "zip", "in a folder", "folder", "submission", "lone zip"])
def test_what_is_exchanged_for_a_link_meanwhile_is_not_followed(tmp_path: Path, at_open: Swap, kind: str) -> None:
    """An author who may write there exchanges what was looked at for a link to what only the instructor may read."""
    secret = tmp_path / "secret"
    (secret / "inside").mkdir(parents=True)
    (secret / "agent.py").write_text("SECRET")
    (secret / "inside" / "agent.py").write_text("SECRET")
    made(secret / "agent.zip", ("agent.py", b"SECRET"))
    folder = tmp_path / "class" / "alice"
    (folder / "inside").mkdir(parents=True)
    names = {"file": "agent.py", "zip": "agent.zip", "lone zip": "agent.zip", "in a folder": "agent.py"}
    name = names.get(kind, "inside" if kind == "folder" else "alice")
    (folder / "agent.py").write_text("a")
    (folder / "inside" / "other.py").write_text("b")
    made(folder / "agent.zip", ("agent.py", b"a"))
    if kind == "lone zip":
        (folder / "agent.py").unlink()
        (folder / "inside" / "other.py").unlink()
        (folder / "inside").rmdir()
    victim = tmp_path / "class" / "alice" if name == "alice" else folder / name

    def swap() -> None:
        victim.rename(tmp_path / "old")
        victim.symlink_to(secret if name == "alice" else secret / name)

    at_open(name, swap)
    source = folder / name if kind in ("file", "zip") else folder
    target = tmp_path / "target"
    with contextlib.suppress(BadSubmission):
        take_in(source, target)
    assert victim.is_symlink(), "it was exchanged"
    assert not any("SECRET" in file.read_text("latin-1") for file in target.rglob("*") if file.is_file())
    assert not any(file.is_symlink() for file in target.rglob("*"))


def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(tmp_path: Path, at_open: Swap) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "agent.py").write_text("a")
    (tmp_path / "bob.py").write_text("b")

    def pipe(path: Path) -> Callable[[], None]:
        return lambda: (path.unlink(), os.mkfifo(path))[0]

    at_open("agent.py", pipe(tmp_path / "alice" / "agent.py"))
    assert "'agent.py' is neither a file nor a folder" in refused(tmp_path / "alice", tmp_path / "1")
    at_open("bob.py", pipe(tmp_path / "bob.py"))
    assert "is neither" in refused(tmp_path / "bob.py", tmp_path / "2")


def test_a_socket_and_a_tower_of_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "bob").mkdir()
    for place in (tmp_path / "alice" / "s.zip", tmp_path / "bob" / "x", tmp_path / "eve.zip"):
        with contextlib.chdir(place.parent), socket.socket(socket.AF_UNIX) as listener:
            listener.bind(place.name)
    for number, name in enumerate(("alice", "bob", "eve.zip")):
        assert "neither" in refused(tmp_path / name, tmp_path / f"socket{number}")
    deep = tmp_path / "cyd"
    for _ in range(intake.DEEPEST + 2):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "a.py").write_text("a")
    assert "within each other" in refused(tmp_path / "cyd", tmp_path / "deep")
    assert len(os.listdir("/proc/self/fd")) < 100, "and no descriptor stays open"


def test_the_folder_in_which_one_stands_can_be_taken_in(tmp_path: Path) -> None:
    made(tmp_path / "proj.zip", ("PlayerAI.py", b"x"))
    with contextlib.chdir(tmp_path), intake.unpacked(Path()) as found:
        assert found.name == "PlayerAI.py"
