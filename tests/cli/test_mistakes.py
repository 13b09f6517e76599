"""What is said about agents that are none, files of openings, and names that were mistyped."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer, run
from harena.errors import UnknownName, nearest

Harena = Callable[..., Answer]
START = "......./......./......./......./......./......./....... 1"


@pytest.fixture
def harena(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.md").write_text("some words\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "random").mkdir()  # a player's name is a player all the same
    return lambda *words: run(capsys, monkeypatch, *words)


AGENTS = {
    "human": "a human plays at the terminal: harena play GAME --second human",
    "notes.md": "notes.md is a file: write ./notes.md for a program that speaks docs/protocol.md",
    "folder": "folder is a folder: name a file in it, or write COURSE:folder for a course's agent",
    "chmpion": "no player 'chmpion'; did you mean 'champion'?",
    "n?": "'n?' is no player: write name or name(key=value, ...), as in mcts(c=0.5, seconds=1)",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_no_agent_is_told_in_a_line(harena: Harena, agent: str) -> None:
    answer = harena("match", "isolation", "random", agent, "--games", "2", "--nodes", "5", "--local")
    assert (answer.code, answer.out, answer.err) == (2, "", f"harena: {AGENTS[agent]}\n")


@pytest.mark.process
def test_a_list_of_players_is_short_and_has_each_once(harena: Harena) -> None:
    for name, begin in {"qqqqqq": "no player 'qqqqqq'; ", "uct1000": "the player uct1000 is tiles's; here "}.items():
        answer = harena("match", "isolation", "random", name, "--games", "2")
        told, listed = answer.err.strip().split("there are: ")
        names = listed.removesuffix(" ... (`harena agents` lists all)").split(", ")
        assert told == f"harena: {begin}" and len(names) == len(set(names)) == 8


OPENINGS = {
    f"# a start\n{START}\n\n..5\n": "openings.txt, line 4: a position is <rows> <player to move>: 2 fields, not 1",
    "1xxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxx2 1": "openings.txt, line 1: there the game is over",
    "\n..../..../..../.... 1": "openings.txt, line 2: ",
}


@pytest.mark.parametrize("text", OPENINGS)
def test_a_bad_opening_is_named_by_file_and_line(harena: Harena, tmp_path: Path, text: str) -> None:
    (tmp_path / "openings.txt").write_text(text)
    words = ("match", "isolation", "random", "random", "--games", "2", "--openings", "openings.txt")
    answer = harena(*words)
    assert answer.code == 2 and answer.err.count("\n") == 1
    assert answer.err.startswith(f"harena: {OPENINGS[text]}")


@pytest.mark.process
def test_openings_of_any_size_that_is_played_are_good(harena: Harena, tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text(f"{START}\n..../..../..../.... 1\n")
    words = ("match", "isolation", "random", "random", "--games", "2", "--openings", "openings.txt", "--local")
    assert harena(*words, "--size", "4-7").code == 0


def test_the_nearest_name_has_the_fewest_letters_changed(harena: Harena, tmp_path: Path) -> None:
    assert nearest("gamez", ["game", "games", "gem"]) == "games"
    assert nearest("gme", ["game", "games"]) == "game"
    assert nearest("xyz", ["game"]) is None
    assert str(UnknownName("key", "xyz", ["game"])) == "no key 'xyz'; there are: game"
    (tmp_path / "mine.toml").write_text("gamez = 3\n")
    assert harena("tournament", "mine.toml").err == "harena: mine.toml: no key 'gamez'; did you mean 'games'?\n"
    assert harena("gamez").err == "harena: no command 'gamez'; did you mean 'games' or 'grade'?\n"
