"""The games there are, in words and numbers only: what the command line lists without loading any rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from harena.errors import BadOption, UnknownName

Size = int | str | tuple[int, int]
MARKED = re.compile(r"\*([^*]+)\*")  # words of a rule


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One game: its name, what it allows, and where its face is (`module:class`)."""

    name: str
    title: str
    summary: str
    face: str = ""
    sizes: tuple[int, int] | None = None  # smallest and largest side; None: the game has only one size
    default_size: int = 0
    rectangles: bool = False
    setups: Mapping[str, str] = field(default_factory=dict)  # name: what it means; the first is the default
    firsts: tuple[str, ...] = ()  # colours that may move first; the first is the default
    notation: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()  # in sentences, for people at the board; *words* that matter most are marked so

    @property
    def plain_rules(self) -> tuple[str, ...]:
        """The rules without marks."""
        return tuple(MARKED.sub(r"\1", sentence) for sentence in self.rules)

    def rows_and_columns(self, size: Size | None) -> tuple[int, int]:
        """Check a size as people give it: 7, "7", "5x7" (rows x columns) or (5, 7)."""
        if self.sizes is None:
            raise BadOption(f"{self.name} has only one size")
        smallest, largest = self.sizes
        rows, columns = _two_numbers(self.default_size if size is None else size, self.name)
        if rows != columns and not self.rectangles:
            raise BadOption(f"{self.name} is played on a square board, not {rows}x{columns}")
        if not (smallest <= rows <= largest and smallest <= columns <= largest):
            raise BadOption(f"{self.name} has sizes from {smallest} to {largest}, not {_size_text(rows, columns)}")
        return rows, columns

    def side(self, size: Size | None) -> int:
        """The side of a square board."""
        return self.rows_and_columns(size)[0]

    def setup_name(self, setup: str | None) -> str:
        """Check the name of a set-up; None is the default."""
        name = next(iter(self.setups)) if setup is None else str(setup)
        if name not in self.setups:
            raise UnknownName(f"set-up of {self.name}", name, self.setups)
        return name


def _two_numbers(size: Size, name: str) -> tuple[int, int]:
    parts = size if isinstance(size, tuple) else str(size).lower().split("x")
    try:
        rows, columns = (int(str(part)) for part in (parts if len(parts) == 2 else parts * 2))
    except ValueError:
        raise BadOption(f"{size!r} is no size of {name}: write 7, or 5x7 for rows x columns") from None
    return rows, columns


def _size_text(rows: int, columns: int) -> str:
    return str(rows) if rows == columns else f"{rows}x{columns}"


