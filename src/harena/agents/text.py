"""A player's text: `name` or `name(key=value, key=value)`; a value is a number, a word, or a heuristic's text.

The name is one that we know, or that of a search of one's own in a file: `mine.py:MySearch`.
"""

import re

from harena.errors import BadText
from harena.heuristics.paths import SPACED, trouble

OWN = r"[^=,+*()]+\.py:\w+"
WHOLE = re.compile(rf"\s*(?P<name>{OWN}|\w+)\s*(?:\((?P<inside>.*)\))?\s*", re.DOTALL)


def is_own(name: str) -> bool:
    """Whether the name of a player is that of a search in a user's file."""
    return re.fullmatch(OWN, name) is not None


def own_files(text: str) -> list[str]:
    """The users' files that a player of this text is made of: its search, its heuristics."""
    return [name.rpartition(":")[0] for name in own_names(text)]


def own_names(text: str) -> list[str]:
    """The users' searches and heuristics that a player of this text is made of, each as `file.py:Name`."""
    own = re.match(rf"\s*({OWN})", text)
    named = [own[1]] if own else []
    return [*named, *re.findall(SPACED, text[own.end() if own else 0 :])]


def split(text: str) -> tuple[str, dict[str, str]]:
    """The name, and the options as they are written."""
    if said := trouble(text):
        raise BadText(said)
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
