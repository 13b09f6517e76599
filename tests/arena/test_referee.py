"""Dice that nobody can foresee, clocks, stalls of the machine, and who may play a run."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import harena
from harena.agents.contestant import Contestant, LocalContestant, Said
from harena.agents.fault import AgentFault
from harena.arena import pacing
from harena.arena.claims import claimed, is_claimed
from harena.arena.conditions import spec_of
from harena.arena.contest import Contest, Spec
from harena.arena.outputs import Outputs
from harena.arena.pacing import Infrastructure, Pacer, processor_share
from harena.arena.record import Ply
from harena.arena.referee import Referee, Terms
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.arena.troubles import StoreError
from harena.errors import BadOption, UsageError
from harena.kernel.rng import generator
from harena.search.result import Limits

ISOLATION = harena.game("isolation", size=5)
TRAP = harena.game("trap", size=5)
ANY = Terms(limits=Limits(nodes=1))


class Oracle(LocalContestant):
    """Foretells every landing from the numbers it is given, as far as they go."""

    def __init__(self) -> None:
        super().__init__("random", "trap")
        self.told: list[int] = []
        self.foretold: list[set[str]] = []

    def begin(self, options, start, seat, seed):  # type: ignore[no-untyped-def]
        super().begin(options, start, seat, seed)
        self.told = [seed]

    def choose(self, state, moves, limits, seed, allowed=None):  # type: ignore[no-untyped-def]
        said = super().choose(state, moves, limits, seed, allowed)
        self.told.append(seed)
        after = state.play(said.move)
        if after.mover == harena.CHANCE and not after.is_over:
            near = {number + shift for number in self.told for shift in range(-2, 3)}
            self.foretold.append({str(after.random_move(generator(max(0, one)))) for one in near})
        return said


def test_nobody_can_tell_the_dice_from_the_numbers_that_agents_are_given() -> None:
    oracle, other = Oracle(), LocalContestant("random", "trap")
    missed = 0
    for seed in range(12):
        oracle.foretold.clear()
        record = Referee(game=TRAP, options={}, terms=(ANY, ANY)).play(
            TRAP.initial(), (oracle, other), ("a", "b"), seed
        )
        landings = [record.plies[ply + 1].move for ply in range(len(record.plies) - 1) if record.plies[ply].by == 0]
        thrown = [move for move in landings if move.startswith("!")]
        missed += sum(move not in guesses for move, guesses in zip(thrown, oracle.foretold, strict=False))
    assert missed  # one who knows the seed would never be wrong


# Clocks


def plies(*by: int, seconds: float = 1.0) -> list[Ply]:
    return [Ply(by=one, move="a1", seconds=None if one == harena.CHANCE else seconds) for one in by]


def test_a_first_move_may_have_a_time_of_its_own() -> None:
    terms = Terms(limits=Limits(seconds=2.0), first=30.0)
    assert terms.told(1, plies(0)) == (Limits(seconds=30.0), None)
    assert terms.told(1, plies(0, 1, 0)) == (Limits(seconds=2.0), None)


def test_a_turn_is_timed_as_a_whole() -> None:
    terms = Terms(limits=Limits(seconds=5.0, nodes=9), by_turn=True)
    assert terms.told(0, []) == (Limits(seconds=2.5, nodes=9), 5.0)
    assert terms.told(0, plies(0)) == (Limits(seconds=4.0, nodes=9), 4.0)
    assert terms.told(1, plies(0, 0, 2)) == (Limits(seconds=2.5, nodes=9), 5.0)
    limits, left = terms.told(0, plies(0, seconds=7.0))
    assert left == limits.seconds and left is not None and 0 < left < 0.01
    assert Terms(limits=Limits(nodes=9), by_turn=True).told(0, []) == (Limits(nodes=9), None)


# A machine that is overloaded


class Stalled(LocalContestant):
    """Gets no processor at its second move, the first so many times."""

    def __init__(self, text: str, name: str, times: int = 1) -> None:
        super().__init__(text, name)
        self.times = times

    def choose(self, state, moves, limits, seed, allowed=None) -> Said:  # type: ignore[no-untyped-def]
        if len(moves) >= 2 and self.times:
            self.times -= 1
            raise AgentFault("time", "no answer", is_stall=True, seconds=1.5)
        return super().choose(state, moves, limits, seed, allowed)


def test_a_game_in_which_the_machine_had_no_processor_for_an_agent_is_nobodys_loss() -> None:
    seats = (Stalled("random", "isolation"), LocalContestant("random", "isolation"))
    with pytest.raises(Infrastructure, match=r"no processor for an agent within 1\.5 s") as stall:
        Referee(game=ISOLATION, options={}, terms=(ANY, ANY)).play(ISOLATION.initial(), seats, ("a", "b"), 1)
    assert stall.value.seat == 0


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is never busy."""
    monkeypatch.setattr(pacing, "processor_share", lambda seconds: 1.0)


