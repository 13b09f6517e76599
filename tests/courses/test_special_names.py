"""A submission sees its own folder and no other, whatever it is called: the names that mean something to a course."""

import json
import os
import zipfile
from pathlib import Path

import pytest

from courses.graded import grade, meet, verdicts
from harena.agents.contestant import ProcessContestant
from harena.agents.guests import COURSES, STAGED, agent_text, guest
from harena.agents.process import AgentFault
from harena.cli.grade import stage
from harena.courses.grading import Submission
from harena.courses.levels import Level
from harena.errors import BadFile, BadText
from harena.web.config import Config
from harena.web.folders import agents_by_game
from harena.web.given import check_player

MARKER = "marker-of-ada"
NAMES = (
    *("agents", "agent", "test", "tests", "isolation", "src", "world", "store", "sample_players", "PlayerAI", "Grid"),
    *("student_agent", "game_agent", "submissions", "a.b", "-dash", "x" * 150, "random", "simulator", "authors"),
)
KINDS = ("file", "folder", "zip")
SPY = '''
import os, sys

def look():
    """Every path of a neighbour's that can be seen: those that an insider would try, then all there is."""
    yield from (path for path in {paths!r} if os.path.exists(path))
    known = {{"/proc", "/usr", os.path.realpath(sys.prefix), os.path.realpath(sys.base_prefix)}}
    others = [f"/proc/{{number}}/{{what}}/" for number in os.listdir("/proc") for what in ("root", "cwd")]
    others = [one for one in others if os.path.exists(one) and not os.path.samefile(one, "/")]
    for place in [os.getcwd(), "..", "../..", "/", *others]:
        for folder, folders, files in os.walk(place):
            yield from (os.path.join(folder, one) for one in [*files, *folders] if {marker!r} in one)
            folders[:] = [one for one in folders if os.path.realpath(os.path.join(folder, one)) not in known]

found = next(look(), "")
if found:
    raise RuntimeError("BREACH " + found)
'''
AGENTS = {
    "comp424": "class Mine:\n    def step(self, board, me, other, steps):\n        return None\n",
    "w4701": "class PlayerAI:\n    def getMove(self, grid): pass\n    def getTrap(self, grid): pass\n",
    "aind": "class CustomPlayer:\n    def get_move(self, game, legal_moves, time_left):\n        return (-1, -1)\n",
}


def hand_in(folder: Path, name: str, kind: str, course: str) -> None:
    """Hand in an agent that looks for the neighbour's marker when it is loaded."""
    neighbours = [folder / "ada", Path(f"{folder}-grades") / "submissions" / "ada"]
    paths = [str(place / MARKER) for place in [*neighbours, Path("../ada"), Path("/submission/ada"), Path("ada")]]
    agent = SPY.format(paths=paths, marker=MARKER) + AGENTS[course.partition("-")[0]]
    folder.mkdir(exist_ok=True)
    if kind == "file":
        (folder / f"{name}.py").write_text(agent)
    elif kind == "folder":
        (folder / name).mkdir()
        (folder / name / f"{name}.py").write_text(agent)
    else:
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            archive.writestr(f"{name}.py", agent)


def add_neighbour(folder: Path) -> None:
    (folder / "ada").mkdir()
    (folder / "ada" / MARKER).write_text("secret")
    (folder / "ada" / "agent.py").write_text("")


def staged(folder: Path, course: str) -> dict[str, Submission]:
    """The submissions of a class by name, where `grade` puts them."""
    found = stage(folder, Path(f"{folder}-grades") / "submissions", course)
    assert not any(one.refused for one in found)
    return {one.name: one for one in found}


@pytest.mark.parametrize("course", COURSES)
def test_nothing_widens_the_folder_of_a_submission(tmp_path: Path, course: str) -> None:
    for kind in KINDS:
        folder = tmp_path / kind
        for name in NAMES:
            hand_in(folder, name, kind, course)
        found = staged(folder, course)
        assert len(found) == len(NAMES) and {"agents", "a.b", "dash", "x" * 80} <= set(found)
        for name, one in found.items():
            home = tmp_path / f"{kind}-grades" / "submissions" / name
            (file,) = home.iterdir()
            for text in (one.agent, f"{course}:{file}", f"{course}:{home}"):  # the latter as version 0.1.0 wrote it
                assert guest(text).folder == str(home), text


