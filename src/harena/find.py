"""Games by name, by file or by `module:attribute`."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from harena.api import Game
from harena.errors import BadFile, UnknownName
from harena.games.catalogue import CATALOGUE
from harena.games.face import Face
from harena.kernel.modules import load_file


def game(name: str, **options: Any) -> Game:
    """A game ready to play.

    The name is one of `harena.CATALOGUE`, the path of a file with a game of your own (`mygame.py`, or
    `mygame.py:MyFace` where it has several), or `module:attribute`. Options: size, setup, first; each has a default.
    """
    return Game(face(name), found_as=name, **options)


def face(name: str) -> Face:
    """The face of a game by the same names."""
    if name in CATALOGUE:
        module, attribute = CATALOGUE[name].face.split(":")
        return _face_in(importlib.import_module(module), attribute)
    place, _, attribute = name.partition(":")
    if place.endswith(".py"):
        return _face_in(load_file(Path(place)), attribute)
    if attribute:
        try:
            return _face_in(importlib.import_module(place), attribute)
        except ImportError as error:
            raise BadFile(f"{name}: {error}") from None
    raise UnknownName("game", name, CATALOGUE)


def _face_in(module: ModuleType, attribute: str) -> Face:
    own = {
        key: thing
        for key, thing in vars(module).items()
        if isinstance(thing, type) and issubclass(thing, Face) and thing.__module__ == module.__name__
    }
    if attribute and attribute not in own:
        raise BadFile(f"{module.__file__}: there is no Face named {attribute!r}; there are: {', '.join(own) or 'none'}")
    if not attribute and len(own) != 1:
        raise BadFile(f"{module.__file__}: one subclass of harena.Face is needed, there are {len(own)}")
    return own[attribute or next(iter(own))]()
