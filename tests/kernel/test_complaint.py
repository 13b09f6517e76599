"""A mistake in a user's compiled code is one line: his file, the right line, and what is wrong in plain words."""

import re
from pathlib import Path

import numpy as np
import pytest

from harena import calls
from harena.errors import CompileError
from harena.games.isolation import Isolation
from harena.kernel.complaint import complaint
from harena.kernel.modules import load_file
from kernel.mistakes import BODIES, FILES, HEAD
from kernel.support import run, run_well, write


def complaint_of(tmp_path: Path, text: str) -> tuple[str, str]:
    """What is said about a file, and the place that its comment marks."""
    file = write(tmp_path / "mine.py", text)
    module = load_file(file)
    with pytest.raises(CompileError) as error:
        module.run(module.Stone(np.uint64(1), 2))
    marked = [number for number, line in enumerate(text.splitlines(), 1) if "# here" in line]
    return str(error.value), f"{file}:{marked[0] if marked else 0}"


def check(said: str, place: str, words: str) -> None:
    assert said.startswith(f"{place}: cannot be compiled: {words}"), said
    assert not re.search(r"\n|\x1b|nopython|Literal|0x|harena_user", said), said


@pytest.mark.slow
@pytest.mark.parametrize(("body", "words"), BODIES.values(), ids=BODIES)
def test_a_mistake_in_a_kernel(tmp_path: Path, body: str, words: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    check(*complaint_of(tmp_path, f"{HEAD}\n\n@kernel\ndef run(s):\n{lines}"), words)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "words"), FILES.values(), ids=FILES)
def test_a_mistake_elsewhere_in_the_file(tmp_path: Path, text: str, words: str) -> None:
    check(*complaint_of(tmp_path, HEAD + re.sub("^        ", "", text, flags=re.MULTILINE)), words)


@pytest.mark.slow
def test_a_word_of_the_contract_that_a_game_lacks_names_its_class(tmp_path: Path) -> None:
    said, _ = complaint_of(tmp_path, HEAD + "def run(s):\n    return calls.hash_of(s)\n")
    line = HEAD.splitlines().index("class Stone(NamedTuple):  # class") + 1
    assert said == f"{tmp_path / 'mine.py'}:{line}: cannot be compiled: key has no method for (Stone)"


@pytest.mark.slow
def test_an_undefined_name_in_a_file_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    text = "from harena.kernel.generic import helper\n\n@helper\ndef rule(x):\n    return x + lost\n"
    beside = write(tmp_path / "rules_beside.py", text)
    body = "from rules_beside import rule\n\n@kernel\ndef run(s):\n    return rule(s.size)\n"
    said, _ = complaint_of(tmp_path, HEAD + body)
    assert said == f"{beside}:5: cannot be compiled: name 'lost' is not defined"


def test_an_argument_that_no_kernel_can_take() -> None:
    """Numba keeps the error of the first attempt and hands it out again: each complaint is about its own argument."""
    state = Isolation(np.uint64(0), 1, 2, 0, 7, 7)
    for argument, words in (
        (object(), "Cannot determine Numba type of object"),
        ({1: 2}, "Cannot determine Numba type of dict"),
    ):
        with pytest.raises(CompileError, match=rf"calls\.py:\d+: step cannot take argument 2: {words}$"):
            calls.step(state, argument)


@pytest.mark.slow
def test_a_second_attempt_says_the_same(tmp_path: Path) -> None:
    text = f"{HEAD}\n@kernel\ndef run(s):\n    return s.wrong  # here\n"
    assert complaint_of(tmp_path, text) == complaint_of(tmp_path, text)


def test_without_a_file_of_the_users_the_place_is_harenas_own() -> None:
    with pytest.raises(CompileError, match=r"harena/calls\.py:\d+: cannot be compiled: key has no method for \(any\)$"):
        calls.hash_of(3)


@pytest.mark.slow
def test_a_path_with_spaces_and_the_word_at(tmp_path: Path) -> None:
    folder = tmp_path / "look at me (3)"
    check(*complaint_of(folder, f"{HEAD}\n@kernel\ndef run(s):\n    return s.wrong  # here\n"), "Stone(uint64, int64)")


@pytest.mark.slow
def test_the_place_does_not_depend_on_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(
        *complaint_of(tmp_path, f"{HEAD}\n@kernel\ndef run(s):\n    return s.wrong  # here\n"), "Stone(uint64, int64)"
    )


@pytest.mark.process
def test_the_command_line_prints_that_one_line(tmp_path: Path) -> None:
    text = """
    import harena
    from harena.contract import initial
    from typing import NamedTuple


    class Game(NamedTuple):
        size: int


    class Mine(harena.Face):
        entry = harena.Entry(name="mine", title="Mine", summary="a game")
        state = Game

        def setup(self, **options):
            return Game(3)


    @initial.method(Game)
    def _(setup, rng):
        return Game(setup.sise)
    """
    file = write(tmp_path / "mine.py", text)
    script = "import sys; from harena.cli.main import main; sys.argv[0] = 'harena'; main()"
    answer = run(script, "show", file, cache=tmp_path / "cache")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"harena: {file}:21: cannot be compiled: Game(int64 x 1) has no attribute sise\n"


@pytest.mark.process
def test_a_class_typed_at_a_prompt_has_no_file_to_name(tmp_path: Path) -> None:
    script = """
    from typing import NamedTuple
    from harena import calls
    from harena.errors import CompileError
    class Typed(NamedTuple):
        number: int
    try:
        calls.hash_of(Typed(1))
    except CompileError as error:
        print(error)
    """
    (line,) = run_well(script, cache=tmp_path).lines
    assert re.search(r"harena/calls\.py:\d+: cannot be compiled: key has no method for \(Typed\)$", line)


@pytest.mark.slow
def test_a_file_that_was_edited_meanwhile_is_still_named(tmp_path: Path) -> None:
    text = f"{HEAD}\ndef run(s):\n    return calls.hash_of(s)\n"
    module = load_file(write(tmp_path / "mine.py", text))
    write(tmp_path / "mine.py", "this is = no Python\n")
    with pytest.raises(CompileError, match=r"mine\.py:1: cannot be compiled: key has no method for \(Stone\)$"):
        module.run(module.Stone(np.uint64(1), 2))


@pytest.mark.parametrize(
    ("accident", "words"),
    [
        (AssertionError(), "AssertionError"),
        (KeyError("$0.1"), "KeyError '$0.1'"),
        (ValueError("out of luck"), "out of luck"),
    ],
)
def test_an_accident_in_the_compiler_is_one_line_too(accident: Exception, words: str) -> None:
    said = str(complaint(test_an_accident_in_the_compiler_is_one_line_too, (), accident))
    assert re.fullmatch(rf"{re.escape(__file__)}:\d+: cannot be compiled: {re.escape(words)}", said)
