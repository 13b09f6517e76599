"""What there is to see of a position, said without any drawing: the renderers turn it into text, SVG or a page."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Cell = tuple[int, int]  # row, column; row 0 is at the top
Side = tuple[int, int, str]  # a cell and its side: "r" (right) or "d" (down)

# What a cell can hold. A user's game may use any other short text: it is written into the cell.
FREE, BLOCKED, TRAP, GAP = "free", "blocked", "trap", "gap"
PLAYER_1, PLAYER_2, RED, BLUE = "player 1", "player 2", "red", "blue"

# What the last turn did to a cell.
CAME_FROM, MOVED_TO, AIMED_AT, LANDED_ON, REMOVED, FELL = (
    "came from",
    "moved to",
    "aimed at",
    "landed on",
    "removed",
    "fell",
)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A board of rows x columns: what each cell holds, where walls stand, and what has just happened."""

    rows: int
    columns: int
    cells: Mapping[Cell, str]  # cells that are left out are FREE
    walls: frozenset[Side] | None = None  # None: a game without walls
    new_wall: Side | None = None
    marks: Mapping[Cell, frozenset[str]] = field(
        default_factory=dict
    )  # the last turn's traces, several on one cell too
    heat: Mapping[Cell, int] = field(default_factory=dict)  # what a search thinks of moves there: 0 worst, 9 best
    caption: str = ""  # whose turn it is, or the result, in words
    counted: bool = False  # rows and columns numbered from 0, as the courses' programs do, in place of a1, b1
