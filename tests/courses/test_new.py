"""`harena new`: what it writes is legal, beats random players, and passes `harena check`."""

import re
import shlex
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.support import run
from harena.arena.contest import Contest, Spec
from harena.arena.record import RULES
from harena.arena.slot import Slot
from harena.cli.new import STARTERS, started
from harena.courses import opponents
from harena.courses.check import examine
from harena.courses.finding import OK, RED
from harena.courses.subject import subject

WRITTEN = {
    "trap": ["trap_agent.py"],
    "colosseum": ["colosseum_agent.py"],
    "isolation": ["isolation_agent.py"],
    "tiles": ["tiles_agent.py"],
    "comp424": ["agents/student_agent.py", "authors.yaml"],
    "w4701": ["PlayerAI.py", "mine.txt"],
    "aind": ["game_agent.py"],
    "simulator": ["simulator.py"],
}
# Game, set-up, opponent, pairs, limits: of the starters that play.
MATCHES: dict[str, tuple[str, list[dict[str, Any]], str, int, float | None]] = {
    "trap": ("trap", [{}, {"size": 4}, {"size": 8}], "random", 6, None),
    "colosseum": ("colosseum", [{"size": 6}, {"size": 2}, {"size": 12}], "random_agent", 3, None),
    "isolation": (
        "isolation",
        [{"setup": "random-placements"}, {"setup": "start"}, {"size": "3x8"}],
        "random",
        12,
        None,
    ),
    "tiles": ("tiles", [{"setup": "random"}, {"size": 2}, {"size": 10, "setup": "random"}], "random", 12, None),
    "comp424": ("colosseum", [{"size": 6}, {"size": 12}], "random_agent", 2, None),
    "w4701": ("trap", [{}], "random", 5, None),
    "aind": ("isolation", [{"setup": "random-placements"}], "random", 2, 0.05),
}
OPEN = {"comp424": ["files"], "w4701": ["folder"]}  # lines that only its author can turn green: a report, and his id
LEAST = 0.7  # of the points against random players


def written(tmp_path: Path, what: str, capsys: Any, monkeypatch: Any) -> Path:
    folder = tmp_path / "mine"
    assert run(capsys, monkeypatch, "new", what, str(folder)).code == 0
    return folder


def named(what: str, folder: Path) -> str:
    """The starter as a player."""
    return f"{what}:{folder}" if what in ("comp424", "w4701", "aind") else str(folder / WRITTEN[what][0])


@pytest.mark.parametrize("what", STARTERS)
def test_a_starter_is_written_and_told_what_to_do_with(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    answer = run(capsys, monkeypatch, "new", what, str(folder))
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert files == sorted(WRITTEN[what])
    lines = answer.out.splitlines()
    assert lines[: len(files)] == [f"wrote {folder / name}" for name in WRITTEN[what]]
    commands = [shlex.split(line) for line in lines[lines.index("next:") + 1 :]]
    assert commands and all(words[0] in ("harena", sys.executable, "python", "cd") for words in commands)
    for _, verb, *rest in (words for words in commands if words[0] == "harena"):
        assert run(capsys, monkeypatch, verb, "--help").code == 0
        assert any(str(folder) in word for word in rest)


def test_a_path_that_ends_in_py_is_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "deep" / "it's mine.py"
    answer = run(capsys, monkeypatch, "new", "comp424", str(file))
    assert answer.code == 0 and [file] == list(file.parent.iterdir())
    assert ["harena", "check", str(file)] in [shlex.split(line) for line in answer.out.splitlines()[2:]]


def test_nothing_is_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "authors.yaml").write_text("- us\n")
    answer = run(capsys, monkeypatch, "new", "comp424", str(folder))
    assert answer.code == 0 and "authors.yaml" not in answer.out
    assert (folder / "authors.yaml").read_text() == "- us\n"
    agent = folder / "agents" / "student_agent.py"
    agent.write_text("precious")
    again = run(capsys, monkeypatch, "new", "comp424", str(folder))
    assert (again.code, again.err.count("\n"), agent.read_text()) == (2, 1, "precious")
    assert "student_agent.py is there already" in again.err


def test_mistakes_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = run(capsys, monkeypatch, "new", "isolaton", str(tmp_path))
    assert (unknown.code, unknown.err) == (2, "harena: no starter 'isolaton'; did you mean 'isolation'?\n")
    own = run(capsys, monkeypatch, "new", "nim.py", str(tmp_path / "mine.py"))
    assert (own.code, own.err.count("\n")) == (2, 1) and not (tmp_path / "mine.py").exists()
    assert own.err.startswith("harena: new writes agents for our four games and the courses only (trap, colosseum, ")
    assert "write a search, as docs/search/own.md shows" in own.err
    (tmp_path / "file").write_text("")
    blocked = run(capsys, monkeypatch, "new", "tiles", str(tmp_path / "file" / "agent.py"))
    assert blocked.code == 2 and "agent.py: cannot be written: " in blocked.err and blocked.err.count("\n") == 1


