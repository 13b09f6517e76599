"""One line of `harena check`."""

from dataclasses import dataclass

OK, NOTE, RED = "ok", "note", "RED"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What was looked at, how it is, and what to do about it where something is to be done."""

    mark: str  # OK, NOTE (worth knowing, nothing is wrong) or RED
    what: str
    text: str
    advice: str = ""
    command: str = ""  # that shows it
    traceback: str = ""  # of a crash, in lines


def fine(what: str, text: str) -> Finding:
    """A green line."""
    return Finding(mark=OK, what=what, text=text)


def note(what: str, text: str, advice: str = "") -> Finding:
    """A yellow line."""
    return Finding(mark=NOTE, what=what, text=text, advice=advice)


def red(what: str, text: str, advice: str, command: str = "", traceback: str = "") -> Finding:
    """A red line."""
    return Finding(mark=RED, what=what, text=text, advice=advice, command=command, traceback=traceback)