@pytest.mark.usefixtures("calm")
def test_the_run_is_paused_then_and_says_so_and_the_game_is_played_again() -> None:
    contest = Contest(Spec(game="isolation", variants=[{"size": 5}], agents=["random", "greedy"], local=True))
    lines: list[str] = []
    contest.say = lines.append
    seats: dict[int, Contestant] = {0: Stalled("random", "isolation"), 1: LocalContestant("greedy", "isolation")}
    record = contest.play(Slot(a=0, b=1, pair=0, swapped=False), seats)
    assert record.reason == "rules" and record.conditions["replays"] == 1
    assert contest.pacer.pauses == 1 and len(lines) == 2
    assert "paused until it is calm; the game is played again" in lines[0] and "goes on after" in lines[1]


def test_no_game_begins_while_the_machine_is_overloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = iter([0.1, 0.9, 0.2, 0.9, 0.9, 0.9])
    pacer, stopped, waiting = Pacer(), threading.Event(), list[bool]()

    def share(seconds: float) -> float:
        waiting.append(not pacer._is_calm.is_set())
        return next(shares)

    monkeypatch.setattr(pacing, "processor_share", share)
    monkeypatch.setattr(pacing, "BETWEEN", 0.0)
    pacer.pause(stopped)
    assert waiting == [True] * 6 and pacer.pauses == 1
    pacer.wait(stopped)  # returns at once


def test_the_share_of_a_processor_is_measured() -> None:
    assert 0.0 < processor_share(0.02) <= 1.1


def test_whoever_lets_others_agents_play_gives_no_seed_away() -> None:
    ours = spec_of("trap", ["random", "easy"], Limits())
    theirs = [spec_of("trap", ["random", "somebody.py"], Limits()).seed for _ in range(2)]
    assert ours.seed == 0 and theirs[0] != theirs[1] and spec_of("trap", ["x.py"], Limits(), seed=7).seed == 7


# Runs


