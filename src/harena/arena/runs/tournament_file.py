"""A tournament that a TOML file describes."""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from harena.errors import BadFile, UnknownName
from harena.search.result import Limits

LIMITS = tuple(limit.name for limit in fields(Limits))
KEYS: Mapping[str, tuple[type, ...]] = {  # of a file that describes a tournament
    "game": (str,),
    "agents": (list,),
    "games": (int,),
    "type": (str,),
    "rounds": (int,),
    "limits": (dict,),
    "clock": (str,),
    "size": (int, str),
    "setup": (str,),
    "openings": (str,),
    "seed": (int,),
    "margin": (int, float),
    "memory": (int, float),
    "concurrency": (int,),
    "sandbox": (str,),
}
TYPE_NAMES = {str: "a text", list: "a list", int: "a whole number", dict: "a table", float: "a number"}


def read_tournament(path: str) -> dict[str, Any]:
    """What the file says, by key; BadFile says what is wrong with it."""
    try:
        with open(path, "rb") as file:
            described = tomllib.load(file)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"{path}: {error}") from None
    for key, value in described.items():
        if key not in KEYS:
            raise BadFile(f"{path}: {UnknownName('key', key, KEYS)}")
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise BadFile(f"{path}: {key} is {TYPE_NAMES[KEYS[key][-1]]}, not {value!r}")
    if "game" not in described or "agents" not in described:
        raise BadFile(f'{path}: a tournament has at least: game = "isolation" and agents = ["random", "mm_open"]')
    for agent in described["agents"]:
        if not isinstance(agent, str):
            raise BadFile(f"{path}: agents are texts, and {agent!r} is none")
    for key in described.get("limits", {}):
        if key not in LIMITS:
            raise BadFile(f"{path}: {UnknownName('limit', key, LIMITS)}")
    return described
