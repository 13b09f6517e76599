"""The position that a command's options name, and how it is printed."""

import sys
from collections.abc import Collection
from math import inf
from typing import Any

from harena.api import State
from harena.errors import UsageError
from harena.find import face, game
from harena.games.face import read_position
from harena.games.picture import Picture
from harena.render import compact, text


def find_state(name: str, options: dict[str, Any], seed: int, position: str | None) -> State:
    """The start position of a game, or the one whose text is given (its size need not be repeated)."""
    if position is None:
        return game(name, **options).initial(seed)
    if options.get("setup") or options.get("first"):
        raise UsageError("--position says it all: leave --setup and --first out")
    given = {key: value for key, value in options.items() if value is not None}
    found = face(name)
    return game(name, **(found.options_of(read_position(found, position)) | given)).position(position)


def board(state: State, others: int | None = None) -> str:
    """The board as this terminal can show it; `others` as of `draw`."""
    picture = state.picture
    return f"{state.text}\n{state.caption}" if picture is None else draw(picture, others)


def draw(picture: Picture, others: int | None = None) -> str:
    """Any picture of a board as this terminal can show it.

    With one row a line where the window is too low for it and so many others, the lines of its caption among them.
    """
    is_low = others is not None and text.height(picture) + others > window_rows()
    drawn = compact.draw if is_low else text.draw
    return drawn(picture, colour=has_colour(), ascii_only=not has_unicode())


def legend(picture: Picture, others: int) -> dict[str, str]:
    """What the symbols of a board mean, as `draw` draws it with so many other lines; nothing of a compact one."""
    if text.height(picture) + others > window_rows():
        return {}
    return text.legend(picture, colour=has_colour(), ascii_only=not has_unicode())


def legend_line(picture: Picture | None, others: int = 0, known: Collection[str] = ()) -> str:
    """A line below a board that says what its marks mean, but for those that are known; empty if there is nothing."""
    if picture is None or picture.heat:
        return ""
    new = {symbol: words for symbol, words in legend(picture, others).items() if symbol not in known}
    return "  " + ", ".join(f"{symbol} {words}" for symbol, words in new.items()) if new else ""


def explained_board(state: State, known: set[str] | None = None) -> str:
    """The board with a line about its marks, but for those that are `known`; all of them are known afterwards."""
    picture, known = state.picture, set() if known is None else known
    line = legend_line(picture, known=known)
    if picture is not None:
        known.update(legend(picture, 0))
    return f"{board(state)}\n{line}" if line else board(state)


def fitted(picture: Picture, others: int) -> str:
    """The same for a screen from which nothing may scroll away: where nothing else helps, only what is said of it."""
    rows, needed = window_rows(), compact.height(picture) + others
    if needed > rows:
        return f"{picture.caption}\nthis window has {rows:.0f} rows, and the board needs {needed}"
    return draw(picture, others)


def window_rows() -> float:
    """How many rows the window has; no end of them where there is none."""
    from rich.console import Console

    console = Console()
    return console.size.height if console.is_terminal else inf


def has_colour() -> bool:
    """Whether colours can be shown here."""
    from rich.console import Console

    console = Console()
    return console.is_terminal and not console.no_color and console.color_system is not None


def has_unicode() -> bool:
    """Whether boxes and blocks can be printed here."""
    try:
        "┏━┓●◆".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
