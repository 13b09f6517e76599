"""Whether Python can read the letters of a file: UTF-8, unless one of its first two lines names another encoding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

SAVE = "save it as UTF-8"
NAME = ", or name its encoding in its first line, as # coding: latin-1"
NAMED = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
NULL, NULL_BYTE = b"\0", "a null byte"  # no file that Python reads has one; all are full of them in UTF-16


def misread(file: Path) -> str:
    """The line of a file that cannot be read, and what to do, in one line; nothing if all can be, or there is none."""
    try:
        data = file.read_bytes()
    except OSError:
        return ""
    if NULL in data:
        return f"{_place(file, data, data.index(NULL))} is not UTF-8 ({NULL_BYTE}: is it UTF-16?): {SAVE}"
    named = next((found[1].decode() for line in data.split(b"\n")[:2] if (found := NAMED.match(line))), "utf-8")
    try:
        data.decode(named)
    except UnicodeDecodeError as error:
        byte = data[error.start]
        return f"{_place(file, data, error.start)} is not {named.upper()} (byte 0x{byte:02x}): {SAVE}{NAME}"
    except (LookupError, ValueError):
        return f"{file.name}: there is no encoding {named!r}: {SAVE}{NAME}"
    return ""


def _place(file: Path, data: bytes, at: int) -> str:
    line = data.count(b"\n", 0, at) + 1
    return f"{file.name}: line {line}"


def first_misread(files: Iterable[Path]) -> str:
    """The same of the first of these files that has such a line."""
    return next((trouble for file in files if (trouble := misread(file))), "")


def parted(said: str) -> tuple[str, str]:
    """What is wrong, and what to do; nothing is to be done where the words are about something else."""
    what, found, rest = said.partition(f": {SAVE}")
    return what, f"{SAVE}{rest}" if found else ""
