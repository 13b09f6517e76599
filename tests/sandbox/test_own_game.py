"""An agent behind walls reads the file of a game that is not ours, and what that imports; nothing else beside it."""

import shutil
from pathlib import Path

import pytest

import harena
from harena.agents.contestant import ProcessContestant
from harena.search.result import Limits
from sandbox.support import WALLED

EXAMPLES = Path(__file__).parents[2] / "examples"
SPY = """
import os
from harena.agents.bot import run


def choose(turn):
    files = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.dirname(turn.game)) for name in names]
    assert not any(name.endswith("secret.txt") for name in files), files
    assert turn.game.endswith(":TicTacToeFace")
    return "c3"


run(choose)
"""

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("nothing_is_left_behind")]


@pytest.fixture
def game(tmp_path: Path) -> harena.Game:
    """Tic-tac-toe in a folder that nobody else may read, with a part of it in a package."""
    folder = tmp_path / "rules"
    (folder / "parts").mkdir(parents=True)
    text = (EXAMPLES / "tictactoe.py").read_text("utf-8")
    assert "BOARD = np.uint64(0b111_111_111)\n" in text
    text = text.replace("BOARD = np.uint64(0b111_111_111)\n", "from parts.board import BOARD\n")
    (folder / "mine.py").write_text(text, "utf-8")
    (folder / "parts" / "__init__.py").write_text("")
    (folder / "parts" / "board.py").write_text("import numpy as np\nBOARD = np.uint64(0b111_111_111)\n")
    (folder / "secret.txt").write_text("not for agents")
    folder.chmod(0o700)
    return harena.game(folder / "mine.py")


def asked(agent: Path, game: harena.Game, name: str, level: str) -> str:
    contestant = ProcessContestant(str(agent), name, [{}], margin=20.0, walls=level)
    state = game.position("XX./OO./... 1")
    try:
        contestant.begin({}, state.text, 0, 1)
        return contestant.choose(state, [], Limits(seconds=20.0), 1).move
    finally:
        contestant.close()


@pytest.mark.parametrize("level", [*WALLED, "limits", "off"])
def test_an_agent_plays_by_the_rules_of_the_file(
    game: harena.Game, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agent").mkdir()
    agent = tmp_path / "agent" / "winner.py"
    shutil.copyfile(EXAMPLES / "agents" / "winner.py", agent)
    monkeypatch.chdir(tmp_path)
    assert asked(agent, game, "rules/mine.py", level) == "c1"


@pytest.mark.parametrize("level", [*WALLED[:1], "off"])
def test_a_link_to_the_file_is_as_good(game: harena.Game, level: str, tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    agent = tmp_path / "agent" / "winner.py"
    shutil.copyfile(EXAMPLES / "agents" / "winner.py", agent)
    link = tmp_path / "linked.py"
    link.symlink_to(tmp_path / "rules" / "mine.py")
    assert asked(agent, game, f"{link}:TicTacToeFace", level) == "c1"


@pytest.mark.parametrize("level", WALLED)
def test_it_sees_nothing_else_beside_that_file(game: harena.Game, level: str, tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    agent = tmp_path / "agent" / "spy.py"
    agent.write_text(SPY)
    assert asked(agent, game, f"{game.found_as}:TicTacToeFace", level) == "c3"
