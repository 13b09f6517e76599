"""A game as it is kept: where it began, every move with what it cost, how it ended and why, and under what conditions.

A record is plain data and the whole interface between playing and looking: the store keeps it, `replay` checks it
against the rules, renderers and pages draw it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from harena.errors import BadText
from harena.termination import Termination

VERSION = 1
HUMAN = "human"  # the text of a seat in which a person sits


@dataclass(frozen=True, kw_only=True)
class Ply:
    """One move: who made it (2 is chance), its text, and what the agent said and took, where it did."""

    by: int
    move: str
    seconds: float | None = None
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None


@dataclass(frozen=True, kw_only=True)
class Record:
    """A finished game; `winner` is a seat, 0 or 1, or None for a draw."""

    game: str
    options: Mapping[str, Any]
    start: str  # the position's text
    seats: tuple[str, str]  # the agents' texts, by seat; or HUMAN
    plies: tuple[Ply, ...]
    winner: int | None
    score: tuple[int, int] | None = None  # points, where the game counts
    reason: str = Termination.RULES  # a Termination, or what another version calls one
    detail: str = ""  # of a fault: the overrun in ms, the answer that was no move, the last words of a crash
    traceback: str = ""  # of a crash, in lines, as far as the agent's process told it
    seed: int = 0
    conditions: Mapping[str, Any] = field(default_factory=dict)  # limits, margins, machine, versions, sandbox
    version: int = VERSION

    @property
    def winner_seat(self) -> int | None:
        """The winner as programs count seats: 0, 1, or None for a draw. The same as `winner`."""
        return self.winner

    @property
    def winner_player(self) -> int:
        """The winner as people count players: 1, 2, or 0 for a draw."""
        return 0 if self.winner is None else self.winner + 1

    def points(self, seat: int) -> float:
        """1 for a win, 1/2 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else float(self.winner == seat)

    @property
    def rules_digest(self) -> str | None:
        """The digest of the game's own file and its imports, as it was when this was played; None if none was kept."""
        kept = self.conditions.get("sources") if isinstance(self.conditions, Mapping) else None
        found = kept.get(self.game) if isinstance(kept, Mapping) else None
        return found if isinstance(found, str) and found else None

    def as_dict(self) -> dict[str, Any]:
        """As JSON-ready data; plies without what was not said."""
        plain = asdict(self)
        if not self.traceback:
            del plain["traceback"]
        plain["options"], plain["conditions"] = dict(self.options), dict(self.conditions)
        plain["plies"] = [{key: value for key, value in asdict(ply).items() if value is not None} for ply in self.plies]
        return plain


def from_dict(plain: Any) -> Record:
    """The record of such data; BadText says what is wrong with any other."""
    if not isinstance(plain, Mapping):
        raise BadText(f"a record is an object of JSON, not {type(plain).__name__}")
    if plain.get("version") != VERSION:
        raise BadText(f"this record has version {plain.get('version')!r}; this harena reads version {VERSION}")
    try:
        given = dict(plain)
        given["plies"] = tuple(Ply(**ply) for ply in given["plies"])
        first, second = given["seats"]
        given["seats"] = (str(first), str(second))
        given["score"] = tuple(given["score"]) if given.get("score") is not None else None
        return Record(**given)
    except (KeyError, TypeError, ValueError) as error:
        raise BadText(f"this is no record of a game: {' '.join(str(error).split())}") from None
