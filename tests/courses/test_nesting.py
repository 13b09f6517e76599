"""Files that Python cannot read, or hardly: nested too deeply, too large, in strange encodings. One plain line each."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harena.agents.silent import forgotten
from harena.cli.grade import stage
from harena.courses.check import examine
from harena.courses.finding import RED
from harena.courses.forbidden import broken_rules, rules_of, writes
from harena.courses.hosting import aind_finding, comp424_finding, importing, parsing, w4701_finding
from harena.courses.hosting.encoding import misread
from harena.courses.hosting.parsing import MOST_SOURCE, TOO_DEEP, Unparsable, is_too_deep, parse_file, parse_source
from harena.courses.subject import subject
from harena.errors import BadFile, UsageError
from harena.kernel.beside import with_imports
from harena.kernel.modules import load_file
from harena.kernel.source_names import imported_modules

AGENTS = {
    "comp424": ("student_agent.py", "class A(Agent):\n    def step(self, board, me, other, most):\n        return 1\n"),
    "w4701": ("PlayerAI.py", "class PlayerAI:\n    def getTrap(self, grid):\n        return 1\n"),
    "aind": ("game_agent.py", "class CustomPlayer:\n    def get_move(self, game, time_left):\n        return 1\n"),
}
COURSES = (*AGENTS, "comp424-2022", "w4701-reused")


def deep(times: int) -> Iterator[tuple[str, bytes]]:
    """Constructs that nest, by what each is made of."""
    yield "minus", b"x = " + b"-" * times + b"1"
    yield "not", b"x = " + b"not " * times + b"1"
    yield "sum", b"x = " + b"+".join([b"1"] * times)
    yield "power", b"x = " + b"**".join([b"1"] * times)
    yield "attributes", b"x = a" + b".b" * times
    yield "calls", b"x = a" + b"()" * times
    yield "lambdas", b"x = " + b"lambda: " * times + b"1"
    yield "conditions", b"x = " + b"1 if a else " * times + b"1"
    yield "elif", b"if a: pass\n" + b"elif a: pass\n" * times
    yield "decorator", b"@" + b"a." * times + b"search.method(X)\ndef f(): pass\n"
    yield "format", b'x = f"{' + b"-" * times + b'1}"'


def strange() -> Iterator[tuple[str, bytes]]:
    """What is not deep, or what Python counts by itself."""
    for name, letter in (("round", b"("), ("square", b"["), ("curly", b"{")):
        yield name, b"x = " + letter * 20_000
    yield "formats", b"x = " + b"f'{" * 500 + b"1" + b"}'" * 500
    yield "indented", b"".join(b" " * depth + b"if a:\n" for depth in range(300)) + b" " * 300 + b"pass\n"
    yield "comparisons", b"x = " + b"<".join([b"1"] * 3000)
    yield "digits", b"x = " + b"9" * 100_000
    yield "large", b"x = '" + b"a" * MOST_SOURCE + b"'"
    yield "null", b"x = 1\n\0"
    yield "latin", b"x = '\xe9'\n"
    yield "surrogate", b"x = '\xed\xa0\x80'"
    yield "escape", b"x = '\\N{" + b"A" * 1000 + b"}'"
    yield "continued", b"x = \\\n" * 1000


def first_bytes() -> Iterator[tuple[str, bytes]]:
    yield "mark", b"\xef\xbb\xbf"
    yield "mark of another", b"\xef\xbb\xbf# coding: latin-1\n"
    yield "utf-16", b"\xff\xfe"
    for name in (b"nonsense", b"zlib", b"rot13", b"idna", b"undefined", b"unicode_escape"):
        yield name.decode(), b"# coding: " + name + b"\n"


DEEP = dict(deep(7000))
SOURCES = {name: b"%s\n" + text for name, text in (*DEEP.items(), *strange())}
SOURCES |= {f"little {name}": b"%s\n" + text for name, text in deep(700)}
SOURCES |= {f"begin {name}": text + b"%s\n" for name, text in first_bytes()}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
def test_no_text_of_a_submission_is_an_exception(tmp_path: Path, name: str) -> None:
    """Everything that reads a submission's text outside of its process."""
    for course, (standard, agent) in AGENTS.items():
        for called in (standard, "other.py"):
            file = tmp_path / course / called.removesuffix(".py") / called
            file.parent.mkdir(parents=True)
            file.write_bytes(SOURCES[name].replace(b"%s", agent.encode()))
            for path in (str(file), str(file.parent)):
                assert isinstance(broken_rules(f"{course}:{path}"), str)
                for given in (None, course):
                    try:
                        found = subject(path, given, None, None)
                    except UsageError as error:
                        assert "\n" not in str(error)
                    else:
                        list(rules_of(found))
    for read in (comp424_finding.sight, w4701_finding._classes, aind_finding.classes, importing.definitions):
        read(file)
    writes(file), misread(file), with_imports(str(file)), is_too_deep(file)
    forgotten(file.read_text("utf-8", "replace"))


