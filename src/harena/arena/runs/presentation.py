"""The shapes in which a run presents itself: a line of a list, the blocks of a report, the parts of a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from harena.arena import words

LONGEST_LABEL = 36  # letters
INTERVAL = "95 % interval"  # the heading


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a list says of a run; nothing where it cannot be told."""

    game: str
    agents: list[str]
    planned: int | None = None
    result: str = ""


# Blocks of a text


@dataclass(frozen=True)
class Line:
    """A line of text; a whole one is not wrapped, so that it can be copied."""

    text: str = ""
    style: str = ""
    is_whole: bool = False


@dataclass(frozen=True)
class Facts:
    """Names at the left, what is said of each at the right."""

    rows: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class TextTable:
    """A table by columns; `left` are the columns of texts, all others hold numbers.

    `overflow` says what happens to cells that are too wide: "fold", "ellipsis", or "" where no column gives way.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = ()
    overflow: str = "fold"
    is_tight: bool = False  # no space at its edges, more between its columns


Block = Line | Facts | TextTable


# Parts of a report


@dataclass(frozen=True, kw_only=True)
class Rated:
    """A line of the first table: an estimate with its interval, and what it rests on."""

    name: str
    value: float
    low: float
    high: float
    games: int
    score: float
    open_low: bool = False  # the games do not bound it there
    open_high: bool = False
    normalised: float | None = None  # nElo, of a match


@dataclass(frozen=True, kw_only=True)
class ReportPart:
    """What a kind of run adds to a report."""

    title: str
    names: list[str]  # what tables call the agents
    unit: str  # of the ratings: Elo, or % for scores
    ratings: list[Rated]
    about: str  # what the ratings are relative to
    verdict: list[str]
    columns: list[int]  # agents that have a column of the crosstable
    rows: list[int]
    planned: int | None
    bracket: list[tuple[str, str, str, str, str]] | None = None  # of a knockout


def labels(agents: Sequence[str], letters: Sequence[str] = ()) -> list[str]:
    """A label for each agent: its short name, or where that is long its beginning and its number.

    With letters, as for the two sides of a match, each begins with its own, and agents of one text are told apart.
    """
    names, found = words.short_names(agents), []
    for number, text in enumerate(agents):
        name = f"{letters[number]} {names[text]}" if letters else names[text]
        mark = "…" if letters else f"… #{number + 1}"
        found.append(name if len(name) <= LONGEST_LABEL else name[: LONGEST_LABEL - len(mark)] + mark)
    return found


# Parts of a page


@dataclass(frozen=True, kw_only=True)
class PageTable:
    """The standings: texts by row, the columns that hold numbers, and the rows that lead."""

    headings: list[str]
    rows: list[list[str]]
    numbers: list[int]
    leaders: list[int] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """As JSON-ready data."""
        return dict(vars(self))
