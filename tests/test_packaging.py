"""`pip install .` into a fresh environment, then `harena`: as a user does, on a machine without a compiler."""

import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_built_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    """Dependencies are borrowed from this environment; the package itself must come from its wheel alone."""
    place = tmp_path / "env"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", str(ROOT)], check=True)
    site = Path(
        subprocess.check_output(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
        ).strip()
    )
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    assert (site / "harena" / "py.typed").exists()
    assert (site / "harena" / "bench" / "limit" / "tiles.c").exists()
    environment = {"PATH": str(place / "bin"), "HOME": str(tmp_path), "HARENA_CACHE": str(tmp_path / "cache")}
    where = subprocess.check_output([python, "-c", "import harena; print(harena.__file__)"], env=environment, text=True)
    assert Path(where.strip()).is_relative_to(place)
    shown = subprocess.run(
        [place / "bin" / "harena", "show", "trap"], env=environment, capture_output=True, text=True, check=True
    )
    assert "5 moves: c1 e1 c2 d2 e2" in shown.stdout
    bench = subprocess.run(
        [place / "bin" / "harena", "bench", "tiles", "--seconds", "0.05"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "no C compiler here" in bench.stdout
