"""The programs that fit, compare and measure the champions refuse what makes no sense, and say why."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from harena.champions.trap_evaluation import DATA

PROGRAMS = Path(__file__).resolve().parents[2] / "scripts" / "champions"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Any:
    monkeypatch.setattr(sys, "path", [str(PROGRAMS), *sys.path])
    return import_module(request.param)


@pytest.mark.parametrize(
    ("program", "arguments", "complaint"),
    [
        ("tiles_fit", "--games 1 1 1", "a round needs at least 20 games"),
        ("tiles_fit", "--seconds 1", "unrecognized arguments: --seconds 1"),
        ("trap_fit", "--games 10 --nodes 100", "a round needs at least 40 games"),
        ("trap_fit", "--games 100 100 --nodes 100", "a number for each round"),
        ("trap_fit", "--games 100 --nodes 100", "and 400 nodes a move"),
        ("trap_duel", "--nodes 10", "at least 400 nodes, not 10"),
        ("trap_duel", "--style width", "width is none of windows"),
        ("trap_duel", "--style breadth=3", "breadth=3 is none of windows"),
        ("trap_duel", "--pairs 0", "a number from 1 on, not 0"),
        ("threads", "isolation", "no figures for isolation: one of colosseum, trap, tiles"),
        ("threads", "--positions 0", "at least one position, not 0"),
    ],
    indirect=["program"],
)
def test_wrong_options_are_refused(program: Any, arguments: str, complaint: str, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        program.main(arguments.split())
    assert complaint in capsys.readouterr().err


def test_the_network_says_which_command_makes_it_again() -> None:
    first = DATA.read_text(encoding="utf-8").splitlines()[0]
    assert "by scripts/champions/trap_fit.py --games 8000 12000 24000 --nodes 400 800 2000 --seed 1" in first


def done(*command: str) -> str:
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True).stdout


@pytest.mark.process
@pytest.mark.parametrize(("game", "games"), [("tiles", 8), ("colosseum", 4)])
def test_slopes_are_fitted_to_some_games_and_tried_on_others(tmp_path: Path, game: str, games: int) -> None:
    program = str(PROGRAMS.parent / "fit_expected_score.py")
    said = done(program, game, "--games", str(games), "--nodes", "200", "--pictures", str(tmp_path))
    assert re.search(rf"^{game} [\d ]+: slope \d+\.\d+ of \d+ positions$", said, re.MULTILINE)
    assert re.search(rf"^{game} [\d ]+: in use: surprise \d\.\d+ of \d+$", said, re.MULTILINE)
    assert (f"{game}: steeper by " in said) == (game == "colosseum")
    assert (tmp_path / f"{game}-reliability.svg").read_text().rstrip().endswith("</svg>")


@pytest.mark.process
def test_weights_of_colosseum_are_tuned() -> None:
    said = done(str(PROGRAMS / "colosseum_tune.py"), "--pairs", "25", "--nodes", "50", "--sizes", "6")
    steps, last = said.splitlines()
    assert steps.startswith("25 ") and last.startswith("Grounds(tempo=") and "ground=0.1" in last
    assert last != "Grounds(tempo=0.2, ground=0.1, sides=0.04)"  # where it begins
