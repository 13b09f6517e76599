"""A game being played: moves, landings, answers that are none, faults, resignation, what is taken back, and clocks."""

from dataclasses import replace

import pytest

import harena
from harena.agents.contestant import Said
from harena.agents.fault import AgentFault
from harena.api import State
from harena.arena.play.session import SEEDS, GameSession, Terms, fault_of
from harena.arena.record import HUMAN, Ply
from harena.arena.replay import BadGame, as_text, from_text, states
from harena.contract import CHANCE
from harena.errors import HarenaError, IllegalMove, UnreadableMove
from harena.search.result import Limits
from harena.termination import Termination

ISOLATION = harena.game("isolation", size=4)
TRAP = harena.game("trap", size=5)


def first_move(state: State) -> str:
    return str(state.moves()[0])


def play_out(session: GameSession) -> GameSession:
    """To the end, with the first legal move at every decision."""
    while not session.is_over:
        session = session.roll() if session.mover == CHANCE else session.play(first_move(session.state))
    return session


def humans(start: State, **more: object) -> GameSession:
    return GameSession.begin(start, (HUMAN, HUMAN), **more)  # type: ignore[arg-type]


# Moves


def test_a_game_is_played_to_its_end_and_its_record_agrees_with_the_rules() -> None:
    start = ISOLATION.initial()
    begun = GameSession.begin(start, ("a", "b"), seed=5, conditions={"limits": {"nodes": 3}})
    assert (begun.termination, begun.is_over, begun.mover, begun.moves) == (Termination.UNFINISHED, False, 0, [])
    end = play_out(begun)
    outcome = end.state.outcome
    assert outcome is not None and (end.termination, end.record.winner) == (Termination.RULES, outcome.winner)
    assert end.record.options == ISOLATION.options and end.record.conditions == {"limits": {"nodes": 3}}
    *_, last = states(end.record)  # BadGame if anything contradicts the rules
    assert last == end.state and len(end.moves) == len(end.plies) == len(end.record.plies)
    with pytest.raises(IllegalMove, match="the game is over"):
        end.play(end.moves[-1])


def test_a_session_is_a_value() -> None:
    begun = humans(ISOLATION.initial())
    after = begun.play("a1", seconds=1.5)
    assert begun.plies == () and after.plies == (Ply(by=0, move="a1", seconds=1.5),) and after.mover == 1
    assert begun.play("a1", seconds=1.5) == after and begun.play("a2") != after


def test_a_move_that_is_none_changes_nothing() -> None:
    session = humans(ISOLATION.initial()).play("a1")
    with pytest.raises(UnreadableMove):
        session.play("zz")
    with pytest.raises(IllegalMove, match="a1: "):
        session.play("a1")
    assert session.moves == ["a1"] and not session.is_over


def test_a_game_that_begins_at_its_end_is_over() -> None:
    end = play_out(humans(ISOLATION.initial()))
    again = GameSession.begin(ISOLATION.position(end.state.text))
    assert again.is_over and again.termination == Termination.RULES and again.record.winner == end.record.winner


# Chance


def test_dice_follow_from_the_seed_and_the_ply() -> None:
    games = [play_out(humans(TRAP.initial(), seed=seed)).moves for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2] and any(move.startswith("!") for move in games[0])
    own = play_out(humans(TRAP.initial(), seed=5, dice=lambda ply: 7 * ply)).moves
    assert own == play_out(humans(TRAP.initial(), seed=6, dice=lambda ply: 7 * ply)).moves != games[0]


def test_chance_decides_until_a_seat_does() -> None:
    session = humans(TRAP.initial(), seed=1)
    while session.mover != CHANCE:
        session = session.play(first_move(session.state))
    settled = session.settle()
    assert settled.mover != CHANCE and settled == session.roll() and settled.plies[-1].by == CHANCE
    assert settled.plies[-1] == Ply(by=CHANCE, move=str(settled.state.last_move))
    assert settled.settle() == settled


def test_agents_are_told_seeds_from_which_no_dice_follow() -> None:
    session = GameSession.begin(TRAP.initial(), seed=5)
    told = {session.game_seed(0), session.game_seed(1), session.ply_seed(0), session.play("c2").ply_seed(0)}
    assert len(told) == 4 and all(0 <= one < SEEDS for one in told) and session.dice(0) not in told
    assert session.ply_seed(0) == session.ply_seed(1)  # of one ply there is one question
    other = replace(session, agent_seeds=(5, 6))
    assert other.ply_seed(0) == session.ply_seed(0) != other.ply_seed(1) and other.dice(3) == session.dice(3)


# Answers


def test_an_answer_becomes_a_ply_with_what_was_said() -> None:
    said = Said(move="B2", seconds=0.123456789, taken=3.0, value=0.5, depth=3, nodes=9)
    session = GameSession.begin(ISOLATION.initial()).answer(said)
    assert session.plies == (Ply(by=0, move="b2", seconds=0.123457, value=0.5, depth=3, nodes=9),)


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        ("zz", Termination.UNREADABLE, "'zz' is no move"),
        ("x" * 500, Termination.UNREADABLE, f"'{'x' * 80}' is no move"),
        ("a1", Termination.ILLEGAL, "a1: "),
    ],
)
def test_an_answer_that_is_no_legal_move_is_a_fault(answer: str, reason: Termination, detail: str) -> None:
    session = GameSession.begin(ISOLATION.initial()).play("a1")
    with pytest.raises(AgentFault) as fault:
        session.answer(Said(move=answer, seconds=0.1))
    assert fault.value.reason == reason and fault.value.detail.startswith(detail)
    assert not session.is_over and session.moves == ["a1"]


