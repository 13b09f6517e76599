"""`harena check` as a command: what it is pointed at, what it prints, and its exit code."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir

import pytest

import harena
from cli.support import run
from courses.checking import HERE, of
from harena.cli.check import _limits, check_agent
from harena.courses import opponents
from harena.courses.opponents import Schedule
from harena.courses.subject import subject
from harena.errors import BadFile, UnknownName, UsageError

# What it is pointed at


def test_the_course_is_found_out(tmp_path: Path) -> None:
    for name, course in (("comp424/stays.py", "comp424"), ("w4701/helped", "w4701"), ("aind/resigns.py", "aind")):
        found = of(name)
        assert (found.course, found.text) == (course, f"{course}:{HERE / name}")
    assert subject(f"w4701-reused:{HERE / 'w4701' / 'helped'}", None, None, None).course == "w4701-reused"
    assert subject(str(HERE / "aind" / "resigns.py"), "aind", None, None).course == "aind"
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "student_agent.py").write_text("class Me:\n    def step(self): ...\n")
    (tmp_path / "helper.py").write_text("class Me:\n    def get_move(self): ...\n")
    found = subject(str(tmp_path), None, None, None)
    assert found.course == "comp424" and found.file == tmp_path / "src" / "student_agent.py"
    (tmp_path / "src" / "student_agent.py").rename(tmp_path / "src" / "agent_of_mine.py")
    assert subject(str(tmp_path), "w4701", None, None).file is None  # loading will say that there is none
    with pytest.raises(UsageError, match="several courses: say --course aind or --course comp424"):
        subject(str(tmp_path), None, None, None)


MISTAKES: dict[str, tuple[tuple[str | None, str | None, str | None], type[Exception], str]] = {
    "both": (("x", "aind", "tiles"), UsageError, "give one of them"),
    "missing": (("nowhere.py", None, None), BadFile, "there is no such file or folder"),
    "missing own": (("nowhere.py", None, "tiles"), BadFile, "there is no such file"),
    "game": (("garbage.py", None, "tile"), UnknownName, "did you mean 'tiles'?"),
    "own game": (("garbage.py", None, "nim.py"), UsageError, "let it play, as harena match nim.py garbage.py random"),
    "own face": (("garbage.py", None, "nim.py:Nim"), UsageError, "check knows our four games only (colosseum, trap, "),
    "course": (("aind/resigns.py", "comp244", None), UnknownName, "did you mean 'comp424'?"),
    "guest as own": (("aind:aind/resigns.py", None, "isolation"), UsageError, "leave --game out"),
    "two courses": (("aind:aind/resigns.py", "w4701", None), UsageError, "and --course says w4701"),
    "own without a game": (("garbage.py", None, None), UsageError, "say which game it plays"),
    "nothing": (("comp424/helper.py", None, None), UsageError, "say --course comp424, comp424-2022, w4701"),
    "binary": (("comp424", "chess", None), UnknownName, "no course 'chess'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    (path, course, game), kind, message = MISTAKES[name]
    with pytest.raises(kind) as found:
        subject(str(path), course, game, None)
    assert message in str(found.value) and "\n" not in str(found.value)


def test_a_folder_without_python_and_a_file_of_other_letters_are_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no Python file in it"):
        subject(str(tmp_path), None, None, None)
    (tmp_path / "mine.py").write_bytes("class Me:\n    def step(self): ...".encode("utf-16"))
    with pytest.raises(UsageError, match=r"^mine.py: line 1 is not UTF-8 .*: save it as UTF-8$"):
        subject(str(tmp_path), None, None, None)


def test_a_file_that_is_no_program_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("from harena.agents.bot import run")
    for course in (None, "aind"):
        with pytest.raises(BadFile, match=r"README\.md is no program: neither a \.py file nor executable$"):
            subject(str(tmp_path / "README.md"), course, None, None)
    (tmp_path / "README.md").chmod(0o755)
    with pytest.raises(UsageError, match="say which game it plays"):
        subject(str(tmp_path / "README.md"), None, None, None)


def test_an_agent_of_our_own_is_told_whose_clock_it_is_held_to() -> None:
    own = str(HERE / "garbage.py")
    said = "AIND: 150 ms a move (the course's clock; --seconds sets another)"
    assert _limits(subject(own, None, "isolation", None)) == said
    assert _limits(subject(own, None, "isolation", 1.0)) == _limits(subject(own, None, "tiles", None)) == "1 s a move"
    assert _limits(of("aind/resigns.py", seconds=9.0)) == "9 s a move"


# What is packed


def packed(place: Path, name: str) -> Path:
    """A student's project in a zip, as it is handed in."""
    with zipfile.ZipFile(place / name, "w") as archive:
        archive.write(HERE / "comp424" / "stays.py", "my project/agents/student_agent.py")
        archive.writestr("my project/authors.yaml", "me")
        archive.writestr("my project/report.pdf", "%PDF")
    return place / name


@pytest.mark.process
@pytest.mark.parametrize("how", ["{}/mine.zip", "comp424:{}/mine.zip", "{}"])
def test_a_zip_and_a_folder_of_just_a_zip_are_checked_as_grading_takes_them(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opponents, "QUICK", {"colosseum": Schedule(levels=(), sizes=(6,))})
    packed(tmp_path, "mine.zip")
    temporary = set(Path(gettempdir()).glob("harena-check-*"))
    path = how.format(tmp_path)
    found = run(capsys, monkeypatch, "check", path, "--seconds", "20")
    assert found.code == 0, found.out
    assert found.out.splitlines()[0] == f"comp424:{path.removeprefix('comp424:')}: colosseum, 20 s a move"
    assert "ok    files            agents/student_agent.py, authors.yaml, a report" in found.out.splitlines()
    assert set(Path(gettempdir()).glob("harena-check-*")) <= temporary  # nothing is left


