"""Looking at the cache and tidying it up: what nothing will load again is told apart from what is in use."""

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from harena.errors import UsageError
from harena.kernel.upkeep import PACKAGE, UNUSED_DAYS, cache_root, folders, remove
from kernel.support import RUN_FILE, UNPRIVILEGED, Answer, edit, kernel_files, run, run_well, write

KERNEL = "from harena.kernel.compile import kernel\n\n@kernel\ndef run(x):\n    return x + 1\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def make(cache: Path, number: int, *sources: Path, days: float = 0) -> Path:
    """A folder with two kernels made from these files, as the cache would write it, used so many days ago."""
    folder = cache / "kernels" / f"{number:016x}"
    digests = {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in sources}
    write(folder / "sources.json", json.dumps(digests))
    for name in ("step", "list_moves"):
        kernel = write(folder / f"{name}-0123456789abcdef.kernel", "x" * 500)
        os.utime(kernel, (time.time() - days * 86400 - number,) * 2)
    return folder


def command(cache: Path, *options: str, first_lines: str = "") -> Answer:
    """`harena cache` in a process of its own, without the compiler."""
    script = (
        f"{first_lines}\nimport sys\nfrom harena.cli.main import main\nsys.argv[1:1] = ['cache']\ntry:\n    main()\n"
    )
    return run(script + "finally:\n    assert 'numba' not in sys.modules\n", *options, cache=cache)


def test_an_empty_and_a_missing_folder(cache: Path) -> None:
    assert folders() == []
    (cache / "kernels").mkdir(parents=True)
    assert folders() == []
    assert cache_root() == cache / "kernels"


