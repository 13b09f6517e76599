"""Agents in another file or with another constructor than the template's: found, or refused with a full reason."""

from pathlib import Path
from typing import Any

import pytest

from courses.checking import LONG, lines, marks
from courses.graded import grade, meet, verdicts
from courses.test_aind import played, unloadable
from courses.test_interfaces import write_files
from harena.courses.finding import RED
from harena.courses.hosting import aind_finding, comp424_finding, w4701_finding
from harena.courses.hosting.importing import CannotLoad
from harena.courses.levels import Level
from harena.courses.subject import subject

# Agents of the AIND competition, which are made with their data first

COMPETITOR = """
class CustomPlayer:
    def __init__(self, {parameters}):
        assert {name} == {value}, {name}
    def get_move(self, game, time_left):
        return game.get_legal_moves()[0]
"""
CONSTRUCTORS = {  # parameters, file, data.json, the data
    "data, nothing beside it": ("data, timeout=1.", "competition_agent.py", "", None),
    "data, with its file": ("data, timeout=1.", "competition_agent.py", "[7]", [7]),
    "another name": ("opening_book, timeout=1.", "competition_agent.py", "", None),
    "another name, with its file": ("opening_book, timeout=1.", "competition_agent.py", "[7]", [7]),
    "another name in the usual file": ("book, timeout=1.", "game_agent.py", "[7]", [7]),
    "a longer name": ("stored_data", "my_player.py", "[7]", [7]),
}


def competitor(folder: Path, case: str) -> Path:
    parameters, file, data, value = CONSTRUCTORS[case]
    name = parameters.split(",")[0]
    source = COMPETITOR.format(parameters=parameters, name=name, value=value)
    return write_files(folder, {file: source, **({"data.json": data} if data else {})})


@pytest.mark.process
@pytest.mark.parametrize("case", CONSTRUCTORS)
def test_an_agent_of_the_competition_gets_its_data_first(case: str, tmp_path: Path) -> None:
    for record in played(str(competitor(tmp_path, case))):
        assert (record.reason, record.detail) == ("rules", "")


@pytest.mark.process
def test_a_constructor_that_fails_without_data_says_which_file_is_missing(tmp_path: Path) -> None:
    source = COMPETITOR.replace("assert {name} == {value}, {name}", "data['book']").format(parameters="data")
    write_files(tmp_path, {"competition_agent.py": source})
    line = unloadable(tmp_path)
    assert line.startswith("CustomPlayer() fails: TypeError: 'NoneType' object is not subscriptable")
    assert line.endswith("; data is None, as there is no data.pickle or data.pkl or data.json beside it")


@pytest.mark.process
def test_a_data_file_that_no_constructor_takes_is_not_read(tmp_path: Path) -> None:
    source = "class CustomPlayer:\n    def get_move(self, game, time_left): return game.get_legal_moves()[0]\n"
    write_files(tmp_path, {"game_agent.py": source, "data.json": "{"})
    assert {record.reason for record in played(str(tmp_path))} == {"rules"}


@pytest.mark.process
def test_what_no_course_gives_is_refused_with_what_was_looked_for(tmp_path: Path) -> None:
    source = COMPETITOR.format(parameters="data, colour", name="colour", value=1)
    write_files(tmp_path, {"competition_agent.py": source})
    assert unloadable(tmp_path) == (
        "CustomPlayer cannot be made: the course gives nothing for 'colour'; give it a default (looked for score_fn, "
        "where there is a custom_score, depth, method, iterative, timeout and data)"
    )


@pytest.mark.process
def test_an_agent_of_the_later_project_is_refused_as_such_in_a_file_too(tmp_path: Path) -> None:
    source = (
        "from sample_players import DataPlayer\nclass CustomPlayer(DataPlayer):\n    def get_action(self, state): 1\n"
    )
    write_files(tmp_path, {"my_custom_player.py": source})
    for path in (tmp_path, tmp_path / "my_custom_player.py"):
        assert "has get_action, of the later 11x9 project" in unloadable(path)


# Files under another name

