"""Dice that nobody can foresee, clocks, stalls of the machine, and who may play a run."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import harena
from harena.agents.contestant import Contestant, LocalContestant, Said
from harena.agents.process import AgentFault, AgentProcess
from harena.agents.tree import NO_LOAD, Load, Tree
from harena.arena.claims import claimed, is_claimed
from harena.arena.conditions import spec_of
from harena.arena.contest import EXCUSED, EXCUSED_SHARE, Contest, Slot, Spec
from harena.arena.outputs import Outputs
from harena.arena.record import Ply, Record
from harena.arena.referee import DUE, Infrastructure, Referee, Terms
from harena.arena.stalls import StallProbe
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


# Stalls


class Late(LocalContestant):
    """Overruns at its second move, at a moment of the test's choice."""

    deadline, waited = 1000.0, 0.0

    def choose(self, state, moves, limits, seed, allowed=None) -> Said:  # type: ignore[no-untyped-def]
        if len(moves) >= 2:
            raise AgentFault("time", "no answer", deadline=self.deadline, waited=self.waited)
        return super().choose(state, moves, limits, seed, allowed)


def overrun(*stalls: tuple[float, float], margin: float = 0.05, excusable: bool = True) -> str:
    """Why a game ends in which the machine stood still at these moments, each for so long."""
    return overran(*stalls, margin=margin, excusable=excusable).reason


def overran(*stalls: tuple[float, float], margin: float = 0.05, excusable: bool = True) -> Record:
    """Such a game."""
    probe = StallProbe()
    probe.stalls.extend(stalls)
    seats = (Late("random", "isolation"), LocalContestant("random", "isolation"))
    referee = Referee(
        game=ISOLATION, options={}, terms=(ANY, ANY), margin=margin, probe=probe, excusable=(excusable, True)
    )
    return referee.play(ISOLATION.initial(), seats, ("a", "b"), 1)


def test_an_overrun_is_excused_only_by_a_stall_when_the_answer_was_due() -> None:
    due = Late.deadline - 0.05
    with pytest.raises(Infrastructure, match="stood still for 40 ms") as stall:
        overrun((due, 0.04))
    assert stall.value.seat == 0
    with pytest.raises(Infrastructure):
        overrun((due - DUE, 0.015), (due + 0.03, 0.015))  # together more than half of the margin
    assert overrun() == overrun((due, 0.02)) == "time"
    assert overrun((due - 1.0, 0.9)) == "time"  # it saw the clock after that
    assert overrun((due, 0.04), excusable=False) == "time"
    assert overran((due, 0.045), excusable=False).detail == "no answer; the machine stood still for 45 ms"
    assert overran((due, 0.03), excusable=False).detail == "no answer"  # that explains only a part


def test_an_overrun_is_excused_if_there_was_no_processor_for_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Late, "waited", 0.03)
    with pytest.raises(Infrastructure, match="30 ms"):
        overrun()
    monkeypatch.setattr(Late, "waited", 0.02)
    assert overrun() == "time"


BUSY = """
import json, sys, threading, time
def spin(seconds):
    begin = time.process_time()
    while time.process_time() < begin + seconds:
        pass
for line in sys.stdin:
    told = json.loads(line)
    thinker = threading.Thread(target=spin, args=(told.get("spin", 0),))
    thinker.start()  # most players think in a thread that is not their first
    thinker.join()
    if not told.get("silent"):
        print(json.dumps({"type": "done"}), flush=True)
    time.sleep(told.get("sleep", 0))
"""


def kept_waiting(agent: AgentProcess, message: dict[str, float], seconds: float) -> float:
    """How long an agent that does not answer waited for a processor."""
    with pytest.raises(AgentFault, match="no answer") as fault:
        agent.ask(message, "done", seconds)
    return fault.value.waited


def test_how_long_an_agent_waits_for_a_processor_is_known() -> None:
    """Asked several times: the machine itself may stand still in one of them."""
    agent = AgentProcess([sys.executable, "-c", BUSY])
    cores = os.sched_getaffinity(agent.process.pid)
    rival = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        agent.ask({}, "done", 120)
        asleep = min(kept_waiting(agent, {"silent": True, "sleep": 0.3}, 0.2) for _ in range(3))
        for pid in (agent.process.pid, rival.pid):  # both on one processor
            os.sched_setaffinity(pid, {min(cores)})
        is_told = any(kept_waiting(agent, {"silent": True, "spin": 90}, 2.0) > 0.3 for _ in range(10))
    finally:
        rival.kill()
        rival.wait()
        agent.kill()
    assert asleep < 0.1 and is_told


