"""Reads a submission's Python without running it: the one place that turns a stranger's text into a tree.

Python's own limits show in several ways (RecursionError, MemoryError, SyntaxError, ValueError); here they are one
exception with one line. Trees are walked by `ast.walk`, which does not recurse, and never by `ast.unparse`, which does.
"""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

MOST_SOURCE = 4 * 1024 * 1024  # bytes of one file
TOO_DEEP = "it is nested too deeply"
TOO_LARGE = f"it has more than {MOST_SOURCE // (1024 * 1024)} MB"


class Unparsable(Exception):
    """Why a file cannot be read as Python, in one line.

    `is_beyond_limits` tells a file that is too deep or too large from one with a mistake: Python may still run it.
    """

    def __init__(self, reason: str, *, is_beyond_limits: bool = False) -> None:
        super().__init__(reason)
        self.is_beyond_limits = is_beyond_limits


def parse_file(file: Path) -> ast.Module:
    """The tree of a file; Unparsable says why there is none, OSError that the file cannot be opened."""
    return parse_source(read_source(file))


def read_source(file: Path) -> bytes:
    """The bytes of a file, of one that is too large no more than shows it."""
    with file.open("rb") as opened:
        return opened.read(MOST_SOURCE + 1)


def parse_source(source: bytes) -> ast.Module:
    """The tree of a text; Unparsable says why there is none."""
    if len(source) > MOST_SOURCE:
        raise Unparsable(TOO_LARGE, is_beyond_limits=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the text's own escapes and comparisons
            return ast.parse(source)
    except (RecursionError, MemoryError):
        raise Unparsable(TOO_DEEP, is_beyond_limits=True) from None
    except (SyntaxError, ValueError, LookupError) as error:  # the last two: null bytes, strange encodings
        raise Unparsable(" ".join(str(error).split())[:160] or type(error).__name__) from None


def is_too_deep(file: Path) -> bool:
    """Whether Python cannot compile a file because of its nesting; also where it still has a tree."""
    try:
        compile(parse_file(file), file.name, "exec", dont_inherit=True)
    except Unparsable as error:
        return str(error) == TOO_DEEP
    except (RecursionError, MemoryError):
        return True
    except (OSError, SyntaxError, ValueError):
        return False
    return False
