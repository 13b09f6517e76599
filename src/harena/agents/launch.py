"""How an agent's process is started: a player of Harena's own without walls, any other agent behind walls."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harena.kernel import trusted
from harena.kernel.beside import game_files, with_imports
from harena.sandbox.layout import GAME, copied, is_within
from harena.sandbox.walls import OFF, SIGNALS, Sandbox, Walls, find_freezer, parse_choice, sandbox

PACKAGE = str(Path(__file__).resolve().parents[1])
TRUSTED = "ours"  # the level of players whose code is wholly Harena's: they need no walls
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
    player: str = ""  # the text of a player that a template can fork instead


def promises_walls(walls: str) -> bool:
    """Whether this choice of walls refuses code that would run outside of them."""
    return parse_choice(walls).level in PROMISES


def launch_player(text: str, files: Sequence[str], walls: str, game: str) -> Launch:
    """The start of a player's process, which has no walls; `files` are the user's files that it loads."""
    for path in [*files, *game_files(game)[:1]]:
        trusted.check_file(path)
    # -P: a file in the present folder, which may be anybody's, is not taken for a module of Python's or Harena's
    command = [sys.executable, "-P", "-m", "harena.agents.serve", text]
    return Launch(
        command=command,
        folder=None,
        environment=os.environ,
        level=UNWALLED if files else TRUSTED,
        freezer=find_freezer(walls),
        game=game,
        player=text,
    )


@dataclass(frozen=True, kw_only=True)
class Enclosure:
    """The walls that a choice puts around the process of one agent."""

    sandbox: Sandbox
    freezer: str
    walls: Walls  # without the agent's folder

    def launch(self, command: list[str], walls: Walls, game: str) -> Launch:
        """The start of a command behind `walls`: those of this choice, with what the agent sees."""
        return Launch(
            command=self.sandbox.enclose(command, walls),
            folder=walls.folder,
            environment=self.sandbox.environment(walls),
            level=self.sandbox.level,
            freezer=self.freezer,
            game=game,
        )


def choose_enclosure(walls: str, tmp: str) -> Enclosure:
    """The walls of a choice; `tmp` is an empty folder of the agent's own. NotTrusted if they are none."""
    choice = parse_choice(walls)
    if choice.level in WALL_LESS:
        trusted.check_level(choice.level)
    around, freezer = sandbox(walls), find_freezer(walls)
    common = Walls(folder="", tmp=tmp, log_refused=choice.logs, counts_children=freezer == SIGNALS)
    return Enclosure(sandbox=around, freezer=freezer, walls=common)


def launch_program(path: str, enclosure: Enclosure, game: str) -> Launch:
    """The start of a program that speaks the protocol.

    Beside it are the files of the game if that is a user's own: a copy, which another user may read.
    """
    trusted.check_agent(path)
    folder, name = os.path.split(path)
    around = enclosure.sandbox
    seen = os.path.join(around.seen(folder), name)
    command = [sys.executable, seen] if path.endswith(".py") else [seen]
    walls = replace(enclosure.walls, folder=folder, visible=(PACKAGE,))
    files = game_files(game)
    if not files:
        return enclosure.launch(command, walls, game)
    face = game.removeprefix(files[0])
    files = with_imports(os.path.realpath(files[0]))  # all below one folder, also where that or the file is a link
    home, file = os.path.split(files[0])
    if around.seen(folder) == folder:  # without walls the program reads the game where it lies
        return enclosure.launch(command, walls, os.path.join(home, file) + face)
    within = [path for path in files if is_within(path, home)]
    return enclosure.launch(command, replace(walls, game=copied(home, within, walls.tmp)), f"{GAME}/{file}{face}")