CATALOGUE: Mapping[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            name="trap",
            title="Trap!",
            summary="walk, then throw a trap that may miss; leave the other player without a free neighbour",
            rules=(
                "Take away the last free cell beside your opponent. Player 1 starts in the middle of the first "
                "row, player 2 in the middle of the last.",
                "*Walk* one step, also diagonally, to a cell without a trap and without a player.",
                "*Throw* a trap at any cell without a player; one with a trap is allowed. Right above, below, left "
                "or right of you it hits for sure. Every further step, counted along rows and columns, costs 5 %: "
                "at distance 2, to which diagonal neighbours belong, 95 % are left. A miss lands on one of the "
                "cells around the target, all equally likely, but never on a player.",
                "Traps stay. After your walk, and again after your throw, you *win* if your opponent has no free "
                "cell around him, even if you have none either.",
                "Who has only walled himself in is not lost yet: he loses if he is still stuck after the "
                "opponent's walk or throw.",
                "After 75 turns of each the game is a draw.",
            ),
            face="harena.games.faces.trap:TrapFace",
            sizes=(4, 8),
            default_size=7,
            setups={"standard": "players at the middle of the first and the last row, no traps"},
            notation=(
                "walk c4, aim @c4, landing !c5 (also typed as row,column from 0: 3,2)",
                "position: rows of . x 1 2 joined by /, player, stage (walk, aim or @c4), half-turns",
            ),
        ),
        Entry(
            name="colosseum",
            title="Colosseum Survival!",
            summary="walk, then build a wall beside you; once walled apart, the larger zone wins",
            rules=(
                "Cut off the larger part of the board. Player 1 begins.",
                "*Walk* up, down, left or right, at most half as many steps as the board has rows, rounded up (4 "
                "on 8 x 8): never through a wall, nor onto or past your opponent. You may stay where you are.",
                "Then *build a wall* on an open side of your cell. You have to, and walls stay.",
                "The game is over when no way leads from one player to the other any more. Each counts the cells "
                "that he can reach: more cells *win*, as many are a draw. A closed pocket without a player counts "
                "for nobody.",
            ),
            face="harena.games.faces.colosseum:ColosseumFace",
            sizes=(2, 12),
            default_size=8,
            setups={
                "2023": "a few random walls (6 on 8 x 8) and random players, each opposite to its image",
                "2022": "the older start with more walls (8 on 8 x 8); sizes from 3",
                "empty": "no walls, players at the middle of the first row and opposite",
            },
            notation=(
                "destination and side of the wall, u r d l: c4u (also typed as row,column,side from 0: 3,2,u)",
                "position: size, cells of player 1 and 2, player to move, walls as c4r or c4d joined by commas (or -)",
            ),
        ),
        Entry(
            name="isolation",
            title="Knight Isolation",
            summary="jump like a knight, never onto a visited cell; who cannot move loses",
            rules=(
                "Be the one who can still move. Player 1 begins.",
                "Your first move *places* your knight on any free cell. After that it *jumps* as in chess: two "
                "cells along a row or column, and one across. What lies between does not matter.",
                "A cell on which a knight has ever been is blocked for the rest of the game.",
                "Who has to move and cannot, *loses*. There are no draws.",
            ),
            face="harena.games.faces.isolation:IsolationFace",
            sizes=(3, 8),
            default_size=7,
            rectangles=True,
            setups={
                "start": "an empty board: each player's first move places his knight anywhere",
                "random-placements": "both knights already placed at random",
            },
            notation=(
                "the cell to go to: c4 (also typed as row,column from 0: 3,2)",
                "position: rows of . x 1 2 joined by /, player to move",
            ),
        ),
        Entry(
            name="tiles",
            title="Tile removal",
            summary="remove one of your tiles and what falls with it; whose colour vanishes first wins",
            rules=(
                "Get rid of your own colour first. Player 1 is who moves first, with red unless chosen otherwise.",
                "A move *removes* one tile of your colour. Then each of the four tiles beside it, of either "
                "colour, *falls* if at least two of its sides are open. A side is open towards an empty cell; the "
                "edge of the board holds.",
                "All four are judged after the removal and before any of them falls, and what falls makes nothing "
                "else fall.",
                "You *win* when your colour has gone and the other has not, whoever removed it. An empty board is "
                "a draw.",
            ),
            face="harena.games.faces.tiles:TilesFace",
            sizes=(2, 10),
            default_size=4,
            setups={
                "checkerboard": "B at the top left; odd boards have one B more",
                "random": "as many R as B at random; odd boards have one B more",
            },
            firsts=("R", "B"),
            notation=(
                "the tile to remove: c4 (also typed as row column from 1: 4 3)",
                "position: rows of R B X joined by /, colour to move, player to move",
                "a set-up may also be a board file: n, then n lines of R, B or X",
            ),
        ),
    )
}


def entry(name: str) -> Entry:
    """The entry of a game by its name."""
    if name not in CATALOGUE:
        raise UnknownName("game", name, CATALOGUE)
    return CATALOGUE[name]


def is_own_game(name: str) -> bool:
    """Whether a name is that of a file with a user's own game, with or without its face."""
    return name.endswith(".py") or name.rpartition(":")[0].endswith(".py")
