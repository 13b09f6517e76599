"""The store of games: runs, games and reviews, shared by threads and processes."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arena.stores import change, filled, is_sound, python
from arena.test_record import RECORD
from harena.arena.shelf import originals
from harena.arena.store import FINISHED, RUNNING, STOPPED, Store
from harena.arena.store_files import store_path
from harena.arena.troubles import StoreError
from harena.errors import BadText

# Runs


def test_a_run_keeps_what_is_needed_to_go_on(path: Path) -> None:
    spec = {"agents": ["a", "b"], "limits": {"seconds": 0.15}, "seed": 3}
    with Store(path) as store:
        run = store.new_run("tournament", spec, note="for the course")
        assert (run.kind, run.spec, run.status, run.note) == ("tournament", spec, RUNNING, "for the course")
        assert len(run.id) == 8 and run.finished is None and run.created.endswith("Z")
    with Store(path) as store:
        assert store.run(run.id) == run
        assert store.runs() == [run]


def test_the_latest_run_that_is_not_finished_is_found(path: Path) -> None:
    with Store(path) as store:
        assert store.latest_unfinished({"match"}) is None
        first, second, third = (store.new_run("match", {"number": number}) for number in range(3))
        store.finish(third.id)
        store.finish(second.id, STOPPED, note="you stopped it")
        found = store.latest_unfinished({"match"})
        assert found is not None and (found.id, found.status, found.note) == (second.id, STOPPED, "you stopped it")
        assert found.finished is not None
        store.finish(second.id, RUNNING)
        assert store.run(second.id).finished is None and store.run(second.id).note == "you stopped it"
        store.finish(second.id, FINISHED)
        store.new_run("watch", {})
        assert store.latest_unfinished({"match"}) == first


def test_why_a_run_was_stopped_is_kept_until_it_goes_on(path: Path) -> None:
    with Store(path) as store:
        first, second = (store.new_run("match", {}, note="for the course").id for _ in range(2))
        store.finish(first, STOPPED, why="Ctrl-C")
        store.finish(second, STOPPED, why="a line\nand another, " + "x" * 1000)
        assert store.stops()[first] == "Ctrl-C" and store.run(first).note == "for the course"
        assert store.stops()[second].startswith("a line and another, xxx") and len(store.stops()[second]) == 300
        store.finish(first, RUNNING)
        assert list(store.stops()) == [second]
        store.finish(first, STOPPED, why="asked to stop")
        assert store.stops()[first] == "asked to stop"
        assert store.forget_empty(second) and list(store.stops()) == [first]
        store.finish(first)
        assert store.stops() == {}


def test_an_unknown_run_is_named(path: Path) -> None:
    with Store(path) as store:
        for ask in (
            lambda: store.run("nobody"),
            lambda: store.finish("nobody"),
            lambda: list(store.games("nobody")),
            lambda: store.add_game("nobody", "0", RECORD),
        ):
            with pytest.raises(StoreError, match="no run 'nobody'"):
                ask()


# Games


def test_games_come_back_in_their_order(path: Path) -> None:
    run = filled(path, 12)
    with Store(path, writing=False) as store:
        assert [slot for slot, _ in store.games(run)] == [str(number) for number in range(12)]
        assert [record.seed for _, record in store.games(run)] == list(range(12))
        assert store.slots_done(run) == {str(number) for number in range(12)}
        assert store.record(5) == replace(RECORD, seed=4)
        row = list(store.rows(run))[4]
        assert (row.id, row.slot, row.seats, row.winner, row.reason, row.plies) == (5, "4", RECORD.seats, 0, "time", 2)
        assert store.counts() == {run: (12, 1, 12)}


def test_a_slot_is_stored_once_and_the_first_game_stays(path: Path) -> None:
    run = filled(path, 1)
    with Store(path) as store:
        assert store.add_game(run, "0", replace(RECORD, seed=99)) is None
        assert [record.seed for _, record in store.games(run)] == [0]
        other = store.new_run("match", {})
        assert store.add_game(other.id, "0", RECORD) == 2


def test_games_are_copied_into_another_run_and_keep_the_number_they_had_first(path: Path) -> None:
    run = filled(path, 4)
    with Store(path) as store:
        second, third = (store.new_run("match", {}).id for _ in range(2))
        store.add_game(second, "b", replace(RECORD, seed=99))
        store.copy_games(second, {1: "a", 2: "b", 4: "c", 70: "d"})  # b is taken, and there is no game 70
        assert {slot: record.seed for slot, record in store.games(second)} == {"a": 0, "b": 99, "c": 3}
        assert store.text(store.numbers(second)["a"]) == store.text(1)
        store.copy_games(third, {store.numbers(second)["c"]: "x"})
        store.copy_games(third, {})
        assert originals(store, run) == {}
        assert originals(store, second) == {store.numbers(second)["a"]: 1, store.numbers(second)["c"]: 4}
        assert originals(store, third) == {store.numbers(third)["x"]: 4}


def test_a_game_that_is_no_plain_data_is_refused_and_nothing_is_stored(path: Path) -> None:
    run = filled(path, 1)
    with Store(path) as store:
        with pytest.raises(BadText):
            store.add_game(run, "1", replace(RECORD, conditions={"this": {1}}))
        assert store.slots_done(run) == {"0"}


@pytest.mark.parametrize("number", [0, 4, -1, 2**70, -(2**70)])
def test_an_unknown_game_is_named(path: Path, number: int) -> None:
    filled(path)
    with Store(path) as store, pytest.raises(StoreError, match=f"no game {number} .* the last is 3"):
        store.record(number)


def test_threads_share_a_store(path: Path) -> None:
    with Store(path) as store:
        run = store.new_run("match", {}).id

        def add(worker: int) -> int:
            return sum(store.add_game(run, str(number), RECORD) is not None for number in range(worker, worker + 30))

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(add, range(8))) == 37
        assert len(list(store.games(run))) == 37


@pytest.mark.process
def test_processes_share_a_run_and_no_game_is_stored_twice(path: Path) -> None:
    """Also: all of them may make the file at once."""
    script = """
