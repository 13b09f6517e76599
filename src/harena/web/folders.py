"""Agents in the folders that a server was given: found by what their files look like, never by running them."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harena.agents.guests import COURSES
from harena.web.config import Config

SIGNS = {"w4701": "class PlayerAI", "comp424": "register_agent", "aind": "def get_move("}  # of a course's agent
PROTOCOL = ("harena", '"ready"', "'ready'")  # one of them is in a program that speaks docs/protocol.md
LARGEST, MOST, DEEPEST = 400_000, 200, 3


def agents_in(config: Config, game: str) -> list[dict[str, Any]]:
    """The agents that play this game: `text` names one, `name` is for people."""
    found = []
    for folder in config.agents:
        for path in _sources(folder):
            course = _course(path)
            if course is None or (course and COURSES[course].game != game):
                continue
            shown = path.relative_to(folder.parent).as_posix()
            found.append({"text": f"{course}:{path}" if course else str(path), "name": shown, "course": course})
            if len(found) >= MOST:
                return found
    return found


def _sources(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if depth < DEEPEST and not name.startswith((".", "__")))
        yield from (Path(place, name) for name in sorted(files) if name.endswith(".py"))


def _course(path: Path) -> str | None:
    """The course of an agent's file, nothing for a program that speaks the protocol; None if it is no agent."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(LARGEST)
    except OSError:
        return None
    for course, sign in SIGNS.items():
        if sign in text:
            return course
    return "" if any(sign in text for sign in PROTOCOL) else None
