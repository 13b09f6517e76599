"""The cache's folder in bad condition: damaged, forbidden, full, shared, or used by many at once. It always works."""

import hashlib
import os
import pickle
import stat
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from kernel.support import (
    RUN_FILE,
    SMALL_FILES_ONLY,
    UNPRIVILEGED,
    finish,
    kernel_files,
    leftovers,
    run,
    run_well,
    start,
    write,
)

pytestmark = pytest.mark.process

TWO_KERNELS = """
from harena.kernel.compile import kernel

@kernel
def one(x):
    return x + 1

@kernel
def two(x):
    return x + 2

def run(x):
    return one(x) + two(x) + one(x / 2)
"""
KERNELS = {"one": 2, "two": 1}
ADVICE = "every start compiles anew; set HARENA_CACHE to another folder\n"


def signed(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + content


def flipped(content: bytes, eighth: int) -> bytes:
    """One bit is wrong, so many eighths into the file."""
    place = len(content) * eighth // 8
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "short": lambda content: content[:20],
    "truncated": lambda content: content[: len(content) // 2],
    "one_byte_less": lambda content: content[:-1],
    **{f"flipped_{eighth}": partial(flipped, eighth=eighth) for eighth in range(8)},
    "garbage": lambda content: b"garbage" * 1000,
    "no_pickle": lambda content: signed(b"garbage"),
    "gone_class": lambda content: signed(b"cno_such_module\nGone\n."),
    "other_thing": lambda content: signed(pickle.dumps((1, 2))),
}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A user's file with two kernels, one of them used with two types: run(4) is 14.0."""
    return write(tmp_path / "user" / "mine.py", TWO_KERNELS)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def said(cache: Path, reason: str) -> str:
    return f"harena: compiled code cannot be kept in {cache / 'kernels'} ({reason}): {ADVICE}"


def test_whatever_cannot_be_read_is_compiled_anew_and_replaced(tmp_path: Path, cache: Path) -> None:
    functions = "".join(f"@kernel\ndef {name}(x):\n    return x + 1\n\n" for name in DAMAGES)
    calls = ", ".join(f"{name}(x)" for name in DAMAGES)
    text = f"from harena.kernel.compile import kernel\n\n{functions}def run(x):\n    return [{calls}]\n"
    mine = write(tmp_path / "mine.py", text)
    right, everything = [2] * len(DAMAGES), dict.fromkeys(DAMAGES, 1)
    assert run_well(RUN_FILE, mine, 1, cache=cache).json == [right, everything]
    for file in kernel_files(cache):
        file.write_bytes(DAMAGES[file.name.partition("-")[0]](file.read_bytes()))
    assert run_well(RUN_FILE, mine, 1, cache=cache).json == [right, everything]
    assert run_well(RUN_FILE, mine, 1, cache=cache).json == [right, {}]


def test_other_things_in_the_folder_disturb_nobody(mine: Path, cache: Path) -> None:
    run_well(RUN_FILE, mine, 4, cache=cache)
    write(cache / "kernels" / "garbage.txt", "garbage")
    (cache / "kernels" / "folder").mkdir()
    folder = kernel_files(cache)[0].parent
    (folder / "sources.json").write_text("garbage")
    (folder / ".new-left-behind-by-a-killed-process").write_text("half a kernel")
    assert run_well(RUN_FILE, mine, 4, cache=cache).json == [14.0, {}]


def test_a_missing_folder_is_made_for_its_owner_alone(mine: Path, cache: Path) -> None:
    deep = cache / "not" / "there"
    run_well(f"import os\nos.umask(0)\n{RUN_FILE}", mine, 4, cache=deep)
    folders = [deep / "kernels", *(file.parent for file in kernel_files(deep))]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}
    files = [*kernel_files(deep), *deep.rglob("sources.json")]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert not leftovers(deep)


def test_without_a_choice_the_users_own_cache_folder_is_used(mine: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "kept"), "LOCALAPPDATA": str(home)}
    assert run_well(RUN_FILE, mine, 4, cache=None, **environment).json == [14.0, KERNELS]
    assert len(list(home.rglob("*.kernel"))) == 3


def forbidden(folder: Path) -> str:
    """A script that is really not allowed to write into a folder, and makes sure of it before it begins."""
    return f"""{UNPRIVILEGED}
try:
    open({str(folder / "probe")!r}, "w")
except PermissionError:
    pass
else:
    raise SystemExit("this process may write there: the test shows nothing")
{RUN_FILE}"""


def test_a_folder_that_may_not_be_made_is_said_once(mine: Path, cache: Path) -> None:
    cache.mkdir(mode=0o500)
    answer = run(forbidden(cache), mine, 4, cache=cache)
    assert (answer.json, answer.code) == ([14.0, KERNELS], 0)
    assert answer.err == said(cache, "Permission denied")
    assert not list(cache.iterdir())