def test_whatever_an_agent_raises_is_one_of_three_faults() -> None:
    late = AgentFault(Termination.TIME, "late")
    try:
        try:
            raise late
        except AgentFault:
            raise HarenaError("its process was late") from None
    except HarenaError as error:
        assert fault_of(error) is late
    assert fault_of(UnreadableMove("'zz' is no move of isolation")).reason == Termination.UNREADABLE
    assert fault_of(IllegalMove("a1: no")).reason == Termination.ILLEGAL
    assert (fault_of(ValueError()).reason, fault_of(ValueError()).detail) == (Termination.CRASH, "ValueError")


# Ends that the rules do not know


def test_a_fault_loses_for_its_seat() -> None:
    session = GameSession.begin(ISOLATION.initial(), ("a", "b")).play("a1")
    fault = AgentFault(Termination.CRASH, "division by zero", traceback="line 7")
    record = session.fail(1, fault).record
    assert (record.winner, record.reason, record.detail, record.traceback) == (0, "crash", "division by zero", "line 7")
    assert record.score is None and [ply.move for ply in record.plies] == ["a1"]
    assert session.fail(1, fault, detail="when the game began").record.detail == "when the game began"
    assert from_text(as_text(record)) == record and len(list(states(record))) == 2


def test_a_seat_may_resign_and_then_nothing_more_is_played() -> None:
    session = humans(ISOLATION.initial()).play("a1").resign(0)
    assert (session.record.winner, session.termination) == (1, Termination.RESIGNED) and session.is_over
    for change in (lambda: session.play("b2"), session.undo):
        with pytest.raises(IllegalMove, match="the game is over"):
            change()


# What is taken back


def test_undo_goes_back_to_the_last_decision_of_a_human_and_is_counted() -> None:
    session = GameSession.begin(ISOLATION.initial(), (HUMAN, "greedy"), conditions={"undone": 0})
    with pytest.raises(IllegalMove, match="there is nothing to take back"):
        session.undo()
    later = session.play("a1").play("b2").play("c2").play("d3")
    assert later.undo_depth == 2 and session.undo_depth == 0
    back = later.undo()
    assert back.moves == ["a1", "b2"] and back.state == session.play("a1").play("b2").state
    assert back.undo().moves == [] and back.undo().record.conditions == {"undone": 2}
    assert later.count("hints").record.conditions == {"undone": 0, "hints": 1} and later.moves[-1] == "d3"


def test_what_is_taken_back_meets_the_same_throw_again() -> None:
    session = humans(TRAP.initial(), seed=3)
    while session.mover != CHANCE:
        before, session = session, session.play(first_move(session.state))
    landed = session.roll()
    assert landed.undo().moves == before.moves
    assert landed.undo().play(session.moves[-1]).roll().moves == landed.moves


def test_agents_alone_have_nothing_to_take_back() -> None:
    assert GameSession.begin(ISOLATION.initial(), ("a", "b")).play("a1").undo_depth == 0


# Games that go on


def test_a_game_goes_on_where_its_record_ends() -> None:
    whole = play_out(humans(TRAP.initial(), seed=9))
    session = humans(TRAP.initial(), seed=9)
    while len(session.plies) < 5:
        session = session.settle().play(first_move(session.settle().state))
    record = from_text(as_text(session.record))
    again = GameSession.resume(record, TRAP.position(record.start))
    assert (again.moves, again.record, again.state) == (session.moves, session.record, session.state)
    assert play_out(again).moves == whole.moves
    assert GameSession.resume(whole.record, TRAP.initial()).termination == Termination.RULES
    left = replace(whole.record, reason=Termination.UNFINISHED, winner=None)  # it was stopped before it was stored
    assert GameSession.resume(left, TRAP.initial()).record == whole.record
    claimed = replace(record, reason=Termination.RULES, winner=0)  # the rules end no game in this position
    assert GameSession.resume(claimed, TRAP.initial()).record == record
    resigned = session.resign(1).record
    assert GameSession.resume(resigned, TRAP.initial()).record == resigned
    with pytest.raises(BadGame, match="ply 1, e5"):
        GameSession.resume(replace(record, plies=(Ply(by=0, move="e5"),)), TRAP.initial())


# Clocks


def test_clocks_are_those_of_the_terms_or_of_the_conditions() -> None:
    first, by_turn = Terms(limits=Limits(seconds=2.0), first=9.0), Terms(limits=Limits(seconds=4.0), by_turn=True)
    session = GameSession.begin(TRAP.initial(), terms=(first, by_turn))
    assert session.limits_for(0) == (Limits(seconds=9.0), None) and session.limits_for(1) == (Limits(seconds=2.0), 4.0)
    assert session.play("c2", seconds=1.0).limits_for(0) == (Limits(seconds=2.0), None)
    plain = GameSession.begin(TRAP.initial(), conditions={"limits": {"nodes": 7}})
    assert plain.limits_for(0) == plain.limits_for(1) == (Limits(nodes=7), None)
    assert GameSession.begin(TRAP.initial()).limits_for(1) == (Limits(), None)
