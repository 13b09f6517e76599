"""`harena replay`: stored games, files and bare lists, position by position."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.test_replay import random_record
from cli.stored import RECORDS
from cli.support import Answer
from cli.terminal import Terminal
from harena.arena.store import Store

Harena = Callable[..., Answer]
ESCAPE = re.compile(r"\x1b\[[\d;]*\w")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_replay_prints_every_position(harena: Harena, runs: tuple[str, str], number: int) -> None:
    answer = harena("replay", str(number))
    record = RECORDS[number - 1]
    assert answer.code == 0
    for count, ply in enumerate(record.plies, 1):
        assert f"ply {count}: {('player 1', 'player 2', 'chance')[ply.by]} plays {ply.move}\n" in answer.out
    assert answer.out.rstrip().endswith("player 2 wins: time (12 ms over)") == (number == 3)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_positions_are_printed_as_other_commands_take_them(harena: Harena, runs: tuple[str, str], number: int) -> None:
    record, out = RECORDS[number - 1], harena("replay", str(number)).out
    texts = [line.removeprefix("  position: ") for line in out.splitlines() if line.startswith("  position: ")]
    assert len(texts) == len(record.plies) + 1 and texts[0] == record.start
    for text in (texts[0], texts[len(texts) // 2], texts[-1]):
        shown = harena("show", record.game, "--position", text)
        assert shown.code == 0 and text in shown.out


@pytest.mark.slow
def test_a_game_without_drawings_has_its_positions_once(harena: Harena, tmp_path: Path) -> None:
    rules = (Path(__file__).parents[2] / "examples" / "tictactoe.py").read_text("utf-8")
    own, moves = tmp_path / "plain.py", tmp_path / "moves.json"
    own.write_text(rules.replace("def picture(", "def no_picture("))
    moves.write_text('["b2", "a1"]')
    answer = harena("replay", str(moves), "--game", str(own))
    assert answer.code == 0 and "position: " not in answer.out
    assert answer.out.count("O../.X./... 1\n") == 1


def test_replay_reads_exported_records(harena: Harena, runs: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    harena("records", "export", str(file))
    answer = harena("replay", str(file), "--line", "2")
    assert answer.code == 0 and "record 2 of 3, trap" in answer.out


def test_replay_reads_bare_lists(harena: Harena, tmp_path: Path) -> None:
    file = tmp_path / "moves.json"
    file.write_text("[[[3, 3], [2, 1]], [[1, 2], [-1, -1]]]")
    answer = harena("replay", str(file))
    assert answer.code == 0
    assert answer.out.startswith("3 moves, taken for isolation (--game says of which game they are)\n")
    assert "ply 3: player 1 plays c2" in answer.out
    assert answer.out.endswith("the last answer was no move\n")
    file.write_text(json.dumps([ply.move for ply in RECORDS[2].plies]))
    start = ["--position", RECORDS[2].start]
    assert harena("replay", str(file), "--game", "colosseum", *start).out.endswith("the list ends here\n")


def test_replay_stops_at_a_move_that_the_rules_forbid(harena: Harena, tmp_path: Path) -> None:
    file = tmp_path / "moves.json"
    file.write_text("[[3, 3], [2, 1], [3, 3]]")
    answer = harena("replay", str(file))
    assert (
        answer.code == 2
        and "ply 2: " in answer.out
        and answer.err == ("harena: ply 3, d4: that cell is taken or has been visited\n")
    )


def test_replay_refuses_what_does_not_begin_with_a_move_before_it_draws(harena: Harena, tmp_path: Path) -> None:
    file = tmp_path / "h.py"
    for text, word in (("from harena import x\n", "from"), ('"""A heuristic."""\n', '"""A'), ("# mine\n", "#")):
        file.write_text(text)
        answer = harena("replay", str(file))
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert f"h.py' is no record and no list of moves: it begins with {word!r}, no move of isolation" in answer.err


def test_replay_draws_every_position(harena: Harena, runs: tuple[str, str], tmp_path: Path) -> None:
    answer = harena("replay", "3", "--svg", str(tmp_path / "pictures"))
    assert (answer.code, answer.out) == (0, f"wrote 3 pictures to {tmp_path / 'pictures'}\n")
    for number in range(3):
        ElementTree.parse(tmp_path / "pictures" / f"ply-{number:03}.svg")