import sys
from arena.test_record import RECORD
from harena.arena.store import Store
with Store(sys.argv[1]) as store:
    print(sum(store.add_game(sys.argv[2], str(number), RECORD) is not None for number in range(40)))
"""
    openers = [python("import sys; from harena.arena.store import Store; Store(sys.argv[1])", path) for _ in range(6)]
    for opener in openers:
        assert opener.communicate(timeout=300)[1] == ""
    run = filled(path, 0)
    adders = [python(script, path, run) for _ in range(3)]
    assert sum(int(adder.communicate(timeout=300)[0]) for adder in adders) == 40
    assert is_sound(path)


def test_a_store_does_not_cross_a_fork(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as store:
        monkeypatch.setattr(os, "getpid", lambda: -1)
        with pytest.raises(StoreError, match="another process"):
            store.runs()
        monkeypatch.undo()
        assert store.runs() == []


# Reviews


def test_a_review_is_kept_by_game_and_player_and_the_last_one_counts(path: Path) -> None:
    filled(path)
    with Store(path) as store:
        assert store.review(2, "champion", 1) is None
        store.add_review(2, "champion", 1, {"accuracy": [99.5, None]})
        store.add_review(2, "uct", 1, {"accuracy": [1, 2]})
        store.add_review(2, "champion", 1, {"accuracy": [98.5, None]})
        assert store.review(2, "champion", 1) == {"accuracy": [98.5, None]}
        assert store.review(2, "champion", 2) is None and store.review(1, "champion", 1) is None
        for ask in (lambda: store.review(9, "champion", 1), lambda: store.add_review(9, "champion", 1, {})):
            with pytest.raises(StoreError, match="no game 9"):
                ask()


def test_a_damaged_review_is_none_and_a_game_that_gives_way_takes_its_reviews_with_it(path: Path) -> None:
    run = filled(path)
    with Store(path) as store:
        for number in (1, 2):
            store.add_review(number, "champion", 1, {})
        change(path, "UPDATE reviews SET review = '{' WHERE game = 1")
        assert store.review(1, "champion", 1) is None
        change(path, "UPDATE games SET record = '' WHERE id = 2")
        number = store.add_game(run, "1", RECORD)
        assert number is not None and store.review(number, "champion", 1) is None


# Where it is


def test_the_file_is_as_given_or_of_the_environment_or_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HARENA_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("HOME", "/home/me")
    assert store_path().name == "games.sqlite" and "harena" in str(store_path())
    monkeypatch.setenv("HARENA_STORE", "~/mine.sqlite")
    assert store_path() == Path("/home/me/mine.sqlite")
    assert store_path("other.sqlite") == Path("other.sqlite")


def test_names_with_odd_letters_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "50% of #1?.sqlite"
    filled(path)
    assert path.exists()
