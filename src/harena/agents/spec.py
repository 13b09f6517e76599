"""An agent, parsed from its text once: which of four kinds it is, and all that depends on the kind.

| text | kind |
|---|---|
| `mcts(c=0.5)` | `BuiltIn`: a player of Harena |
| `mine.py:MySearch(width=4)`, `id(heuristic=mine.py:score)` | `UserSearch`: a player with code of the user's files |
| `mine.py`, `./program` | `Program`: speaks docs/protocol.md; a path has a slash in it or ends in .py |
| `comp424:student_agent.py` | `CourseAgent`: an agent of a course, which implements this protocol (`registry.py`) |

Parsing reads no file and refuses no text: stored texts of any age are listed, and paths count from the folder in which
an agent is used. `check`, `player` and `launch` say what is wrong with an agent.
"""

import os
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from harena.agents.clocks import Clock
from harena.agents.launch import UNWALLED, Launch, choose_enclosure, launch_player, launch_program, promises_walls
from harena.agents.registry import explain_unknown_course, find_course, recognise_course
from harena.agents.spawn import check_processes
from harena.agents.text import is_user_search, user_code
from harena.errors import BadFile, BadOption, BadText, UsageError
from harena.heuristics.paths import trouble
from harena.kernel.beside import with_imports
from harena.sandbox.walls import check_system, sandbox

if TYPE_CHECKING:
    from harena.agents.environments import Environment
    from harena.agents.player import Player
    from harena.api import Game

CHAMPION = "champion"
THREADS = re.compile(r"\bthreads=(\d+)")
MOST_READ = 1 << 20  # letters of a program's file


class PathName(NamedTuple):
    """The text of an agent that is named by a path, in parts: a course and a colon, the path, a colon and a class."""

    prefix: str
    parts: tuple[str, ...]
    suffix: str

    def shorten(self, most: int = 2) -> str:
        """The text with this many parts of the path: by default the file, and the folder that tells it from others."""
        return f"{self.prefix}{os.sep.join(self.parts[-most:])}{self.suffix}"


def path_name(path: str, prefix: str = "", suffix: str = "") -> PathName:
    """The parts of a path, with what stands before and after it."""
    parts = tuple(part for part in re.split(r"[/\\]", path) if part not in ("", "."))
    return PathName(prefix, parts or (path,), suffix)


