"""What README promises is run: its commands, its Python, its links."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands() -> list[str]:
    shown = re.findall(r"^    \$ \.venv/bin/(harena .+)$", README, re.MULTILINE)
    listed = [f"harena {verb}" for verb in re.findall(r"^\| `harena ([\w-]+)", README, re.MULTILINE)]
    return [*shown, *(f"{command} --help" for command in listed)]


@pytest.mark.slow
@pytest.mark.parametrize("command", commands())
def test_the_commands_of_the_readme_work(command: str) -> None:
    words = [sys.executable, "-m", *shlex.split(command, comments=True)]
    assert subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode == 0


def python_of(page: Path) -> str:
    return "\n".join(re.findall(r"```python\n(.+?)```", page.read_text("utf-8"), re.DOTALL))


@pytest.mark.slow
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


def test_the_python_of_the_readme_works() -> None:
    code = "\n".join(re.findall(r"```python\n(.+?)```", README, re.DOTALL))
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    assert "1 None" in done.stdout and "True [(Move(" in done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target
