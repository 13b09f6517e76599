"""The games that `harena check` plays, short ones and whole ones."""

from dataclasses import replace

import pytest

from courses.checking import of
from harena.arena.match import Plan, Standing
from harena.arena.record import TIME, Record
from harena.courses.check import nobody
from harena.courses.finding import NOTE, RED, Finding
from harena.courses.opponents import Schedule, _spec, _told, play_levels, short_games
from harena.courses.sampling import SURVEYS

pytestmark = pytest.mark.process

LONG = 600.0  # seconds: all of the short games are played, however busy the machine is


def games(name: str, game: str, levels: tuple[str, ...], **more: object) -> list[Finding]:
    found = of(name, game=game if not name.count("/") else None)
    schedule = Schedule(levels=levels, sizes=SURVEYS[found.game].sizes[:1], pairs=6, **{"seconds": LONG} | more)  # type: ignore[arg-type]
    return list(play_levels(found, schedule, walls="off", watch=nobody))


def test_losing_to_random_players_is_red_or_a_note() -> None:
    lost = games("w4701/thinks_it_has_won.py", "trap", ("easy",))
    assert lost[0].mark == RED and lost[0].text.startswith("0.0 % of 12 short games (95 %: 0 to ")
    assert "is the sign of your score right?" in lost[0].advice
    poor = games("loses.py", "tiles", ("random",))
    assert poor[0].mark in (NOTE, RED) and "random" in poor[0].advice


def test_a_level_against_which_nothing_is_won_is_a_note() -> None:
    _, second = games("loses.py", "tiles", ("random", "uct1000"))
    assert second.mark == NOTE
    assert second.text.startswith("0.0 % of 12 short games") and "harena replay" in second.advice


def test_faults_in_games_are_red() -> None:
    (found,) = games("aind/resigns.py", "isolation", ("ab_improved",))
    assert found.mark == RED and "lost by faults: resigned" in found.text and "(-1, -1) from get_move" in found.text
    slow = replace(of("comp424/hangs.py"), clock=replace(of("comp424/hangs.py").clock, seconds=0.1))
    schedule = Schedule(levels=("random_agent",), sizes=(6,), pairs=1)
    (short,) = play_levels(slow, schedule, walls="off", watch=nobody)
    assert short.mark == RED and "lost by faults: time 2; it stopped answering: no answer after" in short.text
    assert short.text.endswith(" ms, at its 1st move of a game") and "loop" in short.advice
    (whole,) = play_levels(slow, replace(schedule, seconds=float("inf")), walls="off", watch=nobody)
    assert whole.mark == RED


@pytest.mark.quiet
def test_one_that_hangs_in_the_middle_of_games_is_red() -> None:
    (line,) = play_levels(
        of("comp424/hangs_later.py", seconds=1.0),
        Schedule(levels=("random_agent",), sizes=(12,), pairs=1),
        walls="off",
        watch=nobody,
    )
    assert line.mark == RED and "it stopped answering: no answer after 15" in line.text
    assert line.text.endswith("at its 3rd move of a game")


def test_games_in_which_no_answer_came_are_red() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    schedule = Schedule(levels=("random_agent",), sizes=(6,), pairs=1)
    standing = Standing(Plan(spec=_spec(agent, "random_agent", schedule, "off"), pairs=1))
    for slot in standing.plan.slots():
        record = Record(
            game="colosseum",
            options={"size": 6},
            start="",
            seats=(agent.text, "random_agent"),
            plies=(),
            winner=0 if slot.swapped else 1,
            reason=TIME,
            detail="no answer after 3000 ms: limit 2000 ms, 1000 ms over",
        )
        standing.add(slot, record)
    told = _told(agent, "random_agent", standing, schedule)
    assert told.mark == RED and told.text.endswith(
        "it stopped answering: no answer after 3000 ms, at its 1st move of a game"
    )


def test_whole_games_of_trap_are_held_against_the_pass_marks() -> None:
    found = games("w4701/thinks_it_has_won.py", "trap", ("medium", "easy"), seconds=float("inf"))
    assert [line.mark for line in found] == [RED, RED]
    assert found[0].text.endswith("won; the course asks for 4") and "replay" in found[0].advice


def test_short_games_end_when_their_time_is_over_and_slow_agents_play_none() -> None:
    (found,) = games("comp424/stays.py", "colosseum", ("greedy",), seconds=0.0)
    assert " of 2 short games " in found.text
    (slow,) = short_games(of("comp424/stays.py"), 2.0, walls="off", watch=nobody)
    assert slow.mark == NOTE and slow.text == "two games would take about 36 s" and "--thorough" in slow.advice
