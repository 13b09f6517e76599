"""`harena review` prints what a game's decisions cost, keeps it, and shows it again at once."""

import json
import shlex
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from arena.test_review import own_game, planted, random_game, recorded
from cli.support import Answer, run
from harena.arena import review as reviewing
from harena.arena.judgement import VERSION, Moment, Review
from harena.arena.record import CRASH, RESIGNED, RULES, TIME, Record
from harena.arena.replay import start, states
from harena.arena.store import Store
from harena.cli.review import _decided

Harena = Callable[..., Answer]
BARE = {one.name: None for one in fields(Review) if one.name != "version"}  # a review that found nothing


@pytest.fixture
def harena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Harena:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    return lambda *words: run(capsys, monkeypatch, *words)


def stored(path: Path, *records: Record) -> None:
    with Store(path / "games.sqlite") as store:
        played = store.new_run("match", {})
        for number, record in enumerate(records):
            store.add_game(played.id, str(number), record)


def test_a_planted_mistake_is_printed_with_what_was_better(harena: Harena, tmp_path: Path) -> None:
    record, ply, right, _ = planted("tiles")
    stored(tmp_path, record)
    answer = harena("review", "1", "--nodes", "20000")
    assert answer.code == 0
    row = next(line for line in answer.out.splitlines() if line.split()[:1] == [str(ply)])
    assert "?? blunder" in row and row.split()[-1 - row.split()[::-1].index("blunder") + 1] in right
    assert "accuracy" in answer.out and "1 careful" in answer.out and "2 careless" in answer.out
    assert "decided by player" in answer.out and f"(ply {ply})" in answer.out and "proven" in answer.out
    assert "= is proven" in answer.out


def test_every_decision_has_a_cost_also_where_nothing_was_lost(harena: Harena, tmp_path: Path) -> None:
    stored(tmp_path, planted("tiles")[0])
    said = harena("review", "1", "--nodes", "2000").out
    plain = json.loads(harena("review", "1", "--nodes", "2000", "--json").out)
    losses = {one["ply"]: one["loss"] for one in plain["decisions"]}
    rows = [line.split() for line in said.splitlines() if line.split()[:1] and line.split()[0].isdecimal()]
    costs = {int(row[0]): row[5] for row in reversed(rows)}  # the players' rows come last and give way
    assert 0 in losses.values() and costs == {ply: f"{loss:.2f}" for ply, loss in losses.items()}
    assert "a cost below 0.05 has no mark" in said


