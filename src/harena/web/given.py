"""What browsers name in words: games, positions and players, each checked before anything is loaded or run.

Games are those of the catalogue only, never a file; agents by path only from the server's own folders; a heuristic or a
search from a file would run in the server's process, so there is none.
"""

import os
import re
from pathlib import Path
from typing import Any

from harena.agents.player import Player
from harena.agents.spec import AgentSpec, CourseAgent, parse_agent
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
    """The player of a text, if this server may run it; only its caller uses it."""
    check_player(config, text, of.name)
    return parse_agent(text).player(of, config.sandbox)


def check_player(config: Config, text: str, game_name: str) -> None:
    """Complain about a player that this server does not run."""
    agent = parse_agent(_checked(text, "player"))
    if not agent.is_trusted:
        _check_paths(config, agent)
        return
    if agent.names_file:
        raise BadText("a heuristic or search from a file is for the command line only")
    algorithm = agent.resolve(game_name)
    memory = algorithm[1].get("memory", "1") if algorithm else "1"
    if _is_number(memory) and float(memory) > MOST_MEMORY:
        raise BadOption(f"here memory is at most {MOST_MEMORY:g} (megabytes), not {memory}")


def _check_paths(config: Config, agent: AgentSpec) -> None:
    """BadText unless an agent's file, what it sees, and all else that its text can mean lie in the server's folders."""
    for path in agent.possible_paths():
        _check_within(config, agent.text, path)
    if isinstance(agent, CourseAgent):
        _check_within(config, agent.text, agent.locate().folder)


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