def test_a_read_only_folder_serves_what_it_has(mine: Path, tmp_path: Path, cache: Path) -> None:
    run_well(RUN_FILE, mine, 4, cache=cache)
    before = kernel_files(cache)
    for folder in {cache / "kernels", *(file.parent for file in before)}:
        folder.chmod(0o500)
    script = forbidden(cache / "kernels")
    silent = run_well(script, mine, 4, cache=cache)
    assert silent.json == [14.0, {}]
    other = write(tmp_path / "user" / "other.py", TWO_KERNELS.replace("+ 2", "+ 3"))
    answer = run(script, other, 4, cache=cache)
    assert (answer.json, answer.code) == ([15.0, KERNELS], 0)
    assert answer.err == said(cache, "Permission denied")
    assert kernel_files(cache) == before


def test_a_folder_that_may_not_even_be_read(mine: Path, cache: Path) -> None:
    run_well(RUN_FILE, mine, 4, cache=cache)
    (cache / "kernels").chmod(0)
    answer = run(forbidden(cache / "kernels"), mine, 4, cache=cache)
    (cache / "kernels").chmod(0o700)
    assert (answer.json, answer.code, answer.err) == ([14.0, KERNELS], 0, said(cache, "Permission denied"))


def test_a_file_in_place_of_the_folder(mine: Path, cache: Path) -> None:
    cache.write_text("a file")
    answer = run(RUN_FILE, mine, 4, cache=cache)
    assert (answer.json, answer.code, answer.err) == ([14.0, KERNELS], 0, said(cache, "Not a directory"))


def full_disk(folder: Path) -> tuple[list[str], str, str]:
    """How to run a process for which this folder is too small: what to put before it, its first lines, the reason.

    A file system of 12 kB in a name space of its own, where such may be made; else a limit on the size of its files.
    """
    mount = ["sh", "-c", 'mount -t tmpfs -o size=12k,mode=700 tmpfs "$0" && exec "$@"', str(folder)]
    for unshare in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
        try:
            attempt = subprocess.run([*unshare, *mount, "true"], capture_output=True, check=False)
        except FileNotFoundError:
            break
        if attempt.returncode == 0:
            return [*unshare, *mount], "", "No space left on device"
    return [], SMALL_FILES_ONLY, "File too large"


@pytest.mark.parametrize("way", ["disk", "limit"])
def test_a_full_disk_is_said_once_and_leaves_no_pieces(mine: Path, cache: Path, way: str) -> None:
    cache.mkdir()
    before, first_lines, reason = full_disk(cache) if way == "disk" else ([], SMALL_FILES_ONLY, "File too large")
    look_round = f"""
from kernel.support import kernel_files, leftovers
cache = Path({str(cache)!r})
print(json.dumps([len(kernel_files(cache)), leftovers(cache)]))"""
    answer = run(first_lines + RUN_FILE + look_round, mine, 4, cache=cache, before=before)
    assert (answer.code, answer.err) == (0, said(cache, reason))
    assert answer.lines == ['[14.0, {"one": 2, "two": 1}]', "[0, []]"]


def test_a_folder_that_others_may_write_into_is_not_used(mine: Path, cache: Path) -> None:
    run_well(RUN_FILE, mine, 4, cache=cache)
    for file in kernel_files(cache):
        file.write_bytes(signed(b"cos\n_exit\n(I99\ntR."))  # what others would write: opening it ends the process
    for mode in (0o777, 0o770, 0o720, 0o702):
        (cache / "kernels").chmod(mode)
        answer = run(RUN_FILE, mine, 4, cache=cache)
        assert (answer.json, answer.code) == ([14.0, KERNELS], 0), oct(mode)
        assert answer.err == said(cache, "others may write there"), oct(mode)


def test_a_folder_of_somebody_else_is_not_used(mine: Path, cache: Path) -> None:
    """Who may, gives it away; everybody else is told to be somebody else."""
    run_well(RUN_FILE, mine, 4, cache=cache)
    script = RUN_FILE
    try:
        os.chown(cache / "kernels", os.geteuid() + 1, -1)
    except PermissionError:
        script = f"import os\nos.geteuid = lambda: {os.geteuid() + 1}\n{script}"
    before = [file.stat().st_mtime_ns for file in kernel_files(cache)]
    answer = run(script, mine, 4, cache=cache)
    assert (answer.json, answer.code) == ([14.0, KERNELS], 0)
    assert answer.err == said(cache, "others may write there")
    assert [file.stat().st_mtime_ns for file in kernel_files(cache)] == before


SHORT_GAME = """
import json, sys
import harena
from kernel.support import compiled
state = harena.game(sys.argv[1]).initial(3)
seen = []
for _ in range(2):
    seen.append([state.text, [str(move) for move in state.moves()]])
    state = state.play(state.moves()[0])
print(json.dumps([seen, compiled()]))
"""


@pytest.mark.slow
def test_four_processes_at_once_on_two_games(cache: Path) -> None:
    """Cold, all write the same files and different ones of the same kernels; afterwards all of it is right."""
    games = ("isolation", "tiles")
    truth = {game: run_well(SHORT_GAME, game, cache=None, HARENA_JIT="0").json[0] for game in games}
    for compiling in (True, False):
        processes = [(game, start(SHORT_GAME, game, cache=cache)) for game in games * 2]
        for game, process in processes:
            answer = finish(process)
            assert (answer.code, answer.err) == (0, "")
            assert answer.json[0] == truth[game]
            assert bool(answer.json[1]) <= compiling
    assert not leftovers(cache)