@dataclass(frozen=True)
class AgentSpec(ABC):
    """An agent by its text."""

    text: str
    is_trusted: ClassVar[bool] = False  # its process has no walls: a player of Harena, or one with the user's own code
    is_program: ClassVar[bool] = False

    @property
    def course(self) -> str:
        """The name of the course whose agent this is; empty for any other."""
        return ""

    @property
    def clock(self) -> Clock | None:
        """The clock of its course; None for an agent of no course."""
        return None

    @property
    def path_name(self) -> PathName | None:
        """The text in parts, where it names a path; None for a player."""
        return None

    @property
    def label(self) -> str:
        """The text as people read it: of a path only the parts that tell agents apart."""
        return self.path_name.shorten() if self.path_name else self.text

    @property
    def threads(self) -> int | None:
        """The threads that a player uses at a time; None for any other agent, of which only its author knows."""
        return max(map(int, THREADS.findall(self.text)), default=1) if self.is_trusted else None

    @property
    def is_champion(self) -> bool:
        """Whether it is called the champion, of whatever level."""
        return self.text.partition("(")[0] == CHAMPION

    @property
    def names_file(self) -> bool:
        """Whether the text has anything like the name of a Python file in it, also where it cannot be loaded."""
        return ".py" in self.text

    @abstractmethod
    def paths(self) -> list[str]:
        """The files and folders that the text names, as it names them."""

    @abstractmethod
    def files(self) -> list[str]:
        """The Python files that the agent is made of, with those that they import from beside them."""

    def possible_paths(self) -> list[str]:
        """Every path that the text can be read as: which one is meant may depend on what lies there."""
        return self.paths()

    def unwalled_code(self) -> list[str]:
        """What the text names that runs without walls: searches and heuristics, each as `file.py:Name`."""
        return []

    def unwalled_files(self) -> list[str]:
        """The files that the text names and whose code runs without walls."""
        return self.paths() if self.is_trusted else []

    def walled_paths(self) -> list[str]:
        """The files and folders that the text names and that are started behind walls."""
        return [] if self.is_trusted else self.paths()

    def from_folder(self, folder: str) -> "AgentSpec":
        """The same agent, of a text that was written in this folder, as it is named from here."""
        return self

    def resolve(self, game: str) -> tuple[str, dict[str, str]] | None:
        """The algorithm of a player and its options in a game, as texts; None for an agent that is no player."""
        return None

    @abstractmethod
    def check(self, game: str, walls: str = "auto") -> None:
        """BadFile or BadText if there is no such program or course agent, BadOption if it plays another game."""

    def check_walls(self, walls: str) -> None:
        """UsageError if this choice promises walls and the agent runs a user's own code without any."""
        if promises_walls(walls) and (files := self.unwalled_files()):
            raise UsageError(
                f"{self.text}: {files[0]} runs without a sandbox, which --sandbox {walls} refuses: "
                "make it a program that speaks docs/protocol.md, or leave --sandbox out"
            )

    def check_start(self, walls: str, *, local: bool = False) -> None:
        """UsageError or SandboxError if this system cannot start the agent; `local`: a player needs no process."""
        check_processes()
        check_system(walls)

    def sandbox_level(self, walls: str) -> str | None:
        """The sandbox level of its process under a choice of walls; None for a player of Harena, which needs none."""
        check_processes()
        return sandbox(walls).level

    @abstractmethod
    def launch(self, walls: str, tmp: str, game: str = "", environment: "Environment | None" = None) -> Launch:
        """How its process is started; `walls` is a choice of `sandbox.walls`, `tmp` an empty folder of its own.

        `environment` hosts a course agent; without one the running Python does.
        """

    def player(self, game: "Game", walls: str = "auto") -> "Player":
        """The agent as a player: here one that asks a process of its own, which ends with the player."""
        from harena.agents.external_player import ExternalPlayer

        return ExternalPlayer(self, game, walls)


class _TrustedPlayer(AgentSpec):
    """A player that thinks in the process which makes it."""

    is_trusted: ClassVar[bool] = True

    def paths(self) -> list[str]:
        """The files of its search and heuristics."""
        return [name.rpartition(":")[0] for name in self.unwalled_code()]

    def files(self) -> list[str]:
        """Those, and what they import."""
        return [file for path in self.paths() for file in with_imports(path)]

    def resolve(self, game: str) -> tuple[str, dict[str, str]]:
        """The algorithm and its options; UsageError for a name that the game does not have."""
        from harena.agents.player import resolve

        return resolve(self.text, game)

    def check(self, game: str, walls: str = "auto") -> None:
        """Checks nothing: `player` says what is wrong."""

    def check_start(self, walls: str, *, local: bool = False) -> None:
        """UsageError if it needs a process and this system cannot start one."""
        if not local:
            check_processes()

    def launch(self, walls: str, tmp: str, game: str = "", environment: "Environment | None" = None) -> Launch:
        """The start of its process; NotTrusted where only files that the user has typed are loaded."""
        self.check_walls(walls)
        return launch_player(self.text, self.paths(), walls, game)

    def player(self, game: "Game", walls: str = "auto") -> "Player":
        """The player; BadText or BadOption for a text that means nothing in this game."""
        from harena.agents.player import build_player

        return build_player(self.text, game)


class BuiltIn(_TrustedPlayer):
    """A player of Harena by its name or text."""

    def sandbox_level(self, walls: str) -> None:
        """None: it needs no walls."""


class UserSearch(_TrustedPlayer):
    """A player with code of the user's own files: its search, its heuristics or both."""

    def unwalled_code(self) -> list[str]:
        """Its search and heuristics."""
        return user_code(self.text)

    def sandbox_level(self, walls: str) -> str:
        """That of code without walls."""
        return UNWALLED


