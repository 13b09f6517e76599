"""Our modules have every name, parameter and default of the courses' own, and those do what the rules say."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

INTERFACES = Path(__file__).parents[1] / "data" / "interfaces"
PROBE = Path(__file__).parent / "interface_probe.py"
STUDENT = """
from agents.agent import Agent
from store import register_agent

@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, 0
"""
FILES = {
    "agents/student_agent.py": STUDENT,
    "PlayerAI.py": "class PlayerAI:\n    def getMove(self, grid): pass\n    def getTrap(self, grid): pass\n",
}
HELD = {  # the files of the courses that are here, each with its course and generation
    "comp424-2022": ("comp424", "2022"),
    "comp424-2023": ("comp424", "2023"),
    "w4701": ("w4701", "-"),
    "aind-g1": ("aind", "G1"),
    "aind-g2": ("aind", "G2"),
}
LATER = {"comp424-2024", "comp424-2025", "udacity"}  # of games that are not here yet


def write_files(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_every_interface_is_held_or_of_a_game_to_come() -> None:
    assert {file.stem for file in INTERFACES.glob("*.json")} == HELD.keys() | LATER


@pytest.mark.parametrize("name", HELD)
def test_modules_have_all_that_the_course_s_had(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    words = [sys.executable, "-P", "-B", str(PROBE), *HELD[name], str(INTERFACES / f"{name}.json"), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout.splitlines()[-1])
    assert found == []
