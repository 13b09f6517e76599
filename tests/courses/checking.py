"""Agents that `harena check` looks over, and what it says of them."""

from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from harena.courses.check import examine
from harena.courses.finding import Finding
from harena.courses.subject import Subject, subject

HERE = Path(__file__).parent / "agents" / "check"
LONG = 20.0  # seconds: no agent is late because the machine is busy
GAMES = ("v. ", "strength")


def of(name: str, *, seconds: float = LONG, memory: float | None = None, game: str | None = None) -> Subject:
    found = subject(str(HERE / name), None, game, seconds)
    return found if memory is None else replace(found, clock=replace(found.clock, memory=memory))


def lines(agent: Subject, sizes: tuple[int, ...] = (6,)) -> dict[str, Finding]:
    """What is said of it, but for its games."""
    size = sizes if agent.game == "colosseum" else ()
    found = takewhile(lambda line: not line.what.startswith(GAMES), examine(agent, walls="off", sizes=size))
    return {line.what: line for line in found}


def marks(found: dict[str, Finding], mark: str) -> set[str]:
    return {what for what, line in found.items() if line.mark == mark}
