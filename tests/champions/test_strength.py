"""The program behind docs/strength.md: it plays, keeps, goes on where it was, and writes the page of the repository."""

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from harena.arena.store import Store

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]


def strength(*options: str, docs: Path) -> str:
    command = [sys.executable, "scripts/strength", *options, "--docs", str(docs), "--store", str(docs / "store.sqlite")]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_a_section_is_played_once_and_shown(tmp_path: Path) -> None:
    said = strength("tiles", "--games", "2", "--section", "threads", docs=tmp_path)
    kept = json.loads((tmp_path / "strength" / "results.json").read_text())
    assert len(kept) == len(said.splitlines()) == 1
    assert all(
        sum(entry["score"]["pairs"]) == 1 and sum(entry["score"]["ends"].values()) == 2 for entry in kept.values()
    )
    page = (tmp_path / "strength.md").read_text()
    assert "A second thread (`threads=2`) against one, 0.1 s a decision:" in page and "of 2 games" in page
    assert strength("tiles", "--games", "2", "--section", "threads", docs=tmp_path) == said
    with Store(tmp_path / "store.sqlite", writing=False) as store:
        assert len(list(store.rows())) == 2  # nothing was played again


def test_the_page_is_what_the_results_say(tmp_path: Path) -> None:
    (tmp_path / "strength").mkdir()
    shutil.copy(ROOT / "docs" / "strength" / "results.json", tmp_path / "strength")
    strength("--page", docs=tmp_path)
    written, kept = (path / "strength.md" for path in (tmp_path, ROOT / "docs"))
    assert written.read_text() == kept.read_text(), "after a change of a champion or a search: scripts/strength --page"


def test_a_score_of_a_version_that_played_otherwise_is_marked(tmp_path: Path) -> None:
    kept = json.loads((ROOT / "docs" / "strength" / "results.json").read_text())
    entry = kept["colosseum 6-12 champion(seconds=0.2) - greedy"]
    entry["score"] |= {"version": "00000000", "score": 0.5, "low": 0.25, "high": 0.75}
    (tmp_path / "strength").mkdir()
    (tmp_path / "strength" / "results.json").write_text(json.dumps(kept))
    strength("--page", docs=tmp_path)
    assert "| `greedy` | 6-12 | 50.0 % (25.0 to 75.0) * |" in (tmp_path / "strength.md").read_text()


def test_games_that_tell_how_a_champion_plays_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts" / "strength"), *sys.path])
    alike = import_module("alike")
    assert [board.get("size") for board in alike.boards("colosseum")][:7] == [None, "6", "7", "8", "9", "10", "11"]
    games = alike.played("isolation", 3)
    assert len({game.split()[0] for game in games}) == 3  # its first moves, from placements of their own
    assert games == alike.played("isolation", 3)


def test_a_game_that_is_not_there(tmp_path: Path) -> None:
    command = [sys.executable, "scripts/strength", "chess", "--docs", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no game 'chess'; there are isolation" in done.stderr
