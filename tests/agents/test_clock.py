"""What an agent used is counted, and not what the machine took: wall clocks, CPU clocks, and stalls."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from harena.agents import process as agent_process
from harena.agents.clocks import CLOCKS, parse_clock
from harena.agents.fault import CPU, SLEEP_FACTOR, SLEEP_SECONDS, WALL, AgentFault
from harena.agents.process import MOST_LINE, MOST_OUTPUT, AgentProcess
from harena.agents.tree import NO_LOAD, Load, Tree
from harena.errors import BadOption, UnknownName
from harena.sandbox.stalls import Stall, StallProbe
from harena.sandbox.workplace import workplace

AGENT = """
import json, os, sys, threading, time

def spin(seconds):
    begin = time.thread_time()
    while time.thread_time() < begin + seconds:
        pass

for line in sys.stdin:
    told = json.loads(line)
    thinkers = [threading.Thread(target=spin, args=(told.get("spin", 0),)) for _ in range(told.get("threads", 1))]
    for one in thinkers:
        one.start()  # most players think in a thread that is not their first
    for one in thinkers:
        one.join()
    for _ in range(told.get("children", 0)):
        if os.fork() == 0:
            spin(told["each"])
            os._exit(0)
        os.wait()
    time.sleep(told.get("sleep", 0))
    os.write(2, b"x" * told.get("words", 0))
    print(told.get("chatter", ""), end="")
    if not told.get("silent"):
        print(json.dumps({"type": "done"}), flush=True)
"""
LONG = 300.0  # seconds: only a test that fails waits so long


@contextmanager
def agent(*, group: bool = False, trusted: bool = False) -> Iterator[AgentProcess]:
    made = AgentProcess(
        [sys.executable, "-c", AGENT], group=workplace().new_group() if group else None, trusted=trusted
    )
    try:
        made.ask({}, "done", LONG)
        yield made
    finally:
        made.kill()


@contextmanager
def rivals_on_one_core(asked: AgentProcess, number: int) -> Iterator[None]:
    """The agent has one core, which busy processes share with it."""
    core = {min(os.sched_getaffinity(0))}
    rivals = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        for pid in (asked.process.pid, *(rival.pid for rival in rivals)):
            os.sched_setaffinity(pid, core)
        yield
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()


def ask(asked: AgentProcess, seconds: float, clock: str = WALL, **message: Any) -> agent_process.Answer:
    asked.wake()
    return asked.ask(message, "done", seconds, clock=clock)


@pytest.mark.quiet
@pytest.mark.process
@pytest.mark.parametrize("group", [False, True])
def test_what_the_machine_took_is_not_charged(group: bool) -> None:
    """A third of a core is left for an agent that needs 0.4 s of it: it answers after 1.2 s, in time."""
    with agent(group=group) as asked, rivals_on_one_core(asked, 2):
        begin = time.perf_counter()
        answer = asked.ask({"spin": 0.4}, "done", 0.6, stubborn=True)
        elapsed = time.perf_counter() - begin
    assert answer.seconds <= 0.6
    assert elapsed <= 0.6 or answer.taken > 0


@pytest.mark.quiet
@pytest.mark.process
@pytest.mark.parametrize("group", [False, True])
def test_an_agent_that_uses_too_much_is_late_however_busy_the_machine_is(group: bool) -> None:
    with agent(group=group) as asked, rivals_on_one_core(asked, 2):
        asked.wake()
        with pytest.raises(AgentFault, match=r"no answer after .* limit 200 ms") as fault:
            asked.ask({"spin": 60}, "done", 0.2, stubborn=True)
        assert fault.value.reason == "time" and not fault.value.is_stall


@pytest.mark.process
def test_an_agent_that_sleeps_is_late() -> None:
    with agent() as asked, pytest.raises(AgentFault, match=r"no answer after .* limit 200 ms"):
        ask(asked, 0.2, sleep=60)


@pytest.mark.quiet
@pytest.mark.process
def test_an_agent_that_gets_no_processor_at_all_is_a_stall() -> None:
    """Of lowest priority beside busy processes: nobody waits for ever, and it is not the agent's fault."""
    with agent() as asked, rivals_on_one_core(asked, 2):
        os.sched_setscheduler(asked.process.pid, os.SCHED_IDLE, os.sched_param(0))
        with pytest.raises(AgentFault) as fault:
            ask(asked, 0.1, spin=30)
        assert fault.value.is_stall
        assert fault.value.seconds > SLEEP_FACTOR * 0.1 + SLEEP_SECONDS


