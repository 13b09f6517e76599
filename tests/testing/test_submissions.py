"""`check_agent` says in a test what `harena check` says at the terminal."""

from pathlib import Path

import pytest

from harena.courses.finding import OK
from harena.errors import UsageError
from harena.testing import AgentBroken, check_agent

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
AGENTS = ROOT / "tests" / "courses" / "agents" / "check"


def test_an_agent_in_order_passes_with_its_lines() -> None:
    found = check_agent(str(ROOT / "examples" / "agents" / "centre.py"), "isolation", seconds=20.0)
    marks = {line.what: line.mark for line in found}
    assert marks["loads"] == marks["legal"] == marks["one move"] == OK
    assert not any(what.startswith("v. ") for what in marks), "no games unless they are asked for"


def test_what_is_red_is_said_in_its_words() -> None:
    with pytest.raises(AgentBroken) as broken:
        check_agent(str(AGENTS / "garbage.py"), "isolation", seconds=20.0)
    assert "legal: " in str(broken.value) and "harena show isolation --position" in str(broken.value)


def test_an_agent_of_a_course_is_known_by_its_files() -> None:
    with pytest.raises(AgentBroken, match=r"resigned"):
        check_agent(str(AGENTS / "aind" / "resigns.py"), seconds=20.0)


def test_with_games_it_has_to_win_some() -> None:
    found = check_agent(str(ROOT / "examples" / "agents" / "centre.py"), "isolation", seconds=20.0, games=True)
    assert any(line.what.startswith(("v. ", "strength")) for line in found)


def test_an_agent_that_nobody_can_tell_the_game_of_is_a_mistake_of_the_test() -> None:
    with pytest.raises(UsageError, match="say which game it plays"):
        check_agent(str(ROOT / "examples" / "agents" / "centre.py"))