class Program(AgentSpec):
    """A program that speaks the protocol, by its path."""

    is_program: ClassVar[bool] = True

    @property
    def path_name(self) -> PathName:
        """The parts of its path."""
        return path_name(self.text)

    def paths(self) -> list[str]:
        """Its file."""
        return [self.text]

    def files(self) -> list[str]:
        """Its file, and what that imports."""
        return with_imports(self.text)

    def from_folder(self, folder: str) -> "Program":
        """The program at this path, from this folder on."""
        return Program(os.path.join(folder, self.text))

    def check(self, game: str, walls: str = "auto") -> None:
        """BadFile if there is no such program, or if it is an agent of a course or a search named as a program."""
        source = _read_source(self._locate())
        if course := recognise_course(source):
            raise BadFile(f"{self.text} looks like an agent of a course: write {course}:{self.text}")
        from harena.agents.user_search import find_search_classes

        if searches := find_search_classes(source):
            raise BadFile(f"{self.text} speaks no protocol: {self._advise(searches, walls)}")

    def _advise(self, searches: list[str], walls: str) -> str:
        if promises_walls(walls):
            return f"its search would run without a sandbox, which --sandbox {walls} refuses (docs/protocol.md)"
        texts = " or ".join(f"{self.text}:{name}" for name in searches)
        return f"for its search, which runs without a sandbox, write {texts}"

    def _locate(self) -> str:
        """The whole path of a file that can be started."""
        path, text = os.path.abspath(self.text), self.text
        if os.path.isdir(path):
            raise BadFile(f"{text} is a folder: name a file in it, or write COURSE:{text} for a course's agent")
        if not os.path.isfile(path):
            raise explain_unknown_course(text) or BadFile(trouble(text) or f"{text}: there is no such file")
        if not path.endswith(".py") and not os.access(path, os.X_OK):
            raise BadFile(f"{text}: is not executable (chmod +x)")
        return path

    def launch(self, walls: str, tmp: str, game: str = "", environment: "Environment | None" = None) -> Launch:
        """The start of its process behind walls."""
        enclosure = choose_enclosure(walls, tmp)
        return launch_program(self._locate(), enclosure, game)


class AgentPlace(NamedTuple):
    """Where the agent of a course lies."""

    folder: str  # all that it may see
    target: str  # its file within the folder; empty where the course finds it
    name: str  # its class; empty where the course finds it


class CourseAgent(AgentSpec):
    """An agent of a course. The package of the course implements this protocol and its `Course` makes the agent."""

    @property
    @abstractmethod
    def game(self) -> str:
        """The game that the course plays."""

    @property
    @abstractmethod
    def clock(self) -> Clock:
        """The time that the course gives it."""

    @abstractmethod
    def locate(self) -> AgentPlace:
        """Where it lies; BadText or BadFile says what is wrong with the text."""


def parse_agent(text: str) -> AgentSpec:
    """The agent that a text names; any text names one."""
    if course := find_course(text):
        return course.agent(text)
    if not is_user_search(text.strip()) and (text.endswith(".py") or (os.sep in text and "(" not in text)):
        return Program(text)
    return UserSearch(text) if user_code(text) else BuiltIn(text)


def player(text: str, game: "Game") -> "Player":
    """The player of a text in a game: a name of `harena agents`, with or without options; an agent's file; a course's.

    The name may be that of a search in a file of yours, `mine.py:MySearch`. Programs and agents of a course run in a
    process of their own, which ends with the player.
    """
    from harena.api import Game

    if not isinstance(text, str):
        raise BadText(f"a player is a text, not {text!r}")
    if not isinstance(game, Game):
        raise BadOption(f"a player is made for a game, as harena.game('isolation'), not for {game!r}")
    return parse_agent(text).player(game)


def _read_source(path: str) -> str:
    """The text of a Python program; nothing of any other."""
    if not path.endswith(".py"):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(MOST_READ)
