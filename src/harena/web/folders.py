"""Agents in the folders that a server was given: found by what their files look like, never by running them."""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from harena.agents.registry import recognise_course
from harena.courses.catalogue import COURSES
from harena.errors import HarenaError
from harena.games.catalogue import CATALOGUE
from harena.web.config import Config

LARGEST, MOST, DEEPEST = 400_000, 200, 3  # letters that are read of a file, agents of a game, folders in folders
MOST_FILES = 5000  # of a folder that are looked at
AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # opened without waiting for anybody: what is no file may have a file's name


def agents_by_game(config: Config) -> dict[str, list[dict[str, Any]]]:
    """The agents that play each game: `text` names one, `name` is for people. Every file is read once."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in CATALOGUE}
    for folder in config.agents:
        for path in islice(_sources(folder), MOST_FILES):
            course = recognise_course(_read(path))
            if course is None:
                continue
            shown = path.relative_to(folder.parent).as_posix()
            agent = {"text": _text(course, path, folder) if course else str(path), "name": shown, "course": course}
            for game in [COURSES[course].game] if course else CATALOGUE:
                found[game] += [agent] if len(found[game]) < MOST else []
    return found


def _text(course: str, path: Path, folder: Path) -> str:
    """What names a course's agent; it sees nothing outside of the server's folder."""
    agent = COURSES[course].agent_at(str(path))
    try:
        is_within = Path(agent.locate().folder).is_relative_to(folder)
    except HarenaError:
        return agent.text  # starting it says what is wrong
    return agent.text if is_within else COURSES[course].agent_text(path.parent, path)


def _sources(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if depth < DEEPEST and not name.startswith((".", "__")))
        yield from (Path(place, name) for name in sorted(files) if name.endswith(".py"))


def _read(path: Path) -> str:
    """The beginning of a file; nothing of what is none, or cannot be read."""
    try:
        with open(os.open(path, os.O_RDONLY | AT_ONCE), encoding="utf-8", errors="replace") as file:
            return file.read(LARGEST) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else ""
    except OSError:
        return ""
