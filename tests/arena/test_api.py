"""Runs for Python programs: results, events, stopping and going on, agents that are objects."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import harena
from harena.api import State
from harena.arena.claims import claimed
from harena.arena.contest import Contest
from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.runner import Runner
from harena.arena.runs.start import start_match
from harena.arena.store import FINISHED, STOPPED, Store
from harena.errors import BadOption, HarenaError, UsageError
from harena.search.result import Limits, Turn

SMALL: dict[str, Any] = {"size": 4, "nodes": 5, "local": True}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture(autouse=True)
def silence(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """No public function prints."""
    yield
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


# Results


def test_a_match_has_a_typed_result(store: Path, tmp_path: Path) -> None:
    result = harena.match("isolation", "mm_open", "random", games=6, store=store, **SMALL)
    assert isinstance(result, harena.MatchResult) and result.kind == "match" and result.status == FINISHED
    assert result.wins + result.draws + result.losses == 6 == result.pairs.games
    assert result.score == result.pairs.score and result.interval[0] <= result.score <= result.interval[1]
    assert 0 <= result.los <= 1 and result.sprt is None and result.verdict in result.sentences
    assert [game.run for game in result.games] == [result.run] * 6
    assert "seed 0" in result.conditions and result.agents == ("mm_open", "random")
    plain = result.to_dict()
    assert json.loads(json.dumps(plain)) == plain and plain["elo"]["value"] == result.elo.value
    assert (plain["status"], plain["run"], plain["score"]) == (FINISHED, result.run, result.score)
    assert result.report(tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(AttributeError):
        result.score = 1.0  # type: ignore[misc]


def test_a_test_ends_a_match_sooner(store: Path) -> None:
    result = harena.match(
        "isolation", "id_improved(nodes=300)", "random", games=200, sprt="quick", store=store, **SMALL
    )
    assert result.sprt is not None and result.sprt.over and len(result.games) < 200
    assert result.to_dict()["planned"] == 200


def test_a_tournament_rates_all(store: Path) -> None:
    agents = ["mm_open", "random", "greedy"]
    result = harena.tournament("isolation", agents, games=2, store=store, **SMALL)
    assert sorted(row.name for row in result.ratings) == sorted(agents) == sorted(result.points)
    assert sum(result.points.values()) == 6 and result.winner is None
    knockout = harena.tournament("isolation", agents, games=2, type="knockout", store=store, **SMALL)
    assert knockout.winner in agents and knockout.type == "knockout"


def test_a_sweep_has_a_point_for_each_value(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    template = "mcts(c={c}, iterations=5)"
    result = harena.sweep("isolation", template, "random", "c=0.1,1", games=2, size=4, csv=str(file), store=store)
    assert [(point.value, point.games) for point in result.points] == [(0.1, 2), (1.0, 2)]
    assert result.parameter == "c" and result.opponent == "random" and result.sentences
    assert file.read_text("utf-8").startswith("c,games,wins")


def test_a_tuning_has_the_path_of_each_parameter(store: Path) -> None:
    result = harena.tune("isolation", "mcts(c={c}, iterations=5)", start="c=1", steps=3, size=4, store=store)
    assert len(result.paths["c"]) == 4 and result.values == {"c": result.paths["c"][-1]}
    assert len(result.differences) == 3
    assert (result.tuned is None) == (result.match is None)
    with pytest.raises(UsageError, match="reports are of matches, tournaments and sweeps"):
        result.report("page.html")


def test_results_show_themselves_in_a_notebook(store: Path) -> None:
    match = harena.match("isolation", "greedy", "random", games=2, store=store, **SMALL)
    sweep = harena.sweep("isolation", "mcts(c={c}, iterations=5)", "random", "c=0.1,1", games=2, size=4, store=store)
    tuned = harena.tune("isolation", "mcts(c={c}, iterations=5)", start="c=1", steps=1, size=4, store=store)
    for result in (match, sweep, tuned):
        page = result._repr_html_()
        assert page.startswith("<div") and "<table>" in page and "<svg" in page and "<script" not in page
        assert f"harena replay {result.games[0].number}" in page
    game = match.games[0]
    player = game._repr_html_()
    assert player.count("<svg") == len(game.record.plies) + 1 and 'type="range"' in player
    foreign = replace(game, record=replace(game.record, game="nim.py", start="<script>"))
    assert "nim.py" in foreign._repr_html_() and "<script>" not in foreign._repr_html_()


def test_a_table_of_games_needs_pyarrow(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = harena.match("isolation", "greedy", "random", games=2, store=store, **SMALL)
    rows: list[dict[str, Any]] = []

    class Table:
        @staticmethod
        def from_pylist(given: list[dict[str, Any]]) -> str:
            rows.extend(given)
            return "table"

    class Arrow:
        pass

    Arrow.Table = Table  # type: ignore[attr-defined]
    monkeypatch.setattr("harena.arena.export.import_module", lambda name: Arrow)
    assert result.to_arrow() == "table" and [row["number"] for row in rows] == [1, 2]
    assert rows[0]["player_1"] == "greedy"

    def missing(name: str) -> None:
        raise ImportError

    monkeypatch.setattr("harena.arena.export.import_module", missing)
    with pytest.raises(UsageError, match="to_arrow needs pyarrow"):
        result.to_arrow()


def test_mistakes_are_errors_and_nothing_is_stored(store: Path) -> None:
    with pytest.raises(BadOption, match="even number"):
        harena.match("isolation", "random", "greedy", games=3, store=store)
    with pytest.raises(HarenaError, match="did you mean 'random'"):
        harena.match("isolation", "randm", "greedy", store=store)
    with pytest.raises(HarenaError, match="no type of tournament"):
        harena.tournament("isolation", ["random", "greedy"], type="swis", store=store)
    with pytest.raises(HarenaError, match="is for --type swiss"):
        harena.tournament("isolation", ["random", "greedy"], rounds=2, store=store)
    assert not store.exists()


# Events


def test_the_events_of_a_match_come_in_order(store: Path) -> None:
    run = harena.start_match("isolation", "greedy", "random", games=2, store=store, **SMALL)
    events = list(run)
    assert [type(event).__name__ for event in events] == [
        *("AgentsReady", "GameStarted", "GameFinished", "GameStarted", "GameFinished", "Decided"),
    ]
    assert {event.run for event in events} == {run.id}
    finished = [event for event in events if isinstance(event, harena.GameFinished)]
    assert [(event.number, event.played, event.planned) for event in finished] == [(1, 1, 2), (2, 2, 2)]
    started = [event.slot for event in events if isinstance(event, harena.GameStarted)]
    assert started == [event.slot for event in finished]
    assert run.result().status == FINISHED and list(run) == []


def test_agents_get_ready_once_also_in_a_run_of_several_rounds(store: Path) -> None:
    run = harena.start_tournament(
        "isolation", ["greedy", "random", "mm_open"], type="knockout", games=2, store=store, **SMALL
    )
    names = [type(event).__name__ for event in run]
    assert names.count("AgentsReady") == 1 and names[-1] == "Decided"


def test_a_run_is_held_while_it_is_played(store: Path) -> None:
    run = harena.start_match("isolation", "greedy", "random", games=4, store=store, **SMALL)
    events = iter(run)
    next(events)
    with pytest.raises(UsageError, match="is being played by another process"), claimed(store, run.id):
        pass
    run.stop()
    assert isinstance(list(events)[-1], harena.Stopped)
    with claimed(store, run.id):
        pass


def test_a_run_stopped_between_events_goes_on(store: Path) -> None:
    run = harena.start_match("isolation", "greedy", "random", games=40, store=store, **SMALL)
    for event in run:
        if isinstance(event, harena.GameFinished) and event.played == 3:
            run.stop("enough for now")
    stopped = run.result()
    assert stopped.status == STOPPED and 3 <= len(stopped.games) < 40
    with Store(store, writing=False) as opened:
        assert opened.stops() == {run.id: "enough for now"}
    whole = harena.resume(run.id, store=store)
    assert whole.status == FINISHED and len(whole.games) == 40
    fresh = harena.match("isolation", "greedy", "random", games=40, store=store, **SMALL)
    assert isinstance(whole, harena.MatchResult) and whole.pairs == fresh.pairs


def test_another_thread_can_stop_a_run(store: Path) -> None:
    run = harena.start_match(
        "isolation", "id_improved", "mm_open", games=400, store=store, size=7, nodes=2000, local=True
    )
    timer = threading.Timer(1.0, run.stop)
    timer.start()
    assert run.result().status == STOPPED
    timer.join()


@pytest.mark.parametrize("leave", ["break", "error", "Ctrl-C"])
def test_a_loop_that_is_left_keeps_what_was_played(store: Path, leave: str) -> None:
    run = harena.start_match("isolation", "greedy", "random", games=40, store=store, **SMALL)

    def look() -> None:
        with run:
            for event in run:
                if isinstance(event, harena.GameFinished):
                    if leave == "break":
                        break
                    raise RuntimeError if leave == "error" else KeyboardInterrupt

    if leave == "break":
        look()
    else:
        with pytest.raises(RuntimeError if leave == "error" else KeyboardInterrupt):
            look()
    with Store(store, writing=False) as opened:
        assert opened.run(run.id).status == STOPPED and opened.slots_done(run.id)
        assert opened.stops()[run.id] == ("Ctrl-C" if leave == "Ctrl-C" else "asked to stop")
    assert harena.resume(store=store).run == run.id


def test_what_goes_wrong_is_kept_and_raised(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise HarenaError("the rules fell over")

    with monkeypatch.context() as patched:
        patched.setattr(Contest, "follow", fail)
        with pytest.raises(HarenaError, match="fell over"):
            harena.match("isolation", "greedy", "random", games=2, store=store, **SMALL)
    with Store(store, writing=False) as opened:
        (run,) = opened.runs()
        assert run.status == STOPPED and opened.stops() == {run.id: "the rules fell over"}
    assert harena.resume(store=store).status == FINISHED


def test_nothing_is_left_of_a_match_whose_agent_does_not_start(store: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("from harena.agents.bot import run\nraise SystemExit(3)\n")
    with pytest.raises(HarenaError, match="did not load"):
        harena.match("isolation", str(broken), "random", games=2, size=4, seconds=5, sandbox="off", store=store)
    with Store(store, writing=False) as opened:
        assert opened.runs() == []


def test_the_runner_plays_a_kind_on_any_executor(store: Path) -> None:
    run = start_match("isolation", "greedy", "random", games=2, store=store, **SMALL)
    prepared = []

    class Watching(LocalExecutor):
        def prepare(self, batch: Any) -> Contest:
            prepared.append(batch.spec.agents)
            return super().prepare(batch)

    with Store(store) as opened:
        events = list(Runner(opened, Watching(1)).play(run.id, run.kind))
    assert prepared == [["greedy", "random"]] and isinstance(events[-1], harena.Decided)


# Agents that are objects


def first_move(state: State) -> Any:
    return state.moves()[0]


class LastMove:
    def run(self, state: State, limits: Limits, turn: Turn) -> Any:
        assert limits.nodes == 5
        return str(state.moves()[-1])


def test_functions_objects_and_classes_play(store: Path) -> None:
    result = harena.tournament("isolation", [first_move, LastMove(), LastMove, "random"], games=2, store=store, **SMALL)
    names = ("python:first_move", "python:LastMove", "python:LastMove#2", "random")
    assert result.agents == names
    assert not any(game.record.detail for game in result.games)
    walls = {"python:first_move": "none", "python:LastMove": "none", "python:LastMove#2": "none"}
    assert all(game.record.conditions["sandbox"] == walls for game in result.games)
    assert "python:first_move plays in the calling process without a sandbox" in result.conditions


def test_an_object_plays_against_an_agent_in_a_process(store: Path) -> None:
    result = harena.match("isolation", first_move, "greedy", games=2, size=4, nodes=5, store=store)
    assert result.to_dict()["ends"] == {"rules": 2}
    assert result.games[0].record.conditions["processes"] is True


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (lambda state: "z9", "unreadable answer"),
        (lambda state: 10**6, "unreadable answer"),
        (lambda state: 1 / 0, "crash"),
        (lambda state: None, "unreadable answer"),
    ],
)
def test_what_an_object_does_wrong_loses_its_game(store: Path, agent: Callable[[State], Any], reason: str) -> None:
    result = harena.match("isolation", agent, "random", games=2, store=store, **SMALL)
    assert result.losses == 2 and {game.record.reason for game in result.games} == {reason}
    crashed = [game.record.traceback for game in result.games if reason == "crash"]
    assert all("ZeroDivisionError" in text for text in crashed)


def test_an_object_that_is_late_loses(store: Path) -> None:
    def slow(state: State) -> Any:
        threading.Event().wait(0.3)
        return state.moves()[0]

    result = harena.match("isolation", slow, "greedy", games=2, size=4, seconds=0.05, store=store)
    assert result.losses == 2 and {game.record.reason for game in result.games} == {"time"}


def test_objects_play_one_game_at_a_time_and_are_not_resumed(store: Path) -> None:
    with pytest.raises(UsageError, match="one game at a time"):
        harena.match("isolation", first_move, "random", games=2, concurrency=2, store=store, **SMALL)
    with pytest.raises(BadOption, match="an agent is a text"):
        harena.match("isolation", 3, "random", games=2, store=store, **SMALL)
    run = harena.start_match("isolation", first_move, "random", games=4, store=store, **SMALL)
    run.stop()
    assert [type(event).__name__ for event in run] == ["Stopped"]
    with pytest.raises(UsageError, match=r"cannot go on: python:first_move was an object of another Python process"):
        harena.resume(run.id, store=store)
