"""How an agent's process is started: a player of ours as it is, anybody else's code behind walls.

| text | is |
|---|---|
| `mcts(c=0.5)` | a player of ours |
| `mine.py:MySearch(width=4)` | a search of the user's own, which runs as ours do |
| `mine.py`, `./program` | a program that speaks docs/protocol.md; a path has a slash in it or ends in .py |
| `comp424:student_agent.py` | an agent of a course, in our host |
"""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harena.agents.environments import Environment
from harena.agents.guests import Guest, guest, is_guest, mistyped
from harena.agents.silent import forgotten
from harena.agents.spawn import check_processes
from harena.agents.text import is_own, own_files
from harena.errors import BadFile, BadOption, UsageError
from harena.heuristics.paths import trouble
from harena.kernel import trusted
from harena.kernel.beside import game_files, with_imports
from harena.sandbox.layout import GAME, copied, is_within
from harena.sandbox.walls import OFF, SIGNALS, Sandbox, Walls, check_system, find_freezer, parse_choice, sandbox

PACKAGE = str(Path(__file__).resolve().parents[1])
COURSES = os.path.join(PACKAGE, "courses")
HOSTING = os.path.join(COURSES, "hosting")  # all of ours that a course agent may see
HOST = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hosting.host import main; main()"
SIGNS = {  # of a course's agents
    "comp424": ("register_agent",),
    "w4701": ("def getTrap", "class PlayerAI"),
    "aind": ("def get_move(",),
}
PROGRAM = re.compile(r"""^\s*(?:import|from)\s+harena\b(?!\.courses)|["']ready["']""", re.MULTILINE)  # docs/protocol.md
MOST_READ = 1 << 20  # letters of a file
TRUSTED = "ours"  # the level of players whose code is wholly ours: they need no walls
UNWALLED = "none"  # the level of a user's own search or heuristic, which runs without walls, too, but may do anything
WALL_LESS = ("limits", OFF)  # choices by which an agent can read and change the user's files
PROMISES = ("required", "bubblewrap", "namespaces")  # choices that no code outside of walls may follow


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What starts a process, and behind which walls."""

    command: list[str]
    folder: str | None
    environment: Mapping[str, str]
    level: str
    freezer: str = SIGNALS  # what stops it out of its turn
    game: str = ""  # the name by which the agent finds the game
    player: str = ""  # the text of a player of ours, which can be forked instead


def is_file(text: str) -> bool:
    """Whether an agent is named by the file of a program that speaks the protocol."""
    if is_guest(text) or is_own(text.strip()):
        return False
    return text.endswith(".py") or (os.sep in text and "(" not in text)


def is_ours(text: str) -> bool:
    """Whether a text names a player of ours, or a user's own search, which runs like one."""
    return not is_guest(text) and not is_file(text)


def level_of(text: str, walls: str) -> str | None:
    """The sandbox level of an agent under a choice of walls; None for a player of ours, which needs none."""
    if is_ours(text):
        return UNWALLED if own_files(text) else None
    check_processes()
    return sandbox(walls).level


def check_walls(text: str, walls: str) -> None:
    """UsageError if this choice promises walls and the agent is a user's own search or heuristic, which has none."""
    if parse_choice(walls).level in PROMISES and is_ours(text) and (files := own_files(text)):
        raise UsageError(
            f"{text}: {files[0]} runs without a sandbox, which --sandbox {walls} refuses: "
            "make it a program that speaks docs/protocol.md, or leave --sandbox out"
        )


def check_start(text: str, walls: str, *, local: bool = False) -> None:
    """UsageError or SandboxError if this system cannot start an agent; `local`: a player of ours needs no process."""
    if not is_ours(text):
        check_processes()
        check_system(walls)
    elif not local:
        check_processes()


def check(text: str, game: str, walls: str = "auto") -> None:
    """BadFile or BadText if there is no such program or course agent, BadOption if it plays another game."""
    if is_guest(text):
        found = guest(text)
        if found.game != game:
            raise BadOption(f"{text} plays {found.game}, and this is {game}")
    elif is_file(text):
        path = _program(text)
        source = _source(path)
        if course := course_of(source):
            raise BadFile(f"{text} looks like an agent of a course: write {course}:{text}")
        if own := forgotten(source):
            raise BadFile(f"{text} speaks no protocol: {_advice(text, own, walls)}")


