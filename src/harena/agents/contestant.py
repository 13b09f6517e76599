"""Whoever sits at the board: an agent in a process of its own, or one of our players in this very process.

Both are asked in the same words, and with a budget of nodes both play the same games.
"""

import os
import sys
import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from harena.agents.player import Player, player
from harena.agents.process import AgentFault, AgentProcess
from harena.agents.serve import described
from harena.api import State
from harena.errors import BadFile
from harena.find import game
from harena.search.result import Limits

NO_FLAG = np.zeros(1, np.int64)  # nobody stops it
START_SECONDS = 600.0  # the first start of a player compiles it
HANGS = 3600.0  # seconds after which an agent without a limit of time is given up


@dataclass(frozen=True, kw_only=True)
class Said:
    """An answer: the move's text, what was said about it, and how long it took."""

    move: str
    seconds: float
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None


class Contestant(Protocol):
    """Started once and kept over many games."""

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game."""

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int) -> Said:
        """A move; AgentFault tells what went wrong."""

    def end(self) -> None:
        """The game is over."""

    def close(self) -> None:
        """No more games."""


def is_file(text: str) -> bool:
    """Whether a contestant is named by a file rather than by a player's text."""
    return text.endswith(".py") or (os.sep in text and "(" not in text)


def command_of(text: str) -> list[str]:
    """What starts the process of an agent: a Python file, another program, or a player of ours."""
    if not is_file(text):
        return [sys.executable, "-m", "harena.agents.serve", text]
    path = os.path.abspath(text)
    if not os.path.isfile(path):
        raise BadFile(f"{text}: there is no such file")
    if path.endswith(".py"):
        return [sys.executable, path]
    if not os.access(path, os.X_OK):
        raise BadFile(f"{text}: is not executable (chmod +x)")
    return [path]


class ProcessContestant:
    """An agent behind the protocol of docs/protocol.md, started when first needed and again after a fault."""

    def __init__(
        self, text: str, name: str, variants: list[dict[str, Any]], *, margin: float, memory: float | None = None
    ) -> None:
        self.text, self.name, self.variants = text, name, variants
        self.margin, self.memory = margin, memory
        self.command = command_of(text)
        self.process: AgentProcess | None = None
        self.asked = 0

    def start(self) -> None:
        """Start the process and wait until it is ready."""
        cwd = os.path.dirname(os.path.abspath(self.text)) if is_file(self.text) else None
        self.process = AgentProcess(self.command, memory=self.memory, cwd=cwd)
        hello = {"type": "hello", "harena": 1, "game": self.name, "variants": self.variants}
        self.process.ask(hello, "ready", START_SECONDS)

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game."""
        if self.process is None:
            self.start()
        assert self.process is not None
        self.process.wake()
        self.process.tell({"type": "new", "options": options, "start": start, "seat": seat, "seed": seed})
        self.process.pause()

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int) -> Said:
        """Wake it, ask it, and stop it again."""
        assert self.process is not None
        self.asked += 1
        question = {
            "type": "go",
            "id": self.asked,
            "position": state.text,
            "moves": moves,
            "legal": [str(move) for move in state.moves()],
            "limits": {key: value for key, value in vars(limits).items() if value is not None},
            "seed": seed,
        }
        allowed = HANGS if limits.seconds is None else limits.seconds + self.margin
        self.process.wake()
        try:
            answer = self.process.ask(question, "move", allowed)
        except AgentFault as fault:
            self.drop()
            raise fault
        self.process.pause()
        return _said(answer.said, answer.seconds)

    def end(self) -> None:
        """The next `new` says so."""

    def drop(self) -> None:
        """End the process at once; the next game starts it again."""
        if self.process is not None:
            self.process.kill()
            self.process = None

    def close(self) -> None:
        """No more games."""
        if self.process is not None:
            self.process.close()
            self.process = None


def _said(answer: dict[str, Any], seconds: float) -> Said:
    if answer.get("resign") is True:
        raise AgentFault("resigned")
    move = answer.get("move")
    if not isinstance(move, str):
        raise AgentFault("unreadable answer", f"the move is {str(move)[:80]!r}, not a text")
    value, depth, nodes = answer.get("value"), answer.get("depth"), answer.get("nodes")
    return Said(
        move=move,
        seconds=seconds,
        value=float(value) if isinstance(value, (int, float)) else None,
        depth=depth if isinstance(depth, int) else None,
        nodes=nodes if isinstance(nodes, int) else None,
    )


class LocalContestant:
    """A player of ours in this process: for experiments with a budget of nodes, where nothing but speed differs."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.players: dict[str, Player] = {}

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game."""
        key = repr(sorted(options.items()))
        if key not in self.players:
            self.players[key] = player(self.text, game(self.name, **options))
            self.players[key].ready()
        self.thinker = self.players[key]
        self.thinker.forget()

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int) -> Said:
        """A move, found here and now."""
        begin = time.perf_counter()
        found = self.thinker.think(state, limits, seed=seed, flag=NO_FLAG)
        return Said(seconds=time.perf_counter() - begin, **described(state, found))

    def end(self) -> None:
        """Nothing to tell."""

    def close(self) -> None:
        """Nothing to end."""
