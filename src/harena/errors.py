"""Every exception that Harena raises on purpose. The message is one plain line: what is wrong, and what to do.

HarenaError
├── UsageError            a wrong argument
│   ├── UnknownName       no such game, set-up, option ...: names the nearest valid one
│   ├── BadOption         a size, set-up or seed outside what the game allows
│   ├── BadText           a text that is no position, no move or no board file
│   └── BadFile           a user's Python file that cannot be loaded: names the file and line
├── IllegalMove           a move that the rules forbid here, and why
│   └── UnreadableMove    a text that is no move at all (a BadText too)
└── KernelError
    ├── Endless           a search that heeds neither its limit of time nor Ctrl-C: it still runs
    ├── MethodError       a method of a generic function that cannot be registered or found
    └── CompileError      code that Numba cannot compile: names the file and line
"""

from collections.abc import Iterable
from difflib import get_close_matches


class HarenaError(Exception):
    """The root of the tree; the command line prints its message as one line and exits with 2."""


class UsageError(HarenaError):
    """A wrong argument."""


class UnknownName(UsageError):
    """A name that is not in a table; the message offers the nearest one (unless it is not to guess), or those given."""

    def __init__(self, kind: str, name: object, valid: Iterable[str], *, guesses: bool = True, more: str = "") -> None:
        names = list(valid)
        near = nearest(str(name).lower(), names) if guesses else None
        offer = f"there are: {', '.join(names)}{more}" if near is None else f"did you mean {near!r}?"
        super().__init__(f"no {kind} {str(name)!r}; {offer}")


def printable(text: str) -> str:
    """A text from outside as a message may show it: no codes for a terminal, no marks that turn the direction of text.

    A question mark stands for each letter that is left out; line ends and tabs are among them.
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def clean(text: object) -> str:
    """A text from outside as it may be shown: on one line, and without the codes that steer a terminal."""
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in str(text))


def clean_lines(text: object) -> list[str]:
    """The lines of a text from outside, each as `clean` shows it."""
    return [clean(line) for line in str(text).splitlines()]


def nearest(text: str, names: Iterable[str]) -> str | None:
    """The name with the fewest letters to change; of several the one as long as the text. None if none is like it."""
    near = get_close_matches(text, list(names), n=3, cutoff=0.5)
    return min(near, key=lambda name: (_edits(text, name), abs(len(name) - len(text))), default=None)


def _edits(one: str, other: str) -> int:
    """Letters to insert, remove or replace (Levenshtein)."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, wanted in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (letter != wanted))
    return row[-1]


class BadOption(UsageError):
    """An option's value outside what the game allows."""


class BadText(UsageError):
    """A text that is no position, no move or no board file."""


class BadFile(UsageError):
    """A user's Python file that cannot be loaded."""


class IllegalMove(HarenaError):
    """A move that the rules forbid in this position."""


class UnreadableMove(IllegalMove, BadText):
    """A text given as a move that is none."""


class KernelError(HarenaError):
    """Trouble with the compiled code itself."""


class Endless(KernelError):
    """A search that heeds neither its limit of time nor Ctrl-C; it still runs."""


class MethodError(KernelError):
    """A method of a generic function that cannot be registered or found."""


class CompileError(KernelError):
    """Code that Numba cannot compile."""
