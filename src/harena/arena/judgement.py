"""What a review says of a game: of every decision, of every throw, of each side, and when it was decided.

Scores are expected points from 0 (lost) over 1/2 (drawn) to 1 (won). docs/review.md explains all numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import exp
from typing import Any

from harena.arena.record import Record
from harena.contract import CHANCE
from harena.errors import BadText
from harena.termination import Termination

VERSION = 3  # of what a review says and how: one of another version is made again
BLUNDER, MISTAKE, INACCURACY = "blunder", "mistake", "inaccuracy"
MARKS = ((BLUNDER, 0.20), (MISTAKE, 0.10), (INACCURACY, 0.05))  # the least loss of each
ROUNDING = 1e-9
STEEPNESS = 5.0  # a move that loses 0.2 is 37 % accurate
DECIDED = 0.75  # a game is decided when the winner's score never falls below it again


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A move of a player: scores are the mover's; `better` is None where nothing was."""

    ply: int  # the first of the game is 1
    by: int
    move: str
    best: float  # what the position was worth
    played: float  # what this move left of it
    loss: float
    mark: str  # one of MARKS, or empty
    better: str | None
    line: tuple[str, ...]  # how the better move goes on
    exact_best: bool  # proven, no estimate
    exact_played: bool
    forced: bool  # the only legal move

    @property
    def is_exact(self) -> bool:
        """Whether the loss is proven."""
        return self.exact_best and self.exact_played


@dataclass(frozen=True, kw_only=True)
class Throw:
    """A landing of chance: what it was worth to the thrower before and after."""

    ply: int
    by: int  # who threw
    move: str
    chance: float
    before: float
    after: float
    gain: float  # after - before: luck, no merit


@dataclass(frozen=True, kw_only=True)
class Moment:
    """When a game was decided: after this ply (0: from the start on), made by a player, by chance, or by a fault."""

    ply: int
    by: int | None
    move: str | None
    kind: str  # "start", "decision", "throw" or "fault"


@dataclass(frozen=True, kw_only=True)
class Review:
    """All of it; goes to JSON and back."""

    game: str
    player: str
    nodes: int | None  # limits of each search and of each proof
    seconds: float | None
    is_fitted: bool  # whether the curve from values to scores was fitted to this player's heuristic
    chart: tuple[float, ...]  # player 1's score at the start and after each ply
    exact: tuple[bool, ...]  # which of these are proven
    decisions: tuple[Decision, ...]
    throws: tuple[Throw, ...]
    accuracy: tuple[float | None, float | None]  # in percent; None for a side without a decision
    decided: Moment | None
    proven_from: int | None  # the first ply after which the result was proven to the end
    swing: int | None  # the ply that changed most, by a mistake or by luck
    version: int = VERSION

    @property
    def marked(self) -> tuple[Decision, ...]:
        """The decisions that have a mark."""
        return tuple(one for one in self.decisions if one.mark)

    def count(self, seat: int, mark: str) -> int:
        """How often a side made such a move."""
        return sum(one.by == seat and one.mark == mark for one in self.decisions)

    def as_dict(self) -> dict[str, Any]:
        """As JSON-ready data."""
        return asdict(self)


def from_dict(plain: Any) -> Review:
    """The review of such data; BadText for any other."""
    if not isinstance(plain, Mapping) or plain.get("version") != VERSION:
        raise BadText("this is no review, or one of another version")
    try:
        given = {field.name: plain[field.name] for field in fields(Review)}
        given["decisions"] = tuple(Decision(**one | {"line": tuple(one["line"])}) for one in given["decisions"])
        given["throws"] = tuple(Throw(**one) for one in given["throws"])
        given["decided"] = None if given["decided"] is None else Moment(**given["decided"])
        for name in ("chart", "exact", "accuracy"):
            given[name] = tuple(given[name])
        return Review(**given)
    except (KeyError, TypeError, ValueError) as error:
        raise BadText(f"this is no review: {error}") from None


def mark_of(loss: float) -> str:
    """The mark that a loss deserves, rounded as it is shown; or an empty text."""
    return next((name for name, least in MARKS if round(loss, 2) >= least - ROUNDING), "")


def accuracy(decisions: Sequence[Decision]) -> float | None:
    """The mean of 100 exp(-5 loss) in percent.

    Forced moves and those in proven lost positions do not count, since nothing could be lost; None where nothing else
    is.
    """
    counted = [one for one in decisions if not one.forced and not (one.exact_best and one.best == 0)]
    if not counted:
        return None
    return round(sum(100 * exp(-STEEPNESS * one.loss) for one in counted) / len(counted), 1)


def decided(record: Record, chart: Sequence[float]) -> Moment:
    """The ply after which the result never was in doubt again, by `chart`, player 1's score after each ply."""
    last = len(record.plies)
    if record.winner is None:
        is_clear = [abs(score - 0.5) <= 1 - DECIDED for score in chart]
    else:
        is_clear = [(score if record.winner == 0 else 1 - score) >= DECIDED for score in chart]
    if record.reason != Termination.RULES and not is_clear[-1]:
        loser = None if record.winner is None else 1 - record.winner
        return Moment(ply=last, by=loser, move=None, kind="fault")
    ply = last
    while ply > 0 and is_clear[ply - 1]:
        ply -= 1
    if ply == 0:
        return Moment(ply=0, by=None, move=None, kind="start")
    made = record.plies[ply - 1]
    return Moment(ply=ply, by=made.by, move=made.move, kind="throw" if made.by == CHANCE else "decision")


def proven_from(record: Record, chart: Sequence[float], exact: Sequence[bool]) -> int | None:
    """The first ply after which the result is proven without a gap; None where it never is."""
    points = record.points(0)
    ply = len(record.plies) + 1
    while ply > 0 and exact[ply - 1] and chart[ply - 1] == points:
        ply -= 1
    return ply if ply <= len(record.plies) else None


def swing(decisions: Sequence[Decision], throws: Sequence[Throw]) -> int | None:
    """The ply that changed most; None where nothing was lost, by mistake or luck."""
    changes = [(one.loss, one.ply) for one in decisions] + [(abs(one.gain), one.ply) for one in throws]
    most, ply = max(changes, default=(0.0, 0))
    return ply if most >= MARKS[-1][1] else None