def test_what_grading_refuses_is_refused_here_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        archive.writestr("../student_agent.py", "")
    (tmp_path / "broken.zip").write_bytes(b"PK")
    (tmp_path / "mine.tar.gz").write_bytes(b"")
    packed(tmp_path, "good.zip")
    with zipfile.ZipFile(tmp_path / "nobody.zip", "w") as archive:
        archive.writestr("mine.py", "")
    said = {
        "out.zip": "out.zip: '../student_agent.py' lies outside of the submission's folder",
        "broken.zip": "broken.zip: the zip cannot be read (File is not a zip file)",
        "mine.tar.gz": "mine.tar.gz: is neither a Python file nor a folder nor a zip",
        "nobody.zip": "nobody.zip: no class with step, getMove and getTrap, or get_move to tell its course by",
    }
    monkeypatch.chdir(tmp_path)
    for name, line in said.items():
        found = run(capsys, monkeypatch, "check", name)
        assert (found.code, found.out) == (2, "") and found.err.startswith(f"harena: {line}"), found.err
    found = run(capsys, monkeypatch, "check", "good.zip", "--game", "tiles")
    assert found.code == 2 and "good.zip: unpack it first: only agents of a course" in found.err
    found = run(capsys, monkeypatch, "check", "comp424:good.zip", "--course", "aind")
    assert found.code == 2 and "comp424:good.zip is of the course comp424, and --course says aind" in found.err


# The command


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(opponents, "QUICK", {"tiles": Schedule(levels=("random",), sizes=(4,), pairs=1)})
    monkeypatch.setattr(
        "harena.courses.check.THOROUGH", {"tiles": Schedule(levels=("random", "greedy"), sizes=(4,), pairs=1)}
    )
    yield


@pytest.mark.process
@pytest.mark.usefixtures("few_games")
def test_the_command_prints_a_line_each_and_its_exit_code_says_whether_one_is_red(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    good = run(capsys, monkeypatch, "check", str(HERE / "loses.py"), "--game", "tiles", "--sandbox", "off")
    assert good.code == 0 and good.err == ""
    assert good.out.splitlines()[0].endswith("loses.py: tiles, 1 s a move")
    assert "\nok    one move         the only one is played (2 positions)\n" in good.out
    assert "\nnothing red in " in good.out
    bad = run(
        *(capsys, monkeypatch, "check", str(HERE / "garbage.py")),
        *("--game", "tiles", "--sandbox", "off", "--seconds", "9"),
    )
    assert bad.code == 1 and "garbage.py: tiles, 9 s a move" in bad.out
    assert "RED   legal            18 of 18 answers are no legal move, the first in size" in bad.out
    assert "\n      harena show tiles --position 'BRBR/BRRB/BBRR/BRRB R 1'\n" in bad.out
    assert "\n3 of 9 lines are red: see what they advise\n" in bad.out
    assert max(len(line) for line in bad.out.splitlines()[1:]) <= 80
    assert not any(line.endswith(" ") for line in bad.out.splitlines())
    broken = run(capsys, monkeypatch, "check", str(HERE / "comp424" / "syntax.py"), "--sandbox", "off")
    assert broken.code == 1 and broken.out.endswith("\n1 of 1 line is red: see what it advises\n")


@pytest.mark.process
@pytest.mark.usefixtures("few_games")
def test_thorough_plays_all_levels(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = run(
        *(capsys, monkeypatch, "check", str(HERE / "loses.py")),
        *("--game", "tiles", "--sandbox", "off", "--thorough"),
    )
    assert "v. random" in found.out and "v. greedy" in found.out


def test_mistakes_of_usage_have_their_own_exit_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (["nowhere.py"], [str(HERE / "garbage.py")], [str(HERE / "comp424" / "stays.py"), "--sandbox", "x"]):
        answer = run(capsys, monkeypatch, "check", *words)
        assert answer.code == 2 and answer.err.startswith("harena: ") and answer.err.count("\n") == 1


def test_an_agent_of_another_course_than_said_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = packed(tmp_path, "x.zip")
    with pytest.raises(UsageError) as told:
        check_agent(file.name, "w4701", None, seconds=None, thorough=False, sandbox="off")
    assert str(told.value) == "x.zip looks like comp424, and --course says w4701"
    (tmp_path / "mine.py").write_text("class Me:\n    def get_move(self, game, time_left): ...\n")
    with pytest.raises(UsageError, match=r"^mine\.py looks like aind, and --course says w4701-reused$"):
        subject("mine.py", "w4701-reused", None, None)
    (tmp_path / "mine.py").write_text("class Me:\n    def getTrap(self, grid): ...\n    def step(self): ...\n")
    assert subject("mine.py", "w4701-reused", None, None).course == "w4701-reused"


def test_a_course_that_is_mistyped_gets_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for text in ("comp242:class/bob", "comp242:bob"):
        with pytest.raises(UnknownName, match=r"^no course 'comp242'; did you mean 'comp424'\?$"):
            subject(text, None, None, None)
        with pytest.raises(UnknownName, match=r"^no course 'comp242'; did you mean 'comp424'\?$"):
            harena.player(text, harena.game("colosseum", size=4))
    (tmp_path / "beam.py").write_text("")
    with pytest.raises(BadFile, match=r"^there is a file beam\.py: write beam\.py:Beam$"):
        harena.player("beam:Beam", harena.game("colosseum", size=4))