def test_a_wait_that_is_not_over_counts() -> None:
    """The system counts a wait when it ends: of an agent that gets no processor at all it knows nothing."""
    agent = AgentProcess([sys.executable, "-c", BUSY])
    core = {min(os.sched_getaffinity(agent.process.pid))}
    rivals = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        agent.ask({}, "done", 120)
        for pid in (agent.process.pid, *(rival.pid for rival in rivals)):
            os.sched_setaffinity(pid, core)
        os.sched_setscheduler(agent.process.pid, os.SCHED_IDLE, os.sched_param(0))
        waited = max(kept_waiting(agent, {"silent": True, "spin": 90}, 0.1) for _ in range(5))
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
        agent.kill()
    assert waited > 0.05


def test_processes_that_wait_for_each_other_excuse_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(os.getpid())
    load = Load({1: 1.4, 2: 1.3}, {}, {1: 0.1, 2: 0.2})  # each waited for long, the others having the processors
    monkeypatch.setattr(tree, "load", lambda: load)
    assert tree.kept_waiting(NO_LOAD, 1.5) == pytest.approx(1.2)
    assert tree.kept_waiting(load, 1.5) == 0.0
    used = {1: 0.1, 2: 0.2, **dict.fromkeys((3, 4, 5), 0.4)}
    load = Load({1: 1.4, 2: 1.3, **dict.fromkeys((3, 4, 5), 1.0)}, {}, used)
    assert tree.kept_waiting(NO_LOAD, 1.5) == 0.0


def test_whoever_lets_others_agents_play_gives_no_seed_away() -> None:
    ours = spec_of("trap", ["random", "easy"], Limits())
    theirs = [spec_of("trap", ["random", "somebody.py"], Limits()).seed for _ in range(2)]
    assert ours.seed == 0 and theirs[0] != theirs[1] and spec_of("trap", ["x.py"], Limits(), seed=7).seed == 7


def test_an_agent_that_overruns_again_and_again_is_not_excused_for_ever() -> None:
    contest = Contest(Spec(game="isolation", variants=[{"size": 5}], agents=["random", "greedy"], local=True))

    def always(*span: float) -> float:
        return 1.0

    contest.probe.lost = always  # type: ignore[method-assign]
    seats = {0: Late("random", "isolation"), 1: LocalContestant("greedy", "isolation")}
    records = [contest.play(Slot(a=0, b=1, pair=pair, swapped=False), dict(seats)) for pair in range(4)]
    assert [record.reason for record in records] == ["time"] * 4
    assert records[0].conditions["replays"] >= EXCUSED
    assert sum(contest.replays.values()) == contest.excused[0] <= EXCUSED + EXCUSED_SHARE * 4 + 1


def test_a_stall_that_is_not_over_yet_counts() -> None:
    probe = StallProbe()
    begin = time.perf_counter()
    assert probe.lost(begin, begin + 1) == 0.0
    probe._asleep_since = begin - 0.1
    assert probe.lost(begin - 0.1, begin) == pytest.approx(0.1, abs=0.002)
    assert probe.lost(begin - 0.05, begin) == pytest.approx(0.05, abs=0.001)


def test_the_probe_notes_a_machine_that_stands_still() -> None:
    probe = StallProbe()
    probe.start()
    try:
        begin, deadline = time.perf_counter(), time.perf_counter() + 20
        while not probe.stalls and time.perf_counter() < deadline:
            sum(range(3_000_000))  # keeps the interpreter busy for longer than a nap
            sys.setswitchinterval(0.1)
    finally:
        sys.setswitchinterval(0.005)
        probe.stop()
    assert probe.worst > 0.004 and probe.lost(begin, time.perf_counter()) > 0.004


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
    spec = {"game": "isolation", "variants": [{"size": "4"}, {"size": "5"}], "agents": ["random", "greedy"]}
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


def test_what_was_printed_in_a_game_that_does_not_count_says_so(tmp_path: Path) -> None:
    contest = Contest(Spec(game="isolation", variants=[{"size": 5}], agents=["random", "greedy"], local=True))
    kept = contest.outputs = Outputs(str(tmp_path), contest.spec.agents)

    def once(*span: float) -> float:
        return 0.0 if contest.replays else 1.0

    def listen(slot: str, agent: int, seat: int | None, one: Contestant) -> None:
        kept.heard(slot, agent, seat, next(said, b""))

    said = iter((b"late", b"", b"", b"", b"again"))
    contest.probe.lost = once  # type: ignore[method-assign]
    contest._listen = listen  # type: ignore[method-assign]
    slot = Slot(a=0, b=1, pair=0, swapped=False)
    record = contest.play(slot, {0: Late("random", "isolation"), 1: LocalContestant("greedy", "isolation")})
    kept.ended(str(slot), 7, record)
    first = "--- not counted: the machine stood still, played again; as player 1 ---\nlate\n"
    assert kept.files[0].read_text() == f"{first}--- game 7, player 2 won: time; as player 1 ---\nagain\n"