def test_processes_that_wait_for_each_other_excuse_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(os.getpid())
    load = Load(used=0.3, machine=9.0, waited={1: 1.1, 2: 0.8})  # other programs had the processors
    monkeypatch.setattr(tree, "load", lambda: load)
    assert tree.kept_waiting(NO_LOAD, 1.5, by_one=True) == pytest.approx(1.1)
    assert tree.kept_waiting(NO_LOAD, 1.5) == pytest.approx(1.2)  # what is left beside the CPU time
    assert tree.kept_waiting(load, 1.5) == 0.0
    load = Load(used=1.5, machine=9.0, waited={1: 1.4, 2: 1.3, **dict.fromkeys((3, 4, 5), 1.0)})
    assert tree.kept_waiting(NO_LOAD, 1.5) == 0.0
    load = Load(used=0.3, machine=0.35, waited={1: 1.1, 2: 0.8})  # nobody else used a processor
    assert tree.kept_waiting(NO_LOAD, 1.5) < 0.1


FORGER = """
import json, os, sys, time
for line in sys.stdin:
    for _ in range(28):
        if os.fork() == 0:
            begin = time.process_time()
            while time.process_time() < begin + 0.005:
                pass
            time.sleep(60)
            os._exit(0)
    time.sleep(60)
"""


@pytest.mark.quiet
@pytest.mark.process
@pytest.mark.parametrize("group", [False, True])
def test_children_that_wait_for_each_other_forge_no_stall(group: bool) -> None:
    forger = AgentProcess([sys.executable, "-c", FORGER], group=workplace().new_group() if group else None)
    try:
        with pytest.raises(AgentFault) as fault:
            forger.ask({}, "done", 0.3)
    finally:
        forger.kill()
    assert fault.value.reason == "time" and not fault.value.is_stall


# CPU clocks


@pytest.mark.quiet
@pytest.mark.process
@pytest.mark.parametrize("group", [False, True])
def test_a_cpu_clock_counts_what_was_used_and_not_what_passed(group: bool) -> None:
    with agent(group=group) as asked:
        answer = ask(asked, 1.0, CPU, spin=0.05, sleep=0.3)
        assert 0.05 <= answer.seconds < 0.3
        with rivals_on_one_core(asked, 2):
            assert 0.2 <= ask(asked, 0.3, CPU, spin=0.2).seconds <= 0.3


@pytest.mark.process
@pytest.mark.parametrize("trusted", [False, True])
def test_a_cpu_clock_ends_an_agent_that_thinks_too_long(trusted: bool) -> None:
    with agent(trusted=trusted) as asked, pytest.raises(AgentFault, match="of CPU time: limit 200 ms") as fault:
        ask(asked, 0.2, CPU, spin=60)
    assert fault.value.reason == "time"


@pytest.mark.process
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("message", [{"spin": 0.15, "threads": 4}, {"children": 4, "each": 0.15}])
def test_threads_and_children_that_have_ended_count(group: bool, message: dict[str, float]) -> None:
    with agent(group=group) as asked, pytest.raises(AgentFault, match="of CPU time: limit 300 ms"):
        ask(asked, 0.3, CPU, **message)


@pytest.mark.process
def test_an_agent_that_only_sleeps_is_ended_under_a_cpu_clock_too() -> None:
    with agent() as asked, pytest.raises(AgentFault, match=r"no answer after \d+\.\d s, of which it used") as fault:
        ask(asked, 0.1, CPU, sleep=60)
    assert fault.value.seconds > SLEEP_FACTOR * 0.1 + SLEEP_SECONDS


@pytest.mark.parametrize(
    ("text", "clock", "kind"),
    [(None, None, WALL), ("cpu", None, CPU), ("comp424", "comp424", WALL), ("aind,cpu", "aind", CPU)],
)
def test_a_clock_has_a_name_or_a_kind_or_both(text: str | None, clock: str | None, kind: str) -> None:
    assert parse_clock(text) == (CLOCKS[clock] if clock else None, kind)


def test_a_clock_that_is_none_is_told() -> None:
    with pytest.raises(UnknownName, match="did you mean 'comp424'"):
        parse_clock("comp42,cpu")
    with pytest.raises(BadOption, match="give one clock and one kind"):
        parse_clock("cpu,wall")


# Stalls of the machine


@pytest.mark.quiet
def test_the_watcher_notes_a_machine_that_stands_still() -> None:
    """A watcher that is stopped sees what it would see if the machine stood still."""
    probe, watcher = StallProbe(), workplace().watcher
    assert watcher is not None
    probe.start()
    try:
        time.sleep(0.2)
        begin = time.perf_counter()
        os.kill(watcher.pid, signal.SIGSTOP)
        time.sleep(0.1)
        unfinished = probe.lost(begin, time.perf_counter())
        os.kill(watcher.pid, signal.SIGCONT)
        time.sleep(0.1)
        stall = probe.lost(begin, time.perf_counter())
        before = probe.lost(begin - 5.0, begin - 1.0)
    finally:
        with suppress(OSError):
            os.kill(watcher.pid, signal.SIGCONT)
        probe.stop()
    assert unfinished.seconds > 0.05 and stall.seconds > 0.05
    assert before.seconds < 0.05 and probe.worst() > 0.05


