"""A course, and its agents as they are handed in: `course:path`, or `course:path:name` where a file has several.

    comp424:agents/student_agent.py    w4701:PlayerAI.py    aind:my-repository    aind:game_agent.py:MinimaxPlayer

The path is a file or a folder in which the agent is found. It runs in a process of its own, in which the modules of its
course can be imported (`courses/hosting`), behind the walls of `sandbox`.

What the agent sees is the folder of its text: the named folder, or the folder of the named file. `/./` states it
explicitly, as in rsync: `comp424:FOLDER/./agents/student_agent.py` sees FOLDER. Programs that make a text for a
submission use that form (`Course.agent_text`). Only a path without it is read as a person means it who works in a
checkout of COMP 424: of `checkout/agents/student_agent.py` the agent sees the checkout.
"""

import os
import re
import sys
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path

from harena.agents.clocks import Clock
from harena.agents.environments import Environment
from harena.agents.launch import Launch, choose_enclosure
from harena.agents.spec import AgentPlace, CourseAgent, PathName, path_name
from harena.errors import BadFile, BadOption, BadText, HarenaError
from harena.kernel import trusted
from harena.kernel.beside import with_imports

COURSES_FOLDER = str(Path(__file__).resolve().parent)
HOSTING = os.path.join(COURSES_FOLDER, "hosting")  # all of Harena that a course agent may see
HOST = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hosting.host import main; main()"
STATED = f"{os.sep}.{os.sep}"  # in a path: the folder before it is what the agent sees
STAGED = ".staged-by-harena"  # marks a folder that holds a copy of each submission of a class
CHECKOUT_AGENTS = "agents"  # the folder of the agents in a checkout of COMP 424: the one above tells whose it is


@dataclass(frozen=True, kw_only=True)
class Course:
    """What its agents play, under which clock, and how they are recognised and hosted."""

    name: str
    game: str
    clock_name: str
    clock: Clock
    setup: str = ""  # of its boards, where it is not the game's usual one
    environment: str  # the course whose environment hosts its agents
    requirements: tuple[tuple[str, str], ...]  # packages of that environment, and which versions, as pip writes them
    signs: tuple[str, ...] = ()  # what only the sources of its agents have in them
    has_checkout: bool = False  # its agents lie in a folder `agents` of a checkout, all of which they may see

    def agent(self, text: str) -> "HostedAgent":
        """The agent of a text that begins with the course's name and a colon; reads no file."""
        return HostedAgent(text, self)

    def agent_at(self, path: str) -> "HostedAgent":
        """The agent in a file or folder; the path may end in a colon and the name of a class."""
        return self.agent(f"{self.name}:{path}")

    def agent_text(self, folder: Path, file: Path | None = None) -> str:
        """The text of an agent that sees this folder and nothing else, whatever its name; `file` lies in it."""
        path = str(folder) if file is None else f"{folder}{STATED}{file.relative_to(folder)}"
        return f"{self.name}:{path}"

    def resembles(self, source: str) -> bool:
        """Whether the source of a Python file looks like an agent of this course."""
        return any(sign in source for sign in self.signs)


