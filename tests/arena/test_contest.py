"""Matches and tournaments: pairs, seats, seeds, sizes, early stops; interrupted runs end as uninterrupted ones."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from harena.agents.process import MARK
from harena.arena import match, tournament
from harena.arena.conditions import conditions, openings_of
from harena.arena.contest import Contest, Spec
from harena.arena.record import Ply, Record
from harena.arena.repetition import warning
from harena.arena.running import play_missing, stored
from harena.arena.slot import Slot, slot_of
from harena.arena.store import FINISHED, Row, Run, Store
from harena.arena.summary import summary_of
from harena.arena.troubles import StoreError
from harena.errors import BadFile, BadOption, HarenaError

ISOLATION: dict[str, Any] = {"setup": "random-placements", "size": "5"}


def spec(*agents: str, **more: Any) -> Spec:
    given: dict[str, Any] = {"limits": {"nodes": 60}, "seed": 4, "local": True} | more
    return Spec(game="isolation", variants=[ISOLATION], agents=list(agents), **given)


def test_the_same_pair_again_is_no_evidence() -> None:
    def record(move: str, winner: int) -> Record:
        plies = (Ply(by=0, move=move),)
        return Record(game="isolation", options={}, start="s", seats=("a", "b"), plies=plies, winner=winner)

    standing = match.Standing(match.Plan(spec=spec("a", "b"), pairs=30, sprt="quick"))
    for pair in range(30):
        standing.add(Slot(a=0, b=1, pair=pair, swapped=False), record("a1", 0))
        standing.add(Slot(a=0, b=1, pair=pair, swapped=True), record("b1" if pair < 29 else "c1", 1))
    assert standing.counted == 30 and standing.pairs.score == 1.0 and standing.repeats_itself
    assert standing.evidence.games == 4 and standing.state is not None and not standing.state.over
    assert standing.evidence.elo.low < 0 < standing.pairs.elo.low  # all won, yet four games show little
    assert warning([record("a1", 0)] * 3) and not warning([record("a1", 0), record("b1", 0), record("b1", 0)])


def test_openings_are_among_the_conditions_in_place_of_the_setup() -> None:
    said = conditions(spec("random", "random", openings=["a", "b"]))
    assert "openings 2 of a file" in said and "setup" not in said
    assert "setup random-placements" in conditions(spec("random", "random"))


@pytest.mark.parametrize(
    ("sizes", "said"),
    [("6 7 8", "size 6-8"), ("6", "size 6"), ("6 8", "size 6 8"), ("7 6", "size 7 6"), ("4x5 4x6", "size 4x5 4x6")],
)
def test_sizes_that_follow_each_other_are_a_range(sizes: str, said: str) -> None:
    variants = [{"size": size} for size in sizes.split()]
    assert f", {said}, seed" in conditions(replace(spec("random", "random"), variants=variants))


def test_the_list_of_runs_rounds_as_the_report_does() -> None:
    plan = match.Plan(spec=spec("random", "greedy"), pairs=200)
    slots = [Slot(a=0, b=1, pair=pair, swapped=swapped) for pair in range(200) for swapped in (False, True)]
    rows = [
        Row(
            id=number,
            run="r",
            slot=str(slot),
            game="isolation",
            seats=("", ""),
            winner=slot.seats.index(0 if number < 157 else 1),
            reason="rules",
            plies=0,
            created="",
        )
        for number, slot in enumerate(slots)
    ]
    run = Run(id="r", kind="match", spec=plan.as_dict(), status=FINISHED, created="", finished=None, note="")
    assert summary_of(run, rows).result == "60.8 % for the second"


def played(plan: match.Plan, path: Path, concurrency: int = 1) -> match.Standing:
    standing = match.Standing(plan)

    def watch(slot: Slot, record: Record) -> bool:
        standing.add(slot, record)
        return standing.is_decided

    with Store(path) as store:
        run = store.new_run("match", plan.as_dict())
        play_missing(store, run.id, Contest(plan.spec), plan.slots(), concurrency, watch)
        assert {slot: record.as_dict() for slot, record in stored(store, run.id)}.keys() >= {
            Slot(a=0, b=1, pair=pair, swapped=swapped) for pair, swapped in standing.records
        }
    return standing


def essence(record: Record) -> tuple[Any, ...]:
    return record.seats, record.start, record.winner, record.reason, [(ply.by, ply.move) for ply in record.plies]


def test_slots_have_texts() -> None:
    slot = Slot(a=1, b=3, pair=12, swapped=True)
    assert str(slot) == "1-3/12/1" and slot_of(str(slot)) == slot and slot.seats == (3, 1)


def test_the_two_games_of_a_pair_have_one_start_and_swapped_seats(tmp_path: Path) -> None:
    standing = played(match.Plan(spec=spec("id_improved", "mcts"), pairs=4), tmp_path / "games.db")
    assert standing.pairs.games == 8 and standing.is_decided
    starts = set()
    for pair in range(4):
        one, other = standing.records[pair, False], standing.records[pair, True]
        assert one.start == other.start and one.seats == other.seats[::-1] == ("id_improved", "mcts")
        assert one.seed == other.seed
        starts.add(one.start)
    assert len(starts) == 4


def test_the_same_agent_twice_scores_even_by_pairs(tmp_path: Path) -> None:
    standing = played(match.Plan(spec=spec("id_improved", "id_improved"), pairs=10), tmp_path / "games.db")
    assert standing.pairs.score == 0.5 and standing.pairs.counts[2] == 10


@pytest.mark.process
def test_in_this_process_or_in_their_own_the_games_are_the_same(tmp_path: Path) -> None:
    both = [
        played(match.Plan(spec=spec("id_improved", "mcts", local=local), pairs=2), tmp_path / f"{local}.db")
        for local in (True, False)
    ]
    assert [essence(record) for record in both[0].records.values()] == [
        essence(record) for record in both[1].records.values()
    ]
    assert both[0].pairs == both[1].pairs


def test_trap_throws_the_same_dice_in_both_games_of_a_pair() -> None:
    contest = Contest(Spec(game="trap", variants=[{"size": 4}], agents=["easy", "easy"], local=True, seed=2))
    records = [
        contest.play(Slot(a=0, b=1, pair=0, swapped=swapped), {0: contest.contestant(0), 1: contest.contestant(0)})
        for swapped in (False, True)
    ]
    assert essence(records[0])[1:] == essence(records[1])[1:]  # the same agent, the same seeds, the same landings
    assert any(ply.by == 2 for ply in records[0].plies)


@pytest.mark.process
def test_pairs_take_turns_with_the_sizes(tmp_path: Path) -> None:
    variants = [{"size": size} for size in ("4", "5", "6")]
    plan = match.Plan(spec=Spec(game="tiles", variants=variants, agents=["random", "greedy"], local=True), pairs=6)
    standing = played(plan, tmp_path / "games.db")
    sizes = [len(standing.records[pair, False].start.split()[0].split("/")) for pair in range(6)]
    assert sizes == [4, 5, 6, 4, 5, 6]


def test_a_sequential_test_ends_the_match_and_says_so(tmp_path: Path) -> None:
    plan = match.Plan(spec=spec("id_improved(nodes=500)", "random"), pairs=200, sprt="quick")
    standing = played(plan, tmp_path / "games.db")
    assert standing.state is not None and standing.state.verdict == "H1"
    assert standing.counted < 50


@pytest.mark.slow
@pytest.mark.parametrize("kind", tournament.TYPES)
def test_every_type_of_tournament_is_played_to_its_end(kind: str, tmp_path: Path) -> None:
    agents = ["random", "greedy", "mcts(iterations=20)", "id(heuristic=left)", "alphabeta(depth=1, heuristic=left)"]
    plain = Spec(game="tiles", variants=[{"setup": "random"}], agents=agents, limits={"nodes": 100}, local=True)
    table = tournament.Table(tournament.Plan(spec=plain, type=kind, pairs=1))
    with Store(tmp_path / "games.db") as store:
        run = store.new_run("tournament", table.plan.as_dict())
        for _ in range(20):
            if all(slot in table.records for slot in table.needed()):
                break

            def watch(slot: Slot, record: Record) -> bool:
                table.records[slot] = record
                return False

            play_missing(store, run.id, Contest(plain), table.needed(), 1, watch)
        assert tournament.plan_of(dict(store.run(run.id).spec)) == table.plan
    if table.total is not None:
        assert len(table.records) == table.total
    assert sum(table.standings().values()) == len(table.records)
    fitted = table.ratings()
    assert sorted(row.name for row in fitted.rows) == sorted(agents)
    assert all(row.low < row.elo < row.high for row in fitted.rows)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = 'isolation'", "a tournament has at least"),
        ("gmae = 'isolation'", "did you mean 'game'"),
        ("game =", "Invalid value"),
    ],
)
def test_a_file_that_describes_no_tournament_gets_one_line(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(BadFile, match=words):
        tournament.from_toml(str(file))
    with pytest.raises(BadFile, match="cannot be read"):
        tournament.from_toml(str(tmp_path / "none.toml"))


def test_a_tournament_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadOption, match="at least two"):
        tournament.Plan(spec=spec("random"))
    with pytest.raises(BadOption, match="is there 2 times"):
        tournament.Plan(spec=spec("random", "random"))
    with pytest.raises(HarenaError, match="no type of tournament 'swis'; did you mean 'swiss'"):
        tournament.Plan(spec=spec("random", "mcts"), type="swis")


# Interrupted

COMMAND = [
    *(sys.executable, "-m", "harena", "match", "isolation", "id_improved(nodes=300)", "mcts(iterations=60)"),
    *("--size", "5", "--games", "12", "--seed", "3", "--concurrency", "2"),
]


def start(*words: str, store: Path) -> "subprocess.Popen[str]":
    environment = os.environ | {"HARENA_STORE": str(store)}
    return subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def figures(report: str) -> list[list[str]]:
    return [line.split() for line in report.splitlines() if line.startswith(("score", "Elo", "pairs"))]


def has_run(path: Path) -> bool:
    with Store(path) as store:
        return bool(store.runs())


def all_games(path: Path) -> dict[str, tuple[Any, ...]]:
    with Store(path) as store:
        runs = store.runs()  # one, or none yet
        return {str(slot): essence(record) for run in runs for slot, record in stored(store, run.id)}


def number_of_games(path: Path) -> int:
    with contextlib.suppress(StoreError), Store(path, writing=False) as store:
        return sum(number for number, *_ in store.counts().values())
    return 0


@pytest.mark.process
@pytest.mark.slow
def test_killed_again_and_again_a_match_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = start(*COMMAND, store=tmp_path / "whole.db")
    table, _ = whole.communicate(timeout=300)
    assert whole.returncode == 0
    path, rng = tmp_path / "killed.db", random.Random(5)
    words = COMMAND
    for wanted, pause in ((0, 1.5), (3, 0.05)):  # as it starts, and between games
        process = start(*words, store=path)
        deadline = time.monotonic() + 300
        while number_of_games(path) < wanted and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(pause * rng.random())
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if path.exists() and has_run(path):
            words = [sys.executable, "-m", "harena", "resume", "--concurrency", "2"]
    process = start(*words, store=path)
    again, trouble = process.communicate(timeout=300)
    assert process.returncode == 0 or "nothing to resume" in trouble  # it was killed when all was done
    assert all_games(path) == all_games(tmp_path / "whole.db")
    if process.returncode == 0:
        assert figures(again) == figures(table)
    deadline = time.monotonic() + 120
    while (left := [one for one in psutil.process_iter() if is_orphan(one)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def is_orphan(process: psutil.Process) -> bool:
    try:
        is_ours = process.environ().get("HARENA_STORE", "").endswith("killed.db") and MARK in process.environ()
        return is_ours and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False


@pytest.mark.process
def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    process = start(*[word if word != "12" else "2000" for word in COMMAND], store=path)
    deadline = time.monotonic() + 300
    while not (path.exists() and len(all_games(path)) > 3) and time.monotonic() < deadline:
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, trouble = process.communicate(timeout=300)
    assert process.returncode == 130, trouble
    assert "stopped; go on with: harena resume " in out and "Traceback" not in trouble
    assert "--store" not in out  # HARENA_STORE says where


def test_openings_take_the_place_of_random_starts(tmp_path: Path) -> None:
    openings = ["1..../...../..x../...../....2 1", "1..../.x.../...../...../....2 2"]
    plain = Spec(
        game="isolation", variants=[{"size": "5"}], agents=["mcts", "random"], limits={"nodes": 20}, openings=openings
    )
    contest = Contest(plain)
    starts = [contest.start_of(Slot(a=0, b=1, pair=pair, swapped=False))[1].text for pair in range(4)]
    assert starts == openings * 2
    file = tmp_path / "openings.txt"
    file.write_text("# two\n" + "\n".join(openings) + "\n\n", "utf-8")
    assert openings_of(str(file)) == openings and openings_of(None) is None
    file.write_text("# none\n", "utf-8")
    with pytest.raises(BadFile, match="no position in it"):
        openings_of(str(file))
    with pytest.raises(BadFile, match="cannot be read"):
        openings_of(str(tmp_path / "nothing"))
    with pytest.raises(BadOption, match="opening 1 is a game that is over"):
        Contest(replace(plain, openings=["1xxxx/xxxxx/xxxxx/xxxxx/xxxx2 1"]))
