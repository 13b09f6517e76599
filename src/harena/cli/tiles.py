"""`harena tiles`: the session of the tiles course: the human chooses order and colour; then it is `harena play`."""

import os
import sys
from collections.abc import Mapping
from typing import Any

from harena.agents.spec import parse_agent
from harena.api import Game
from harena.arena.record import HUMAN
from harena.cli.play import new_game
from harena.cli.talk import ALIASES, LONGEST_INPUT, Quit, heard, say
from harena.errors import clean
from harena.find import game
from harena.kernel import patience
from harena.search.result import Limits

ORDERS = {"first": "first", "1": "first", "f": "first", "second": "second", "2": "second", "s": "second"}
COLOURS = {"r": "R", "red": "R", "b": "B", "blue": "B"}
SMALL = {"size": "4"}


def session(board: str | None, agent: str, seed: int | None) -> None:
    """Ask for order and colour, and play; whoever leaves before has not begun."""
    options = SMALL if board is None else {"setup": os.path.abspath(board)}  # found again from any folder
    _check(options, agent)
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    try:
        order = _chosen("order", "first or second", ORDERS)
        colour = _chosen("colour", "R or B", COLOURS)
    except (Quit, KeyboardInterrupt, EOFError) as end:
        say("nothing was played" if isinstance(end, Quit) else "\nnothing was played")
        return
    say("a move is a row and a column, counted from 1, with a blank between: 2 3\n")
    seats = (HUMAN, agent) if order == "first" else (agent, HUMAN)
    new_game("tiles", seats, dict(options), colour, seed, Limits(), None, twice=True)


def _check(options: Mapping[str, Any], text: str) -> None:
    """Complain about a board or an agent before anything is asked."""
    board: Game = patience.run(lambda: game("tiles", **options))
    if text == HUMAN:
        return
    agent = parse_agent(text)
    agent.check("tiles")
    if agent.is_trusted:
        agent.player(board)


def _chosen(what: str, words: str, choices: Mapping[str, str]) -> str:
    """What the human chooses; anything else is answered in a line, and asked again."""
    while True:
        text = clean(heard(f"{what}, {words}> "))[:LONGEST_INPUT]
        if text.lower() in choices:
            return choices[text.lower()]
        if ALIASES.get(text.lower(), text.lower()) == "quit":
            raise Quit
        say(f"{text!r} is no {what}: type {words}, or quit")
