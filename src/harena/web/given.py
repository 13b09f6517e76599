"""What browsers name in words: games, positions and players, each checked before anything is loaded or run.

Games are those of the catalogue only, never a file; agents by path only from the server's own folders; a heuristic or a
search from a file would run in the server's process, so there is none.
"""

import os
import re
from pathlib import Path
from typing import Any

from harena.agents.guests import guest, is_guest
from harena.agents.launch import is_ours
from harena.agents.player import Player, player, resolve
from harena.agents.stranger import Stranger
from harena.api import Game, State
from harena.errors import BadOption, BadText, HarenaError
from harena.find import face, game
from harena.games.catalogue import CATALOGUE, entry
from harena.games.face import read_position
from harena.web.config import Config

LONGEST_TEXT, LONGEST_BOARD = 500, 5000  # letters of a player, and of a position, which may be a printed board
MOST_MEMORY = 256.0  # megabytes of one search


def known_game(name: str, size: str | int | None = None, setup: str | None = None, first: str | None = None) -> Game:
    """A game of the catalogue with these options; an empty text is no option."""
    known = entry(name)
    if setup:
        known.setup_name(setup)
    given = {"size": _checked(str(size), "size") if size else None, "setup": setup or None, "first": first or None}
    return game(name, **{key: value for key, value in given.items() if value is not None})


def placed(name: str, position: str) -> State:
    """The position of a text, in a game of its size."""
    entry(name)
    found = face(name)
    text = _checked(position, "position", LONGEST_BOARD)
    return game(name, **found.options_of(read_position(found, text))).position(text)


def addressed(name: str, position: str, usual: str) -> tuple[str, State, str]:
    """The game and position of a page's address, or the usual game and its start; and what is wrong with them."""
    known = name if name in CATALOGUE else usual
    mistake = f"there is no game {name!r}" if name and name != known else ""
    try:
        if position.strip():
            return known, placed(known, position), mistake
    except HarenaError as error:
        mistake = str(error)
    return known, known_game(known).initial(), mistake


def known_player(config: Config, text: str, of: Game) -> Player:
    """The player of a text, if this server may run it; whoever gets it is the only one to use it."""
    check_player(config, text, of.name)
    return player(text, of) if is_ours(text) else Stranger(text, of, config.sandbox)


def check_player(config: Config, text: str, game_name: str) -> None:
    """Complain about a player that this server does not run."""
    _checked(text, "player")
    if not is_ours(text):
        _check_path(config, text)
        return
    if ".py" in text:
        raise BadText("a heuristic or search from a file is for the command line only")
    memory = resolve(text, game_name)[1].get("memory", "1")
    if _is_number(memory) and float(memory) > MOST_MEMORY:
        raise BadOption(f"here memory is at most {MOST_MEMORY:g} (megabytes), not {memory}")


def _check_path(config: Config, text: str) -> None:
    """An agent's file, what it sees, and whatever else its text could be read as, lie in folders of the server's."""
    path = text.partition(":")[2] if is_guest(text) else text
    readings = [path, path.rpartition(":")[0]] if is_guest(text) and ":" in path else [path]
    for reading in readings:
        _check_within(config, text, reading)
    if is_guest(text):
        _check_within(config, text, guest(text).folder)


def _check_within(config: Config, text: str, path: str) -> None:
    whole = Path(os.path.realpath(path))
    if not any(whole.is_relative_to(folder) for folder in config.agents):
        raise BadText(f"{text}: agents are started only from the folders given to harena serve --agents")


def _checked(text: str, what: str, longest: int = LONGEST_TEXT) -> str:
    if len(text) > longest:
        raise BadText(f"a {what} has at most {longest:,} letters")
    if not all(letter.isprintable() or letter in "\n\r\t" for letter in text):
        raise BadText(f"a {what} has only printable letters")
    return text


def _is_number(text: Any) -> bool:
    return re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", str(text), re.ASCII) is not None