def _advice(text: str, searches: list[str], walls: str) -> str:
    if parse_choice(walls).level in PROMISES:
        return f"its search would run without a sandbox, which --sandbox {walls} refuses (docs/protocol.md)"
    return f"for its search, which runs without a sandbox, write {' or '.join(f'{text}:{one}' for one in searches)}"


def launch(text: str, walls: str, tmp: str, game: str = "", environment: Environment | None = None) -> Launch:
    """How to start this agent; `walls` is a choice of `sandbox.walls`, `tmp` an empty folder of its own.

    `environment` hosts a course agent; without one the Python that runs us does.
    """
    if is_ours(text):
        check_walls(text, walls)
        for path in [*own_files(text), *game_files(game)[:1]]:
            trusted.check_file(path)
        # -P: a file in the present folder, which may be anybody's, is not taken for a module of Python's or ours
        command = [sys.executable, "-P", "-m", "harena.agents.serve", text]
        freezer = find_freezer(walls)
        return Launch(
            command=command,
            folder=None,
            environment=os.environ,
            level=UNWALLED if own_files(text) else TRUSTED,
            freezer=freezer,
            game=game,
            player=text,
        )
    if (level := parse_choice(walls).level) in WALL_LESS:
        trusted.check_level(level)
    around, freezer = sandbox(walls), find_freezer(walls)
    common = Walls(folder="", tmp=tmp, log_refused=parse_choice(walls).logs, counts_children=freezer == SIGNALS)
    if is_guest(text):
        found = guest(text)
        trusted.check_agent(os.path.join(found.folder, found.target))
        interpreter = environment.interpreter if environment else None
        host = replace(common, folder=found.folder, visible=(HOSTING,), interpreter=interpreter)
        command = _hosted(found, around, interpreter.program if interpreter else sys.executable)
        return replace(_enclosed(around, command, host, game), freezer=freezer)
    path = _program(text)
    trusted.check_agent(path)
    folder, name = os.path.split(path)
    seen = os.path.join(around.seen(folder), name)
    command = [sys.executable, seen] if path.endswith(".py") else [seen]
    program = replace(common, folder=folder, visible=(PACKAGE,))
    return replace(_with_game(around, command, program, game), freezer=freezer)


def _with_game(around: Sandbox, command: list[str], walls: Walls, game: str) -> Launch:
    """A program, and beside it the files of the game if that is not ours: a copy, which another user may read."""
    files = game_files(game)
    if not files:
        return _enclosed(around, command, walls, game)
    face = game.removeprefix(files[0])
    files = with_imports(os.path.realpath(files[0]))  # all below one folder, also where that or the file is a link
    home, file = os.path.split(files[0])
    if around.seen(walls.folder) == walls.folder:  # no walls: it is where it is
        return _enclosed(around, command, walls, os.path.join(home, file) + face)
    within = [one for one in files if is_within(one, home)]
    walls = replace(walls, game=copied(home, within, walls.tmp))
    return _enclosed(around, command, walls, f"{GAME}/{file}{face}")


def _hosted(found: Guest, around: Sandbox, python: str) -> list[str]:
    return [
        *(python, "-I", "-B", "-c", HOST, COURSES),  # -I: nothing of the submission's folder, where it starts
        *(found.course, around.seen(found.folder), found.target, found.name),
    ]


def _enclosed(around: Sandbox, command: list[str], walls: Walls, game: str) -> Launch:
    return Launch(
        command=around.enclose(command, walls),
        folder=walls.folder,
        environment=around.environment(walls),
        level=around.level,
        game=game,
    )


def course_of(source: str) -> str | None:
    """The course whose agent a text looks like; nothing for a program that speaks the protocol, None for others."""
    if PROGRAM.search(source):
        return ""
    return next((course for course, signs in SIGNS.items() if any(sign in source for sign in signs)), None)


def _source(path: str) -> str:
    """The text of a Python program; nothing of any other."""
    if not path.endswith(".py"):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(MOST_READ)


def _program(text: str) -> str:
    """The file of a program that can be started."""
    path = os.path.abspath(text)
    if os.path.isdir(path):
        raise BadFile(f"{text} is a folder: name a file in it, or write COURSE:{text} for a course's agent")
    if not os.path.isfile(path):
        raise mistyped(text) or BadFile(trouble(text) or f"{text}: there is no such file")
    if not path.endswith(".py") and not os.access(path, os.X_OK):
        raise BadFile(f"{text}: is not executable (chmod +x)")
    return path
