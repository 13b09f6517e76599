"""`pip install .` into a fresh environment, then `harena`: as a user does, on a machine without a compiler."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from harena.arena.record import RULES
from harena.arena.store import Store
from harena.kernel.upkeep import cache_root
from harena.sandbox.walls import sandbox

ROOT = Path(__file__).parents[1]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@dataclass(frozen=True, kw_only=True)
class Installed:
    """An environment in which nothing of this checkout can be seen."""

    place: Path
    home: Path

    @property
    def variables(self) -> dict[str, str]:
        """Those of a user who has just logged in; what was compiled before need not be compiled again."""
        path = os.pathsep.join([str(self.place / "bin"), *(["/usr/bin"] if shutil.which("bwrap") else [])])
        return {"PATH": path, "HOME": str(self.home), "HARENA_CACHE": str(cache_root())}

    def run(self, *words: str, **variables: str) -> str:
        """What a command prints."""
        done = subprocess.run(
            [self.place / "bin" / words[0], *words[1:]],
            env=self.variables | variables,
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout


def build_wheel(folder: Path) -> Path:
    """The wheel of this checkout; it holds every file of the package."""
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    with zipfile.ZipFile(wheel) as archive:
        assert {one for one in files if "__pycache__" not in one} <= set(archive.namelist())
    return wheel


def install(wheel: Path, folder: Path) -> Installed:
    """A new environment with the wheel; other packages are borrowed from this one, without its harena."""
    place, home = folder / "env", folder / "home"
    venv.create(place)
    home.mkdir()
    subprocess.run([*PIP, "--python", str(place / "bin" / "python"), "install", "--no-deps", str(wheel)], check=True)
    installed = Installed(place=place, home=home)
    site = Path(installed.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    where = installed.run("python", "-c", "import harena; print(harena.__file__)")
    assert Path(where.strip()).is_relative_to(place)
    return installed


@pytest.mark.process
@pytest.mark.slow
def test_the_built_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    """Dependencies are borrowed from this environment; the package itself must come from its wheel alone."""
    installed = install(build_wheel(tmp_path), tmp_path)
    assert "5 moves: c1 e1 c2 d2 e2" in installed.run("harena", "show", "trap")
    bench = installed.run("harena", "bench", "tiles", "--seconds", "0.05", PATH=str(installed.place / "bin"))
    assert "no C compiler here" in bench
    play_matches(installed)
    look_at_page(installed)


def play_matches(installed: Installed) -> None:
    """In one process; and in processes a player of ours, a program and a course's agent, those two behind walls."""
    games = ("--size", "5", "--games", "2", "--store", "games.sqlite")
    local = installed.run("harena", "match", "isolation", "random", "random", "--local", *games)
    assert "of 2 games" in local
    installed.run("harena", "new", "aind", "mine.py")
    shutil.copy(ROOT / "examples" / "agents" / "centre.py", installed.home)
    agents = ("random", "centre.py", "aind:mine.py")
    played = installed.run("harena", "tournament", "isolation", *agents, "--seconds", "0.1", "--margin", "5", *games)
    assert all(agent in played for agent in agents)
    with Store(installed.home / "games.sqlite", writing=False) as store:
        games_played = [record for run in store.runs() for _, record in store.games(run.id)]
    assert [record.reason for record in games_played] == [RULES] * 8
    walls = [record.conditions["sandbox"] for record in games_played]
    assert walls.count({}) == 2 and walls.count({text: sandbox().level for text in agents[1:]}) == 6


def look_at_page(installed: Installed) -> None:
    """It is served, with what its pages are made of."""
    words = [str(installed.place / "bin" / "harena"), "serve", "--port", "0", "--no-browser", "--store", "games.sqlite"]
    with subprocess.Popen(
        words, env=installed.variables, cwd=installed.home, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[3]
            for path, wanted in (("", "<!doctype html>"), ("static/style.css", "{"), ("games/1/board.svg", "<svg")):
                with urlopen(Request(f"{address.partition('?')[0]}{path}")) as page:
                    assert wanted in page.read().decode().lower()
        finally:
            server.terminate()
