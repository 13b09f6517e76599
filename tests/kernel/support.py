"""What the tests of the kernel share: users' files, processes of their own, and ways to be refused by the disk."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import harena

PACKAGE = Path(harena.__file__).parent
TESTS = Path(__file__).parents[1]
GAMES = ("trap", "colosseum", "isolation", "tiles")

# Root may write anywhere: without its capabilities the permission bits bind it like everybody else.
UNPRIVILEGED = """
import ctypes, os
if os.geteuid() == 0:
    version_3, this_process, nothing = 0x20080522, 0, 0
    header, sets = (ctypes.c_uint32 * 2)(version_3, this_process), (ctypes.c_uint32 * 6)(*[nothing] * 6)
    assert ctypes.CDLL(None).capset(header, sets) == 0
"""
SMALL_FILES_ONLY = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
"""


@dataclass(frozen=True)
class Answer:
    """What a process said, and its exit code (negative: the signal that killed it)."""

    out: str
    err: str
    code: int

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self) -> Any:
        return json.loads(self.lines[-1])


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dedent(text), "utf-8")
    return file


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text, f"{file.name} has changed: this test needs another line to edit"
    file.write_text(text.replace(old, new), "utf-8")


def start(
    script: str,
    *arguments: object,
    cache: Path | None,
    package: Path = PACKAGE,
    before: list[str] | None = None,
    **env: str,
) -> subprocess.Popen[str]:
    """Python in a process of its own, with its own cache and, if wanted, its own copy of the package.

    It writes no bytecode: Python takes a file that was edited twice in a second for the old one.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HARENA_", "PYTHON", "NUMBA_"))}
    kept |= {"PYTHONPATH": os.pathsep.join([str(package.parent), str(TESTS)]), "PYTHONDONTWRITEBYTECODE": "1"}
    kept |= ({"HARENA_CACHE": str(cache)} if cache else {}) | {"COLUMNS": "200"} | env
    command = [*(before or []), sys.executable, "-c", dedent(script), *map(str, arguments)]
    return subprocess.Popen(command, env=kept, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[str]) -> Answer:
    out, err = process.communicate(timeout=300)
    return Answer(out, err, process.returncode)


def run(script: str, *arguments: object, **options: Any) -> Answer:
    return finish(start(script, *arguments, **options))


def run_well(script: str, *arguments: object, **options: Any) -> Answer:
    """Run it, and insist that it ends well and complains about nothing."""
    answer = run(script, *arguments, **options)
    assert (answer.code, answer.err) == (0, ""), answer.err
    return answer


def copy_of_package(folder: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, folder / "harena", ignore=shutil.ignore_patterns("__pycache__")))


def kernel_files(cache: Path) -> list[Path]:
    return sorted((cache / "kernels").glob("*/*.kernel"))


def leftovers(cache: Path) -> list[str]:
    """Files of the cache that are neither a kernel nor a list of sources nor the names in one."""
    files = [file for file in cache.rglob("*") if file.is_file()]
    return [file.name for file in files if file.suffix != ".kernel" and not is_about_sources(file)]


def is_about_sources(file: Path) -> bool:
    return file.name == "sources.json" or (file.parent.name == "names" and file.suffix == ".json")


def compiled() -> dict[str, int]:
    """In a process that used kernels: which were compiled, and how often, because the cache did not have them."""
    if "numba" not in sys.modules:
        return {}
    from numba.core.dispatcher import Dispatcher

    found: dict[str, int] = {}
    for module in list(sys.modules.values()):
        for name, thing in list(vars(module).items()):
            if isinstance(thing, Dispatcher) and thing.py_func.__module__ == module.__name__:
                found[name] = found.get(name, 0) + sum(thing.stats.cache_misses.values())
    return {name: count for name, count in found.items() if count}


def battery(*names: str) -> list[Any]:
    """Use every kernel there is on these games; what it returns is the same in every process, compiled or not."""
    from harena.search.playout import playouts
    from harena.testing.perft import perft

    results: list[Any] = []
    for name in names:
        state, rng = harena.game(name).initial(seed=3), harena.generator(5)
        for _ in range(6):
            results.append([state.text, state.key, len(state.moves()), state.chances()])
            state = state.play(state.random_move(rng))
        results.append([perft(state, 2), *map(int, playouts(state.value, rng, 2))])
    return results


RUN_FILE = """
import json, sys
from pathlib import Path
from harena.kernel.modules import load_file
from kernel.support import compiled
module = load_file(Path(sys.argv[1]))
print(json.dumps([module.run(*map(int, sys.argv[2:])), compiled()]))
"""

BATTERY = """
import json, sys
from kernel.support import battery, compiled
print(json.dumps([battery(*sys.argv[1:]), compiled()]))
"""
