"""Names as attackers choose them: any bytes that a file system takes. One of them never stops a grading."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from harena.arena.store import Store
from harena.cli.grade import new_plan, stage
from harena.courses import gradebook
from harena.courses.grading import Book, plan_of
from harena.courses.intake import remarks, submissions

HOSTILE = (
    *(b"\xff\xfe", b"caf\xe9", "\u202egnp.exe".encode(), b"two\nlines", b"\x1b[31mred", b"=cmd|'x'!A1", b"+1", b"@sum"),
    *(b"x" * 255, b"a,b;c\"d'e", "Zoë".encode(), unicodedata.normalize("NFD", "Zoë").encode(), b"Ada", b"ADA", b"ada"),
    *(b"<script>", b"CON", b"..", b"...", b"-rf", b"a\\b", "\U0001f600".encode(), b"\xed\xa0\x80", b"%s{0}", b"$(id)"),
)
LONGEST = 255  # bytes of a name
NAME = st.binary(min_size=1, max_size=255).map(lambda name: name.replace(b"/", b"_").replace(b"\0", b"_"))
BREAKS = "raise ValueError('=1+1 \\ud800 \\u202e \\x1b[31m')\n"  # what an agent says of itself is hostile too
SCRIPT = """
import sys
from dataclasses import replace
from harena.cli.main import main
from harena.courses.levels import GRADINGS, Level
GRADINGS["w4701"] = replace(GRADINGS["w4701"], levels=(Level(player="random"),))
main()
"""


def hand_in(folder: Path, name: bytes, kind: int) -> None:
    """A file, a folder or a zip of this name, which is cut where the file system wants it shorter."""
    ending = (b".py", b"", b".zip")[kind]
    whole = os.path.join(os.fsencode(folder), name[: LONGEST - len(ending)] + ending)
    if os.path.lexists(whole):
        return
    if kind == 0:
        with open(whole, "w") as file:
            file.write(BREAKS)
    elif kind == 1:
        os.mkdir(whole)
        with open(os.path.join(whole, name[: LONGEST - 3] + b".py"), "w") as file:
            file.write(BREAKS)
    else:
        with open(whole, "wb") as out, zipfile.ZipFile(out, "w") as archive:
            archive.writestr(name.decode("utf-8", "replace")[:40] + ".py", BREAKS)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(st.tuples(NAME, st.integers(0, 2)), min_size=1, max_size=8))
@example([(name, number % 3) for number, name in enumerate(HOSTILE)])
@example([(name, (number + 1) % 3) for number, name in enumerate(HOSTILE)])
@example([(name, (number + 2) % 3) for number, name in enumerate(HOSTILE)])
def test_whatever_the_names_are_everything_is_written(given_names: list[tuple[bytes, int]]) -> None:
    """Staged, kept in a store and written up, though not played."""
    with tempfile.TemporaryDirectory() as place:
        folder, out = Path(place, "class"), Path(place, "out")
        folder.mkdir()
        for name, kind in given_names:
            hand_in(folder, name, kind)
        assume(submissions(folder))
        lines = list(remarks(folder))
        found = stage(folder, out, "w4701")
        names = [one.name for one in found]
        assert len({name.casefold() for name in names}) == len(names)
        plan = new_plan("w4701", found, 1, seconds=None, everybody=False, sandbox="off")
        with Store(Path(place, "games.sqlite")) as store:
            plan = plan_of(dict(store.new_run("grade", plan.as_dict()).spec))
        book = Book(plan)
        for shown in ({name: name for name in names}, gradebook.pseudonyms(names, 7)):
            lines += gradebook.leaderboard_csv(book, shown).splitlines() + gradebook.pseudonyms_csv(shown).splitlines()
            lines += gradebook.leaderboard_page(book, shown, "").splitlines()
        for result in book.results():
            lines += gradebook.student_page(book, result, {}, "").splitlines()
            lines += gradebook.gradescope(book, result).splitlines()
        assert all(line.isprintable() and line.encode() for line in lines if line)
        for staged in names:
            assert staged == Path(staged).name and len(staged.encode()) < 90 and staged[0] not in ".-="


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)


@pytest.mark.process
def test_a_class_of_hostile_names_is_graded_to_the_end(tmp_path: Path) -> None:
    """By the command itself, in a folder whose own name is no text."""
    folder = tmp_path / os.fsdecode(b"class \xff")
    folder.mkdir()
    for number, name in enumerate(HOSTILE[:12]):
        hand_in(folder, name, number % 3)
    words = [sys.executable, "-c", SCRIPT, "grade", str(folder), "--course", "w4701", "--games", "2"]
    strict = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(words, cwd=tmp_path, env=strict, capture_output=True, check=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr[-2000:]
    out = tmp_path / os.fsdecode(b"class \xff-grades")
    with open(out / "leaderboard.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12 and {row["verdict"].partition(":")[0] for row in rows} == {"did not load", "refused"}
    cells = [cell for row in rows for cell in row.values()]
    assert not any(cell.startswith(("=", "+", "-", "@")) or not cell.isprintable() for cell in cells)
    for row in rows:
        tags = _Tags()
        tags.feed((out / "reports" / f"{row['name']}.html").read_text("utf-8"))
        assert "script" not in tags.found
        json.loads((out / "gradescope" / row["name"] / "results.json").read_text("utf-8"))["output"].encode()
