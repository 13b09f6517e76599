"""The traceback of an agent's crash, without the frames of the host."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from pathlib import Path

OURS = str(Path(__file__).parent)
MODULES = os.path.join(OURS, "modules")  # the courses' modules are of interest to the author of an agent
IMPORTING = "<frozen importlib"
LONGEST = 32768  # letters
MOST_SENT = 48000  # bytes that go to the referee, in a line of JSON, which has 64 kB at most


def format_traceback(error: BaseException, folder: Path) -> str:
    """The whole traceback with its causes, files named relative to the submission; nothing if no frame is the agent's.

    A traceback that is too long is cut in its middle.
    """
    try:
        whole = traceback.TracebackException.from_exception(error)
        files = [file for one in _chain(whole) for file in _remove_ours(one)]
        text = "".join(whole.format())
    except Exception:  # the agent's exception cannot be printed
        return ""
    theirs = (f"{folder}{os.sep}", f"{os.getcwd()}{os.sep}")
    if not isinstance(error, SyntaxError) and not any(file.startswith(theirs) for file in files):
        return ""
    for place in (*theirs, f"{MODULES}{os.sep}"):
        text = text.replace(f'File "{place}', 'File "')
    return shorten(text, LONGEST)


def shorten(text: str, most: int) -> str:
    """A text of at most so many letters: its first quarter and its last three, if it is longer."""
    if len(text) <= most:
        return text
    cut = f"\n  [{len(text) - most:,} letters are left out here]\n"
    return text[: most // 4] + cut + text[-(most - most // 4 - len(cut)) :]


def fit_into_line(text: str) -> str:
    """The traceback as it is sent to the referee: shorter, if its letters take more than one byte each."""
    most = LONGEST
    while len(json.dumps(shorten(text, most))) > MOST_SENT:
        most //= 2
    return shorten(text, most)


def log_traceback(text: str) -> None:
    """Write it to standard error, which is the agent's log."""
    if text:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # the agent may have closed it
            print(text, end="" if text.endswith("\n") else "\n", file=sys.__stderr__, flush=True)


def _chain(first: traceback.TracebackException) -> list[traceback.TracebackException]:
    """An exception with its causes and contexts, and those within a group."""
    found = [first]
    for one in found:
        more = [one.__cause__, one.__context__, *(getattr(one, "exceptions", None) or [])]
        found += [other for other in more if other is not None and other not in found]
    return found


def _remove_ours(one: traceback.TracebackException) -> list[str]:
    """Remove the frames of the host; the files of those that are left."""
    kept = [frame for frame in one.stack if not _is_ours(frame.filename)]
    one.stack = traceback.StackSummary.from_list(kept)
    return [frame.filename for frame in kept]


def _is_ours(file: str) -> bool:
    is_host = file.startswith(OURS + os.sep) and not file.startswith(MODULES + os.sep)
    return is_host or file.startswith(IMPORTING)
