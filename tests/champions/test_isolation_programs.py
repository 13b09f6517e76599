"""The programs behind isolation's champion refuse what makes no sense, write nothing then, and do what they say."""

import subprocess
import sys
from pathlib import Path

import pytest

from harena.champions.isolation import LADDER
from harena.champions.options import setting

pytestmark = pytest.mark.process

PROGRAMS = Path(__file__).resolve().parents[2] / "scripts" / "champions"


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAMS / f"isolation_{name}.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("size", "message"), [("9x9", "isolation has sizes from 3 to 8, not 9"), ("big", "'big' is no size of isolation")]
)
def test_boards_that_do_not_exist_are_not_solved(size: str, message: str) -> None:
    done = run("solve", size)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_weights_are_not_fitted_to_a_handful_of_games(tmp_path: Path) -> None:
    target = tmp_path / "weights.csv"
    done = run("fit", "--games", "8", "--nodes", "50", "--out", str(target))
    assert done.returncode == 1
    assert "positions are too few, 10000 are needed" in done.stderr
    assert not target.exists()


def test_duels_say_who_won_how_often() -> None:
    hunted = run("duel", "random", "champion(level=9)", "--games", "8", "--size", "5x5")
    assert hunted.stdout.startswith("hunted: 0.0% (0.0% to ")


def test_levels_play_the_level_below() -> None:
    command = [sys.executable, str(PROGRAMS / "ladder.py"), "isolation", "--levels", "5", "--pairs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    game, level, score, low, high, games, _, handicaps, kept = done.stdout.split(",")
    assert (game, level, games) == ("isolation", "5", "4") and float(low) <= float(score) <= float(high)
    assert handicaps == setting(LADDER, 5) and len(kept.strip()) == 8  # of the version