def test_what_a_folder_tells(cache: Path, tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.py", "x = 1\n")
    path = make(cache, 1, mine, PACKAGE / "errors.py")
    (folder,) = folders()
    assert (folder.path, folder.kernels, folder.size) == (path, ("list_moves", "step"), 1000)
    assert (folder.stale, folder.users) == ("", (str(mine),))
    assert time.time() - 60 < folder.used < time.time()


def test_the_most_recently_used_comes_first(cache: Path, tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.py", "x = 1\n")
    paths = [make(cache, number, mine, days=days) for number, days in ((1, 5), (2, 1), (3, 9))]
    assert [folder.path for folder in folders()] == [paths[1], paths[0], paths[2]]


def test_a_folder_is_stale_when_a_source_has_changed_or_is_gone_or_unreadable(cache: Path, tmp_path: Path) -> None:
    same, changed, gone = (write(tmp_path / f"{name}.py", "x = 1\n") for name in ("same", "changed", "gone"))
    folder_in_the_way = write(tmp_path / "way.py", "x = 1\n")
    for number, sources in enumerate([(same,), (same, changed), (same, gone), (folder_in_the_way,)]):
        make(cache, number, *sources)
    edit(changed, "1", "2")
    gone.unlink()
    folder_in_the_way.unlink()
    folder_in_the_way.mkdir()
    assert [folder.stale for folder in folders()] == [
        "",
        "changed.py has changed",
        "gone.py is gone",
        "way.py cannot be read: Is a directory",
    ]


def test_a_folder_that_was_not_used_for_long_is_stale(cache: Path, tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.py", "x = 1\n")
    make(cache, 1, mine, days=UNUSED_DAYS - 1)
    make(cache, 2, mine, days=UNUSED_DAYS + 1)
    assert [folder.stale for folder in folders()] == ["", f"not used for {UNUSED_DAYS} days"]


@pytest.mark.parametrize("text", ["garbage", "[1, 2]", ""])
def test_a_folder_whose_sources_cannot_be_read_is_stale(cache: Path, tmp_path: Path, text: str) -> None:
    folder = make(cache, 1, write(tmp_path / "mine.py", "x = 1\n"))
    (folder / "sources.json").write_text(text)
    assert [(one.stale, one.kernels) for one in folders()] == [("unreadable", ("list_moves", "step"))]
    (folder / "sources.json").unlink()
    assert [one.stale for one in folders()] == ["unreadable"]


def test_removing(cache: Path, tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.py", "x = 1\n")
    make(cache, 1, mine)
    make(cache, 2, mine)
    first, second = folders()
    remove(first)
    assert not first.path.exists()
    assert folders() == [second]
    remove(first)  # somebody else was faster


def test_a_link_is_not_followed(cache: Path, tmp_path: Path) -> None:
    precious = write(tmp_path / "precious" / "thesis.txt", "x")
    (cache / "kernels").mkdir(parents=True)
    (cache / "kernels" / f"{1:016x}").symlink_to(precious.parent)
    with pytest.raises(UsageError, match="cannot be removed"):
        remove(folders()[0])
    assert precious.exists()


@pytest.mark.process
def test_what_is_not_ours_is_left_alone(cache: Path) -> None:
    precious = write(cache / "kernels" / "linux-6.1" / "main.c", "int main;")
    assert folders() == []
    assert command(cache, "--clear").lines[1:] == ["0 kernels, 0.0 MB", "nothing to remove"]
    assert precious.exists()


def test_a_file_in_place_of_the_folder(cache: Path) -> None:
    cache.mkdir()
    (cache / "kernels").write_text("x")
    with pytest.raises(UsageError, match=r"kernels: cannot be read: Not a directory$"):
        folders()


@pytest.mark.process
def test_the_command_shows_prunes_and_clears(tmp_path: Path, cache: Path) -> None:
    kept, edited, gone = (write(tmp_path / f"{name}.py", KERNEL) for name in ("kept", "edited", "gone"))
    for file in (kept, edited, gone):
        run_well(RUN_FILE, file, 1, cache=cache)
    everything = command(cache)
    assert (everything.code, everything.err) == (0, "")
    assert everything.lines[0] == f"compiled code is kept in {cache / 'kernels'}"
    assert all(f"for {file.name}" in everything.out for file in (kept, edited, gone))
    assert everything.lines[-1].startswith("3 kernels, 0.")
    assert command(cache, "--prune").lines[-1] == "nothing to remove"

    edit(edited, "+ 1", "+ 2")
    gone.unlink()
    shown = command(cache)
    assert "edited.py has changed" in shown.out
    assert "gone.py is gone" in shown.out
    assert shown.lines[-1] == "2 of these folders are out of date: harena cache --prune removes them"
    assert len(kernel_files(cache)) == 3

    assert command(cache, "--prune").lines[-1].startswith("removed 2 kernels, 0.")
    assert len(kernel_files(cache)) == 1
    assert run_well(RUN_FILE, kept, 1, cache=cache).json == [2, {}]

    assert command(cache, "--clear").lines[-1].startswith("removed 1 kernels, 0.")
    assert not kernel_files(cache)
    assert command(cache).lines == [f"compiled code is kept in {cache / 'kernels'}", "0 kernels, 0.0 MB"]


@pytest.mark.process
def test_what_may_not_be_removed_is_not_said_to_be(cache: Path, tmp_path: Path) -> None:
    folder = make(cache, 1, write(tmp_path / "mine.py", "x = 1\n"))
    folder.chmod(0o500)
    answer = command(cache, "--clear", first_lines=UNPRIVILEGED)
    folder.chmod(0o700)
    assert answer.code == 2
    assert answer.err == f"harena: {folder}: cannot be removed: Permission denied\n"
    assert len(kernel_files(cache)) == 2


@pytest.mark.process
def test_a_folder_that_may_not_be_read(cache: Path, tmp_path: Path) -> None:
    folder = make(cache, 1, write(tmp_path / "mine.py", "x = 1\n"))
    folder.chmod(0)
    inside = command(cache, first_lines=UNPRIVILEGED)
    folder.chmod(0o700)
    assert (inside.code, inside.err) == (0, "")
    assert "unreadable" in inside.out
    (cache / "kernels").chmod(0)
    outside = command(cache, first_lines=UNPRIVILEGED)
    (cache / "kernels").chmod(0o700)
    assert outside.code == 2
    assert outside.err == f"harena: {cache / 'kernels'}: cannot be read: Permission denied\n"
