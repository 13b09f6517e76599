"""`harena ratings`: the table of a whole store, as text, JSON and CSV, and mistakes in one line."""

import csv
import json
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.stores import change
from arena.test_joint import game, keep, some_games
from cli.conftest import Harena
from harena.arena.ratings import fit
from harena.arena.store import Store


def test_one_table_of_all_runs(path: Path, harena: Harena) -> None:
    games = some_games()
    with Store(path) as store:
        keep(store, games[:30])
        keep(store, [*games[30:], game("human", "a", 0), game("b", "a", 0, reason="crash", detail="Boom")])
    answer = harena("ratings", "isolation")
    assert answer.code == 0 and answer.err == ""
    lines = answer.out.splitlines()
    assert lines[0] == "isolation: 61 games of 2 runs, 4 players"
    fitted = fit([*((*one.seats, one.points(0)) for one in games), ("b", "a", 1)])
    for number, row in enumerate(fitted.rows, 1):
        assert lines[1 + number].split()[:2] == [str(number), row.name]
        assert f"{100 * row.score:.1f} %" in lines[1 + number]
    assert "confidence that the row is better than the column" in answer.out
    assert "faults of a, lost: crash 1; the first: Boom" in answer.out
    assert "left out: 1 game with a person at the board" in answer.out
    assert "is not certain" in answer.out


def test_groups_that_never_met_have_tables_of_their_own(path: Path, harena: Harena) -> None:
    with Store(path) as store:
        keep(store, [game("a", "b", number % 2, number) for number in range(4)])
        keep(store, [game("c", "d", 0, number, options={"size": 5}) for number in range(6)])
    answer = harena("ratings", "isolation")
    assert "group 1: 2 players" in answer.out and "group 2: 2 players" in answer.out
    assert "2 groups without a game between them, whose Elo cannot be compared\n" in answer.out
    assert "mixed, of more than one size: 5 (6 games), 7 (4 games)" in answer.out
    assert "--run, --size and --setup choose games that belong together" in answer.out
    assert "mixed" not in harena("ratings", "isolation", "--size", "5").out
    shown = harena("ratings", "isolation", "--least", "5").out
    assert "2 players with fewer than 5 games: rated too, not shown" in shown and "group" not in shown
    table = path.with_name("table.csv")
    plain = json.loads(harena("ratings", "isolation", "--least", "5", "--json", "--csv", str(table)).out)
    rows = csv.DictReader(table.read_text().splitlines())
    assert [(row["agent"], row["group"]) for row in rows] == [("c", "1"), ("d", "1")]
    assert [(one["agent"], one["group"]) for one in plain["players"]] == [("c", 1), ("d", 1)]
    assert harena("ratings", "isolation", "--least", "9").err == (
        "harena: --least 9: nobody has so many games; the most are 6\n"
    )


def test_tunings_are_rated_only_where_they_are_named(path: Path, harena: Harena) -> None:
    with Store(path) as store:
        tuning = keep(store, [game(f"x(c={number})", f"x(c=-{number})", 0, number) for number in range(3)], "tune")
    only = harena("ratings", "isolation")
    assert only.code == 2 and "there are only 3 games of tunings" in only.err
    with Store(path) as store:
        keep(store, [game("a", "b", number % 2, number) for number in range(4)])
    out = harena("ratings", "isolation").out
    assert out.startswith("isolation: 4 games of 1 run, 2 players") and "x(c=" not in out
    assert "left out: 3 games of tunings, each of whose steps has players of its own" in " ".join(out.split())
    assert harena("ratings", "isolation", "--run", tuning).out.startswith("isolation: 3 games of 1 run, 6 players")


