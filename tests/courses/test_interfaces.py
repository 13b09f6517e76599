"""Our modules have every name, parameter and default of the courses' own, and those do what the rules say."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.slot import Slot

pytestmark = pytest.mark.process

AGENTS = Path(__file__).parent / "agents"
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


# What is behind the names


def played(game: str, text: str, **variant: Any) -> list[Record]:
    """A game in each seat against a random player."""
    given: dict[str, Any] = {"limits": {"seconds": 60.0}, "margin": 20.0}
    contest = Contest(Spec(game=game, variants=[variant], agents=[text, "random"], local=True, **given))
    contestants: dict[int, Any] = {}
    try:
        return [contest.play(Slot(a=0, b=1, pair=0, swapped=swapped), contestants) for swapped in (False, True)]
    finally:
        for one in contestants.values():
            one.close()
        contest.probe.stop()


@pytest.mark.parametrize(
    ("game", "agent", "size"),
    [
        ("trap", "w4701:w4701/keywords", "4"),
        ("colosseum", "comp424:comp424/keywords", "5"),
        ("colosseum", "comp424-2022:comp424/keywords", "5"),
        ("isolation", "aind:aind/keywords_g1", "5"),
        ("isolation", "aind:aind/keywords_g2", "5"),
    ],
)
def test_an_agent_that_calls_all_by_the_course_s_parameters_plays(game: str, agent: str, size: str) -> None:
    course, _, folder = agent.partition(":")
    for record in played(game, f"{course}:{AGENTS / folder}", size=size):
        assert (record.reason, record.detail) == ("rules", "")


OWN_LEVEL = """
import random
from BaseAI import BaseAI
from Grid import Grid

class EasyAI(BaseAI):
    is_own = True
    def __init__(self, initial_position=None):
        super().__init__()
        self.pos = initial_position
        self.player_num = None
    def setPosition(self, new_pos): self.pos = new_pos
    def getPosition(self): return self.pos
    def setPlayerNum(self, num): self.player_num = num
    def getPlayerNum(self): return self.player_num
    def getMove(self, grid):
        cells = grid.get_neighbors(grid.find(player_num=self.player_num), only_available=True)
        states = [grid.clone().move(move=cell, player=self.player_num) for cell in cells]
        return cells[0]
    def getTrap(self, grid):
        cells = grid.getAvailableCells()
        states = [grid.clone().trap(pos=cell) for cell in cells]
        return cells[0]
"""
BUILT_UPON = """
from test_players.EasyAI import EasyAI

class PlayerAI(EasyAI):
    def getMove(self, grid):
        assert self.is_own
        return super().getMove(grid)
"""


def test_a_submission_s_own_copy_of_a_level_is_used_and_finds_the_grid_that_it_knows(tmp_path: Path) -> None:
    write_files(tmp_path, {"PlayerAI.py": BUILT_UPON, "test_players/EasyAI.py": OWN_LEVEL})
    for record in played("trap", f"w4701:{tmp_path}", size="4"):
        assert (record.reason, record.detail) == ("rules", "")


def test_the_course_s_simulator_plays_a_series(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from harena.courses.hosting import importing
importing.prepare("comp424", Path(sys.argv[1]), Path(sys.argv[1]))
sys.argv = ["simulator.py", "--player_1", "student_agent", "--board_size_max", "6", "--autoplay_runs", "2"]
from simulator import *
args = get_args()
assert (args.board_size_min, args.display_delay, args.autoplay) == (6, 0.4, False)
played = Simulator(args=args)
first, second, *times = played.run(swap_players=True, board_size=5)
assert played.world.player_2_name == "student_agent" and played.world.board_size == 5 and 2 <= first + second <= 25
played.autoplay()
"""
    write_files(tmp_path, FILES)
    words = [sys.executable, "-P", "-B", "-c", script, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    *_, first, second = done.stdout.splitlines()
    assert first.startswith("Player 1, agent student_agent, win percentage: ")
    assert second.startswith("Player 2, agent random_agent, win percentage: ")