@pytest.mark.quiet
def test_the_referees_own_interpreter_is_no_machine_that_stands_still() -> None:
    """It was, when the probe was one of its threads: whoever kept the interpreter busy forged a stall."""
    probe, switching = StallProbe(), sys.getswitchinterval()
    probe.start()
    try:
        time.sleep(0.2)
        longest = []
        for _ in range(5):  # the machine may really stand still in one of them
            begin = time.perf_counter()
            sys.setswitchinterval(1.0)
            while time.perf_counter() < begin + 0.1:
                pass
            sys.setswitchinterval(switching)
            longest.append(probe.lost(begin, time.perf_counter()).seconds)
    finally:
        sys.setswitchinterval(switching)
        probe.stop()
    assert min(longest) < 0.05


@contextmanager
def busy_referee() -> Iterator[None]:
    """Another thread of the referee keeps the interpreter for half a second whenever it gets it."""
    is_over, switching = threading.Event(), sys.getswitchinterval()

    def keep_busy() -> None:
        while not is_over.is_set():
            pass

    rival = threading.Thread(target=keep_busy)
    sys.setswitchinterval(0.5)
    rival.start()
    try:
        yield
    finally:
        is_over.set()
        sys.setswitchinterval(switching)
        rival.join()


@pytest.mark.quiet
@pytest.mark.process
def test_what_delays_the_referee_is_not_charged() -> None:
    with agent() as asked:
        asked.wake()
        with busy_referee():
            answer = asked.ask({}, "done", 0.1)
        assert answer.seconds <= 0.1 < answer.seconds + answer.taken


@pytest.mark.quiet
@pytest.mark.process
def test_an_agent_that_uses_too_much_is_late_however_busy_the_referee_is() -> None:
    with agent() as asked:
        asked.wake()
        with busy_referee(), pytest.raises(AgentFault, match=r"limit 100 ms"):
            asked.ask({"spin": 0.4}, "done", 0.1)


@pytest.mark.quiet
@pytest.mark.process
def test_a_stall_when_the_answer_is_due_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    with agent() as asked:
        monkeypatch.setattr(StallProbe, "lost", staticmethod(lambda begin, end: Stall(0.25)))
        answer = ask(asked, 0.2, sleep=0.3)
        assert answer.taken >= 0.25 and answer.seconds < 0.2
        # an agent that kept the referee busy by writing meanwhile is not excused
        with pytest.raises(AgentFault, match=r"after .* limit 200 ms"):
            ask(asked, 0.2, sleep=0.3, words=60_000)


@pytest.mark.quiet
@pytest.mark.process
def test_a_stall_excuses_nobody_who_used_more_than_the_rest_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever holds a core within the kernel, so that the watcher is late, uses CPU time beside his thinking."""
    with agent() as asked:
        monkeypatch.setattr(StallProbe, "lost", staticmethod(lambda begin, end: Stall(0.25)))
        begin, used = time.perf_counter(), asked.tree.cpu_seconds()
        monkeypatch.setattr(Tree, "cpu_seconds", lambda self: used + 2 * (time.perf_counter() - begin))
        with pytest.raises(AgentFault, match=r"after .* limit 200 ms"):
            ask(asked, 0.2, sleep=0.3)


@pytest.mark.quiet
@pytest.mark.process
def test_a_stall_that_an_agent_may_have_caused_excuses_only_one_that_used_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with agent() as asked:
        monkeypatch.setattr(StallProbe, "lost", staticmethod(lambda begin, end: Stall(5.0, is_exact=False)))
        assert ask(asked, 0.2, sleep=0.3).taken > 0
        with pytest.raises(AgentFault, match="limit 200 ms"):
            ask(asked, 0.2, spin=0.6)


@pytest.mark.process
@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"chatter": "x" * (MOST_LINE + 1)}, "a line of more than 65,536 bytes"),
        ({"chatter": "x" * 900_000}, "bytes"),
        ({"chatter": '{"type": "other"}\n' * 99 + "{}" * MOST_LINE}, "a line of more than 65,536 bytes"),
        ({"chatter": ('{"type": "other", "more": "%s"}\n' % ("x" * 60_000)) * 6}, f"more than {MOST_OUTPUT:,} bytes"),
    ],
)
def test_long_lines_and_much_output_are_a_fault(message: dict[str, Any], words: str) -> None:
    with agent() as asked, pytest.raises(AgentFault, match=words) as fault:
        ask(asked, LONG, **message)
    assert fault.value.reason == "output"