@pytest.mark.process
def test_keys_step_through_a_game(runs: tuple[str, str]) -> None:
    last, moves = len(RECORDS[0].plies), [ply.move for ply in RECORDS[0].plies]
    with Terminal("replay", "1") as terminal:
        terminal.press("", f"0/{last}  start")
        terminal.press("f", f"position: {RECORDS[0].start}")
        terminal.press("n", f"1/{last}  ply 1: player 1 plays {moves[0]}")
        terminal.press("\r", f"2/{last}  ply 2: player 2 plays {moves[1]}")
        terminal.press(" ", f"3/{last}  ply 3")
        terminal.press("p", f"2/{last}  ply 2")
        terminal.press("\x1b[C", f"3/{last}  ply 3")
        terminal.press("l", f"{last}/{last}  ply {last}")
        terminal.press("n", f"{last}/{last}  ply {last}")
        terminal.press("f", f"0/{last}  start")
        terminal.press("p", f"0/{last}  start")
        terminal.press("12\r", f"12/{last}  ply 12")
        terminal.press("4x", f"12/{last}  ply 12")
        terminal.press("999\r", f"{last}/{last}  ply {last}")
        terminal.press("fnnnn", f"4/{last}  ply 4")
        assert terminal.end("zq") == 0


@pytest.mark.process
@pytest.mark.parametrize(
    ("rows", "name", "size", "seen"),
    [
        (24, "colosseum", 12, "\n 12 |___"),
        (24, "colosseum", 8, "\n  8 |___"),
        (24, "tiles", 10, "\n10 │"),
        (24, "isolation", 7, "\n7 │"),
        (30, "isolation", 7, "\n7 │"),
        (24, "isolation", 5, "\n  ├"),
        (18, "colosseum", 8, "this window has 18 rows, and the board needs 19"),
    ],
)
def test_nothing_scrolls_away_in_a_low_window(path: Path, rows: int, name: str, size: int, seen: str) -> None:
    record = replace(random_record(name, 1, size=size), seats=("random", f"comp424:{'long/' * 30}agent.py"))
    last = len(record.plies)
    with Store(path) as store:
        store.add_game(store.new_run("match", {}).id, "0-1/0/0", record)
    with Terminal("replay", "1", rows=str(rows)) as terminal:
        screens = terminal.press("", "q quit"), terminal.press("l", "q quit")
        assert terminal.end("q") == 0
    for screen, ply in zip(screens, (f"\n0/{last}  start", f"\n{last}/{last}  ply {last}"), strict=True):
        shown = ESCAPE.sub("", screen.rpartition("\x1b[2J")[2]).replace("\r\n", "\n")
        assert sum(max(1, -(-len(line) // 80)) for line in shown.splitlines()) < rows
        assert shown.startswith("game 1, ") and seen in shown and ply in shown


@pytest.mark.process
def test_a_position_that_does_not_fit_is_left_out(path: Path) -> None:
    with Store(path) as store:
        store.add_game(store.new_run("match", {}).id, "0-1/0/0", random_record("colosseum", 1, size=12))
    with Terminal("replay", "1", rows="24") as terminal:
        assert "\n  position: 12 " in terminal.press("", "q quit")
        assert "position: " not in terminal.press("l", "q quit")


@pytest.mark.process
def test_ctrl_c_ends_a_replay(runs: tuple[str, str]) -> None:
    with Terminal("replay", "1") as terminal:
        terminal.press("", "q quit")
        assert terminal.end("\x03") == 130


@pytest.mark.process
def test_a_game_that_breaks_off_says_so_at_its_last_position(tmp_path: Path) -> None:
    file = tmp_path / "moves.json"
    file.write_text("[[3, 3], [2, 1], [3, 3]]")
    with Terminal("replay", str(file)) as terminal:
        terminal.press("", "0/2  start")
        terminal.press("l", "here it breaks off: ply 3, d4: that cell is taken")
        terminal.press("q", "harena: ply 3, d4")
        assert terminal.end("") == 2


def test_marks_are_explained_where_they_appear_first(harena: Harena, tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("d4 b3 c2 d2")
    lines = harena("replay", str(file)).out.splitlines()
    legends = [line.strip() for line in lines if "moved to" in line or "blocked" in line]
    assert len(legends) == 2 and legends[0].endswith("moved to") and "blocked" in legends[1]


def test_a_shown_position_says_what_its_marks_mean(harena: Harena) -> None:
    answer = harena("show", "isolation", "--size", "3", "--position", "1x./.2./... 1")
    assert answer.code == 0 and "blocked" in answer.out
    assert "blocked" not in harena("show", "isolation", "--size", "3").out
