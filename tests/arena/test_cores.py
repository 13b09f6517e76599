"""Agents and referee have cores of their own where there are enough."""

import os
import tempfile
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from harena.agents.contestant import ProcessContestant
from harena.arena import contest as contests
from harena.arena import cores
from harena.arena.contest import Contest, Spec
from harena.arena.cores import assign_cores, cores_needed, free_cores
from harena.arena.slot import Slot


@pytest.mark.parametrize(
    ("usable", "workers", "needed", "referee", "shares"),
    [
        ([0, 1], 1, 1, {1}, [{0}]),
        ([0, 1, 2, 3, 4], 2, 2, {4}, [{0, 1}, {2, 3}]),
        ([0, 2, 4, 6, 8, 10], 2, 2, {8, 10}, [{0, 2}, {4, 6}]),
        (list(range(8)), 7, 1, {7}, [{core} for core in range(7)]),
    ],
)
def test_cores_are_shared_out(
    usable: list[int], workers: int, needed: int, referee: set[int], shares: list[set[int]]
) -> None:
    found = assign_cores(usable, workers, needed)
    assert found is not None
    assert (found.referee, list(found.workers)) == (referee, shares)


@pytest.mark.parametrize(("number", "workers", "needed"), [(2, 2, 1), (2, 1, 2), (4, 2, 2), (1, 1, 1), (0, 1, 1)])
def test_where_there_are_not_enough_nobody_is_kept_to_some(number: int, workers: int, needed: int) -> None:
    assert assign_cores(list(range(number)), workers, needed) is None


def test_an_agent_needs_as_many_cores_as_it_has_threads() -> None:
    assert cores_needed(["random", "id_improved"]) == 1
    assert cores_needed(["champion(threads=2)", "random"]) == 2
    assert cores_needed(["random", "mine.py"]) == 2


def test_a_core_is_claimed_by_one_run_at_a_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(cores, "is_quiet", lambda: True)
    usable = sorted(os.sched_getaffinity(0))
    with free_cores() as mine, free_cores() as others:
        assert (mine, others) == (usable, [])
    monkeypatch.setattr(cores, "is_quiet", lambda: False)
    with free_cores() as none:
        assert none == []


@pytest.mark.process
def test_agents_run_on_their_cores_and_the_referee_on_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    usable = sorted(os.sched_getaffinity(0))
    assert len(usable) >= 2, "this test needs two cores"
    seen: list[tuple[set[int], set[int]]] = []
    play = Contest.play

    def watch(self: Contest, slot: Slot, contestants: dict[int, Any], *more: Any) -> Any:
        record = play(self, slot, contestants, *more)
        for one in contestants.values():
            assert isinstance(one, ProcessContestant) and one.process is not None
            seen.append((os.sched_getaffinity(0), os.sched_getaffinity(one.process.process.pid)))
        return record

    monkeypatch.setattr(Contest, "play", watch)
    monkeypatch.setattr(contests, "free_cores", lambda: nullcontext(usable[:2]))
    spec = Spec(game="tiles", variants=[{"size": "3"}], agents=["random", "greedy"], limits={"nodes": 1})
    games = list(Contest(spec).run([Slot(a=0, b=1, pair=0, swapped=False)], 1, threading.Event()))
    assert seen == [({usable[1]}, {usable[0]})] * 2
    assert games[0][1].conditions["cores"] == 1
    assert sorted(os.sched_getaffinity(0)) == usable  # whoever called is not kept to any
