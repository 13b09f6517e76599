"""A player's text: `name` or `name(key=value, key=value)`; a value is a number, a word, or a heuristic's text.

The name is that of a player of Harena, or that of a search in a user's file: `mine.py:MySearch`.
"""

import re

from harena.errors import BadText
from harena.heuristics.paths import SPACED, trouble

USER_SEARCH = r"[^=,+*()]+\.py:\w+"
WHOLE = re.compile(rf"\s*(?P<name>{USER_SEARCH}|\w+)\s*(?:\((?P<inside>.*)\))?\s*", re.DOTALL)


def is_user_search(name: str) -> bool:
    """Whether the name of a player is that of a search in a user's file."""
    return re.fullmatch(USER_SEARCH, name) is not None


def user_code(text: str) -> list[str]:
    """The users' searches and heuristics that a player of this text is made of, each as `file.py:Name`."""
    search = re.match(rf"\s*({USER_SEARCH})", text)
    searches = [search[1]] if search else []
    return [*searches, *re.findall(SPACED, text[search.end() if search else 0 :])]


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name, and the options as they are written."""
    if complaint := trouble(text):
        raise BadText(complaint)
    match = WHOLE.fullmatch(text)
    if match is None:
        raise BadText(f"{text!r} is no player: write name or name(key=value, ...), as in mcts(c=0.5, seconds=1)")
    options: dict[str, str] = {}
    for part in _parts(match["inside"] or "", text):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key.isidentifier() or not value:
            raise BadText(f"{text!r}: {part.strip()!r} is not of the form key=value")
        if key in options:
            raise BadText(f"{text!r}: {key} is given twice")
        options[key] = value
    return match["name"], options


def _parts(inside: str, text: str) -> list[str]:
    """Split at the commas outside of parentheses."""
    parts, depth = [""], 0
    for letter in inside:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth != 0:
        raise BadText(f"{text!r}: a parenthesis is missing")
    return [] if parts == [""] or not inside.strip() else parts
