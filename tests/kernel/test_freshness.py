"""Ways in which code reaches a kernel that no import statement shows, and globals that are nobody's constants."""

from pathlib import Path

import pytest

from kernel.support import edit, kernel_files, run_well, write

pytestmark = pytest.mark.process

RUN = """
import sys
from pathlib import Path
from harena.kernel.modules import load_file
sys.path.insert(0, str(Path(sys.argv[1]).parent))
print(load_file(Path(sys.argv[1])).run(1))
"""
KERNEL = "from harena.kernel.compile import kernel\nfrom harena.kernel.generic import helper\n"
PART = f"{KERNEL}\n@helper\ndef rule(x):\n    return x + 6\n"


def answer(mine: Path, cache: Path) -> int:
    return int(run_well(RUN, mine, cache=cache).lines[0])


@pytest.mark.parametrize(
    "way",
    [
        "import importlib\npart = importlib.import_module('part')\nrule = part.rule\n",
        "import lazy\nrule = lazy.rule\n",
    ],
    ids=["importlib", "a lazy attribute"],
)
def test_an_edit_is_seen_however_the_code_came_in(tmp_path: Path, way: str) -> None:
    write(tmp_path / "part.py", PART)
    write(
        tmp_path / "lazy.py",
        "import importlib\n\ndef __getattr__(name):\n    return getattr(importlib.import_module('part'), name)\n",
    )
    mine = write(tmp_path / "mine.py", f"{KERNEL}{way}\n@kernel\ndef run(x):\n    return rule(x)\n")
    assert answer(mine, tmp_path / "cache") == 7
    edit(tmp_path / "part.py", "x + 6", "x + 107")
    assert answer(mine, tmp_path / "cache") == 108


def test_an_installed_package_of_several_files_is_seen_whole(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "mygame"
    write(package / "__init__.py", "")
    write(package / "tables.py", PART)
    write(package / "rules.py", f"{KERNEL}from mygame.tables import rule\n\n@kernel\ndef run(x):\n    return rule(x)\n")
    script = "import sys\nsys.path.insert(0, sys.argv[1])\nfrom mygame.rules import run\nprint(run(1))\n"
    assert run_well(script, package.parent, cache=tmp_path / "cache").lines == ["7"]
    edit(package / "tables.py", "x + 6", "x + 107")
    assert run_well(script, package.parent, cache=tmp_path / "cache").lines == ["108"]


def test_a_global_that_no_code_names_does_not_count(tmp_path: Path) -> None:
    """The time of the import, say: it would make every start compile anew."""
    text = f"import time\n{KERNEL}STARTED = time.time_ns()\n\n@kernel\ndef run(x):\n    return x\n"
    mine = write(tmp_path / "mine.py", text)
    for _ in range(2):
        assert answer(mine, tmp_path / "cache") == 1
    assert len(kernel_files(tmp_path / "cache")) == 1


@pytest.mark.parametrize("switch", [{"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_OPT": "0"}], ids=str)
def test_switches_of_numba_count(tmp_path: Path, switch: dict[str, str]) -> None:
    mine = write(tmp_path / "mine.py", f"{KERNEL}\n@kernel\ndef run(x):\n    return x\n")
    assert answer(mine, tmp_path / "cache") == 1
    run_well(RUN, mine, cache=tmp_path / "cache", **switch)
    assert len({file.parent for file in kernel_files(tmp_path / "cache")}) == 2


@pytest.mark.parametrize("switch", [{"HARENA_JIT": "0"}, {"HARENA_JIT": "false"}, {"NUMBA_DISABLE_JIT": "1"}], ids=str)
def test_every_way_to_switch_compilation_off(tmp_path: Path, switch: dict[str, str]) -> None:
    mine = write(tmp_path / "mine.py", f"{KERNEL}\n@kernel\ndef run(x, step=1):\n    return x + step\n")
    script = RUN.replace(".run(1)", ".run(x=1, step=2)") + "\nassert 'numba' not in sys.modules\n"
    assert run_well(script, mine, cache=None, **switch).lines == ["3"]
