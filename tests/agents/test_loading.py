"""The seconds that an agent may load in a run, over all its processes."""

from pathlib import Path
from typing import Any

import pytest

from harena.agents.fault import AgentFault
from harena.agents.loading import FURTHER_SECONDS, GAME_SECONDS, LoadBudget
from harena.arena.contest import Contest, Spec
from harena.arena.slot import Slot


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def load(budget: LoadBudget, clock: Clock, seconds: float, agent: str = "slow") -> float:
    """Load an agent for so many seconds, or as long as it may; the seconds it may."""
    budget.check(agent)
    with budget.measure(agent, 60.0) as allowed:
        clock.now += min(seconds, allowed)
    return allowed


def test_the_first_load_is_free_and_the_others_share_a_budget() -> None:
    clock = Clock()
    budget = LoadBudget(clock)
    assert load(budget, clock, 59.0) == 60.0
    assert load(budget, clock, 40.0) == 60.0
    assert load(budget, clock, 59.0) == FURTHER_SECONDS - 40.0
    with pytest.raises(AgentFault) as told:
        load(budget, clock, 1.0)
    assert told.value.reason == "did not load" and told.value.detail == "loading took 119 s in total; limit 119 s"
    assert load(budget, clock, 5.0, "other") == 60.0


def test_each_game_adds_to_the_budget() -> None:
    clock = Clock()
    budget = LoadBudget(clock)
    for _ in range(1000):  # a fresh process for every game
        load(budget, clock, GAME_SECONDS)
        budget.count_game("slow")
    assert load(budget, clock, 60.0) == 60.0
    for _ in range(4):
        budget.count_game("slow")
    assert load(budget, clock, 60.0) == 4 * GAME_SECONDS + GAME_SECONDS
    with pytest.raises(AgentFault, match="did not load: loading took "):
        budget.check("slow")


def test_games_that_are_played_at_once_have_a_free_load_each() -> None:
    clock = Clock()
    budget = LoadBudget(clock)
    budget.workers = 3
    assert [load(budget, clock, 50.0) for _ in range(4)] == [60.0] * 4
    assert load(budget, clock, 50.0) == FURTHER_SECONDS - 50.0


def test_a_load_that_fails_counts_too() -> None:
    clock = Clock()
    budget = LoadBudget(clock)
    load(budget, clock, 1.0)
    with pytest.raises(ValueError, match="broken"), budget.measure("slow", 60.0):
        clock.now += FURTHER_SECONDS
        raise ValueError("broken")
    with pytest.raises(AgentFault):
        budget.check("slow")


AGENT = """
import os, time
time.sleep(0.4)

class CustomPlayer:
    def get_move(self, game, time_left):
        os._exit(3)
"""


@pytest.mark.process
def test_an_agent_that_ends_in_every_game_is_not_loaded_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harena.agents.loading.FURTHER_SECONDS", 0.6)
    monkeypatch.setattr("harena.agents.loading.GAME_SECONDS", 0.0)
    (tmp_path / "game_agent.py").write_text(AGENT)
    agents = [f"aind:{tmp_path}", "random"]
    contest = Contest(Spec(game="isolation", variants=[{}], agents=agents, local=True))
    contestants: dict[int, Any] = {}
    try:
        records = [contest.play(Slot(a=0, b=1, pair=pair, swapped=False), contestants) for pair in range(6)]
    finally:
        for one in contestants.values():
            one.close()
        contest.probe.stop()
    reasons = [record.reason for record in records]
    assert reasons[0] == "crash" and reasons[2:] == ["did not load"] * 4
    assert len({record.detail for record in records[2:]}) == 1
    assert records[-1].detail.startswith("loading took ") and "in total; limit " in records[-1].detail
