"""What README and the pages promise is run: commands print what is shown, Python prints what its comments say."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli.support import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = re.findall(r"^    \$ \.venv/bin/(harena .+)\n((?:(?:    (?!\$|\.venv).*)?\n)*)", README, re.MULTILINE)
# What a reader of README sees of the commands whose output is not shown there, as regular expressions.
SEEN = {
    "analyse": [r"value [+-]\d", r"[\d,]+ nodes, depth \d", r"position: \S+ 1 walk 0"],
    "solve": [r"draw", r"position: BRBR/RBRB/BRBR/RBRB R 1"],
    "match tiles": [r"uct1000", r"greedy", r"of 20 games", r"Elo"],
    "match isolation": [r"centre\.py", r"random", r"of 10 games", r"Elo"],
    "simulator": [r"Player A moves to", r"Game ends! Player [AB] wins having control over \d+ cells", r"Run finished"],
    "perft": [r"depth +9 +127,872 "],
}


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_a_command_of_the_readme_prints_what_a_reader_expects(command: str, output: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", *shlex.split(command, comments=True)]
    environment = os.environ | {
        "HARENA_STORE": str(tmp_path / "games.sqlite"),
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    if output.strip():
        lines = [line.removeprefix("    ").rstrip() for line in output.rstrip().splitlines()]
        assert [line.rstrip() for line in done.stdout.rstrip().splitlines()] == lines
    else:
        (expected,) = [patterns for begin, patterns in SEEN.items() if command.startswith(f"harena {begin}")]
        shown = done.stdout + done.stderr  # the course's simulator logs what happens
        assert not [pattern for pattern in expected if not re.search(pattern, shown)], shown


def table_of_commands() -> dict[str, set[str]]:
    """The options and sub-commands that README's table names, by command."""
    named: dict[str, set[str]] = {}
    for row in re.findall(r"^\| (`harena .+?) \| ", README, re.MULTILINE):
        for text in re.findall(r"`(.+?)`", row):
            verb, *words = text.removeprefix("harena ").replace("\\|", "|").split()
            if verb == "show" and "and the options of" in row and not words:
                continue  # named as the command whose options another one has too
            if words and words[0].isalpha() and words[0].islower():
                verb = f"{verb} {words[0]}"  # a command of a group
            parts = named.setdefault(verb, set())
            parts |= set(re.findall(r"--[\w-]+", text))
            parts |= {part for part in words[:1] if "|" in part and part.islower() for part in part.split("|")}
    return named


@pytest.mark.slow
@pytest.mark.parametrize(("command", "parts"), table_of_commands().items(), ids=list(table_of_commands()))
def test_the_help_of_a_command_names_what_the_readme_names(
    command: str, parts: set[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    answer = run(capsys, monkeypatch, *command.split(), "--help")
    assert answer.code == 0 and answer.err == ""
    assert f"harena {command}" in answer.out
    assert parts <= set(re.findall(r"--[\w-]+|\w+", answer.out))


def python_of(page: Path) -> str:
    return "\n".join(re.findall(r"```python\n(.+?)```", page.read_text("utf-8"), re.DOTALL))


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("page", [page for page in PAGES[1:] if python_of(page)], ids=lambda page: page.name)
def test_the_python_of_the_pages_prints_what_its_comments_say(page: Path, tmp_path: Path) -> None:
    code = python_of(page)
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment, check=True)
    for line in code.splitlines():
        assert not line.startswith("# ") or line[2:] in done.stdout
    if page.name == "api.md":
        assert "player 2 wins 1" in done.stdout
        assert (tmp_path / "board.svg").exists()


@pytest.mark.process
def test_the_python_of_the_readme_prints_what_its_comments_say() -> None:
    code = python_of(PAGES[0])
    words = [sys.executable, "-c", code]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("h3u h3d h3l g4u ")
    assert "1 None" in lines and any(line.startswith("True [(Move(") for line in lines)
    assert lines.count("0.0") == 1  # tiles is a draw


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target
