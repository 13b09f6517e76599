"""What is to be seen behind the walls, as mounts that bubblewrap or our own launcher puts up (`inside/mounts.py`).

The system and the running Python, read-only; the agent's folder at a fixed place; a private tmp; five devices. Harena's
own package is hidden, wherever it is installed, but for the folders that an agent is given.
"""

import marshal
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harena.sandbox.walls import Interpreter, Walls

PACKAGE = str(Path(__file__).resolve().parents[1])
LAUNCHER = str(Path(__file__).resolve().parent / "inside")
SUBMISSION, GAME, TMP, LAUNCHER_SEEN = "/submission", "/game", "/tmp", "/launcher"
START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from inside.start import main; main()"
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime"),
)
PARTS = ("bin", "lib", "lib64", "include", "share", "pyvenv.cfg", "python", "site-packages")  # of a Python's folder
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LINKS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1"} | {
    "/dev/stderr": "/proc/self/fd/2",
    "/dev/shm": TMP,
}
WRITABLE = (TMP, "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LEFT_OUT = (".git", "__pycache__")
MOST_COPIED, MOST_FILES = 64 << 20, 2000  # of a submission that others may not read

Mount = tuple[str, str, str]  # a kind, a path and a value, as `inside/mounts.py` takes them


def mounts(walls: Walls) -> list[Mount]:
    """All that the agent sees, in the order in which it is mounted."""
    wanted: list[Mount] = [
        *_system(),
        ("proc", "/proc", ""),
        *(("device", path, path) for path in DEVICES),
        *(("link", path, target) for path, target in LINKS.items()),
        ("tmp", TMP, str(walls.scratch)),
        *(("see", path, path) for path in _interpreter_folders(walls)),
        *_hidden(walls),
        *(("see", path, path) for path in walls.visible),
        ("see", f"{LAUNCHER_SEEN}/inside", LAUNCHER),
        ("see", SUBMISSION, walls.folder),
        *([("see", GAME, walls.game)] if walls.game else []),
    ]
    return list(dict.fromkeys(one for mount in wanted for one in (*_above(mount[1]), mount)))


def _above(path: str) -> Iterator[Mount]:
    """The folders in which a path lies: those that bubblewrap makes by itself are closed to other users."""
    for folder in reversed(Path(path).parents[:-1]):
        yield "folder", str(folder), ""


def _system() -> Iterator[Mount]:
    for path in SYSTEM:
        if os.path.islink(path) and os.path.dirname(path) == "/":
            yield "link", path, os.readlink(path)
        elif os.path.exists(path):
            yield "see", path, os.path.realpath(path)


def python_folders() -> list[str]:
    """Where the running Python lies, by all its names; without what the system's folders hold anyway.

    Only Python's own parts of its folders: somebody's project may be a virtual environment as a whole.
    """
    return folders_of([sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix])


def folders_of(prefixes: Sequence[str]) -> list[str]:
    """The parts of a Python that is installed under these prefixes; without what the system's folders hold anyway."""
    folders = sorted({*prefixes, *map(os.path.realpath, prefixes)})
    parts = [os.path.join(one, part) for one in folders for part in PARTS]
    return [one for one in parts if os.path.exists(one) and not any(is_within(one, path) for path in SYSTEM)]


def _interpreter_folders(walls: Walls) -> list[str]:
    """The folders of the running Python, which starts the agent, and of the Python that then runs it."""
    other = walls.interpreter.folders if walls.interpreter else ()
    return list(dict.fromkeys([*python_folders(), *other]))


def _hidden(walls: Walls) -> Iterator[Mount]:
    seen = [*_interpreter_folders(walls), *SYSTEM]
    packages = (PACKAGE, *(walls.interpreter.hidden if walls.interpreter else ()))
    for package in dict.fromkeys(packages):
        if package not in walls.visible and any(is_within(package, path) for path in seen):
            yield "hide", package, ""


def is_within(path: str, folder: str) -> bool:
    """Whether a path is this folder, or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def environment(tmp: str, interpreter: Interpreter | None = None) -> Mapping[str, str]:
    """All variables that an agent gets. One thread for numeric libraries: they would take one for every processor."""
    program = interpreter.program if interpreter else sys.executable
    one_thread = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "BLIS", "VECLIB_MAXIMUM")
    return {
        "PATH": os.pathsep.join([os.path.dirname(program), "/usr/local/bin", "/usr/bin", "/bin"]),
        "LANG": "C.UTF-8",
        "HOME": tmp,
        "TMPDIR": tmp,
        "USER": "agent",
        "LOGNAME": "agent",
        "NUMBA_CACHE_DIR": os.path.join(tmp, "numba"),
        "MPLCONFIGDIR": os.path.join(tmp, "matplotlib"),
        "MPLBACKEND": "agg",
        **{f"{name}_NUM_THREADS": "1" for name in one_thread},
    }


def limits(walls: Walls, processes: int) -> dict[str, int]:
    """The kernel's limits, by the names of `resource`."""
    return {
        "NPROC": processes,
        "AS": walls.address_space << 20,
        "FSIZE": walls.scratch << 20,
        "NOFILE": 256,
        "CORE": 0,
        "MSGQUEUE": 0,
    }


def launcher(seen: str, plan: dict[str, Any], command: Sequence[str]) -> list[str]:
    """The command that starts the launcher, which is seen in this folder, with this plan."""
    from harena.sandbox.inside import start  # noqa: F401 (leaves its bytecode there; only Linux can import it)

    return [sys.executable, "-I", "-S", "-c", START, seen, marshal.dumps(plan).hex(), *command]


def opened(walls: Walls) -> Walls:
    """Walls around a copy of the submission in its tmp if another user could not read it all, unless it is large."""
    is_closed = os.stat(walls.folder).st_mode & 0o005 != 0o005
    files, size = list[str](), 0
    for folder, folders, names in os.walk(walls.folder):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        is_closed = is_closed or any(os.lstat(os.path.join(folder, name)).st_mode & 0o005 != 0o005 for name in folders)
        for path in [os.path.join(folder, name) for name in names]:
            found = os.lstat(path)
            if stat.S_ISREG(found.st_mode):
                files.append(path)
                size += found.st_size
                is_closed = is_closed or not found.st_mode & 0o004
        if size > MOST_COPIED or len(files) > MOST_FILES:
            return walls
    return replace(walls, folder=copied(walls.folder, files, walls.tmp)) if is_closed else walls


def copied(root: str, files: Iterable[str], tmp: str) -> str:
    """A copy of these files below a folder that anybody may read, where only we can change it."""
    copy = tempfile.mkdtemp(dir=tmp)
    os.chmod(copy, 0o755)
    for file in files:
        to = Path(copy, os.path.relpath(file, root))
        for folder in [one for one in reversed(to.parents) if not one.exists()]:
            folder.mkdir()
            folder.chmod(0o755)
        shutil.copyfile(file, to)
        to.chmod(0o755 if os.access(file, os.X_OK) else 0o644)
    return copy
