"""The games recorded from the courses' original programs come out the same, line by line."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import harena
from games.support import result, texts
from harena import CHANCE, State

TRACES = Path(__file__).parents[1] / "data" / "traces"
COUNTS = {"isolation": 112, "colosseum": 48, "trap": 120, "tiles": 120}

Record = dict[str, Any]


@cache
def records(name: str) -> list[Record]:
    return [json.loads(line) for line in (TRACES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def every_record(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("number", range(COUNTS[name]))


def cell_text(cell: list[int]) -> str:
    row, column = cell
    return f"{'abcdefghijkl'[column]}{row + 1}"


@pytest.mark.parametrize("name", COUNTS)
def test_no_recorded_game_is_left_out(name: str) -> None:
    assert len(records(name)) == COUNTS[name]


@every_record("isolation")
def test_isolation(number: int) -> None:
    record = records("isolation")[number]
    state = harena.game("isolation", size=(record["rows"], record["columns"])).initial()
    for ply, recorded in enumerate(record["plies"]):
        assert state.mover == ply % 2
        legal = recorded["legal"]
        if isinstance(legal, int):
            assert len(state.moves()) == legal
        else:
            assert texts(state.moves()) == [cell_text(cell) for cell in legal]
        state = state.play("{},{}".format(*recorded["move"]))
    assert result(state) == (record["winner"] - 1, None)


@every_record("colosseum")
def test_colosseum(number: int) -> None:
    record = records("colosseum")[number]
    walls = ",".join(cell_text(cell) + side for *cell, side in record["walls"]) or "-"
    first, second = map(cell_text, record["players"])
    state = harena.game("colosseum", size=record["size"]).position(f"{record['size']} {first} {second} 1 {walls}")
    for ply, recorded in enumerate(record["plies"]):
        assert state.mover == ply % 2
        if "legal" in recorded:
            course = [move.split(",") for move in recorded["legal"]]
            assert texts(state.moves()) == [cell_text([int(row), int(column)]) + side for row, column, side in course]
        state = state.play(recorded["move"])
        assert state.is_over == (ply == len(record["plies"]) - 1)
    areas = tuple(record["areas"])
    winner = None if areas[0] == areas[1] else areas.index(max(areas))
    assert result(state) == (winner, areas)


@every_record("trap")
def test_trap(number: int) -> None:
    record = records("trap")[number]
    state = harena.game("trap").initial()
    for turn in record["turns"]:
        assert state.mover == turn["player"] - 1
        assert texts(state.moves()) == [cell_text(cell) for cell in turn["walks"]]
        state = state.play("{},{}".format(*turn["walk"]))
        assert state.is_over == ("aim" not in turn)
        if not state.is_over:
            state = play_throw(state, turn)
    assert result(state) == ((record["winner"] - 1, None) if record["winner"] else None)


def play_throw(state: State, turn: Record) -> State:
    assert state.mover == turn["player"] - 1
    assert len(state.moves()) == turn["aims"]
    state = state.play("{},{}".format(*turn["aim"]))
    assert state.mover == CHANCE
    recorded = {"!" + cell_text(cell): chance for *cell, chance in turn["landings"] if chance > 0}
    chances = {str(move): chance for move, chance in state.chances()}
    assert list(chances) == list(recorded)
    assert chances == pytest.approx(recorded, abs=1e-11)  # the record has twelve decimals
    return state.play("{},{}".format(*turn["landed"]))


@every_record("tiles")
def test_tiles(number: int) -> None:
    record = records("tiles")[number]
    colours = (record["first"], "RB".replace(record["first"], ""))
    state = harena.game("tiles", size=record["n"]).position(f"{'/'.join(record['board'])} {record['first']} 1")
    for ply, recorded in enumerate(record["plies"], 1):
        assert len(state.moves()) == recorded["moves"]
        row, column = recorded["move"]
        state = state.play(f"{row + 1} {column + 1}")
        assert state.text == f"{'/'.join(recorded['board'])} {colours[ply % 2]} {ply % 2 + 1}"
    winner = None if record["winner"] == "draw" else colours.index(record["winner"])
    assert result(state) == (winner, None)