@dataclass(frozen=True)
class HostedAgent(CourseAgent):
    """An agent of a course in the host of `courses/hosting`."""

    definition: Course = field(repr=False)

    @property
    def course(self) -> str:
        """The name of its course."""
        return self.definition.name

    @property
    def game(self) -> str:
        """The game that its course plays."""
        return self.definition.game

    @property
    def clock(self) -> Clock:
        """The time that its course gives it."""
        return self.definition.clock

    @property
    def _rest(self) -> str:
        """The text after the course: a path, or a path and the name of a class."""
        return self.text.partition(":")[2]

    @property
    def path_name(self) -> PathName:
        """The course, the parts of the path, and the class."""
        path, name = self._rest, ""
        if match := re.fullmatch(r"(.+)(:\w+)", path):
            path, name = match.groups()
        return path_name(path, f"{self.course}:", name)

    @property
    def label(self) -> str:
        """The course, and as much of the path as tells agents apart: every project has a folder `agents`."""
        name = self.path_name
        return name.shorten(3) if name.parts[-2:-1] == (CHECKOUT_AGENTS,) else name.shorten()

    def paths(self) -> list[str]:
        """The file or folder of the agent."""
        return [self.split_path()[0]]

    def possible_paths(self) -> list[str]:
        """What stands after the course, also without the name of a class."""
        path, colon, _ = self._rest.rpartition(":")
        return [self._rest, *([path] if colon else [])]

    def files(self) -> list[str]:
        """Its file and what that imports, or all Python files of its folder; none of an agent that is not there."""
        try:
            place = self.locate()
        except HarenaError:
            return []  # starting it says what is wrong
        if place.target:
            return with_imports(os.path.join(place.folder, place.target), place.folder)
        return sorted(map(str, Path(place.folder).rglob("*.py")))

    def from_folder(self, folder: str) -> "HostedAgent":
        """The agent at this path, from this folder on."""
        return replace(self, text=f"{self.course}:{os.path.join(folder, self._rest)}")

    def check(self, game: str, walls: str = "auto") -> None:
        """BadFile or BadText if there is no such agent, BadOption if it plays another game."""
        self.locate()
        if self.game != game:
            raise BadOption(f"{self.text} plays {self.game}, and this is {game}")

    def locate(self) -> AgentPlace:
        """Where it lies, and what it sees; BadText or BadFile says what is wrong with the text."""
        path, name = self.split_path()
        if not path:
            raise BadText(f"{self.text!r} names no agent: write {self.course}:PATH, a file or a folder")
        if not os.path.exists(path):
            raise BadFile(f"{path}: there is no such file or folder")
        whole = os.path.realpath(path)
        if os.path.isdir(whole):
            return AgentPlace(folder=whole, target="", name=name)
        if zipfile.is_zipfile(whole):
            raise BadFile(f"{path} is a zip: unpack it first; `harena check` and `harena grade` do that")
        folder = self._visible_folder(path, whole)
        return AgentPlace(folder=folder, target=os.path.relpath(whole, folder), name=name)

    def split_path(self) -> tuple[str, str]:
        """The path, and the name of a class; a path that exists may have a colon in it."""
        if os.path.exists(self._rest) or ":" not in self._rest:
            return self._rest, ""
        path, _, name = self._rest.rpartition(":")
        return path, name

    def _visible_folder(self, path: str, file: str) -> str:
        """The folder that the agent in a file sees: as stated in the path, else the file's own or its checkout."""
        stated, mark, _ = path.rpartition(STATED)
        if mark:
            folder = os.path.realpath(stated or os.sep)
            if not Path(file).is_relative_to(folder):
                raise BadFile(f"{path}: the file lies outside of the folder before {STATED}")
            return folder
        folder = os.path.dirname(file)
        above = os.path.dirname(folder)
        is_checkout = self.definition.has_checkout and os.path.basename(folder) == CHECKOUT_AGENTS
        is_class = os.path.exists(os.path.join(above, STAGED))
        return above if is_checkout and not is_class else folder

    def launch(self, walls: str, tmp: str, game: str = "", environment: Environment | None = None) -> Launch:
        """The start of its host behind walls."""
        enclosure = choose_enclosure(walls, tmp)
        place = self.locate()
        trusted.check_agent(os.path.join(place.folder, place.target))
        interpreter = environment.interpreter if environment else None
        command = [
            interpreter.program if interpreter else sys.executable,
            *("-I", "-B", "-c", HOST, COURSES_FOLDER),  # -I: nothing of the submission's folder, where it starts
            *(self.course, enclosure.sandbox.seen(place.folder), place.target, place.name),
        ]
        sight = replace(enclosure.walls, folder=place.folder, visible=(HOSTING,), interpreter=interpreter)
        return enclosure.launch(command, sight, game)
