"""Games in progress, seen from another process."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

import harena
from harena.arena import now
from harena.arena.claims import claimed, file_of
from harena.arena.contest import Contest, Spec
from harena.arena.now import in_progress, shown
from harena.arena.runs.match import Match
from harena.arena.runs.runner import GameFinished, Runner
from harena.arena.store import Store

SLOT = "0-1/0/0"


def until(condition: Callable[[], bool], patience: float = 120.0) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_games_are_seen_as_they_go_and_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(now, "EVERY", 0.01)
    store, state = tmp_path / "games.sqlite", harena.game("isolation", size=4).initial()
    playing: dict[str, harena.State] = {}
    assert in_progress(store, "run") == []
    with claimed(store, "run"), shown(store, "run", playing):
        playing[SLOT] = state
        told = {"slot": SLOT, "start": state.text, "moves": [], "position": state.text}
        until(lambda: in_progress(store, "run") == [told])
        after = state.play("a1").play("b3")
        playing[SLOT] = after
        until(lambda: in_progress(store, "run") == [told | {"moves": ["a1", "b3"], "position": after.text}])
        playing.clear()
        until(lambda: in_progress(store, "run") == [])
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_cannot_be_written_or_a_file_that_is_broken_hides_them_only(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    with shown(store, "run", {}):  # there is no folder for it
        assert in_progress(store, "run") == []
    with claimed(store, "run"):
        for text in ("", "{", "1", '["x"]'):
            file_of(store, "run").with_suffix(".now").write_text(text)
            assert in_progress(store, "run") == []
        file_of(store, "run").with_suffix(".now").unlink()


def test_what_a_killed_process_left_behind_is_nobodys_game(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    left = file_of(store, "run").with_suffix(".now")
    left.parent.mkdir()
    left.write_text('[{"slot": "0-1/0/0"}]')
    assert in_progress(store, "run") == []
    with claimed(store, "run"):
        assert in_progress(store, "run") == [{"slot": SLOT}]


def test_a_run_tells_of_its_games_while_it_plays_them(tmp_path: Path) -> None:
    spec = Spec(game="isolation", variants=[{"size": "4"}], agents=["random", "random"], local=True)
    contest = Contest(spec)
    seen: list[int] = []
    with Store(tmp_path / "games.sqlite") as store:
        match = Match(spec=spec, pairs=1)
        for event in Runner(store).play(store.new_run("match", match.to_dict()).id, match, play=contest):
            if isinstance(event, GameFinished):
                seen.append(len(contest.now))
    assert len(seen) == 2 and contest.now == {}