def test_as_json_and_csv(path: Path, harena: Harena, tmp_path: Path) -> None:
    games = some_games()
    with Store(path) as store:
        runs = [keep(store, games[start : start + 20]) for start in (0, 20, 40)]
    table = tmp_path / "table.csv"
    answer = harena("ratings", "isolation", "--json", "--csv", str(table))
    plain = json.loads(answer.out)
    fitted = fit((*one.seats, one.points(0)) for one in games)
    assert plain["games"] == 60 and plain["runs"] == 3 and plain["mixed"] == {}
    assert [one["elo"] for one in plain["players"]] == [row.elo for row in fitted.rows]
    assert plain["better"] == [list(row) for row in fitted.better]
    assert plain["first_seat"] == {"elo": fitted.seat, "error": fitted.seat_error}
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["rank"], row["agent"]) for row in rows] == [(str(n), row.name) for n, row in enumerate(fitted.rows, 1)]
    assert float(rows[0]["elo"]) == pytest.approx(fitted.rows[0].elo, abs=0.051)
    two = json.loads(harena("ratings", "isolation", "--json", "--run", runs[0], "--run", runs[2]).out)
    assert two["games"] == 40 and two["runs"] == 2


def test_changed_files_are_told(path: Path, harena: Harena) -> None:
    with Store(path) as store:
        runs = [
            keep(store, [game("/x/mine.py", "b", 0, number)], spec={"sources": {"/x/mine.py": digest}})
            for number, digest in enumerate(("1", "2"))
        ]
    out = harena("ratings", "isolation").out
    assert "mine.py, version 1" in out and "mine.py, version 2" in out
    told = (
        f"the files of /x/mine.py changed, and each version is rated by itself: version 1 in {runs[0]}; 2 in {runs[1]}"
    )
    assert told in " ".join(out.split())
    with Store(path) as store:
        runs.append(keep(store, [game("/x/mine.py", "b", 0, 3)]))
    assert f"{told}; not kept in {runs[2]}" in " ".join(harena("ratings", "isolation").out.split())
    some = harena("ratings", "isolation", "--run", runs[0], "--run", runs[2]).out
    assert f"version 1 in {runs[0]}; not kept in {runs[2]}" in " ".join(some.split())
    assert "of /x/mine.py were not kept in every run, and" in " ".join(some.split()) and "changed" not in some


def test_damage_is_named_and_makes_the_exit_code_1(path: Path, harena: Harena) -> None:
    with Store(path) as store:
        keep(store, [game("a", "b", 0, number) for number in range(3)])
    change(path, "UPDATE games SET record = 'x' WHERE id = 2")
    answer = harena("ratings", "isolation")
    assert answer.code == 1 and "2 games of 1 run" in answer.out and answer.err.startswith("harena: game 2 in ")


def test_mistakes_are_one_line(path: Path, harena: Harena, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        answer = harena("ratings", *words)
        assert answer.code == 2 and answer.out == "" and answer.err.count("\n") == 1
        return answer.err

    assert "there are no games yet" in said("isolation")
    with Store(path) as store:
        keep(store, [game("a", "a", 0)])
    assert "no two players to rate" in said("isolation")
    assert "no game of tiles is stored in" in said("tiles")
    assert "no game 'chess'" in said("chess")
    assert "no run 'zz'" in said("isolation", "--run", "zz")
    with Store(path) as store:
        keep(store, [game("a", "b", 0)])
    assert "cannot be written" in said("isolation", "--csv", str(tmp_path / "none" / "table.csv"))


@pytest.mark.slow
def test_ten_thousand_games_take_seconds(path: Path, harena: Harena) -> None:
    drawn, names = random.Random(2), [f"p{number}" for number in range(40)]
    games = [game(*drawn.sample(names, 2), drawn.choice([0, 1]), number) for number in range(100)]
    with Store(path) as store:
        for _ in range(5):
            keep(store, games[:1])
        run = store.new_run("match", {})
        columns = "run, slot, game, seats, winner, reason, plies, created, checksum, record"
        first = store.add_game(run.id, "0-1/0/0", replace(games[1]))
        store._do(
            f"INSERT INTO games ({columns})"
            " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9994)"
            " SELECT run, '0-1/' || i || '/0', game, seats, winner, reason, plies, created, checksum, record"
            " FROM n, games WHERE id = ?",
            first,
        )
    begin = time.process_time()
    answer = harena("ratings", "isolation")
    assert "isolation: 10,000 games of 6 runs" in answer.out and "only 2 are different" in answer.out
    assert time.process_time() - begin < 15
