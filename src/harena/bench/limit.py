"""The limit: the same random games in plain C, compiled here and now where there is a compiler."""

import logging
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

FLAGS = ("-O3", "-march=native", "-std=gnu11")
log = logging.getLogger("harena")
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


def build(game: str, size: int, compiler: str, folder: Path) -> Program | None:
    """Compile the program of a game into this folder; None, and a line, where that fails."""
    source = _sources() / f"{game}.c"
    program = Program(path=folder / f"{game}-{size}", size=size)
    command = [compiler, *FLAGS, f"-DSIZE={size}", "-o", str(program.path), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        if done.returncode == 0:
            program.run(0, 1)
            return program
        reason = (done.stderr.strip().splitlines() or ["no message"])[0]
    except (OSError, subprocess.CalledProcessError) as error:
        reason = str(error)
    log.warning("harena: no C beside %s: %s does not work on %s: %s", game, compiler, source.name, reason)
    return None


def _sources() -> Path:
    """Inside an installed package, or in the checkout beside src/."""
    installed = Path(__file__).parent / "limit"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "benchmarks" / "limit"
