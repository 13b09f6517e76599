"""What anybody may read of agents and messages: no paths of this machine, which strangers need not know."""

import re
from typing import Any

from harena.agents.spec import parse_agent

LETTERS = r"""[^\s/'"`<>|:;,()]"""
ENDED = r"(?<!\.\w)(?<!\.\w\w)(?<!\.\w\w\w)"  # what stands before is no name of a file, as far as its ending tells
FOLDER = rf"{LETTERS}+(?:{ENDED} (?![\d\W]){LETTERS}+){{0,3}}/"  # a few words may be in its name
PATH = re.compile(rf"(?<![\w./])/(?:{FOLDER})+({LETTERS}*)")  # absolute, of two parts or more


def named(text: str) -> str:
    """A seat's text as people read it: of a path only what tells agents apart."""
    agent = parse_agent(text)
    return without_paths(text) if agent.is_trusted else agent.label  # a heuristic may be of a file


def spoken(text: str) -> str:
    """A seat's text within a sentence: a champion of whatever level is the champion."""
    return "the champion" if parse_agent(text).is_champion else named(text)


def without_paths(words: str) -> str:
    """A message with files by their names alone: what an agent's process said last is often where it lies."""
    return PATH.sub(r"\1", words)


def plainly(told: Any) -> Any:
    """The same for every text in JSON-ready data."""
    if isinstance(told, str):
        return without_paths(told)
    if isinstance(told, dict):
        return {key: plainly(value) for key, value in told.items()}
    return [plainly(value) for value in told] if isinstance(told, list) else told
