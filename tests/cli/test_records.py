"""`harena records`: stored games as lists, pages and files."""

import csv
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli.stored import RECORDS
from cli.support import Answer
from cli.terminal import Terminal
from harena.arena import match, tournament
from harena.arena.claims import claimed
from harena.arena.contest import Spec
from harena.arena.record import FAULTS, Record
from harena.arena.replay import as_text, from_text
from harena.arena.store import Store
from harena.cli import listing
from harena.cli.telling import told

DATA = Path(__file__).parents[1] / "data" / "v0.1.0"

Harena = Callable[..., Answer]


def damage(path: Path) -> None:
    with Store(path) as store:
        store._do("UPDATE games SET record = replace(record, 'isolation', 'izolation')")


def is_narrow(answer: Answer) -> bool:
    return all(len(line) <= 80 for line in answer.out.splitlines())


def test_list_shows_the_runs_and_the_games_of_one(harena: Harena, runs: tuple[str, str]) -> None:
    answer = harena("records", "list")
    assert answer.code == 0 and is_narrow(answer)
    lines = answer.out.splitlines()
    assert lines[1].split()[:5] == [runs[0], "match", "isolation", "finished", "2"]
    assert lines[2].strip() == "random - random(2)"
    assert lines[3].split()[:4] == [runs[1], "tournament", "colosseum", "stopped"]
    assert lines[4].strip() == "random - random(2): for the course"
    answer = harena("records", "list", "--run", runs[0])
    assert answer.code == 0 and is_narrow(answer)
    assert [line.split()[:3] for line in answer.out.splitlines()[1:]] == [
        ["1", "random", "random(2)"],
        ["2", "random", "random(2)"],
    ]
    assert harena("records", "list", "--run", runs[1]).out.splitlines()[1].split()[3:] == ["0-1", "time", "2", "6", "1"]


@pytest.mark.process
def test_headings_stand_on_one_line_of_a_terminal(runs: tuple[str, str]) -> None:
    with Terminal("records", "list") as terminal:
        lines = terminal.press("", "lists the games of one").splitlines()
    assert "run" in lines[0] and "began (UTC)" in lines[0] and runs[0] in lines[1]


