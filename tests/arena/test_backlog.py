"""Games are handed out so that agents that run are used again, and each exactly once."""

import threading
from typing import Any

import pytest

from harena.agents.contestant import ProcessContestant
from harena.arena.backlog import Backlog
from harena.arena.contest import Contest, Spec
from harena.arena.slot import Slot


def slots(agents: int, pairs: int = 1) -> list[Slot]:
    return [
        Slot(a=a, b=b, pair=pair, swapped=swapped)
        for pair in range(pairs)
        for a in range(agents)
        for b in range(a + 1, agents)
        for swapped in (False, True)
    ]


def test_the_games_of_agents_that_run_come_first() -> None:
    backlog = Backlog(slots(4))
    assert backlog.take([2, 3]) == Slot(a=2, b=3, pair=0, swapped=False)
    assert backlog.take([3, 2]) == Slot(a=2, b=3, pair=0, swapped=True)
    assert backlog.take([2, 3]) == Slot(a=0, b=2, pair=0, swapped=False)  # one of them, the first of the schedule
    assert backlog.take([]) == Slot(a=0, b=1, pair=0, swapped=False)


@pytest.mark.parametrize("kept", [0, 2, 5])
def test_every_game_is_handed_out_once(kept: int) -> None:
    backlog, taken, running = Backlog(slots(6, pairs=3)), list[Slot](), list[int]()
    while (slot := backlog.take(running)) is not None:
        taken.append(slot)
        running = [*(one for one in running if one not in slot.seats), *slot.seats][-kept or len(running) + 2 :]
    assert sorted(taken) == sorted(slots(6, pairs=3)) and backlog.take([0, 1]) is None


def test_a_match_is_played_in_its_order() -> None:
    wanted = slots(2, pairs=5)
    backlog = Backlog(wanted)
    assert [backlog.take([0, 1]) for _ in wanted] == wanted


def count_starts(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> tuple[int, list[Slot]]:
    """How often agents are started in a round robin of three by one worker, and which games it plays."""
    starts = []
    start = ProcessContestant.start
    monkeypatch.setattr(ProcessContestant, "start", lambda self: starts.append(self.text) or start(self))
    agents = ["random", "greedy", "mm_open"]
    spec = Spec(game="isolation", variants=[{"size": "4"}], agents=agents, limits={"nodes": 1})
    contest = Contest(spec)
    for name, value in changes.items():
        setattr(contest, name, value)
    played = [slot for slot, _ in contest.run(slots(3, pairs=3), 1, threading.Event())]
    return len(starts), played


@pytest.mark.process
def test_agents_are_started_once_where_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    starts, played = count_starts(monkeypatch)
    assert starts == 3 and sorted(played) == sorted(slots(3, pairs=3))


@pytest.mark.process
def test_agents_are_ended_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    starts, played = count_starts(monkeypatch, memory_kept=0.0)
    assert 3 < starts < len(played) and sorted(played) == sorted(slots(3, pairs=3))
