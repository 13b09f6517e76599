"""Why a game ended: one list for the referee, the protocol, records, pages and reports, with the words for people.

A course agent's host process imports nothing of Harena and has a copy of the four values that it may send:
`courses/hosting/host.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Termination(StrEnum):
    """Why a game ended. The value is what the store, records and the protocol hold.

    `Termination(text)` also accepts a text that is not listed: another version of Harena may have stored it.
    """

    RULES = "rules"  # the game's own end
    UNFINISHED = "unfinished"  # it has not ended
    ILLEGAL = "illegal move"
    UNREADABLE = "unreadable answer"
    TIME = "time"
    CRASH = "crash"
    EXIT = "exit"
    MEMORY = "memory"
    OUTPUT = "output"
    RESIGNED = "resigned"
    LOAD = "did not load"
    OUT_OF_TURN = "thought in the opponent's time"

    @classmethod
    def _missing_(cls, value: object) -> "Termination | None":
        if not isinstance(value, str):
            return None
        unlisted = str.__new__(cls, value)
        unlisted._name_, unlisted._value_ = "UNLISTED", value
        return unlisted

    @property
    def words(self) -> "Words":
        """What people read about it."""
        return WORDS.get(self) or Words(
            deed=f"lost by {self}", short_deed=f"lost by {self}", to_author=str(self), advice="the position:"
        )


@dataclass(frozen=True, kw_only=True)
class Words:
    """What people read about a termination."""

    deed: str  # what the loser did, after "player 2", for spectators
    short_deed: str  # the same in the fewest words
    to_author: str  # a clause for the author of the agent that lost
    advice: str  # what the author can do about it; the position follows


FAULTS = tuple(one for one in Termination if one not in (Termination.RULES, Termination.UNFINISHED))  # they lose a game
WORDS: Mapping[str, Words] = {
    Termination.ILLEGAL: Words(
        deed="made a move that the rules forbid",
        short_deed="lost by an illegal move",
        to_author="your agent answered with a move that the rules do not allow",
        advice="take your answer from a list of the moves that the rules allow here; the position:",
    ),
    Termination.UNREADABLE: Words(
        deed="answered with something that is no move",
        short_deed="lost by an unreadable answer",
        to_author="your agent's answer was not a move",
        advice="answer {form}; the position:",
    ),
    Termination.TIME: Words(
        deed="took too long",
        short_deed="lost by time",
        to_author="your agent took longer than its time limit",
        advice="look at the clock in your search; the position:",
    ),
    Termination.CRASH: Words(
        deed="crashed",
        short_deed="lost by a crash",
        to_author="your agent raised an exception",
        advice="the error is in your code; the position in which it happens:",
    ),
    Termination.EXIT: Words(
        deed="ended without an answer",
        short_deed="lost by exit",
        to_author="your agent's process ended",
        advice="no sys.exit, quit or os._exit while a game is on; the position:",
    ),
    Termination.MEMORY: Words(
        deed="used too much memory",
        short_deed="lost by memory",
        to_author="your agent used more memory than it may",
        advice="it needs too much memory; the position:",
    ),
    Termination.OUTPUT: Words(
        deed="wrote too much",
        short_deed="lost by output",
        to_author="your agent printed more than it may",
        advice="print less; the position:",
    ),
    Termination.RESIGNED: Words(
        deed="resigned",
        short_deed="resigned",
        to_author="your agent resigned",
        advice="begin with a legal move as the best so far, not with (-1, -1) or None; the position:",
    ),
    Termination.LOAD: Words(
        deed="could not be started",
        short_deed="did not load",
        to_author="your agent could not be loaded",
        advice="it has to start again after a fault, and could not; the position of the fault before this one:",
    ),
    Termination.OUT_OF_TURN: Words(
        deed="thought in the opponent's time",
        short_deed="lost by thought in the opponent's time",
        to_author="your agent computed while it was the opponent's turn",
        advice="compute only between a question and its answer; the position:",
    ),
}