@pytest.mark.parametrize("name", DEEP)
def test_what_is_too_deep_is_said_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unparsable, match=TOO_DEEP) as caught:
        parse_source(DEEP[name])
    assert caught.value.is_beyond_limits
    file = tmp_path / "mine.py"
    file.write_bytes(DEEP[name])
    with pytest.raises(BadFile, match=r"mine\.py:1: it is nested too deeply for Python to read it"):
        load_file(file)


def test_a_mistake_is_told_apart_from_what_is_beyond_limits(tmp_path: Path) -> None:
    for source in (b"x = (", b"\0", b"# coding: nonsense\n", b"x = '\xe9'", b"x = " + b"(" * 500):
        with pytest.raises(Unparsable) as caught:
            parse_source(source)
        assert not caught.value.is_beyond_limits and "\n" not in str(caught.value) and str(caught.value)
    with pytest.raises(Unparsable, match="4 MB") as caught:
        parse_source(b"#" * (MOST_SOURCE + 1))
    assert caught.value.is_beyond_limits
    with pytest.raises(FileNotFoundError):
        parse_file(tmp_path / "nowhere.py")
    assert isinstance(parse_source(b"\xef\xbb\xbfx = 1"), ast.Module)


@pytest.mark.parametrize("course", COURSES)
def test_rules_that_cannot_be_looked_at_are_not_kept(tmp_path: Path, course: str) -> None:
    """Else a file that only Python reads, and we do not, would import what it likes."""
    standard, agent = AGENTS[course.partition("-")[0]]
    file = tmp_path / standard
    file.write_bytes(agent.encode() + DEEP["sum"])
    (line,) = rules_of(subject(f"{course}:{file}", None, None, None))
    assert (line.mark, line.what) == (RED, "source") and TOO_DEEP in line.text
    assert broken_rules(f"{course}:{file}") == f"source: {standard} cannot be read as Python: {TOO_DEEP}"


def test_a_long_chain_of_a_loaded_file_is_walked_without_recursion() -> None:
    chain = b"if a: pass\n" + b"elif a: pass\n" * 900 + b"else:\n    import last\n"
    checked = b"import typing\nif typing.TYPE_CHECKING:\n    import unread\n"
    assert imported_modules(chain + checked, "") == ("last", "typing")


def test_only_one_place_of_the_courses_parses() -> None:
    folder = Path(parsing.__file__).parents[1]
    files = [path for path in folder.rglob("*.py") if "ast.parse(" in path.read_text("utf-8")]
    assert [path.name for path in files] == ["parsing.py"]
    assert not [path for path in folder.rglob("*.py") if "ast.unparse(" in path.read_text("utf-8")]


# Check and grade


@pytest.mark.process
@pytest.mark.parametrize(("course", "kind"), [("comp424", "minus"), ("w4701", "sum"), ("aind", "elif")])
def test_check_says_that_a_file_is_nested_too_deeply(tmp_path: Path, course: str, kind: str) -> None:
    standard, agent = AGENTS[course]
    beside = tmp_path / "aaa"  # not the one that is loaded
    beside.mkdir()
    for file in (beside / "other.py", tmp_path / standard):
        file.write_bytes(agent.encode() + DEEP[kind])
    loads, source = examine(subject(f"{course}:{tmp_path / standard}", None, None, None), walls="limits")
    assert (loads.mark, loads.what) == (source.mark, "loads") and (source.mark, source.what) == (RED, "source")
    assert loads.text == f"{standard} cannot be imported: it is nested too deeply for Python to read it"
    assert source.text == f"{standard} cannot be read as Python: it is nested too deeply"


@pytest.mark.process
def test_check_names_the_helper_file_that_is_nested_too_deeply(tmp_path: Path) -> None:
    standard, agent = AGENTS["w4701"]
    (tmp_path / standard).write_text(f"import helper\n{agent}")
    (tmp_path / "helper.py").write_bytes(DEEP["minus"])
    loads = next(examine(subject(f"w4701:{tmp_path}", None, None, None), walls="limits"))
    assert loads.mark == RED and "helper.py: it is nested too deeply" in loads.text


@pytest.mark.process
def test_the_command_ends_with_a_red_line_and_no_traceback(tmp_path: Path) -> None:
    standard, agent = AGENTS["w4701"]
    (tmp_path / standard).write_bytes(agent.encode() + DEEP["sum"])
    words = ["check", str(tmp_path), "--course", "w4701", "--sandbox", "limits"]  # a folder: its agent is looked for
    done = subprocess.run([sys.executable, "-m", "harena", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    assert f"RED loads {standard} cannot be imported: it is nested too deeply" in " ".join(done.stdout.split())


def test_grading_stages_the_others(tmp_path: Path) -> None:
    standard, agent = AGENTS["w4701"]
    folder = tmp_path / "submissions"
    for name, source in (("deep", DEEP["sum"]), ("deeper", DEEP["minus"]), ("fine", b"")):
        (folder / name).mkdir(parents=True)
        (folder / name / standard).write_bytes(agent.encode() + source)
    found = {one.name: one for one in stage(folder, tmp_path / "staged", "w4701")}
    assert sorted(found) == ["deep", "deeper", "fine"] and not any(one.refused for one in found.values())
    assert TOO_DEEP in found["deep"].rules and TOO_DEEP in found["deeper"].rules and not found["fine"].rules
