"""The limit: the same random games in plain C, compiled here and now where there is a compiler."""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harena.errors import HarenaError

FLAGS = ("-O3", "-march=native", "-std=gnu11")
Tally = tuple[int, int, int, int]  # games won by the first player, by the second, drawn; plies


@dataclass(frozen=True, kw_only=True)
class Program:
    """A compiled C program for one game and size."""

    path: Path
    size: int

    def run(self, rng_state: int, games: int) -> tuple[Tally, float]:
        """Play this many games from a generator in this state; what came out, and the seconds it took."""
        command = [str(self.path), str(self.size), str(rng_state), str(games)]
        words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        first, second, drawn, plies = (int(word) for word in words[:4])
        return (first, second, drawn, plies), float(words[4])


def find_compiler() -> str | None:
    """A C compiler on this machine, or None."""
    return shutil.which("gcc") or shutil.which("cc")


def build(game: str, size: int, compiler: str) -> Program:
    """Compile the program of a game into a temporary folder that lives as long as the process."""
    source = _sources() / f"{game}.c"
    words = 1 if size <= 8 else 2 if size <= 10 else 3
    target = Path(_workshop.name) / f"{game}-{words}"
    if not target.exists():
        command = [compiler, *FLAGS, f"-DWORDS={words}", "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            first_line = (done.stderr.strip().splitlines() or ["no message"])[0]
            raise HarenaError(f"{compiler} cannot compile {source.name}: {first_line}")
    return Program(path=target, size=size)


def _sources() -> Path:
    """Inside an installed package, or in the checkout beside src/."""
    installed = Path(__file__).parent / "limit"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "benchmarks" / "limit"


_workshop = tempfile.TemporaryDirectory(prefix="harena-bench-")
