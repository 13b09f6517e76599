"""Games by name, by file or by `module:attribute`."""

import copyreg
import importlib
import logging
import os
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from harena.api import Game
from harena.errors import BadFile, UnknownName, printable
from harena.games.catalogue import CATALOGUE, Entry
from harena.games.face import Face
from harena.kernel import trusted
from harena.kernel.beside import GAME
from harena.kernel.modules import USER_FILES, load_file
from harena.kernel.values import is_value_class

log = logging.getLogger("harena")
_said: set[str] = set()  # files that were named as not verified


def game(name: str | os.PathLike[str], **options: Any) -> Game:
    """A game ready to play.

    The name is one of `harena.CATALOGUE`, the path of a file with a game of your own (`mygame.py`, or
    `mygame.py:MyFace` where it has several), or `module:attribute`. Options: size, setup, first; each has a default.
    """
    return Game(face(os.fspath(name)), found_as=os.fspath(name), **options)


def _game_again(name: str, options: dict[str, Any]) -> Game:
    return game(name, **options)


copyreg.pickle(Game, lambda found: (_game_again, (found.found_as, found.options)))  # a face need not be importable


def face(name: str) -> Face:
    """The face of a game by the same names."""
    if name in CATALOGUE:
        module, attribute = CATALOGUE[name].face.split(":")
        return _face_in(importlib.import_module(module), attribute)
    place, colon, attribute = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
    if place.endswith(".py"):
        return _face_in(load_file(Path(place)), attribute)
    if not colon or not place.replace(".", "").isidentifier() or place.startswith("."):
        if os.path.exists(name):
            raise BadFile(f"{name} is a folder or no Python file: a game's file ends in .py")
        raise UnknownName("game", name, CATALOGUE)
    trusted.check_module(name)
    try:
        found = importlib.import_module(place)
    except Exception as error:
        raise BadFile(f"{place}: cannot be imported: {' '.join(str(error).split())}") from error
    USER_FILES.add(getattr(found, "__file__", None))
    return _face_in(found, attribute)


def stored_name(name: str, digest: str | None = None) -> str:
    """The name under which a game that a record or a store names may be loaded; NotTrusted if it may not.

    That is a game of the catalogue, or one whose file the user has typed (`trust_game`), with the record's digest of
    its content. A record that holds none (version 0.1.0 kept none) needs a file of its own name that was typed with
    `unchecked:`, and a line says that nothing was verified. Modules have no digest: their whole name is typed.
    """
    if name in CATALOGUE:
        return name
    found = trusted.typed_game(name, digest)
    if found is None:
        raise _not_trusted(name, digest)
    if not digest and found not in _said:
        _said.add(found)
        what = printable(found)
        log.warning("harena: this record holds no hash of %s: it cannot be verified that these are its rules", what)
    return found


def _not_trusted(name: str, digest: str | None) -> trusted.NotTrusted:
    own = GAME.match(name)
    what = printable(own[0] if own else name)
    namesake = trusted.typed_namesake(name)
    if digest and namesake is not None:
        return trusted.NotTrusted(f"{what} is not as it was when this game was played: put that version back")
    if namesake is not None:
        file = trusted.quoted(f"{trusted.UNCHECKED}{namesake}")
        return trusted.NotTrusted(
            f"this record holds no hash of {what}: it cannot be verified that the rules are the same; "
            f"if you are sure that they are, name the file as {file}"
        )
    return trusted.NotTrusted(
        f"the rules of this game are code of its owner's, {what}: if you trust it, add --game {trusted.quoted(what)}"
    )


def trust_game(name: str | os.PathLike[str]) -> None:
    """Let stored games whose rules are this file be replayed in this process: that runs the file.

    `unchecked:FILE` is for records that hold no hash of their rules, as those of version 0.1.0.
    """
    for text in typed_games([os.fspath(name)]):
        trusted.trust(text)


def typed_games(names: Iterable[str]) -> list[str]:
    """Those of the games that a user types which are files or modules; BadFile for a file that is not there."""
    found = [name for name in names if name not in CATALOGUE]
    for name in found:
        own = GAME.match(name.removeprefix(trusted.UNCHECKED))
        if own is not None and not os.path.isfile(own[0]):
            raise BadFile(f"{own[0]}: there is no such file")
        if own is None and ":" not in name:
            raise UnknownName("game", name, CATALOGUE)
    return found


def _face_in(module: ModuleType, attribute: str) -> Face:
    where = getattr(module, "__file__", None) or module.__name__
    own = {
        key: thing
        for key, thing in vars(module).items()
        if isinstance(thing, type) and issubclass(thing, Face) and thing.__module__ == module.__name__
    }
    if attribute and attribute not in own:
        raise BadFile(f"{where}: there is no Face named {attribute!r}; there are: {', '.join(own) or 'none'}")
    if not attribute and len(own) != 1:
        raise BadFile(
            f"{where}: one subclass of harena.Face is needed, there are {len(own)}"
            + (f": name one, {where}:{next(iter(own))}" if own else "")
        )
    return _checked(own[attribute or next(iter(own))], where)


def _checked(kind: type[Face], where: str) -> Face:
    """The face, if it has what every face needs."""
    if not isinstance(getattr(kind, "entry", None), Entry):
        raise BadFile(f"{where}: {kind.__name__} needs an entry: entry = Entry(name=..., title=..., summary=...)")
    if not is_value_class(getattr(kind, "state", None)):
        raise BadFile(f"{where}: {kind.__name__} needs the class of its states: state = YourState")
    if kind.setup is Face.setup:
        raise BadFile(f"{where}: {kind.__name__} needs a method setup() that returns the options of a game")
    try:
        return kind()
    except TypeError as error:
        raise BadFile(f"{where}: {kind.__name__} cannot be made without arguments: {error}") from error
