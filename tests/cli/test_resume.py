"""`harena resume`: what it finds, what is not for it, and how a command is told where the games are."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer, run
from harena.arena.running import play_missing
from harena.arena.store import STOPPED, Store

Harena = Callable[..., Answer]
MATCH = ["match", "isolation", "random", "greedy", "--games", "4", "--size", "4", "--nodes", "5", "--local"]


@pytest.fixture
def harena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *words: run(capsys, monkeypatch, *words)


@pytest.mark.parametrize("kind", ["grade", "play", "watch"])
def test_runs_that_go_on_elsewhere_are_left_alone(harena: Harena, tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / "games.sqlite")
    with Store(path) as store:
        name = store.new_run(kind, {}).id
        store.finish(name, STOPPED)
    answer = harena("resume", "--store", path)
    assert (answer.code, answer.out) == (2, "") and answer.err.startswith("harena: there is nothing to resume")
    answer = harena("resume", name, "--store", path)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"harena: run {name} is not for `harena resume`: a ") and answer.err.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["zzz"]])
def test_where_nothing_is_stored_no_store_is_made(harena: Harena, tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "new" / "games.sqlite"
    answer = harena("resume", *words, "--store", str(path))
    missing = f"harena: --store {path}: there is no folder {path.parent}: make it, or mend the path\n"
    assert (answer.code, answer.err) == (2, missing)
    path.parent.mkdir()
    answer = harena("resume", *words, "--store", str(path))
    assert (answer.code, answer.err) == (
        2,
        f"harena: there are no games yet: {path} does not exist; is --store right?\n",
    )
    path.parent.rmdir()  # nothing was made in it
    assert not path.parent.exists()


@pytest.mark.parametrize(
    "words",
    [
        MATCH,
        ["tournament", *MATCH[1:]],
        ["sweep", "isolation", "mcts(c={c},iterations=5)", "random", "--over", "c=1,2", "--games", "2"],
        ["tune", "isolation", "mcts(c={c},iterations=5)", "--start", "c=1", "--steps", "1"],
    ],
)
def test_a_run_goes_on_with_as_many_games_at_once(
    harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setattr(f"harena.cli.{words[0]}.play_missing", stop)
    answer = harena(*words, "--concurrency", "2")
    with Store() as store:
        (begun,) = store.runs()
    assert answer.code == 130
    assert answer.out.endswith(f"\nstopped; go on with: harena resume {begun.id} --concurrency 2\n")


def test_the_command_that_goes_on_finds_the_store(
    harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "my games.sqlite")
    monkeypatch.setattr("harena.cli.match.play_missing", stop)
    answer = harena(*MATCH, "--store", path)
    with Store(path) as store:
        (begun,) = store.runs()
    assert answer.code == 130
    assert answer.out.endswith(f"\nstopped; go on with: harena resume {begun.id} --store '{path}'\n")
    monkeypatch.undo()
    answer = harena("resume", begun.id, "--store", path)
    assert answer.code == 0 and "4 games" in answer.out


AGENT = """
from harena.agents.bot import run
run(lambda turn: turn.legal[0])
"""


@pytest.mark.process
@pytest.mark.parametrize("changed", [False, True])
def test_a_run_does_not_go_on_with_another_agent(
    harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: bool
) -> None:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine.py"
    mine.write_text(AGENT)
    monkeypatch.setattr("harena.cli.match.play_missing", stop)
    harena("match", "isolation", "mine.py", "random", "--games", "2", "--size", "4", "--seconds", "5")
    monkeypatch.setattr("harena.cli.match.play_missing", play_missing)
    mine.write_text(AGENT.replace("legal[0]", "legal[-1]") if changed else AGENT)
    with Store() as store:
        (begun,) = store.runs()
    answer = harena("resume", begun.id[:5], "--agent", "mine.py")  # as much of its name as tells it from others
    if changed:
        assert answer.code == 2
        assert answer.err.startswith(f"harena: mine.py has changed since run {begun.id} began: begin a new one")
    else:
        assert answer.code == 0 and "2 games" in answer.out


@pytest.mark.process
def test_a_game_of_ones_own_is_found_where_the_run_was_begun(
    harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    (tmp_path / "here").mkdir()
    shutil.copyfile(Path(__file__).parents[2] / "examples" / "tictactoe.py", tmp_path / "here" / "mine.py")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("harena.cli.match.play_missing", stop)
    assert harena("match", "mine.py", "random", "random", "--games", "2", "--local", "--nodes", "1").code == 130
    monkeypatch.setattr("harena.cli.match.play_missing", play_missing)
    monkeypatch.chdir(tmp_path)
    answer = harena("resume", "--game", "here/mine.py")
    assert answer.code == 0 and "2 games" in answer.out, answer.err


def stop(*_: object) -> None:
    raise KeyboardInterrupt