def test_a_run_is_played_by_one_process(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    with claimed(store, "one"):
        assert is_claimed(store, "one") and not is_claimed(store, "two")
        with pytest.raises(UsageError, match="run one is being played by another process"), claimed(store, "one"):
            pass
        with claimed(store, "two"):
            assert is_claimed(store, "two")
    assert not is_claimed(store, "one") and not list(tmp_path.iterdir())


def harena_command(*words: str, cwd: Path, store: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"HARENA_STORE": str(store)}
    return subprocess.Popen(
        [sys.executable, "-m", "harena", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environment,
    )


def begun(store: Path) -> str:
    """The id of the first run, once it has a game."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if store.exists():
            with contextlib.suppress(StoreError), Store(store, writing=False) as kept:
                for run, (games, *_) in kept.counts().items():
                    if games:
                        return run
        time.sleep(0.05)
    raise AssertionError("no game was played")


AGENT = """
import itertools, os, time
from harena.agents.bot import run
moves = itertools.count()
run(lambda turn: time.sleep(4 if next(moves) > 8 and os.path.exists("slow") else 0) or turn.legal[0])
"""


@pytest.mark.process
def test_a_signal_ends_a_run_cleanly_and_it_goes_on_from_any_folder(tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "games.sqlite"
    home.mkdir()
    (home / "mine.py").write_text(AGENT)
    (home / "slow").touch()
    match = ("match", "isolation", "mine.py", "random", "--games", "20", "--size", "4", "--seconds", "5")
    running = harena_command(*match, cwd=home, store=store)
    run = begun(store)
    second = harena_command("resume", run, "--agent", "mine.py", cwd=home, store=store)
    assert "is being played by another process" in second.communicate()[1] and second.returncode == 2
    nothing = harena_command("resume", cwd=home, store=store)
    assert "nothing to resume" in nothing.communicate()[1]
    running.send_signal(signal.SIGTERM)
    said = running.communicate()[0]
    assert running.returncode == 130 and f"harena resume {run} --agent {home / 'mine.py'}" in said
    assert Store(store, writing=False).run(run).status == "stopped"
    with sqlite3.connect(store) as database:  # and a game is damaged meanwhile
        database.execute("UPDATE games SET record = 'x' WHERE id = 1")
    database.close()
    (home / "slow").unlink()
    again = harena_command("resume", "--agent", "home/mine.py", cwd=tmp_path, store=store)
    said, troubles = again.communicate()
    assert again.returncode == 0 and "of 20 games for A" in said, troubles
    assert "is damaged" in troubles
    with Store(store, writing=False) as kept:
        assert len(list(kept.games(run))) == 20


def test_openings_fit_a_size_that_is_played_or_are_refused() -> None:
    small, large = harena.game("isolation", size=4).initial().text, harena.game("isolation", size=5).initial().text
    spec: dict[str, Any] = {
        "game": "isolation",
        "variants": [{"size": "4"}, {"size": "5"}],
        "agents": ["random", "greedy"],
    }
    contest = Contest(Spec(**spec, openings=[large, small, large]))
    starts = [contest.start_of(Slot(a=0, b=1, pair=pair, swapped=False)) for pair in range(4)]
    assert [(number, state.text) for number, state in starts] == [(1, large), (0, small), (1, large), (1, large)]
    with pytest.raises(BadOption, match="opening 2: "):
        Contest(Spec(**spec, openings=[small, harena.game("isolation", size=6).initial().text]))


def test_what_an_agent_may_use_is_kept_with_the_game() -> None:
    agents = ["mm_open", "mm_open(nodes=7)"]
    contest = Contest(Spec(game="isolation", variants=[{"size": 4}], agents=agents, local=True, limits={"nodes": 5}))
    contestants = {0: contest.contestant(0), 1: contest.contestant(1)}
    record = contest.play(Slot(a=0, b=1, pair=0, swapped=True), contestants)
    assert record.conditions["seats"] == [{"nodes": 7, "depth": 3}, {"nodes": 5, "depth": 3}]
    assert json.loads(json.dumps(record.as_dict()))["conditions"]["limits"] == {"nodes": 5}


@pytest.mark.usefixtures("calm")
def test_what_was_printed_in_a_game_that_does_not_count_says_so(tmp_path: Path) -> None:
    contest = Contest(Spec(game="isolation", variants=[{"size": 5}], agents=["random", "greedy"], local=True))
    kept = contest.outputs = Outputs(str(tmp_path), contest.spec.agents)

    def listen(slot: str, agent: int, seat: int | None, one: Contestant) -> None:
        kept.heard(slot, agent, seat, next(said, b""))

    said = iter((b"late", b"", b"", b"", b"again"))
    contest._listen = listen  # type: ignore[method-assign]
    slot = Slot(a=0, b=1, pair=0, swapped=False)
    record = contest.play(slot, {0: Stalled("random", "isolation"), 1: LocalContestant("greedy", "isolation")})
    kept.ended(str(slot), 7, record)
    first = "--- not counted: the machine was overloaded, played again; as player 1 ---\nlate\n"
    assert kept.files[0].read_text() == f"{first}--- game 7, player 2 won; as player 1 ---\nagain\n"
