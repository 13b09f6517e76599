"""The process of a course agent: loads it, translates between the protocol and the course's interface, and answers.

    hosting.host.main()    with the arguments COURSE FOLDER TARGET NAME

`FOLDER` is the submission's; `TARGET` a file in it, or nothing: then the agent is looked for; `NAME` a class or a
registered name, or nothing. What the agent prints goes to standard error. An exception, or an answer that is no move,
is said as a fault: the referee decides what follows.

The instance that plays a game is made at the message `make`, which holds nothing of the game. At `new` no code of the
agent runs: what its course calls when a game begins is called at the first `go`, on the agent's clock.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from .importing import CannotLoad, explained, import_numpy
from .rewriting import install_loader
from .stand_ins import remember_course
from .tracebacks import fit_into_line, format_traceback, log_traceback

PROTOCOL = 1
MOST_COPIED = 32 << 20  # bytes of a submission that are copied into the private tmp, so that it may write beside itself
ROOM_OF_A_FILE = 4096  # bytes that a file counts beside its own
NOT_COPIED = (".git", "__pycache__")
ADAPTERS = {
    "comp424": "comp424",
    "comp424-2022": "comp424",
    "w4701": "w4701",
    "w4701-reused": "w4701",
    "aind": "aind",
}


class Fault(Exception):
    """What an agent did wrong: one of the reasons of the protocol, and what there is to say about it."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


ILLEGAL, UNREADABLE, CRASH, RESIGNED = "illegal move", "unreadable answer", "crash", "resigned"


class Guest(Protocol):
    """A course agent that is loaded. The messages are those of docs/protocol.md."""

    name: str  # what it calls itself

    def make(self) -> None:
        """Make the instance that plays the next game, of which nothing is known yet: the message `make`."""

    def begin(self, told: dict[str, Any]) -> None:
        """Keep what the message `new` says of the game; the agent is not called."""

    def choose(self, told: dict[str, Any]) -> str:
        """The text of a move for the message `go`; Fault for an answer that is none."""


def main() -> None:
    """Serve until told to quit, or until nobody speaks any more."""
    course, folder, target, name = sys.argv[1:5]
    beside = str(Path(__file__).resolve().parents[1])
    sys.path[:] = [place for place in sys.path if place != beside]  # what lies beside this package is not the agent's
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    words = os.dup(0)
    os.dup2(2, 1)  # prints of the agent and of its children go to standard error
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # an agent that reads from the keyboard finds nobody there
    os.close(nothing)
    sys.stdout = sys.stderr
    host = Host(course, writable(Path(folder)), target, name)
    with os.fdopen(words, encoding="utf-8") as heard:
        for line in heard:
            told = json.loads(line)
            if told.get("type") == "quit":
                return
            answer = host.hear(told)
            if answer is not None:
                out.write(json.dumps(answer) + "\n")
                out.flush()
                if answer["type"] == "error":
                    return


class Host:
    """A course agent between the protocol and its course's interface."""

    def __init__(self, course: str, folder: Path, target: str, name: str) -> None:
        self.course, self.folder, self.target, self.name = course, folder, target, name
        self.guest: Guest | None = None
        self.failed: dict[str, str] | None = None  # what the constructor did wrong: said at the first question

    def hear(self, told: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a message, if it wants one."""
        if told["type"] == "prepare":
            prepare(self.course)
            return {"type": "prepared"}
        if told["type"] == "hello":
            try:
                self.guest = load(self.course, self.folder, self.target, self.name, told)
            except CannotLoad as error:
                return {"type": "error", "message": str(error), **self._told(error.__context__)}
            return {"type": "ready", "harena": PROTOCOL, "name": self.guest.name, "makes": True}
        assert self.guest is not None
        if told["type"] == "make":
            seed_generators(told["seed"])
            _, self.failed = self._tried(self.guest.make)
            return {"type": "made", "id": told["id"]}
        if told["type"] == "new":
            self.guest.begin(told)
            return None
        move, fault = (None, self.failed) if self.failed else self._tried(self.guest.choose, told)
        return {"type": "move", "id": told["id"], **(fault or {"move": move})}

    def _tried(self, ask: Callable[..., Any], *told: dict[str, Any]) -> tuple[Any, dict[str, str] | None]:
        """What the agent answers, or the fault it committed."""
        try:
            return ask(*told), None
        except Fault as fault:
            return None, {"fault": fault.reason, "detail": fault.detail[:300]}
        except (Exception, SystemExit) as error:
            return None, {"fault": CRASH, "detail": explained(error, self.folder), **self._told(error)}

    def _told(self, error: BaseException | None) -> dict[str, str]:
        """The traceback of an error for the referee, once it is in the log; nothing if there is none."""
        text = "" if error is None else format_traceback(error, self.folder)
        log_traceback(text)
        return {"traceback": fit_into_line(text)} if text else {}


def prepare(course: str) -> ModuleType:
    """Import the adapter of a course and the libraries that it needs itself; nothing of the submission."""
    adapter = importlib.import_module(f".{ADAPTERS[course]}", __package__)
    if adapter.NEEDS_NUMPY:
        import_numpy()
    return adapter


def seed_generators(seed: int) -> None:
    """Seed the generators that agents draw from, so that a game can be repeated."""
    random.seed(seed)
    if "numpy" in sys.modules:
        importlib.import_module("numpy.random").seed(seed % 2**32)


def load(course: str, folder: Path, target: str, name: str, told: dict[str, Any]) -> Guest:
    """The agent behind the adapter of its course."""
    adapter = prepare(course)
    sys.argv = [target or str(folder)]
    install_loader(folder)
    remember_course(course)
    loaded: Guest = adapter.load(folder, target, name, course=course, hello=told)
    return loaded


def writable(folder: Path) -> Path:
    """A copy of the submission in the private tmp, where it may write; the folder itself if it is too large.

    What cannot be copied (a pipe, a file that may not be read) is left out.
    """
    left = MOST_COPIED
    for place, folders, files in os.walk(folder):
        folders[:] = [one for one in folders if one not in NOT_COPIED]
        left -= sum(_room(os.path.join(place, one)) for one in files)
        if left < 0:
            return folder
    copy = Path(tempfile.mkdtemp()) / folder.name
    with contextlib.suppress(shutil.Error):
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
    return copy


def _room(file: str) -> int:
    with contextlib.suppress(OSError):  # it has just gone
        return ROOM_OF_A_FILE + os.lstat(file).st_size
    return 0
