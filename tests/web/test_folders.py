"""Agents in the server's folders: found by their texts, read once, and never waited for."""

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

import harena
from harena.agents.registry import recognise_course
from harena.errors import BadFile
from harena.web import folders
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.folders import agents_by_game
from web.seating import OwnerClient

STARTERS = Path(harena.__file__).parent / "courses" / "starters"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    folder = tmp_path / "agents"
    folder.mkdir()
    return Config(store=tmp_path / "games.sqlite", agents=(folder,))


def test_every_file_is_read_once_for_a_page(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, reads, read = config.agents[0], Counter[str](), folders._read
    for name in ("one.py", "two.py"):
        (folder / name).write_text("import harena\n")
    monkeypatch.setattr(folders, "_read", lambda path: (reads.update([path.name]), read(path))[1])
    with OwnerClient(create_app(config), base_url="http://127.0.0.1") as client:
        for path in ("/play", "/watch", "/contests", "/api/players/trap"):
            reads.clear()
            assert "agents/two.py" in client.get(path).text, path
            assert reads == {"one.py": 1, "two.py": 1}, path


def test_what_is_no_file_is_passed_over(config: Config) -> None:
    folder = config.agents[0]
    os.mkfifo(folder / "pipe.py")  # whoever opens it for reading waits for somebody who writes
    (folder / "folder.py").mkdir()
    (folder / "gone.py").symlink_to(folder / "nowhere")
    (folder / "mine.py").write_text("from harena.agents.bot import run")
    assert [one["name"] for one in agents_by_game(config)["tiles"]] == ["agents/mine.py"]


def test_the_files_that_a_student_begins_with_are_what_they_are(config: Config) -> None:
    folder = config.agents[0]
    for name in ("comp424", "w4701", "aind", "trap", "tiles"):
        shutil.copy(STARTERS / f"{name}.py", folder / f"{name}.py")
    found = agents_by_game(config)
    courses = {"colosseum": "comp424", "trap": "w4701", "isolation": "aind", "tiles": None}
    for game, course in courses.items():
        programs = {"agents/tiles.py", "agents/trap.py"}
        assert {one["name"] for one in found[game]} == programs | ({f"agents/{course}.py"} if course else set())
        assert {one["course"] for one in found[game]} == {"", *([course] if course else [])}


def test_a_course_agent_that_speaks_of_us_in_a_comment_is_one_all_the_same(tmp_path: Path) -> None:
    """The list of a page and the command line say the same."""
    text = "# try: harena check aind:mine.py\nclass Agent:\n    def get_move(self, game, time_left): ...\n"
    assert recognise_course(text) == "aind" and recognise_course("x = 1") is None
    assert recognise_course("class PlayerAI: ...") == "w4701" == recognise_course("def getTrap(self, grid): ...")
    assert recognise_course("from harena.agents.bot import run\ndef get_move(turn): ...") == ""
    assert recognise_course('print(\'{"type": "ready"}\')') == ""
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(BadFile, match="looks like an agent of a course: write aind:"):
        harena.player(str(tmp_path / "mine.py"), harena.game("isolation"))
