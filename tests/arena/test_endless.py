"""Programs that nobody gave a limit of time: they get one, and one that hangs does not stop a contest."""

import re
from pathlib import Path
from typing import Any

import pytest

from harena.arena import contest
from harena.arena.conditions import conditions
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.slot import Slot

# Hangs in its first move, but says at once what it was told of time.
HANGS = """
import sys, time
from harena.agents.bot import run

def choose(turn):
    if turn.seconds is not None and turn.seconds != 1:
        return f"it was told {turn.seconds} seconds"
    time.sleep(3600)

run(choose)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "endless.py").write_text(HANGS)
    return str(tmp_path / "endless.py")


def spec(*agents: str, **more: Any) -> Spec:
    variants = [{"setup": "random-placements", "size": "5"}]
    return Spec(game="isolation", variants=variants, agents=list(agents), sandbox="off", **more)


def game(held: Contest) -> Record:
    players = {0: held.contestant(0), 1: held.contestant(1)}
    try:
        return held.play(Slot(a=0, b=1, pair=0, swapped=False), players)
    finally:
        for one in players.values():
            one.close()


def overrun(record: Record) -> tuple[int, int, int]:
    found = re.fullmatch(r"no answer after (\d+) ms: limit (\d+) ms, (\d+) ms over", record.detail)
    assert found, record.detail
    spent, limit, over = map(int, found.groups())
    return spent, limit, over


@pytest.mark.process
def test_a_program_without_any_limit_has_a_second(program: str) -> None:
    held = Contest(spec(program, "random"))
    assert held.terms[0].limits.seconds == 1 and held.terms[1].limits.seconds is None
    record = game(held)
    assert (record.reason, record.winner) == ("time", 1)
    spent, limit, over = overrun(record)
    assert limit == 1000 and 50 <= over < 5000 and abs(spent - limit - over) <= 1
    assert record.conditions["seats"] == [{"seconds": 1.0}, {}]
    assert "the agents' own limits, programs 1 s a move, " in conditions(held.spec)


@pytest.mark.process
def test_with_a_budget_a_program_is_waited_for_long_and_not_told(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "BUDGETED", 0.3)
    held = Contest(spec(program, "random", limits={"nodes": 100}))
    assert held.terms[0].limits.seconds is None
    record = game(held)
    assert (record.reason, record.winner, record.conditions["longest"]) == ("time", 1, 0.3)
    assert overrun(record)[1] == 300 and "seats" not in record.conditions
    assert conditions(held.spec).startswith("100 nodes, programs at most 60 s a move, ")


def test_a_limit_that_is_given_holds_for_programs_too(program: str) -> None:
    given = spec(program, "random", limits={"seconds": 0.2})
    assert [terms.limits.seconds for terms in Contest(given).terms] == [0.2, 0.2]
    assert "programs" not in conditions(given)
    longest = Contest(spec(program, "random", longest=0.5))  # of the web page
    assert longest.terms[0].limits.seconds == 0.5 and "programs" not in conditions(longest.spec)


def test_players_of_ours_are_as_before() -> None:
    held = Contest(spec("id", "mcts(iterations=20)"))
    assert [terms.limits.seconds for terms in held.terms] == [None, None]
    assert "programs" not in conditions(held.spec)
