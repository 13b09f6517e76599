"""The files that a user's file is made of: those that it imports from beside it, packages too."""

from pathlib import Path

import pytest

from harena.kernel.beside import game_files, with_imports

FILES = {
    "mine.py": "import os, helping\nimport parts.search as s\nfrom parts import weights, none\nfrom deep.er import x\n",
    "helping.py": "import other.missing\nimport mine\n",
    "unused.py": "",
    "parts/__init__.py": "from . import common\nfrom .below import far\n",
    "parts/common.py": "from ..helping import x\nimport unused_too\n",
    "parts/search.py": "from parts.below.far import y\n",
    "parts/weights.py": "W = 1\n",
    "parts/unused.py": "",
    "parts/below/__init__.py": "",
    "parts/below/far.py": "from ... import elsewhere\n",
    "deep/er.py": "",
    "elsewhere.py": "this is no Python\n",
}
USED = [name for name in FILES if "unused" not in name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_files_and_packages_beside_it_are_followed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = with_imports(str(folder / "mine.py"))
    assert sorted(found) == sorted(str(folder / name) for name in USED) and found[0] == str(folder / "mine.py")
    monkeypatch.chdir(folder)
    assert sorted(with_imports("mine.py")) == sorted(USED)


def test_other_folders_to_import_from(folder: Path) -> None:
    (folder / "agents").mkdir()
    agent = folder / "agents" / "student.py"
    agent.write_text("import agents.tools\nfrom helping import x\n")
    (folder / "agents" / "tools.py").write_text("")
    assert with_imports(str(agent)) == [str(agent)]
    names = {Path(file).name for file in with_imports(str(agent), str(folder))}
    assert names >= {"student.py", "tools.py", "helping.py"}


def test_a_link_is_followed_to_the_folder_that_python_imports_from(folder: Path) -> None:
    (folder / "links").mkdir()
    link = folder / "links" / "linked.py"
    link.symlink_to(folder / "mine.py")
    (folder / "links" / "helping.py").write_text("")
    used = {str(folder / name) for name in USED}
    assert with_imports(str(link))[0] == str(link) and set(with_imports(str(link))) == {*used, str(link)}


def test_a_file_that_is_not_there_is_itself_alone(tmp_path: Path) -> None:
    assert with_imports(str(tmp_path / "gone.py")) == [str(tmp_path / "gone.py")]


def test_the_files_of_a_game(folder: Path) -> None:
    assert game_files("isolation") == [] and game_files("module:Face") == []
    assert game_files(f"{folder}/helping.py:Face")[0] == f"{folder}/helping.py"
