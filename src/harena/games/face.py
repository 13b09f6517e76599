"""The face of a game: what people give, type and see of it. The rules know nothing of this.

A user's own game needs only an entry, the class of its states and the value of its set-up; moves are then written as
numbers and positions as their fields. Override the rest to give it a notation and a board.
"""

from collections.abc import Sequence
from typing import Any

from harena.errors import BadOption, BadText, HarenaError
from harena.games.catalogue import Entry, Size
from harena.games.picture import Cell, Picture
from harena.kernel.values import coerce

LABEL = "position:"  # begins the last line of a printed board
Trail = Sequence[tuple[Any, int]]  # the last plies, the latest first: the value before the move, and the move


class Face:
    """Options, texts and pictures of one game."""

    entry: Entry
    state: type[Any]  # the class of its states

    def setup(self, *, size: Size | None = None, setup: str | None = None, first: str | None = None) -> Any:
        """The value that `initial` starts from; wrong options raise BadOption."""
        raise NotImplementedError

    def options_of(self, value: Any) -> dict[str, Any]:
        """The options that give a game of the same kind as this position; {} where there are none."""
        return {}

    def format_move(self, value: Any, move: int) -> str:
        """The move as text."""
        return str(move)

    def parse_move(self, value: Any, text: str) -> int:
        """The move of a text; it need not be legal, but must make sense on this board.

        BadText, or a plain ValueError, IndexError or KeyError, says that it is no move.
        """
        try:
            return int(text)
        except ValueError:
            raise BadText(f"{text!r} is no move of {self.entry.name}: write a number") from None

    def format_position(self, value: Any) -> str:
        """The position as one line of text."""
        return " ".join(str(int(field)) if isinstance(field, (bool, int)) else str(field) for field in _flat(value))

    def parse_position(self, text: str) -> Any:
        """The position of such a line, coerced and checked; exceptions as of `parse_move`."""
        try:
            return coerce(self.state(*(_number(field) for field in position_line(text).split())))
        except (TypeError, ValueError, HarenaError):
            names = " ".join(f"<{name}>" for name in self.state._fields)
            raise BadText(f"a position of {self.entry.name} is {names}, all numbers") from None

    def why_illegal(self, value: Any, move: int) -> str:
        """Why this move, which the rules do not list, is forbidden."""
        return "it is not among the legal moves"

    def cell_of(self, value: Any, move: int) -> Cell | None:
        """The row and column that a move is about, for drawing it on the board; None where there is none."""
        return None

    def turn_text(self, value: Any) -> str:
        """What the player to move has to do, for the line below the board."""
        return "to move"

    def reach_text(self, value: Any) -> str:
        """How far a player may go on this board, for a person who plays; empty where the rules say it."""
        return ""

    def end_text(self, value: Any) -> str:
        """Why the game is over in this last position, by the names `player 1` and `player 2`; empty where unknown."""
        return ""

    def picture(self, value: Any, trail: Trail) -> Picture | None:
        """What there is to see, without its caption, or None: then the position's text is all there is."""
        return None

    def refuse(self, **options: Any) -> None:
        """Complain about options that this game does not have."""
        for name, given in options.items():
            if given is not None:
                raise BadOption(f"{self.entry.name} has no option {name!r}")


UNREADABLE = (ValueError, LookupError)  # what the parsing methods of a user's own game may raise for a wrong text


def read_move(face: Face, value: Any, text: str) -> int:
    """The move of a text by the game's own `parse_move`; BadText for any text that it cannot read."""
    try:
        return face.parse_move(value, text)
    except UNREADABLE as error:
        raise BadText(f"{text!r} is no move of {face.entry.name} ({_cause(error)})") from error


def read_position(face: Face, text: str) -> Any:
    """The position of a line, or of a whole printed board, by the game's own `parse_position`, which gets a line."""
    line = position_line(text)
    try:
        return face.parse_position(line)
    except UNREADABLE as error:
        raise BadText(f"{line!r} is no position of {face.entry.name} ({_cause(error)})") from error


def position_line(text: str) -> str:
    """The line of a position: what follows the last `position:` of a printed board, else the text on one line."""
    lines = [line.strip() for line in text.splitlines()]
    labelled = [line.removeprefix(LABEL).strip() for line in lines if line.startswith(LABEL)]
    return labelled[-1] if labelled else " ".join(filter(None, lines))


def _cause(error: Exception) -> str:
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _flat(value: Any) -> list[Any]:
    """The numbers of a value; a game whose states contain other values writes texts of its own."""
    if any(isinstance(field, tuple) for field in value):
        raise HarenaError(
            f"{type(value).__name__} contains other values: give its Face format_position and parse_position"
        )
    return list(value)


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
