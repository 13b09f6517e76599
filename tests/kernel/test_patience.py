"""Waiting for what may never end: it is stopped, given up, and said why."""

import os
import signal
import threading
import time
from typing import Any

import pytest

from harena.errors import Endless
from harena.kernel import patience


def interrupt_after(seconds: float) -> None:
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.fixture
def released() -> Any:
    """An event that ends what a test leaves running."""
    event = threading.Event()
    yield event
    event.set()


def test_a_search_that_hears_returns_what_it_has() -> None:
    def listens(flag: Any) -> str:
        while not flag[0]:
            time.sleep(0.01)
        return "so far"

    interrupt_after(0.3)
    assert patience.run_until_stopped(listens, seconds=60) == "so far"


def test_one_that_does_not_hear_is_given_up_after_the_first(
    monkeypatch: pytest.MonkeyPatch, released: threading.Event
) -> None:
    monkeypatch.setattr(patience, "GRACE", 0.3)
    interrupt_after(0.3)
    with pytest.raises(Endless, match=r"stopped, but the search goes on 0\.3 s later: .*does outcome end every game"):
        patience.run_until_stopped(lambda flag: released.wait())


def test_a_second_ctrl_c_waits_for_nothing(released: threading.Event) -> None:
    interrupt_after(0.3)
    interrupt_after(0.6)
    with pytest.raises(KeyboardInterrupt):
        patience.run_until_stopped(lambda flag: released.wait())


def test_one_that_does_not_heed_its_time_is_given_up(
    monkeypatch: pytest.MonkeyPatch, released: threading.Event
) -> None:
    monkeypatch.setattr(patience, "OVERTIME", 0.2)
    monkeypatch.setattr(patience, "GRACE", 0.3)
    with pytest.raises(Endless, match=r"no answer 0\.2 s after the limit of 0\.1 s: rules, a heuristic or a search"):
        patience.run_until_stopped(lambda flag: released.wait(), seconds=0.1)


def test_a_time_out_of_the_search_itself_is_its_own() -> None:
    def fails(flag: Any) -> None:
        raise TimeoutError("mine")

    with pytest.raises(TimeoutError, match="mine"):
        patience.run_until_stopped(fails)


def test_one_that_is_late_since_the_process_stood_still_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "OVERTIME", 0.2)

    def listens(flag: Any) -> str:
        while not flag[0]:
            time.sleep(0.01)
        return "so far"

    assert patience.run_until_stopped(listens, seconds=0.1) == "so far"


def test_a_result_of_the_last_moment_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = patience.Task.wait

    def late(task: patience.Task[str], until: float = float("inf")) -> str:
        monkeypatch.setattr(patience.Task, "wait", wait)
        wait(task)
        raise patience._Late  # as if it had come after the last look

    monkeypatch.setattr(patience.Task, "wait", late)
    assert patience.run_until_stopped(lambda flag: "in time", seconds=0.1) == "in time"
