"""Agents written for a course, as they are: `course:path`, or `course:path:name` where a file has several.

    comp424:agents/student_agent.py    w4701:PlayerAI.py    aind:my-repository    aind:game_agent.py:MinimaxPlayer

The path is a file or a folder in which the agent is found. It runs in a process of its own, in which the modules of its
course can be imported (`courses/hosting`), behind the walls of `sandbox`.

What the agent sees is the folder of its text: the named folder, or the folder of the named file. `/./` states it
explicitly, as in rsync: `comp424:FOLDER/./agents/student_agent.py` sees FOLDER. Programs that make a text for code that
nobody has read use that form (`agent_text`). Only a path without it is read as a person means it who works in a
checkout of COMP 424: of `checkout/agents/student_agent.py` the agent sees the checkout.
"""

import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harena.agents.clocks import CLOCKS, Clock
from harena.errors import BadFile, BadText, HarenaError, UnknownName

STATED = f"{os.sep}.{os.sep}"  # in a path: what stands before is the folder that the agent sees
STAGED = ".staged-by-harena"  # marks a folder that holds a copy of each submission of a class
CHECKOUT_AGENTS = "agents"  # the folder of the agents in a checkout of COMP 424


@dataclass(frozen=True, kw_only=True)
class Course:
    """What its agents play, under which clock, and what is said about them."""

    game: str
    clock: str
    about: str
    setup: str = ""  # of its boards, where it is not the game's usual one
    requirements: tuple[tuple[str, str], ...]  # packages of its environment, and which versions, as pip writes them


# Below 2, because a matplotlib as old as the course's was built for numpy 1.
_COMP424 = (("numpy", ">=1.22.2,<2"), ("matplotlib", "==3.5.1"), ("tqdm", "==4.62.3"), ("click", "==8.0.4"))
_COMP424_IN_2022 = (("numpy", "==1.22.2"), *_COMP424[1:])
_NUMPY_1 = (("numpy", "<2"), ("termcolor", ""))
COURSES: Mapping[str, Course] = {
    "comp424": Course(
        game="colosseum",
        clock="comp424",
        about="McGill COMP 424: a class with step(...)",
        requirements=_COMP424,
    ),
    "comp424-2022": Course(
        game="colosseum",
        clock="comp424-2022",
        setup="2022",
        about="the same as in 2022: 30 s for the first move of a game, and more walls at its start",
        requirements=_COMP424_IN_2022,
    ),
    "w4701": Course(
        game="trap",
        clock="w4701",
        about="Columbia W4701: PlayerAI with getMove and getTrap",
        requirements=_NUMPY_1,
    ),
    "w4701-reused": Course(
        game="trap",
        clock="w4701",
        about="the same, one instance for all games, as its grader did",
        requirements=_NUMPY_1,
    ),
    "aind": Course(
        game="isolation",
        clock="aind",
        about="Udacity AIND: a player with get_move(...)",
        requirements=_NUMPY_1,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Guest:
    """A course agent by its text: `folder` is what it may see, `target` a file within it or nothing, `name` a class."""

    text: str
    course: str
    folder: str
    target: str
    name: str

    @property
    def game(self) -> str:
        """What it plays."""
        return COURSES[self.course].game

    @property
    def clock(self) -> Clock:
        """The time its course gives it."""
        return CLOCKS[COURSES[self.course].clock]


def is_guest(text: str) -> bool:
    """Whether a text names a course agent."""
    return text.partition(":")[0] in COURSES and ":" in text


def mistyped(text: str) -> HarenaError | None:
    """What is to be said of a text that begins as a course agent's does, but with no course; None of others."""
    course, colon, rest = text.partition(":")
    if not colon or not rest or not re.fullmatch(r"[\w-]+", course) or course in COURSES or os.path.exists(text):
        return None
    if os.path.isfile(f"{course}.py"):
        return BadFile(f"there is a file {course}.py: write {course}.py:{rest}")
    return UnknownName("course", course, COURSES)


def agent_text(course: str, folder: Path, file: Path | None = None) -> str:
    """The text of an agent that sees this folder and nothing else, whatever its name; `file` lies in it."""
    return f"{course}:{folder}" if file is None else f"{course}:{folder}{STATED}{file.relative_to(folder)}"


def guest(text: str) -> Guest:
    """The course agent of a text; BadText or BadFile says what is wrong with it."""
    course, _, rest = text.partition(":")
    path, name = rest, ""
    if not os.path.exists(path) and ":" in rest:
        path, _, name = rest.rpartition(":")
    if not path:
        raise BadText(f"{text!r} names no agent: write {course}:PATH, a file or a folder")
    if not os.path.exists(path):
        raise BadFile(f"{path}: there is no such file or folder")
    whole = os.path.realpath(path)
    if os.path.isdir(whole):
        return Guest(text=text, course=course, folder=whole, target="", name=name)
    if zipfile.is_zipfile(whole):
        raise BadFile(f"{path} is a zip: unpack it first; `harena check` and `harena grade` do that")
    folder = _visible_folder(course, path, whole)
    return Guest(text=text, course=course, folder=folder, target=os.path.relpath(whole, folder), name=name)


def _visible_folder(course: str, path: str, file: str) -> str:
    """The folder that the agent in a file sees: as stated in the path, else the file's own or its checkout."""
    stated, mark, _ = path.rpartition(STATED)
    if mark:
        folder = os.path.realpath(stated or os.sep)
        if not Path(file).is_relative_to(folder):
            raise BadFile(f"{path}: the file lies outside of the folder before {STATED}")
        return folder
    folder = os.path.dirname(file)
    above = os.path.dirname(folder)
    is_checkout = course.startswith("comp424") and os.path.basename(folder) == CHECKOUT_AGENTS
    is_class = os.path.exists(os.path.join(above, STAGED))
    return above if is_checkout and not is_class else folder