@pytest.mark.process
@pytest.mark.parametrize("what", MATCHES)
def test_starters_beat_random_players_without_a_fault(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = named(what, written(tmp_path, what, capsys, monkeypatch))
    game, variants, opponent, pairs, seconds = MATCHES[what]
    limits = {} if seconds is None else {"seconds": seconds}
    spec = Spec(
        game=game, variants=variants, agents=[agent, opponent], limits=limits, local=True, sandbox="off", margin=5.0
    )
    slots = [Slot(a=0, b=1, pair=pair, swapped=swapped) for pair in range(pairs) for swapped in (False, True)]
    records = list(Contest(spec).run(slots, 1, threading.Event()))
    assert {record.reason for _, record in records} == {RULES}
    assert sum(record.points(int(slot.swapped)) for slot, record in records) > LEAST * len(records)


@pytest.mark.process
@pytest.mark.parametrize("what", MATCHES)
def test_starters_pass_the_check_all_green(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = named(what, written(tmp_path, what, capsys, monkeypatch))
    if what == "aind":
        agent += ":MinimaxPlayer"  # the other one uses all its time, and would be late on a busy machine
    game = None if ":" in agent else what
    few = {game: replace(schedule, pairs=2) for game, schedule in opponents.QUICK.items()}
    monkeypatch.setattr(opponents, "QUICK", few)
    sizes = (6, 12) if MATCHES[what][0] == "colosseum" else ()
    found = list(examine(subject(agent, None, game, 20.0), walls="off", sizes=sizes))
    assert [line.what for line in found if line.mark != OK] == OPEN.get(what, [])
    assert [line for line in found if line.mark == RED] == []
    lines = {line.what for line in found}
    assert {"loads", "legal", "time", "memory", "when lost", "one move", "same twice", "output"} <= lines
    assert any(line.startswith("v. ") for line in lines)


@pytest.mark.process
def test_the_simulator_of_the_course_runs_by_a_file_of_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path, "comp424", capsys, monkeypatch)
    assert run(capsys, monkeypatch, "new", "simulator", str(folder)).code == 0
    command = "simulator.py --player_1 random_agent --player_2 student_agent --autoplay --autoplay_runs 2"
    command += " --board_size_max 6 --seed 1"
    done = subprocess.run([sys.executable, *command.split()], cwd=folder, capture_output=True, text=True, check=True)
    assert "student_agent" in done.stdout + done.stderr
    without = [sys.executable, "-I", "-S", "simulator.py"]  # as one in which harena is not installed
    done = subprocess.run(without, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"simulator.py: No module named 'harena': run it with another Python, {sys.executable}\n"


def test_the_next_commands_are_started_as_this_one_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = run(capsys, monkeypatch, "new", "simulator", ".").out.splitlines()
    python = shlex.quote(started("python"))
    assert alone == [
        "wrote simulator.py",
        "next:",
        f"  {python} simulator.py --player_1 random_agent --player_2 greedy --autoplay --autoplay_runs 20",
    ]
    run(capsys, monkeypatch, "new", "comp424", "mine")
    beside = run(capsys, monkeypatch, "new", "simulator", "mine").out.splitlines()
    assert beside[2] == "  cd mine" and "--player_2 student_agent " in beside[3]
    monkeypatch.setattr(sys, "argv", [".venv/bin/harena"])
    assert started("harena") == ".venv/bin/harena"
    monkeypatch.setattr(sys, "argv", ["lib/harena/__main__.py"])
    assert started("harena") == f"{started('python')} -m harena"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "harena")])
    (tmp_path / "harena").touch(0o755)
    assert started("harena") == "harena"


@pytest.mark.slow
def test_the_commands_of_the_students_page_are_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "students.md").read_text("utf-8")
    commands = re.findall(r"(?:^    \$ \.venv/bin/|`)harena ([^`\n]+)", page, re.MULTILINE)
    assert len(commands) > 10
    monkeypatch.setenv("COLUMNS", "200")
    for command in commands:
        words = shlex.split(command)
        verbs = words[: 1 + (words[0] == "records")]
        told = run(capsys, monkeypatch, *verbs, "--help")
        assert told.code == 0, command
        for option in (word for word in words if word.startswith("--")):
            assert option in told.out, command
