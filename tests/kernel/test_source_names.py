"""The names in sources are kept on disk, and loading a kernel of ours imports nothing that only compiling needs."""

import os
from pathlib import Path

import pytest

from harena.kernel.source_names import parse_names, source_names
from harena.kernel.upkeep import names_folder, remove_names
from kernel.support import run_well

SOURCE = b"import a.b\nfrom ..c import d\nTIME = 1\ndef f():\n    return LIMIT + g.h\nclass C:\n    pass\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_CACHE", str(tmp_path / "cache"))
    source_names.cache_clear()
    return names_folder()


def test_what_is_kept_is_what_parsing_tells(folder: Path) -> None:
    parsed = parse_names(SOURCE)
    assert parsed.read == {"f", "LIMIT", "g", "h", "C"} and "TIME" not in parsed.read
    assert source_names(SOURCE) == parsed
    (file,) = folder.iterdir()
    source_names.cache_clear()
    file.write_text(file.read_text().replace("LIMIT", "KEPT"))
    assert "KEPT" in source_names(SOURCE).read  # it is read, not parsed again


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 0}', '{"version": 1, "imports": 3, "read": []}'])
def test_a_file_that_cannot_be_read_is_made_again(folder: Path, content: str) -> None:
    source_names(SOURCE)
    (file,) = folder.iterdir()
    whole = file.read_text()
    file.write_text(content)
    source_names.cache_clear()
    assert source_names(SOURCE) == parse_names(SOURCE) and file.read_text() == whole


def test_a_folder_that_others_may_write_to_is_not_read(folder: Path) -> None:
    source_names(SOURCE)
    (file,) = folder.iterdir()
    file.write_text(file.read_text().replace("LIMIT", "FORGED"))
    folder.chmod(0o777)
    source_names.cache_clear()
    assert "FORGED" not in source_names(SOURCE).read


def test_clearing_the_cache_removes_the_names_and_pruning_the_old_ones(folder: Path) -> None:
    source_names(SOURCE)
    remove_names(clear=False)
    (file,) = folder.iterdir()
    os.utime(file, (0, 0))
    remove_names(clear=False)
    assert not list(folder.iterdir())
    source_names.cache_clear()
    source_names(SOURCE)
    remove_names(clear=True)
    assert not list(folder.iterdir())


LOADED = """
import json, sys
import harena
state = harena.game("isolation", size=4).initial()
state.play(state.moves()[0])
print(json.dumps([name for name in ("scipy.linalg", "numba.np.arraymath") if name in sys.modules]))
"""


@pytest.mark.process
def test_loading_a_kernel_imports_no_scipy(tmp_path: Path) -> None:
    run_well(LOADED, cache=tmp_path)
    assert {"scipy.linalg", "numba.np.arraymath"}.isdisjoint(run_well(LOADED, cache=tmp_path).json)
