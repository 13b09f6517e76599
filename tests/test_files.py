"""Files that several processes use: all of a new content or all of the old one, and locks that end with a process."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harena.errors import UsageError
from harena.files import (
    DEFAULT,
    PRIVATE,
    STALE,
    atomic_file,
    atomic_write,
    is_in_place,
    lock,
    remove_unfinished,
    write_output,
)


@pytest.mark.parametrize(("mode", "rights"), [(PRIVATE, 0o600), (DEFAULT, 0o640)])
def test_a_file_is_replaced_as_a_whole(tmp_path: Path, mode: int, rights: int) -> None:
    path = tmp_path / ("x" * 255)  # as long as a name may be
    path.write_text("before")
    umask = os.umask(0o027)
    try:
        atomic_write(path, b"after", mode)
    finally:
        os.umask(umask)
    assert path.read_text() == "after" and [file.name for file in tmp_path.iterdir()] == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) == rights


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_write_that_fails_changes_and_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "file"
    path.write_text("before")
    with pytest.raises(error), atomic_file(path) as part:
        part.write_text("half")
        assert path.read_text() == "before"
        raise error
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "none" / "file", tmp_path / "file" / "file"):
        (tmp_path / "file").touch()
        with pytest.raises(UsageError, match=r"^'.*' cannot be written: [\w ]+$"):
            write_output(str(file), b"")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_unfinished_files_of_killed_processes_are_removed(tmp_path: Path) -> None:
    parts = [tmp_path / "old.part", tmp_path / ".old.part", tmp_path / "new.part", tmp_path / "old.json"]
    for part in parts:
        part.touch()
        if "old" in part.name:
            os.utime(part, (time.time() - 2 * STALE, time.time() - 2 * STALE))
    remove_unfinished(tmp_path)
    remove_unfinished(tmp_path / "none")
    assert sorted(tmp_path.iterdir()) == sorted(parts[2:])


HOLDER = """
import os, sys, time
from harena.files import lock
file = os.open(sys.argv[1], os.O_RDONLY)
print(lock(file, shared=sys.argv[2] == "shared"), flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("kind", ["shared", "alone"])
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_lock_ends_with_its_process_however_it_ends(tmp_path: Path, kind: str, what: str) -> None:
    path = tmp_path / what
    path.touch() if what == "file" else path.mkdir()
    file = os.open(path, os.O_RDONLY)
    words = [sys.executable, "-c", HOLDER, str(path), kind]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "True\n"
        assert not lock(file) and lock(file, shared=True) == (kind == "shared")
        holder.send_signal(signal.SIGKILL)
    assert lock(file) and is_in_place(file, path)
    path.unlink() if what == "file" else path.rmdir()
    assert not is_in_place(file, path)
    path.touch()
    assert not is_in_place(file, path)
    os.close(file)