AIND = "class CustomPlayer:\n    def get_move(self, game, time_left): return game.get_legal_moves()[0]\n"
COMP424 = """
from agents.agent import Agent
from store import register_agent

@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, [side for side in range(4) if not chess_board[my_pos[0], my_pos[1], side]][0]
"""
W4701 = """
from BaseAI import BaseAI

class PlayerAI(BaseAI):
    def setPosition(self, new_pos): self.pos = new_pos
    def getPosition(self): return self.pos
    def getMove(self, grid): return grid.get_neighbors(self.pos, only_available=True)[0]
    def getTrap(self, grid): return grid.getAvailableCells()[0]
"""
SCORES = "def score(game):\n    return 1\n"
FINDERS: dict[str, Any] = {
    "aind": (aind_finding.find, "game_agent.py", AIND),
    "comp424": (comp424_finding.find_file, "student_agent.py", COMP424),
    "w4701": (w4701_finding.find, "PlayerAI.py", W4701),
}


@pytest.mark.parametrize("course", FINDERS)
def test_one_file_that_qualifies_is_found_under_any_name(course: str, tmp_path: Path) -> None:
    find, standard, source = FINDERS[course]
    write_files(tmp_path, {"src/champion.py": source, "notes.py": SCORES})
    assert find(tmp_path, "") == tmp_path / "src" / "champion.py"
    write_files(tmp_path, {standard: SCORES})  # the usual name, and no agent in it
    assert find(tmp_path, "") == tmp_path / "src" / "champion.py"
    write_files(tmp_path, {standard: "from champion import *\n"})
    assert find(tmp_path, "") == tmp_path / standard, "it may be the file that is meant"
    write_files(tmp_path, {standard: "def f(:\n"})
    assert find(tmp_path, "") == tmp_path / standard, "what is wrong with it is to be said"


@pytest.mark.parametrize("course", FINDERS)
def test_two_that_qualify_are_named(course: str, tmp_path: Path) -> None:
    find, _, source = FINDERS[course]
    write_files(tmp_path, {"champion.py": source, "rival.py": f"{source}\n"})
    with pytest.raises(CannotLoad, match=r"several agents.*champion\.py, rival\.py"):
        find(tmp_path, "")


LOOKED_FOR = {
    "aind": "no Python file here has a class with get_move (looked for game_agent.py, competition_agent.py and then "
    "any other; ",
    "comp424": "no agent in this folder: no class with a method step (looked for student_agent.py and then any other; ",
    "w4701": "no Python file here has a class with getMove and getTrap (looked for PlayerAI.py and then any other; ",
}


@pytest.mark.parametrize("course", FINDERS)
def test_a_folder_without_an_agent_says_what_was_looked_for_and_found(course: str, tmp_path: Path) -> None:
    find, *_ = FINDERS[course]
    with pytest.raises(CannotLoad) as told:
        find(tmp_path, "")
    assert str(told.value) == f"{LOOKED_FOR[course]}found no Python file)"
    write_files(tmp_path, {f"{name}.py": SCORES for name in "abcdefg"})
    with pytest.raises(CannotLoad) as told:
        find(tmp_path, "")
    assert str(told.value) == f"{LOOKED_FOR[course]}found a.py, b.py, c.py, d.py, e.py and 2 more)"


@pytest.mark.process
@pytest.mark.parametrize("course", FINDERS)
def test_check_finds_it_too(course: str, tmp_path: Path) -> None:
    _, standard, source = FINDERS[course]
    write_files(tmp_path, {"src/champion.py": source, standard: SCORES})
    agent = subject(str(tmp_path), None, None, LONG)
    assert (agent.course, agent.file) == (course, tmp_path / "src" / "champion.py")
    if course == "aind":  # the others only take longer
        assert not marks(lines(agent), RED)


@pytest.mark.process
def test_check_says_what_was_looked_for(tmp_path: Path) -> None:
    write_files(tmp_path, {"notes.py": SCORES})
    found = lines(subject(str(tmp_path), "w4701", None, LONG))
    (line,) = (line for line in found.values() if line.mark == RED)
    assert line.text == f"{LOOKED_FOR['w4701']}found notes.py)"


@pytest.mark.process
def test_grading_takes_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "aind", Level(player="random"))
    competitor(tmp_path / "class" / "ann", "another name, with its file")
    write_files(tmp_path / "class" / "bob", {"src/champion.py": AIND, "game_agent.py": SCORES})
    write_files(tmp_path / "class" / "eve", {"notes.py": SCORES, "more.py": SCORES})
    out = grade(tmp_path / "class", course="aind")
    assert {name: row["verdict"] for name, row in verdicts(out).items()} == {
        **{"ann": "graded", "bob": "graded"},
        "eve": f"did not load: {LOOKED_FOR['aind']}found more.py, notes.py)",
    }
