"""The position that a command's options name, and how it is printed."""

import sys
from typing import Any

from harena.api import State
from harena.errors import UsageError
from harena.find import face, game
from harena.games.picture import Picture
from harena.render import text


def find_state(name: str, options: dict[str, Any], seed: int, position: str | None) -> State:
    """The start position of a game, or the one whose text is given (its size need not be repeated)."""
    if position is None:
        return game(name, **options).initial(seed)
    if options.get("setup") or options.get("first"):
        raise UsageError("--position says it all: leave --setup and --first out")
    given = {key: value for key, value in options.items() if value is not None}
    found = face(name)
    return game(name, **(found.options_of(found.parse_position(position)) | given)).position(position)


def board(state: State) -> str:
    """The board as this terminal can show it."""
    picture = state.picture
    return f"{state.text}\n{state.caption}" if picture is None else draw(picture)


def draw(picture: Picture) -> str:
    """Any picture of a board as this terminal can show it."""
    return text.draw(picture, colour=has_colour(), ascii_only=not has_unicode())


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
