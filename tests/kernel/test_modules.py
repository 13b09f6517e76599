"""A user's own file as a module: named by what it says, and a mistake in it is one line with its file and line."""

import sys
from pathlib import Path

import pytest

from harena.errors import BadFile
from harena.kernel.modules import load_file, source_of
from kernel.support import edit, write


def test_a_file_becomes_a_module_named_by_its_content(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.py", "ANSWER = 42\n")
    module = load_file(file)
    assert module.ANSWER == 42
    assert module.__name__.startswith("harena_user_mine_")
    assert module.__file__ == str(file)
    assert sys.modules[module.__name__] is module
    assert source_of(module.__name__) == b"ANSWER = 42\n"


def test_the_same_file_is_the_same_module_and_an_edited_one_is_another(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.py", "class Thing: pass\n")
    first = load_file(file)
    assert load_file(file) is first
    edit(file, "pass", "size = 1")
    second = load_file(file)
    assert second is not first
    assert second.__name__ != first.__name__
    assert second.Thing.size == 1
    assert source_of(first.__name__) == b"class Thing: pass\n"


def test_a_copy_in_another_folder_is_another_module(tmp_path: Path) -> None:
    """It may read other data beside it."""
    text = "from pathlib import Path\nDATA = (Path(__file__).parent / 'data.txt').read_text()\n"
    for name in ("one", "two"):
        write(tmp_path / name / "mine.py", text)
        write(tmp_path / name / "data.txt", name)
    assert [load_file(tmp_path / name / "mine.py").DATA for name in ("one", "two")] == ["one", "two"]


def test_a_relative_path_and_a_name_that_is_no_identifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "my game.v2.py", "class Thing: pass\n")
    monkeypatch.chdir(tmp_path)
    module = load_file(Path("my game.v2.py"))
    assert module.__file__ == str(tmp_path / "my game.v2.py")
    assert module.Thing.__module__ == module.__name__


def test_a_file_beside_it_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    write(tmp_path / "beside_the_users_file.py", "NUMBER = 7\n")
    module = load_file(write(tmp_path / "mine.py", "from beside_the_users_file import NUMBER\n"))
    assert module.NUMBER == 7
    load_file(write(tmp_path / "other.py", "OTHER = 1\n"))
    assert sys.path.count(str(tmp_path)) == 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("x = 1\ny = = 2\n", 2, "invalid syntax"),
        ("x = (\n", 1, "'(' was never closed"),
        ("x = 1\0\n", 1, "source code string cannot contain null bytes"),
        ("\n\nimport no_such_module\n", 3, "ModuleNotFoundError: No module named 'no_such_module'"),
        ("def f():\n    return 1 / 0\n\nf()\n", 2, "ZeroDivisionError: division by zero"),
        ("import json\njson.loads('')\n", 2, "JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
        ("raise ValueError('two\\nlines')\n", 1, "ValueError: two lines"),
        ("import sys\nsys.exit('enough')\n", 2, "SystemExit: enough"),
    ],
)
def test_a_mistake_is_one_line_with_file_and_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    file = write(tmp_path / "mine.py", text)
    before = set(sys.modules)
    with pytest.raises(BadFile) as error:
        load_file(file)
    assert str(error.value) == f"{file}:{line}: {words}"
    assert not [name for name in set(sys.modules) - before if name.startswith("harena_user")]


def test_a_syntax_error_in_a_file_beside_it_names_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    beside = write(tmp_path / "broken_beside.py", "x = 1\ny = = 2\n")
    with pytest.raises(BadFile) as error:
        load_file(write(tmp_path / "mine.py", "import broken_beside\n"))
    assert str(error.value) == f"{beside}:2: invalid syntax"


def test_a_file_that_failed_can_be_mended_and_loaded(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.py", "NUMBER = wrong\n")
    with pytest.raises(BadFile, match="name 'wrong' is not defined"):
        load_file(file)
    edit(file, "wrong", "1")
    assert load_file(file).NUMBER == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as error:
        load_file(tmp_path / "nothing.py")
    assert str(error.value) == f"{tmp_path / 'nothing.py'}: cannot be read: No such file or directory"


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r": cannot be read: Is a directory$"):
        load_file(tmp_path)


def test_ctrl_c_while_a_file_is_loading_is_not_the_files_fault(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.py", "raise KeyboardInterrupt\n")
    for _ in range(2):  # nor does half a module stay behind
        with pytest.raises(KeyboardInterrupt):
            load_file(file)


def test_a_module_without_a_file_has_no_source() -> None:
    assert source_of("sys") is None
    assert source_of("a module that is not loaded") is None