def test_a_review_is_kept_and_shown_again_without_any_work(
    harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(tmp_path, planted("tiles")[0])
    first = harena("review", "1", "--nodes", "2000")
    told: list[int] = []
    steps = reviewing.Reviewer.steps
    monkeypatch.setattr(reviewing.Reviewer, "steps", lambda self: told.append(1) or steps(self))
    assert harena("review", "1", "--nodes", "2000").out == first.out and not told
    assert harena("review", "1", "--nodes", "1000").code == 0 and len(told) == 1
    assert harena("review", "1", "--seconds", "0.05").code == 0 and len(told) == 2
    assert harena("review", "1", "--seconds", "0.05", "--again").code == 0 and len(told) == 3


def test_without_limits_the_usual_budget_is_meant_and_the_header_names_it(
    harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(tmp_path, planted("tiles")[0])
    told: list[int] = []
    steps = reviewing.Reviewer.steps
    monkeypatch.setattr(reviewing.Reviewer, "steps", lambda self: told.append(1) or steps(self))
    small = harena("review", "1", "--nodes", "2000")
    assert "gone over by champion, 2,000 nodes for each decision\n" in small.out and len(told) == 1
    usual = harena("review", "1")
    assert "gone over by champion, 400,000 nodes for each decision\n" in usual.out and len(told) == 2
    assert harena("review", "1").out == usual.out and harena("review", "1", "--nodes", "400000").out == usual.out
    assert len(told) == 2
    timed = harena("review", "1", "--seconds", "0.05")
    assert "champion, 0.05 s for each decision\n" in timed.out
    both = harena("review", "1", "--seconds", "9", "--nodes", "1")
    assert "champion, 1 node or 9 s for each decision\n" in both.out


def test_a_game_of_ones_own_is_gone_over_without_a_champion(harena: Harena, tmp_path: Path) -> None:
    stored(tmp_path, own_game())
    assert harena("review", "1", "--nodes", "2000").code == 2
    typed = ("--game", f"unchecked:{own_game().game}")
    answer = harena("review", "1", "--nodes", "2000", *typed)
    assert answer.code == 0 and "gone over by mcts, 2,000 nodes" in answer.out and "?? blunder" in answer.out
    other = harena("review", "1", "--player", "id", "--nodes", "2000", *typed)
    assert "gone over by id, 2,000 nodes" in other.out


def test_a_player_of_whom_no_move_counts_has_no_accuracy(harena: Harena, tmp_path: Path) -> None:
    full = planted("isolation")[0]
    line = list(states(full))
    stored(tmp_path, recorded(line[-2], [full.plies[-1].move]))  # the last move of a game: one that wins
    said = harena("review", "1", "--nodes", "2000").out
    sides = [row.split()[2:] for row in said.splitlines() if row.startswith(("1 careful", "2 careless"))]
    assert ["-", "0", "0", "0"] in sides and "- as accuracy: this player had nothing to decide" in said


def test_it_can_be_printed_as_json(harena: Harena, tmp_path: Path) -> None:
    stored(tmp_path, planted("tiles")[0])
    plain = json.loads(harena("review", "1", "--nodes", "2000", "--json").out)
    assert plain["player"] == "champion" and plain["nodes"] == 2000
    assert any(one["mark"] == "blunder" for one in plain["decisions"])


@pytest.mark.slow
def test_luck_faults_and_other_players_are_told(harena: Harena, tmp_path: Path) -> None:
    fair = planted("isolation")[0]
    over = recorded(start(fair), [ply.move for ply in fair.plies[:3]], TIME, 0)
    stored(tmp_path, random_game("trap", 5, 3), over, recorded(start(fair), [], TIME, 0))
    trap = harena("review", "1", "--nodes", "2000").out
    assert " luck of player " in trap and "@" in trap
    thrown = [line.split() for line in trap.splitlines() if " luck of player " in line]
    assert all((cells[1], cells[5]) == ("-", "-") for cells in thrown) and "- as player and cost: chance" in trap
    nobody = harena("review", "3", "--nodes", "2000").out
    assert "- as accuracy: this player had nothing to decide" in nobody and "as player and cost" not in nobody
    assert "player 2 lost by time after ply 3; " in harena("review", "2", "--nodes", "2000").out
    assert "player 2 lost by time before the first move; " in nobody
    assert "accuracy" in harena("review", "3", "--nodes", "2000").out
    other = harena("review", "2", "--player", "id(heuristic=open)", "--nodes", "2000")
    assert "fitted to the champion's heuristic" in other.out


def test_how_a_game_ended_comes_before_what_its_moves_were_worth() -> None:
    record = recorded(start(planted("isolation")[0]), [], CRASH, 0)

    def said(record: Record, moment: Moment) -> str:
        return _decided(record, Review(**BARE), moment)  # type: ignore[arg-type]

    begin = Moment(ply=0, by=None, move=None, kind="start")
    ended = "player 2 lost by a crash before the first move; "
    assert said(record, begin) == f"{ended}by the moves, player 1 was ahead from the start on"
    assert said(replace(record, reason=RULES), begin) == "decided from the start on"
    made = Moment(ply=4, by=1, move="d4", kind="decision")
    assert said(record, made) == f"{ended}by the moves, decided by player 2's d4 (ply 4)"
    fault = Moment(ply=0, by=1, move=None, kind="fault")
    assert said(record, fault) == f"{ended}decided by how it ended, not on the board"
    assert said(replace(record, reason=RESIGNED), begin).startswith("player 2 resigned before the first move; ")


def test_mistakes_are_one_line(harena: Harena, tmp_path: Path) -> None:
    assert "there are no games yet" in harena("review", "1").err
    stored(tmp_path, planted("tiles")[0], random_game("tiles", 6, 3))
    for words, said in (
        (("7",), "no game 7"),
        (("1", "--player", "nobody"), "nobody"),
        (("2", "--player", "random", "--nodes", "100"), "says no value"),
        (("1", "--nodes", "0"), "more than 0"),
        (("1", "--seconds", "-1"), "more than 0"),
    ):
        answer = harena("review", *words)
        assert answer.code == 2 and said in answer.err and len(answer.err.splitlines()) == 1, words


def test_ctrl_c_ends_it_and_nothing_is_kept(harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path, random_game("trap", 5, 3))

    def interrupted(self: reviewing.Reviewer, place: int, flag: reviewing.Flag) -> None:
        flag[0] = 1  # as Ctrl-C does

    monkeypatch.setattr(reviewing.Reviewer, "_prove", interrupted)
    answer = harena("review", "1")
    assert answer.code == 130
    with Store(tmp_path / "games.sqlite", writing=False) as store:
        assert store.review(1, "champion", VERSION) is None


def test_a_review_ends_with_the_command_that_looks_into_the_costliest_decision(harena: Harena, tmp_path: Path) -> None:
    record, ply, right, _ = planted("tiles")
    stored(tmp_path, record)
    lines = harena("review", "1", "--nodes", "20000").out.splitlines()
    before = list(states(record))[ply - 1]
    command = f"harena analyse tiles --position {shlex.quote(before.text)}"
    assert lines[-1] == f"the costliest decision, ply {ply}: {command}"
    assert "better line" in " ".join(lines) and any(f"{move} > " in line for line in lines for move in right)
    assert harena(*shlex.split(command)[1:], "--nodes", "2000").code == 0
