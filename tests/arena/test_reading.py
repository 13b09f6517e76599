"""Stored games in Python: all of them, those of a run or game, and their positions."""

import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

import harena
from arena.stores import change
from cli.stored import RECORDS
from harena.arena.replay import states
from harena.arena.store import Store
from harena.errors import HarenaError, UnknownName
from harena.games.catalogue import CATALOGUE
from harena.kernel.trusted import NotTrusted, only_trusted

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, list[str]]:
    """A store with two runs, and their names."""
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        runs = [store.new_run("match", {"spec": {}}).id for _ in range(2)]
        for number, record in enumerate(RECORDS):
            store.add_game(runs[number > 0], f"0-1/{number}/0", record)
    return path, runs


def test_games_come_one_after_the_other_with_their_positions(kept: tuple[Path, list[str]]) -> None:
    path, runs = kept
    assert [run.id for run in harena.runs_in(path)] == runs
    found = list(harena.games_in(path))
    assert [stored.record for stored in found] == RECORDS and [stored.number for stored in found] == [1, 2, 3]
    assert [stored.run for stored in found] == [runs[0], runs[1], runs[1]] and found[1].slot == "0-1/1/0"
    for stored in found:
        states = list(stored.states())
        assert len(states) == len(stored.record.plies) + 1 and states[0].text == stored.record.start
        assert [str(state.last_move) for state in states[1:]] == [ply.move for ply in stored.record.plies]
        end = states[-1].outcome
        assert (end is not None) == (stored.record.reason == "rules")
        assert end is None or end.winner == stored.record.winner
        assert stored.created.endswith("Z")


def test_only_those_of_a_run_or_of_a_game(kept: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    path, runs = kept
    assert [stored.number for stored in harena.games_in(path, run=runs[1][:6])] == [2, 3]
    monkeypatch.setenv("HARENA_STORE", str(path))
    assert [stored.number for stored in harena.games_in(game="trap")] == [2]
    assert [stored.number for stored in harena.games_in(run=runs[0], game="trap")] == []


def test_a_damaged_game_is_named_and_the_others_follow(
    kept: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = kept
    change(path, "UPDATE games SET record = 'x' WHERE id = 1")
    text = '{"version":99}'
    with Store(path) as store:
        store._do("UPDATE games SET record = ?, checksum = ? WHERE id = 2", text, zlib.crc32(text.encode()))
    assert [stored.number for stored in harena.games_in(path)] == [3]
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("harena: game 1 in") and "damaged" in first
    assert second.startswith("harena: game 2 in") and "version 99" in second


def test_mistakes_are_one_line(kept: tuple[Path, list[str]], tmp_path: Path) -> None:
    with pytest.raises(HarenaError, match="there are no games yet"):
        harena.runs_in(tmp_path / "none.sqlite")
    with pytest.raises(HarenaError, match="no run 'zzz'"):
        list(harena.games_in(kept[0], run="zzz"))


def test_a_game_goes_by_its_names_and_any_other_is_an_error(
    kept: tuple[Path, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = kept
    with pytest.raises(UnknownName, match=r"^no game 'chess'; there are: "):
        list(harena.games_in(path, game="chess"))
    shutil.copy(EXAMPLES / "tictactoe.py", tmp_path / "sticks.py")
    monkeypatch.chdir(tmp_path)
    own = harena.game("sticks.py")
    state = own.initial()
    record = replace(RECORDS[0], game="sticks.py", options={}, start=state.text, plies=(), reason="crash", winner=1)
    with Store(path) as store:
        store.add_game(store.new_run("match", {"spec": {}}).id, "0-1/0/0", record)
    assert [one.number for one in harena.games_in(path, game="sticks.py")] == [4]
    with only_trusted(["unchecked:sticks.py"]):
        (stored,) = harena.games_in(path, game=own.name)
        assert [one.text for one in stored.states()] == [state.text]
    unplayed = CATALOGUE.keys() - {one.record.game for one in harena.games_in(path)}
    assert unplayed and not any(list(harena.games_in(path, game=name)) for name in unplayed)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(UnknownName, match=r"sticks\.py"):
        list(harena.games_in(path, game=own.name))
    with pytest.raises(NotTrusted, match=r"^the rules of this game are code of its owner.s, sticks\.py: if"):
        list(stored.states())
    gone = replace(record, game=f"{tmp_path}/gone.py:Sticks")
    with pytest.raises(NotTrusted, match=r"add --game .*/gone\.py$"):
        list(states(gone))
