"""What `harena check` is pointed at: which course or game an agent is for, and which file is the agent's own."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harena.agents.clocks import Clock
from harena.agents.registry import explain_unknown_course
from harena.agents.spec import AgentSpec, CourseAgent, parse_agent
from harena.courses.catalogue import COURSES
from harena.courses.hosting import aind_finding, comp424_finding, w4701_finding
from harena.courses.hosting.encoding import first_misread
from harena.courses.hosting.importing import CannotLoad
from harena.errors import BadFile, UnknownName, UsageError
from harena.games.catalogue import entry, is_own_game

STANDARD_FILES = {"student_agent.py": "comp424", "PlayerAI.py": "w4701", "game_agent.py": "aind"}
METHODS = {"step": "comp424", "getTrap": "w4701", "get_move": "aind"}  # what only the agents of a course have
METHOD = re.compile(rf"^[ \t]+def ({'|'.join(METHODS)})\b", re.MULTILINE)
OWN = "harena.agents.bot"
SKIPPED = frozenset(("venv", "env", "site-packages", "node_modules", "__pycache__", "__MACOSX", "test", "tests"))
FINDERS: Mapping[str, Callable[[Path, str], Path]] = {
    "comp424": comp424_finding.find_file,
    "comp424-2022": comp424_finding.find_file,
    "w4701": w4701_finding.find,
    "w4701-reused": w4701_finding.find,
    "aind": aind_finding.find,
}
# The limits of our own players' agents, where `--seconds` says nothing else.
GAME_CLOCKS: Mapping[str, Clock] = {
    **{course.game: course.clock for name, course in COURSES.items() if "-" not in name},
    "tiles": Clock(seconds=1.0, about="1 s a move"),
}


@dataclass(frozen=True, kw_only=True)
class Subject:
    """An agent to be checked; `course` is None for one in our protocol, `file` None where it cannot be told."""

    agent: AgentSpec
    course: str | None
    game: str
    clock: Clock
    folder: Path
    file: Path | None
    setup: str = ""  # of the boards that it is asked on, where it is not the game's usual one

    @property
    def text(self) -> str:
        """The agent's text."""
        return self.agent.text


def subject(path: str, course: str | None, game: str | None, seconds: float | None, *, called: str = "") -> Subject:
    """The agent at a path; a UsageError if there is none, or if its course or game cannot be told.

    `called` is what its user knows it by, where that is not the path.
    """
    if course is not None and game is not None:
        raise UsageError("--course is for agents of a course, --game for agents in our own protocol: give one of them")
    found = _of_a_course(path, course, called or path) if game is None else _own(path, game)
    return found if seconds is None else replace(found, clock=replace(found.clock, seconds=seconds, first=None))


def _own(path: str, game: str) -> Subject:
    """An agent that speaks the protocol."""
    if parse_agent(path).course:
        raise UsageError(f"{path} is an agent of a course: leave --game out")
    if is_own_game(game):
        raise UsageError(
            f"check knows our four games only ({', '.join(GAME_CLOCKS)}): "
            f"let it play, as harena match {game} {path} random"
        )
    clock = GAME_CLOCKS[entry(game).name]
    text = path if path.endswith(".py") or os.sep in path else os.path.join(".", path)
    agent = parse_agent(text)
    agent.check(game)
    whole = Path(path).resolve()
    file = whole if whole.suffix == ".py" else None
    return Subject(agent=agent, course=None, game=game, clock=clock, folder=whole.parent, file=file)


def _of_a_course(path: str, course: str | None, called: str) -> Subject:
    agent = parse_agent(path)
    if isinstance(agent, CourseAgent):
        if course not in (None, agent.course):
            raise UsageError(f"{called} is of the course {agent.course}, and --course says {course}")
    else:
        if not os.path.exists(path):
            raise explain_unknown_course(path) or BadFile(f"{path}: there is no such file or folder")
        if os.path.isfile(path) and not path.endswith(".py") and not os.access(path, os.X_OK):
            raise BadFile(f"{called} is no program: neither a .py file nor executable")
        if course is not None:
            _check_course(Path(path), course, called)
        agent = COURSES[course or course_of(Path(path), called)].agent_at(path)
    place = agent.locate()
    folder = Path(place.folder)
    file = folder / place.target if place.target else _found(agent.course, folder, place.name)
    return Subject(
        agent=agent,
        course=agent.course,
        game=agent.game,
        clock=agent.clock,
        folder=folder,
        file=file,
        setup=COURSES[agent.course].setup,
    )


def _check_course(path: Path, course: str, called: str) -> None:
    """UsageError for a course that does not exist, or whose agent is not there while that of another is."""
    if course not in COURSES:
        raise UnknownName("course", course, COURSES)
    files = _files(path) if path.is_dir() else [path]
    named = {STANDARD_FILES[file.name] for file in files if file.name in STANDARD_FILES}
    shown = {one for file in files for one in _courses_in(file)}
    likely = named or shown
    is_there = course.partition("-")[0] in named | shown or (path.is_dir() and _found(course, path, "") is not None)
    if len(likely) == 1 and not is_there:
        raise UsageError(f"{called} looks like {next(iter(likely))}, and --course says {course}")


def _found(course: str, folder: Path, name: str) -> Path | None:
    """The agent's file in a folder, found as when it is loaded; None if it is not: loading says why."""
    try:
        return FINDERS[course](folder, name)
    except CannotLoad:
        return None


def course_of(path: Path, called: str) -> str:
    """The course of a file or of the files in a folder, by their names and by what their classes have."""
    files = _files(path) if path.is_dir() else [path]
    named = {STANDARD_FILES[file.name] for file in files if file.name in STANDARD_FILES}
    shown = named or {course for file in files for course in _courses_in(file)}
    if len(shown) == 1:
        return next(iter(shown))
    if shown:
        raise UsageError(f"{called} has agents of several courses: say --course {' or --course '.join(sorted(shown))}")
    if not files:
        raise UsageError(f"{called}: there is no Python file in it")
    if any(OWN in _text(file) for file in files):
        raise UsageError(f"{called} speaks our own protocol: say which game it plays, as --game isolation")
    if trouble := first_misread(files):
        raise UsageError(trouble)
    wanted = "step, getMove and getTrap, or get_move"
    raise UsageError(f"{called}: no class with {wanted} to tell its course by; say --course {', '.join(COURSES)}")


def _files(folder: Path) -> list[Path]:
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in SKIPPED and not one.startswith("."))
        found += [Path(place, name) for name in sorted(files) if name.endswith(".py")]
    return found


def _courses_in(file: Path) -> set[str]:
    """The courses whose agents a file seems to have; its text is enough, so that one with mistakes can be told too."""
    return {METHODS[method] for method in METHOD.findall(_text(file))}


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", errors="replace")
    except OSError:
        return ""
