"""Files that are not UTF-8: named with their line and what to do, by `check` and in the verdicts of a grading."""

from pathlib import Path

import pytest

from courses.checking import HERE
from courses.class_of_fifty import WALKER
from courses.graded import CHEAP, grade, meet, verdicts
from harena.courses.check import examine
from harena.courses.finding import NOTE, RED
from harena.courses.forbidden import rules_of
from harena.courses.hosting.encoding import NAME, SAVE, first_misread, misread, parted
from harena.courses.subject import subject

ADVICE = f"{SAVE}{NAME}"
FILES = {
    b"x = 1\n# caf\xc3\xa9\n": "",
    b"\xef\xbb\xbfx = 1\n# caf\xc3\xa9\n": "",  # with a mark in front
    b"# -*- coding: latin-1 -*-\n# caf\xe9\n": "",
    b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n# caf\xe9\n": "",
    b"x = 1\n\n# caf\xe9\n": f"mine.py: line 3 is not UTF-8 (byte 0xe9): {ADVICE}",
    b"# coding: ascii\n# caf\xe9\n": f"mine.py: line 2 is not ASCII (byte 0xe9): {ADVICE}",
    b"# coding: klingon\n": f"mine.py: there is no encoding 'klingon': {ADVICE}",
    b"# coding: rot13\n": f"mine.py: there is no encoding 'rot13': {ADVICE}",
    b"# coding: undefined\n": f"mine.py: there is no encoding 'undefined': {ADVICE}",
    "x = 1\n".encode("utf-16"): f"mine.py: line 1 is not UTF-8 (a null byte: is it UTF-16?): {SAVE}",
}


@pytest.mark.parametrize("content", FILES)
def test_the_line_is_named_with_what_to_do(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(content)
    assert misread(tmp_path / "mine.py") == first_misread([tmp_path, tmp_path / "mine.py"]) == FILES[content]


def test_what_is_wrong_and_what_to_do_are_told_apart() -> None:
    assert parted(f"mine.py: line 3 is not UTF-8: {ADVICE}") == ("mine.py: line 3 is not UTF-8", ADVICE)
    assert parted("SyntaxError: invalid syntax") == ("SyntaxError: invalid syntax", "")
    assert misread(Path("nowhere.py")) == ""


STAYS = (HERE / "comp424" / "stays.py").read_text("utf-8")


def agent(folder: Path, text: str, name: str = "student_agent.py", encoding: str = "latin-1") -> str:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(text.encode(encoding))
    return str(folder)


@pytest.mark.process
def test_check_says_it_when_python_cannot_load_the_agent(tmp_path: Path) -> None:
    path = agent(tmp_path / "mine", f"{STAYS}\nTITLE = 'é'\n")
    found, *_ = examine(subject(path, None, None, None), walls="off")
    line = STAYS.count("\n") + 2
    assert (found.mark, found.what, found.advice) == (RED, "loads", ADVICE)
    assert found.text == f"student_agent.py cannot be imported: line {line} is not UTF-8 (byte 0xe9)"
    path = agent(tmp_path / "helped", f"import helper\n{STAYS}")
    agent(tmp_path / "helped", "\nTITLE = 'é'\n", "helper.py")
    found, *_ = examine(subject(path, None, None, None), walls="off")
    assert found.text == "student_agent.py cannot be imported: helper.py: line 2 is not UTF-8 (byte 0xe9)"
    path = agent(tmp_path / "wide", f"import helper\n{STAYS}")
    agent(tmp_path / "wide", "X = 1", "helper.py", "utf-16")
    agent(tmp_path / "wide", "# é", "another.py")
    found, *_ = examine(subject(path, None, None, None), walls="off")
    assert found.text.endswith("helper.py: line 1 is not UTF-8 (a null byte: is it UTF-16?)") and found.advice == SAVE


def test_in_a_comment_it_is_worth_a_note(tmp_path: Path) -> None:
    path = agent(tmp_path / "mine", f"# écrit par moi\n{STAYS}")
    found = next(rules_of(subject(path, None, None, None)))
    said = "student_agent.py: line 1 is not UTF-8 (byte 0xe9); this Python reads it all the same, others do not"
    assert (found.mark, found.what, found.text, found.advice) == (NOTE, "encoding", said, ADVICE)


@pytest.mark.process
def test_a_program_of_ones_own_is_told_the_same(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(f"# é\n{(HERE / 'loses.py').read_text('utf-8')}".encode("latin-1"))
    found, *_ = examine(subject(str(tmp_path / "mine.py"), None, "tiles", None), walls="off")
    assert found.mark == RED and "on line 1" in found.text and found.advice == ADVICE


@pytest.mark.process
def test_another_mistake_of_syntax_keeps_its_own_words(tmp_path: Path) -> None:
    path = agent(tmp_path / "mine", f"{STAYS}\nPATH = 'C:\\Users\\me'\n")
    found, *_ = examine(subject(path, None, None, None), walls="off")
    assert "SyntaxError: (unicode error) 'unicodeescape' codec can't decode bytes" in found.text
    assert found.text.endswith(f"(student_agent.py, line {STAYS.count(chr(10)) + 2})")


@pytest.mark.process
@pytest.mark.parametrize("course", ["comp424", "w4701", "aind"])
def test_a_file_that_cannot_be_told_for_an_agent_is_named(course: str, tmp_path: Path) -> None:
    path = agent(tmp_path / "mine", "class Mine:\n    title = 'é'\n", "mine.py")
    found, *_ = examine(subject(path, course, None, None), walls="off")
    assert found.text == "mine.py: line 2 is not UTF-8 (byte 0xe9)" and found.advice == ADVICE


@pytest.mark.process
def test_the_verdict_of_a_grading_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", CHEAP[0])
    agent(
        tmp_path / "class",
        WALKER.replace("        self.pos =", "        self.name = 'é'\n        self.pos =", 1),
        "ada.py",
    )
    agent(tmp_path / "class", f"{WALKER}\n# é\n", "bob.py")
    found = verdicts(grade(tmp_path / "class"))
    said = f"did not load: ada.py cannot be imported: line 7 is not UTF-8 (byte 0xe9): {ADVICE}"
    assert found["ada"]["verdict"] == said and found["bob"]["verdict"] == "graded"