def test_the_name_of_a_run_is_never_cut(harena: Harena, runs: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = harena("records", "list").out.splitlines()
    assert [lines[1].split()[0], lines[3].split()[0]] == list(runs)
    for name in runs:  # and its beginning is enough
        assert harena("records", "list", "--run", name[:5]).out == harena("records", "list", "--run", name).out


PLAYED = {
    "match isolation mcts(iterations=20) random --games 4 --local --sprt quick": "mcts(iterations=20) - random: ",
    "tournament isolation random greedy mm_null --games 2 --local --type knockout": "random, greedy, mm_null: ",
    "tournament isolation random greedy --games 2 --local --nodes 9": "random - greedy: ",
    "sweep isolation mcts(c={c},iterations=5) random --over c=0.1,1 --games 2": "mcts(c={c},iterations=5) - random: ",
    "tune isolation mcts(c={c},iterations=5) --start c=1 --steps 1": "mcts(c={c},iterations=5): c=",
    "play isolation --first random --second greedy": "random - greedy: player ",
}


@pytest.mark.slow
def test_every_kind_of_run_says_who_played_and_the_result(harena: Harena, path: Path) -> None:
    for words in PLAYED:
        assert harena(*words.split()).code == 0
    answer = harena("records", "list")
    lines = answer.out.splitlines()
    assert is_narrow(answer) and len(lines) == 2 * len(PLAYED) + 2
    for first, second, (words, said) in zip(lines[1::2], lines[2::2], PLAYED.items(), strict=False):
        assert first.split()[1:4] == [words.split()[0], "isolation", "finished"]
        assert second.strip().startswith(said) and len(second.strip()) > len(said)


def test_a_run_whose_process_died_was_stopped(harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = match.Plan(spec=Spec(game="isolation", variants=[{}], agents=["/a/x.py", "/b/x.py"]), pairs=3)
    with Store(path) as store:
        name = store.new_run("match", plan.as_dict()).id
    assert harena("records", "list").out.splitlines()[1].split()[3:5] == ["stopped", "0/6"]
    assert harena("records", "list").out.splitlines()[2].strip() == "a/x.py - b/x.py"
    said = f"its process ended without a word; harena resume {name} --agent /a/x.py --agent /b/x.py goes on"
    assert harena("records", "list").out.splitlines()[3].strip() == said
    with claimed(path, name):
        assert harena("records", "list").out.splitlines()[1].split()[3] == "running"
        assert said not in harena("records", "list").out
    monkeypatch.setattr(listing, "is_claimed", lambda store, run: (_ for _ in ()).throw(PermissionError))
    assert harena("records", "list").out.splitlines()[1].split()[3] == "running"  # somebody else's, who may be alive


def test_a_list_of_many_agents_leaves_some_out(harena: Harena, path: Path) -> None:
    agents = [f"mcts(c={number})" for number in range(30)]
    spec = Spec(game="isolation", variants=[{}], agents=agents)
    with Store(path) as store:
        store.new_run("tournament", tournament.Plan(spec=spec).as_dict())
        long = Spec(game="isolation", variants=[{}], agents=[one * 9 for one in agents[:3]])
        store.new_run("tournament", tournament.Plan(spec=long).as_dict())
    lines = harena("records", "list").out.splitlines()
    assert lines[2].strip().startswith("mcts(c=0), mcts(c=1), ") and lines[2].endswith(", and 25 more")
    assert lines[5].strip() == "3 agents"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_show_has_the_board_the_players_the_end_and_every_move(
    harena: Harena, runs: tuple[str, str], number: int
) -> None:
    answer = harena("records", "show", str(number))
    record = RECORDS[number - 1]
    assert answer.code == 0 and is_narrow(answer)
    assert f"game {number}, run" in answer.out and "player 2  random(2)" in answer.out.replace("      ", "  ")
    rows = answer.out[answer.out.index("ply  by") :].splitlines()[1:]
    assert [row.split()[2] for row in rows] == [ply.move for ply in record.plies]
    assert ("chance" in answer.out) == (record.game == "trap")
    assert ("12 ms over" in answer.out) == (number == 3)
    assert f"player {record.winner + 1} wins" in answer.out if record.winner is not None else "draw" in answer.out


def add(path: Path, record: Record) -> None:
    with Store(path) as store:
        store.add_game(store.new_run("match", {}).id, "0", record)


def test_strangers_texts_cannot_steer_the_terminal_or_the_markup(harena: Harena, path: Path) -> None:
    odd = "\x1b[2J\n\udc80[red]" + "x" * 100
    add(path, replace(RECORDS[2], seats=(odd, "b"), detail=odd, reason=odd))
    for words in (["records", "show", "1"], ["replay", "1"]):
        answer = harena(*words)
        assert answer.code == 0
        assert "\x1b" not in answer.out and "\udc80" not in answer.out and "[red]" in answer.out


def test_a_game_that_cannot_be_played_again_is_shown_all_the_same(harena: Harena, path: Path) -> None:
    add(path, replace(RECORDS[0], game="/gone/mine.py"))
    answer = harena("records", "show", "1")
    assert answer.code == 0 and "it cannot be played again: " in answer.out and "random(2)" in answer.out


def test_long_names_become_letters(harena: Harena, path: Path) -> None:
    long = "mcts(" + "c" * 99
    with Store(path) as store:
        first = store.new_run("tournament", {}, note="very " * 40)
        store.add_game(first.id, "0-1/0/0", replace(RECORDS[0], seats=(long, "greedy")))
    answer = harena("records", "list")
    assert is_narrow(answer) and answer.out.splitlines()[1].startswith(f"{first.id}  tournament  isolation  stopped")
    lines = harena("records", "list", "--run", first.id).out.splitlines()
    assert lines[:3] == [f"A  {long}", "B  greedy", ""]
    assert lines[4].split()[:3] == ["1", "A", "B"] and len(lines) == 5


def test_very_many_long_names_are_cut(harena: Harena, path: Path) -> None:
    with Store(path) as store:
        first = store.new_run("tune", {})
        for number in range(30):
            seats = (f"{number}" + "x" * 50, "random")
            store.add_game(first.id, f"0-1/{number}/0", replace(RECORDS[0], seats=seats))
    answer = harena("records", "list", "--run", first.id)
    assert is_narrow(answer) and len(answer.out.splitlines()) == 31 and "…" in answer.out


def test_conditions_are_told_in_words() -> None:
    given = {
        "limits": {"seconds": 0.05},
        "margin": 0.05,
        "memory": None,
        "processes": True,
        "sandbox": {"a.py": "bubblewrap", "b.py": "bubblewrap"},
        "replays": 1,
        "undone": 2,
        "hints": 0,
    }
    assert dict(told(given)) == {
        "limits": "0.05 s a move",
        "time margin": "50 ms",
        "memory": "each agent's own limit",
        "agents": "each in a process of its own",
        "sandbox": "bubblewrap",
        "replayed": "once, because the machine stood still",
        "taken back": "2 times",
        "hints": "none",
    }
    other = {
        "seats": [{"nodes": 1000}, {}],
        "limits": {},
        "memory": 500,
        "processes": False,
        "sandbox": {"x/a.py": "off", "b.py": "limits"},
        "hints": 1,
    }
    assert dict(told(other)) == {
        "limits of 1": "1,000 nodes a move",
        "limits of 2": "the agents' own",
        "memory": "500 MB",
        "agents": "in one process",
        "sandbox": "a.py: off; b.py: limits",
        "hints": "asked for once",
    }
    assert list(told({"sandbox": {}})) == []
    assert dict(told({"limits": 3, "seats": "x", "odd": {"a": 1}, "sure": True, "empty": None})) == {
        "seats": "x",
        "odd": '{"a": 1}',
        "sure": "yes",
        "empty": "none",
    }


def test_an_empty_store_is_an_empty_list(harena: Harena, path: Path, tmp_path: Path) -> None:
    Store(path).close()
    assert harena("records", "list").code == 0
    for suffix in ("csv", "jsonl"):
        assert harena("records", "export", str(tmp_path / f"none.{suffix}")).out.startswith("wrote 0 games")
        assert (tmp_path / f"none.{suffix}").read_text() == ""


# Files


def test_json_lines_are_the_records_byte_for_byte(harena: Harena, runs: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    answer = harena("records", "export", str(file))
    assert (answer.code, answer.out) == (0, f"wrote 3 games to {file}\n")
    assert file.read_text().splitlines() == [as_text(record) for record in RECORDS]
    assert [from_text(line) for line in file.read_text().splitlines()] == RECORDS
    assert harena("records", "export", "-", "--run", runs[1]).out == as_text(RECORDS[2]) + "\n"


def test_csv_has_a_line_a_game(harena: Harena, runs: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    assert harena("records", "export", str(file)).code == 0
    with open(file, newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["moves"].split() for row in rows] == [[ply.move for ply in record.plies] for record in RECORDS]
    assert rows[2]["reason"] == "time" and rows[2]["run"] == runs[1] and rows[2]["winner"] == "2"
    for row, record in zip(rows, RECORDS, strict=True):  # the same names count alike in tables and in Python
        assert row["winner_seat"] == ("" if record.winner_seat is None else str(record.winner_seat))
        assert row["winner_player"] == str(record.winner_player) == row["winner"]
        assert record.winner_seat == record.winner and record.winner_player in (0, 1, 2)
    before = (DATA / "records" / "store.csv").read_text("utf-8").splitlines()[0].split(",")
    assert list(rows[0])[: len(before)] == before  # readers of 0.1.0 find every column where it was
    assert harena("records", "export", "-", "--format", "csv").out == file.read_text()


def test_parquet_without_pyarrow_is_a_hint(
    harena: Harena, runs: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = harena("records", "export", str(tmp_path / "games.parquet"))
    assert answer.code == 2 and "pip install pyarrow" in answer.err and answer.err.count("\n") == 1
    assert os.listdir(tmp_path) == ["games.sqlite"]


def test_a_damaged_game_is_named_and_the_rest_is_written(harena: Harena, runs: tuple[str, str], path: Path) -> None:
    damage(path)
    answer = harena("records", "export", "-")
    assert answer.code == 1
    assert answer.out.splitlines() == [as_text(record) for record in RECORDS[1:]]
    assert answer.err.splitlines()[0] == f"harena: game 1 in {path} is damaged: it is not what was stored"
    answer = harena("records", "list", "--run", runs[0])
    assert answer.code == 1 and answer.out.splitlines()[1].startswith("   2  random") and "game 1" in answer.err


ERRORS = {
    "records list --run nobody": "no run 'nobody'",
    "records show 9": "no game 9",
    "records export {tmp}/games.txt": "no format 'txt'",
    "records export {tmp}/games.sqlite --format csv": "is the store itself",
    "records export {tmp}/none/games.csv": "cannot be written",
    "records list --store {tmp}/none.sqlite": "there are no games yet",
    "replay 9": "no game 9",
    "replay {tmp}/none.json": "no number of a game, and no file",
    "replay {tmp}/games.sqlite": "is no text file",
    "replay {tmp}/records.jsonl --line 4": "has 3 records",
    "replay {tmp}/broken.jsonl": "no JSON",
    "replay {tmp}/games.csv": "games.csv' is a table of games, not records: export them again",
    "replay {tmp}/moves.json --game chess": "no game 'chess'",
    "replay 1 --svg {tmp}/moves.json": "cannot be written",
}


@pytest.mark.parametrize("words", ERRORS)
def test_every_mistake_is_one_line(harena: Harena, runs: tuple[str, str], tmp_path: Path, words: str) -> None:
    (tmp_path / "records.jsonl").write_text("".join(as_text(record) + "\n" for record in RECORDS))
    (tmp_path / "broken.jsonl").write_text('{"game": "isolation"')
    (tmp_path / "moves.json").write_text("[[3, 3]]")
    harena("records", "export", str(tmp_path / "games.csv"))
    answer = harena(*words.format(tmp=tmp_path).split())
    assert answer.code == 2 and answer.out == ""
    assert answer.err.startswith("harena: ") and answer.err.count("\n") == 1 and ERRORS[words] in answer.err


def test_a_list_of_games_has_sizes_and_pairs_and_can_be_filtered(harena: Harena, path: Path) -> None:
    agents = ["random", "greedy"]
    with Store(path) as store:
        run = store.new_run("match", {})
        for number, (winner, reason) in enumerate([(0, "rules"), (1, "time"), (1, "rules"), (0, "crash")]):
            seats = (agents[number % 2], agents[1 - number % 2])
            record = replace(RECORDS[0], seats=seats, winner=winner, reason=reason)
            store.add_game(run.id, f"0-1/{number // 2}/{number % 2}", record)
        other = store.new_run("match", {})
        store.add_game(other.id, "0-1/0/0", replace(RECORDS[2], seats=("champion", "random"), winner=0, reason="time"))

    def listed(*words: str) -> list[list[str]]:
        answer = harena("records", "list", *words)
        assert answer.code == 0 and is_narrow(answer), answer.err
        return [line.split() for line in answer.out.splitlines()[1:]]

    assert [(line[0], line[-2], line[-1]) for line in listed("--run", run.id)] == [
        ("1", "7", "1"),
        ("2", "7", "1"),
        ("3", "7", "2"),
        ("4", "7", "2"),
    ]
    assert [line[0] for line in listed("--player", "GREED")] == ["1", "2", "3", "4"]
    assert [line[0] for line in listed("--lost-by", "greedy")] == ["1", "2"]
    assert [line[0] for line in listed("--lost-by", "random", "--run", run.id)] == ["3", "4"]
    assert [line[0] for line in listed("--fault", "any")] == ["2", "4", "5"]
    assert [(line[0], line[-1]) for line in listed("--fault", "time")] == [("2", run.id), ("5", other.id)]
    assert harena("records", "list", "--player", "nobody").out == "no stored game fits\n"
    none = harena("records", "list", "--fault", "memory")  # a kind of fault that no stored game has
    assert none.code == 0 and none.out == "no stored game fits\n" and not none.err
    wrong = harena("records", "list", "--fault", "tme")
    assert wrong.code == 2 and wrong.err == f"harena: no fault 'tme'; there are: any, {', '.join(sorted(FAULTS))}\n"


def test_the_memory_of_each_agent_is_shown_and_nothing_that_contradicts_it() -> None:
    conditions = {"memory": None, "memories": [500.0, None], "sandbox": {"comp424:x": "bubblewrap"}}
    assert dict(told(conditions)) == {"memory of 1": "500 MB", "memory of 2": "no limit", "sandbox": "bubblewrap"}
    old = {"memory": None, "sandbox": {"comp424:x": "bubblewrap"}}  # 0.1.0 did not keep it
    assert dict(told(old))["memory"] == "each agent's own limit"
    assert dict(told({"memory": None, "sandbox": {}})) == {"memory": "no limit"}


@pytest.mark.process
def test_a_record_keeps_the_memory_that_each_agent_may_use(harena: Harena, path: Path) -> None:
    program = str(Path(__file__).parents[2] / "examples" / "agents" / "centre.py")
    words = ("match", "isolation", program, "random", "--games", "2", "--size", "4", "--sandbox", "limits")
    assert harena(*words).code == 0
    shown = [" ".join(line.split()) for line in harena("records", "show", "1").out.splitlines()]
    assert "memory of 1 4000 MB" in shown and "memory of 2 no limit" in shown and "memory no limit" not in shown