@pytest.mark.process
@pytest.mark.parametrize(
    ("course", "kind"),
    [*(("comp424", kind) for kind in KINDS), *((one, "file") for one in COURSES if one != "comp424")],
)
def test_a_submission_called_agents_finds_no_neighbour(tmp_path: Path, course: str, kind: str) -> None:
    folder = tmp_path / "class"
    hand_in(folder, "agents", kind, course)
    add_neighbour(folder)
    text = staged(folder, course)["agents"].agent
    agent = ProcessContestant(text, COURSES[course].game, [{}], margin=1.0, walls="required")
    try:
        agent.start()
    finally:
        agent.close()


@pytest.mark.process
def test_the_spy_finds_what_can_be_seen(tmp_path: Path) -> None:
    """Else the tests here would prove nothing."""
    hand_in(tmp_path / "agents", "agents", "file", "comp424")
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / MARKER).write_text("secret")
    text = f"comp424:{tmp_path}/agents/agents.py"  # as a user types it in a checkout
    agent = ProcessContestant(text, "colosseum", [{}], margin=1.0, walls="required")
    with pytest.raises(AgentFault, match=f"did not load.*BREACH .*ada/{MARKER}"):
        agent.start()
    agent.close()


@pytest.mark.process
@pytest.mark.slow
def test_a_whole_class_of_special_names_is_graded_and_sees_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(monkeypatch, "comp424", Level(player="random"))
    folder = tmp_path / "class"
    names = ("agents", "agent", "test", "isolation", "src", "x" * 150)
    for number, name in enumerate(names):
        hand_in(folder, name, KINDS[number % 3], "comp424")
    add_neighbour(folder)
    out = grade(folder, course="comp424", concurrency=2)
    found = {name: row["verdict"] for name, row in verdicts(out).items()}
    assert "BREACH" not in json.dumps(found)
    assert all("faults: unreadable answer 2" in found[name[:80]] for name in names), found


def test_a_stated_folder_is_what_an_agent_sees(tmp_path: Path) -> None:
    file = tmp_path / "checkout" / "agents" / "deep" / "mine.py"
    file.parent.mkdir(parents=True)
    file.write_text("")
    (tmp_path / "checkout" / "other.py").write_text("")
    for folder in (file.parent, *file.parents[1:3]):
        found = guest(agent_text("comp424", folder, file))
        assert (found.folder, found.target) == (str(folder), str(file.relative_to(folder)))
    with pytest.raises(BadFile, match="lies outside of the folder before"):
        guest(f"comp424:{file.parent}/./../../agents/../other.py")


def test_a_checkout_that_a_user_names_is_still_seen_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "student_agent.py").write_text("")
    assert guest(f"comp424:{tmp_path}/agents/student_agent.py").folder == str(tmp_path)
    assert guest(f"w4701:{tmp_path}/agents/student_agent.py").folder == str(tmp_path / "agents")
    (tmp_path / STAGED).touch()  # a class's submissions are no checkout
    assert guest(f"comp424:{tmp_path}/agents/student_agent.py").folder == str(tmp_path / "agents")


def test_agents_on_the_page_see_nothing_beyond_the_servers_folders(tmp_path: Path) -> None:
    home = tmp_path / "agents"
    (home / "team" / "agents").mkdir(parents=True)
    for file in (home / "mine.py", home / "team" / "agents" / "student_agent.py"):
        file.write_text("register_agent")
    config = Config(store=tmp_path / "games.sqlite", agents=(home,))
    texts = {one["name"]: one["text"] for one in agents_by_game(config)["colosseum"]}
    assert guest(texts["agents/mine.py"]).folder == str(home)
    assert guest(texts["agents/team/agents/student_agent.py"]).folder == str(home / "team")
    for text in texts.values():
        check_player(config, text, "colosseum")
    with pytest.raises(BadText, match="only from the folders given"):
        check_player(config, f"comp424:{os.path.join(home, 'mine.py')}", "colosseum")
