"""`harena new`: a commented starter agent, where you want it."""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from harena.errors import BadFile, UnknownName, UsageError
from harena.games.catalogue import CATALOGUE, is_own_game

TEXTS = files("harena.courses") / "starters"
ALIKE = 0.8  # how near a folder's name is to one that was mistyped, from 0 to 1
PYTHON = b'"the Python in which harena is installed"'  # in a starter's text: becomes the path of that Python


@dataclass(frozen=True, kw_only=True)
class Starter:
    """What is written: a text of `courses/starters`, under this name in a folder, with others beside it."""

    text: str
    place: str  # within a folder; a path that ends in .py is the file itself
    beside: Mapping[str, str] = field(default_factory=dict)  # place in the folder ({folder}: the folder's name): text
    # Commands; {path} is what was asked for, {file} what was written: {name} in {folder}; {agent} who plays there.
    next: tuple[str, ...]


def _own(game: str, opponent: str) -> Starter:
    return Starter(
        text=f"{game}.py",
        place=f"{game}_agent.py",
        next=(
            f"harena check {{file}} --game {game}",
            f"harena match {game} {{file}} {opponent} --games 20",
            f"harena play {game} --second {{file}}",
        ),
    )


STARTERS: Mapping[str, Starter] = {
    **{game: _own(game, "random") for game in CATALOGUE},
    "comp424": Starter(
        text="comp424.py",
        place="agents/student_agent.py",
        beside={"authors.yaml": "authors.yaml"},
        next=(
            "harena check {path}",
            "harena match colosseum comp424:{path} random_agent --games 20 --size 6-12",
            "harena new simulator {path}",
        ),
    ),
    "w4701": Starter(
        text="w4701.py",
        place="PlayerAI.py",
        beside={"{folder}.txt": "contributions.txt"},
        next=(
            "harena check {path}",
            "harena trap-game w4701:{path} easy",
            "harena match trap w4701:{path} medium --games 20",
        ),
    ),
    "aind": Starter(
        text="aind.py",
        place="game_agent.py",
        next=(
            "harena check {path}",
            "harena match isolation aind:{path} ab_improved --games 20",
            "harena isolation-tournament aind:{path}",
        ),
    ),
    "simulator": Starter(
        text="simulator.py",
        place="simulator.py",
        next=(
            "cd {folder}",
            "python {name} --player_1 random_agent --player_2 {agent} --autoplay --autoplay_runs 20",
        ),
    ),
}


def write_starter(what: str, path: str) -> None:
    """Write the starter of a game or course to a file or into a folder, and say what to do with it."""
    if is_own_game(what):
        raise UsageError(
            f"new writes agents for our four games and the courses only ({', '.join(STARTERS)}); "
            "for a game of your own write a search, as docs/search/own.md shows, or change the agent of one of ours"
        )
    if what not in STARTERS:
        raise UnknownName("starter", what, STARTERS)
    starter = STARTERS[what]
    written = _write(starter, Path(path))
    for file in written:
        print(f"wrote {file}")
    file = written[0]
    has_agent = (file.parent / "agents" / "student_agent.py").is_file()
    words = {"path": path, "file": str(file), "name": file.name, "folder": str(file.parent)}
    words["agent"] = "student_agent" if has_agent else "greedy"
    print("next:")
    for command in starter.next:
        program, rest = command.split(" ", 1)
        filled = rest.format(**{key: shlex.quote(word) for key, word in words.items()})
        if (program, filled) != ("cd", "."):
            print(f"  {started(program)} {filled}")


def started(program: str) -> str:
    """A program as it is started from here: this Python, and harena as it was called."""
    ours = {"python": sys.executable, "harena": sys.argv[0]}.get(program, program)
    if os.path.basename(ours) == "__main__.py":
        return f"{started('python')} -m harena"
    return program if ours == shutil.which(program) else shlex.quote(ours)


def _check_folder(path: Path) -> None:
    """BadFile for a path that looks mistyped: several folders are missing, or one beside has a name like it."""
    folder = path.parent
    if folder.exists():
        return
    beside = [one.name for one in folder.parent.iterdir() if one.is_dir()] if folder.parent.is_dir() else []
    near = get_close_matches(folder.name, beside, 1, ALIKE)
    if near:
        raise BadFile(f"{path}: there is no folder {folder}; did you mean {folder.with_name(near[0]) / path.name}?")
    if not folder.parent.exists():
        raise BadFile(f"{path}: there is no folder {folder}: make it, or mend the path")


def _write(starter: Starter, path: Path) -> list[Path]:
    """The files written, the agent's own first; nothing that is there is touched."""
    if path.suffix and not path.suffix[1:].isdigit() and path.suffix != ".py" and not path.is_dir():
        raise BadFile(f"{path}: name a folder, or a file that ends in .py, as {path.with_suffix('.py')}")
    _check_folder(path)
    if path.suffix == ".py":
        places = {path: starter.text}
    else:
        name = os.path.basename(os.path.abspath(path))
        beside = {path / place.format(folder=name): text for place, text in starter.beside.items()}
        places = {path / starter.place: starter.text, **beside}
    agent = next(iter(places))
    if agent.exists():
        raise BadFile(f"{agent} is there already: it is left as it is; name another path")
    missing = {file: text for file, text in places.items() if not file.exists()}
    for file, text in missing.items():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("xb") as out:
                out.write((TEXTS / text).read_bytes().replace(PYTHON, repr(sys.executable).encode()))
        except OSError as error:
            raise BadFile(f"{file}: cannot be written: {error.strerror}") from None
    return list(missing)
